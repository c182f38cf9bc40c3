/// A comment of a file in OpenStep form, and where it is to stand in XML.
struct OpenStepComment: Equatable {
    enum Place: Equatable {
        /// In front of the dictionary at the top.
        case head
        /// In front of an entry of that, or somewhere in it.
        case before(String)
        /// On the line where an entry ends.
        case behind(String)
        /// Behind the last entry.
        case end
    }

    let text: String
    let place: Place
}

extension OpenStepReader {
    /// The comments of a file that was read, in order.
    var placedComments: [OpenStepComment] {
        var index = 0
        return comments.map { comment in
            while index < entries.count, entries[index].range.upperBound <= comment.lowerBound { index += 1 }
            return OpenStepComment(text: text(of: comment), place: place(of: comment, next: index))
        }
    }

    private func place(of comment: Range<Int>, next: Int) -> OpenStepComment.Place {
        if comment.lowerBound < bodyStart ?? 0 { return .head }
        if next > 0 {
            let last = entries[next - 1]
            let isOnItsLine = !bytes[last.range.upperBound..<comment.lowerBound].contains {
                $0 == ASCII.lineFeed || $0 == ASCII.carriageReturn
            }
            let goesOn = next < entries.count && !endsLine(comment)
            if isOnItsLine, !goesOn { return .behind(last.key) }
        }
        return next < entries.count ? .before(entries[next].key) : .end
    }

    private func endsLine(_ comment: Range<Int>) -> Bool {
        let rest = bytes[comment.upperBound...].first { $0 != ASCII.space && $0 != ASCII.tab }
        return rest.map { $0 == ASCII.lineFeed || $0 == ASCII.carriageReturn || $0 == ASCII.slash } ?? true
    }

    /// What is between the marks.
    private func text(of comment: Range<Int>) -> String {
        let isLine = bytes[comment.lowerBound + 1] == ASCII.slash
        let inside = bytes[comment].dropFirst(2).dropLast(isLine ? 0 : 2)
        return String(decoding: inside, as: UTF8.self)
    }
}

extension XMLDocument {
    /// The same with comments. What XML has no place for in them is written apart (`- -` for `--`) or, a control
    /// character, as U+FFFD.
    func adding(_ comments: [OpenStepComment]) throws(PropertyListError) -> XMLDocument {
        if comments.isEmpty { return self }
        // At each place what goes on with the line there, and what has lines of its own below that.
        var texts: [Int: (onLine: String, below: String)] = [:]
        let front = (bytes[..<bodyStart].lastIndex(of: ASCII.less) ?? bodyStart)
        for comment in comments {
            let text = "<!--\(Self.commentText(comment.text))-->"
            switch comment.place {
            case .head: texts[front, default: ("", "")].below += text + "\n"
            case _ where ends.isEmpty: texts[front, default: ("", "")].below += text + "\n"
            case .before(let key):
                // Where the entry before ends, which may have a comment of its own there: that comes first.
                let start = index(ofKey: key).map(start(ofEntry:)) ?? start(ofEntry: ends.count)
                texts[start, default: ("", "")].below += "\n\t" + text
            case .behind(let key):
                let end = index(ofKey: key).map { Int(ends[$0]) } ?? start(ofEntry: ends.count)
                texts[end, default: ("", "")].onLine += " " + text
            case .end: texts[start(ofEntry: ends.count), default: ("", "")].below += "\n\t" + text
            }
        }
        var result: [UInt8] = []
        var position = 0
        for (place, text) in texts.sorted(by: { $0.key < $1.key }) {
            result += bytes[position..<place] + Array((text.onLine + text.below).utf8)
            position = place
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
