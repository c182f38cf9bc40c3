import FoundationEssentials
import PropertyList

// JSON that is text: what has come or gone takes the spaces, and the place among the others, that it has in its text.
extension Merge {
    /// A change to JSON in data or a string, made in the text of what it holds by now.
    ///
    /// - Parameter merged: What both come to, which the text has to say.
    /// - Returns: nil where the two can't be told apart in the text.
    static func text(
        of change: ValueChange,
        over current: PropertyListValue,
        saying merged: PropertyListValue
    ) -> PropertyListValue? {
        guard let old = change.old?.textBytes, let new = change.new?.textBytes,
            let others = current.textBytes
        else { return nil }
        return [apart, together(mineFirst: true), together(mineFirst: false)].lazy
            .compactMap { merge in merge(old, new, others).flatMap { current.with(text: $0) } }
            .first { $0 == merged || ValueNode(merged).isWrittenOtherwise(in: ValueNode($0)) }
    }

    private typealias MergeOfTexts = ([UInt8], [UInt8], [UInt8]) -> [UInt8]?

    /// Where all that one has changed lies before all that the other has, and in other elements or members.
    private static func apart(_ old: [UInt8], _ new: [UInt8], _ others: [UInt8]) -> [UInt8]? {
        let mine = Splice(from: old, to: new)
        let theirs = Splice(from: old, to: others)
        let (first, second) =
            mine.range.upperBound < theirs.range.lowerBound
            ? (mine.range, theirs.range) : (theirs.range, mine.range)
        guard first.upperBound < second.lowerBound, hasComma(old, first.upperBound..<second.lowerBound)
        else { return nil }
        return mine.apply(to: others, movedBy: first == mine.range ? 0 : others.count - old.count)
    }

    /// Whether a comma that parts elements or members is in a range of a text.
    private static func hasComma(_ text: [UInt8], _ range: Range<Int>) -> Bool {
        let (comma, quote, backslash) = (UInt8(ascii: ","), UInt8(ascii: "\""), UInt8(ascii: "\\"))
        guard text[range].contains(comma) else { return false }
        var (isInString, isEscaped) = (false, false)
        for place in 0..<range.upperBound {
            let byte = text[place]
            if byte == comma, !isInString, place >= range.lowerBound { return true }
            if byte == quote, !isEscaped { isInString.toggle() }
            isEscaped = byte == backslash && !isEscaped
        }
        return false
    }

    /// Where they lie among each other.
    private static func together(mineFirst: Bool) -> MergeOfTexts {
        { old, new, others in
            guard max(old.count, new.count, others.count) <= longest, let base = JSONPieces(old),
                let mine = JSONPieces(new), let theirs = JSONPieces(others)
            else { return nil }
            return JSONPieces(base, mine, theirs, mineFirst: mineFirst)?.text
        }
    }

    /// So many bytes are merged piece by piece.
    private static let longest = 1 << 20

    /// What JSON in data or a string comes to that lies inside something else; nil where it is none, or both have
    /// changed the same place of it.
    static func text(_ base: ValueNode, _ mine: ValueNode, _ theirs: ValueNode) -> ValueNode? {
        guard base.json != nil, case .propertyList(let old) = base.content,
            case .propertyList(let new) = mine.content, case .propertyList(let others) = theirs.content
        else { return nil }
        let merge = Merge(ValueChange(old: old, new: new), over: others)
        return merge.clashes.isEmpty ? merge.value.map(ValueNode.init) : nil
    }
}

/// The one stretch of a text that differs from another text, and what it is there.
private struct Splice {
    let range: Range<Int>
    let new: ArraySlice<UInt8>

    init(from old: [UInt8], to new: [UInt8]) {
        let common = min(old.count, new.count)
        let start = zip(old, new).prefix { $0 == $1 }.count
        var end = 0
        while end < common - start, old[old.count - 1 - end] == new[new.count - 1 - end] { end += 1 }
        range = start..<old.count - end
        self.new = new[start..<new.count - end]
    }

    func apply(to text: [UInt8], movedBy distance: Int) -> [UInt8] {
        Array(text[..<(range.lowerBound + distance)] + new + text[(range.upperBound + distance)...])
    }
}

extension PropertyListValue {
    /// Nil where it is neither data nor a string.
    fileprivate var textBytes: [UInt8]? {
        switch self {
        case .data(let data): Array(data)
        case .string(let string): Array(string.utf8)
        default: nil
        }
    }

    fileprivate func with(text: [UInt8]) -> PropertyListValue {
        if case .data = self { .data(Data(text)) } else { .string(String(decoding: text, as: UTF8.self)) }
    }
}
