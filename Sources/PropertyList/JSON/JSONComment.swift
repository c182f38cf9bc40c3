/// A comment in a JSON text: `// …` up to the end of its line, or `/* … */`.
struct JSONComment {
    let range: Range<Int>
    let isLine: Bool
    /// Whether the text has its end.
    let isClosed: Bool

    /// Reads the comment that begins at a position. Nil if none does.
    init?(at start: Int, of bytes: [UInt8]) {
        guard start + 1 < bytes.count, bytes[start] == ASCII.slash else { return nil }
        switch bytes[start + 1] {
        case ASCII.slash:
            let end = bytes[start...].firstIndex { $0 == ASCII.lineFeed || $0 == ASCII.carriageReturn }
            range = start..<(end ?? bytes.count)
            isLine = true
            isClosed = true
        case Self.star:
            var end = start + 2
            while end + 1 < bytes.count, bytes[end] != Self.star || bytes[end + 1] != ASCII.slash { end += 1 }
            isClosed = end + 1 < bytes.count
            range = start..<(isClosed ? end + 2 : bytes.count)
            isLine = false
        default: return nil
        }
    }

    private static let star = UInt8(ascii: "*")

    /// The words of the comment, without its signs, the stars at the start of its lines, and the blanks around it.
    func text(in bytes: [UInt8]) -> String {
        let content = bytes[(range.lowerBound + 2)..<(isLine ? range.upperBound : range.upperBound - 2)]
        let lines = content.split(separator: ASCII.lineFeed, omittingEmptySubsequences: false).map { line in
            let signs = isLine ? ASCII.slash : Self.star
            let marked = line.drop { ASCII.isWhiteSpace($0) }.drop { $0 == signs }
            let start = marked.drop { ASCII.isWhiteSpace($0) }
            let end = start.lastIndex { !ASCII.isWhiteSpace($0) }.map { $0 + 1 } ?? start.startIndex
            return String(decoding: start[..<end], as: UTF8.self)
        }
        let first = lines.firstIndex { !$0.isEmpty } ?? 0
        let last = lines.lastIndex { !$0.isEmpty } ?? 0
        return lines.isEmpty ? "" : lines[first...last].joined(separator: "\n")
    }
}

/// The bytes between two values, of which none is in a value: white space, commas and comments.
///
/// A comment belongs to the value whose line it ends; the others belong to the value below them. toml_edit calls that the
/// decor of a token.
struct JSONGap {
    let bytes: [UInt8]
    let range: Range<Int>

    var hasComments: Bool { bytes[range].contains(ASCII.slash) }

    /// The comments in order.
    var comments: [JSONComment] {
        var found: [JSONComment] = []
        var position = range.lowerBound
        while let start = bytes[position..<range.upperBound].firstIndex(of: ASCII.slash),
            let comment = JSONComment(at: start, of: bytes)
        {
            found.append(comment)
            position = comment.range.upperBound
        }
        return found
    }

    /// The index of the comma, if there is one.
    var comma: Int? { firstIndex { $0 == UInt8(ascii: ",") } }

    /// The index of the first line feed, if there is one.
    var lineEnd: Int? { firstIndex { $0 == ASCII.lineFeed } }

    /// The first byte outside of comments that fits.
    private func firstIndex(_ fits: (UInt8) -> Bool) -> Int? {
        var position = range.lowerBound
        while position < range.upperBound {
            if let comment = JSONComment(at: position, of: bytes) {
                position = comment.range.upperBound
            } else if fits(bytes[position]) {
                return position
            } else {
                position += 1
            }
        }
        return nil
    }

    /// Where the part ends that belongs to the value before: behind the last comment of its line, else behind the comma, else
    /// where the value ends.
    var ownEnd: Int {
        let afterComma = comma.map { $0 + 1 } ?? range.lowerBound
        // Comments before the comma belong to the value in any case.
        let before = comments.last { $0.range.upperBound <= afterComma }?.range.upperBound ?? range.lowerBound
        let start = max(afterComma, before)
        var (position, end) = (start, start)
        while position < range.upperBound {
            if bytes[position] == ASCII.lineFeed || bytes[position] == ASCII.carriageReturn { return end }
            if let comment = JSONComment(at: position, of: bytes) {
                end = comment.range.upperBound
                position = end
            } else {
                position += 1
            }
        }
        // Another value, or the closing bracket, is on the same line.
        return comma == nil ? end : start
    }

    /// The bytes without the blanks at the ends of lines, so that no other line gets them.
    var text: [UInt8] {
        bytes[range].reduce(into: []) { text, byte in
            while ASCII.isLineBreak(byte), let last = text.last, ASCII.isBlank(last) { text.removeLast() }
            text.append(byte)
        }
    }

    /// The white space alone, as it would be without the comments: the last line break with its indentation, or the blanks.
    func withoutComments(lineEnd: [UInt8]) -> [UInt8] {
        if !hasComments { return text }
        guard let line = bytes[range].lastIndex(of: ASCII.lineFeed) else {
            return bytes[range].contains(where: ASCII.isWhiteSpace) ? [ASCII.space] : []
        }
        return lineEnd + bytes[(line + 1)..<range.upperBound].prefix { ASCII.isWhiteSpace($0) }
    }
}

extension JSONNode {
    /// The bytes before a child: from the end of the previous one, or from the opening bracket. With the number of children
    /// as index, those before the closing bracket.
    func gap(before index: Int) -> JSONGap {
        let start = index == 0 ? range.lowerBound + 1 : child(index - 1).range.upperBound
        let end = index == childCount ? range.upperBound - 1 : child(index).memberRange.lowerBound
        return JSONGap(bytes: storage.bytes, range: start..<end)
    }

    /// Whether a comment is between the children, before the first or behind the last one.
    var hasComments: Bool { (0...childCount).contains { gap(before: $0).hasComments } }

    /// Where the part of a child ends: with its comma, and with the comment behind it on its line.
    func ownEnd(ofChild index: Int) -> Int { gap(before: index + 1).ownEnd }

    /// The bytes that go with a child: its line and the comments behind it. If other children are on the line, its text with the
    /// comma and the blanks behind it.
    func ownRange(ofChild index: Int) -> Range<Int> {
        let bytes = storage.bytes
        let start = child(index).memberRange.lowerBound
        let end = ownEnd(ofChild: index)
        let before = gap(before: index).range.lowerBound
        let lineStart = bytes[before..<start].lastIndex(of: ASCII.lineFeed).map { $0 + 1 }
        let next = bytes[end...].firstIndex { $0 != ASCII.space && $0 != ASCII.tab } ?? bytes.endIndex
        let lineEnd = bytes[next...].drop { $0 == ASCII.carriageReturn }
        if let lineStart, lineEnd.first == ASCII.lineFeed,
            bytes[lineStart..<start].allSatisfy(ASCII.isWhiteSpace)
        {
            return lineStart..<lineEnd.startIndex + 1
        }
        if index + 1 < childCount { return start..<next }
        // The blank behind the comma goes along, which is removed itself if no value follows.
        let comma = gap(before: index).comma ?? start
        return bytes[comma..<start].contains(ASCII.slash) ? start..<end : min(comma + 1, start)..<end
    }
}

extension JSONNode {
    /// The position of a new child before another one: above the comments that belong to that one.
    func insertionPoint(beforeChild index: Int) -> Int {
        let bytes = storage.bytes
        let start = index == 0 ? range.lowerBound + 1 : ownEnd(ofChild: index - 1)
        let lead = JSONGap(bytes: bytes, range: start..<child(index).memberRange.lowerBound)
        return bytes[(lead.lineEnd ?? start)...].firstIndex { !ASCII.isWhiteSpace($0) } ?? start
    }
}

extension JSONDocument {
    /// The comments of the values, by their paths: those above a value and those behind it on its line, one after another.
    ///
    /// Comments inside of a container that belong to none of its children are left out.
    public var comments: [ValuePath: String] {
        var found: [ValuePath: String] = [:]
        guard dialect == .withComments, storage.bytes.contains(ASCII.slash) else { return found }
        func visit(_ node: JSONNode, at path: ValuePath) {
            let bytes = storage.bytes
            var start = node.range.lowerBound + 1
            for index in 0..<node.childCount {
                var step = node.step(at: index)
                // Of members with the same name the last one counts.
                if case .twin(let name, _) = step, node.isLast(index, of: name) { step = .key(name) }
                let childPath = path.appending(step)
                let (member, end) = (node.child(index).memberRange, node.ownEnd(ofChild: index))
                let above = JSONGap(bytes: bytes, range: start..<member.lowerBound).comments
                let behind = JSONGap(bytes: bytes, range: member.upperBound..<end).comments
                let texts = (above + behind).map { $0.text(in: bytes) }.filter { !$0.isEmpty }
                if !texts.isEmpty { found[childPath] = texts.joined(separator: "\n") }
                start = end
                visit(node.child(index), at: childPath)
            }
        }
        visit(root, at: [])
        return found
    }
}
