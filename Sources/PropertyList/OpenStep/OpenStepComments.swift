/// A comment of an OpenStep file, and its position in the XML file that replaces it.
///
/// The first change converts an OpenStep file to XML. The comments that a person wrote move along.
struct OpenStepComment: Equatable {
    enum Position: Equatable {
        /// Before the top dictionary.
        case beforeDictionary
        /// Before an entry of the top dictionary, or inside that entry.
        case before(String)
        /// On the line on which an entry ends.
        case after(String)
        /// After the last entry.
        case end
    }

    let text: String
    let position: Position
}

extension OpenStepReader {
    /// The comments of the file, in order.
    var positionedComments: [OpenStepComment] {
        var index = 0
        return comments.map { comment in
            while index < entries.count, entries[index].range.upperBound <= comment.lowerBound { index += 1 }
            return OpenStepComment(text: text(of: comment), position: position(of: comment, next: index))
        }
    }

    private func position(of comment: Range<Int>, next: Int) -> OpenStepComment.Position {
        if comment.lowerBound < bodyStart ?? 0 { return .beforeDictionary }
        if next > 0 {
            let last = entries[next - 1]
            let isOnItsLine = !bytes[last.range.upperBound..<comment.lowerBound].contains {
                $0 == ASCII.lineFeed || $0 == ASCII.carriageReturn
            }
            let goesOn = next < entries.count && !endsLine(comment)
            if isOnItsLine, !goesOn { return .after(last.key) }
        }
        return next < entries.count ? .before(entries[next].key) : .end
    }

    private func endsLine(_ comment: Range<Int>) -> Bool {
        let rest = bytes[comment.upperBound...].first { $0 != ASCII.space && $0 != ASCII.tab }
        return rest.map { $0 == ASCII.lineFeed || $0 == ASCII.carriageReturn || $0 == ASCII.slash } ?? true
    }

    /// The text between the comment marks.
    private func text(of comment: Range<Int>) -> String {
        let isLine = bytes[comment.lowerBound + 1] == ASCII.slash
        let inside = bytes[comment].dropFirst(2).dropLast(isLine ? 0 : 2)
        return String(decoding: inside, as: UTF8.self)
    }
}

extension XMLDocument {
    /// Returns the document with comments added.
    ///
    /// XML allows no `--` in a comment (XML 1.0, section 2.5), so this becomes `- -`. A forbidden
    /// control character becomes U+FFFD.
    func adding(_ comments: [OpenStepComment]) throws(PropertyListError) -> XMLDocument {
        if comments.isEmpty { return self }
        // The comments at each index: those that continue the line, and those on lines of their own
        // below it.
        var texts: [Int: (onLine: String, below: String)] = [:]
        let front = (bytes[..<bodyStart].lastIndex(of: ASCII.less) ?? bodyStart)
        for comment in comments {
            let text = "<!--\(Self.commentText(comment.text))-->"
            switch comment.position {
            case .beforeDictionary: texts[front, default: ("", "")].below += text + "\n"
            case _ where ends.isEmpty: texts[front, default: ("", "")].below += text + "\n"
            case .before(let key):
                // This index is also the end of the previous entry. Comments on that entry's line come
                // first.
                let start = index(ofKey: key).map(start(ofEntry:)) ?? start(ofEntry: ends.count)
                texts[start, default: ("", "")].below += "\n\t" + text
            case .after(let key):
                let end = index(ofKey: key).map { Int(ends[$0]) } ?? start(ofEntry: ends.count)
                texts[end, default: ("", "")].onLine += " " + text
            case .end: texts[start(ofEntry: ends.count), default: ("", "")].below += "\n\t" + text
            }
        }
        var result: [UInt8] = []
        var position = 0
        for (index, text) in texts.sorted(by: { $0.key < $1.key }) {
            result += bytes[position..<index] + Array((text.onLine + text.below).utf8)
            position = index
        }
        return try XMLDocument.read(result + bytes[position...], limits: limits).document
    }

    private static func commentText(_ text: String) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            if scalar == "-", result.unicodeScalars.last == "-" { result += " " }
            let isAllowed = scalar.value >= 0x20 || "\t\n\r".unicodeScalars.contains(scalar)
            result.unicodeScalars.append(isAllowed ? scalar : "\u{FFFD}")
        }
        return result.unicodeScalars.last == "-" ? result + " " : result
    }
}
