/// The words of a line, quoted as for a shell (POSIX, 2.2): `'…'` takes everything as it is, `"…"` and `\`
/// protect; nothing is expanded.
///
/// - Throws: ``UsageError`` where a quotation mark has no partner.
public func shellWords(_ line: String) throws(UsageError) -> [String] {
    var words: [String] = []
    var word: String.UnicodeScalarView?
    var rest = line.unicodeScalars[...]
    func unended(_ mark: Unicode.Scalar) -> UsageError {
        UsageError("The quotation mark \(mark) has no partner in: \(line)")
    }
    while let scalar = rest.popFirst() {
        switch scalar {
        case " ", "\t", "\n", "\r":
            if let ended = word { words.append(String(ended)) }
            word = nil
        case "'":
            guard let end = rest.firstIndex(of: "'") else { throw unended(scalar) }
            word = (word ?? .init()) + rest[..<end]
            rest = rest[rest.index(after: end)...]
        case "\"":
            var text = word ?? .init()
            var isEnded = false
            while !isEnded {
                guard let next = rest.popFirst() else { throw unended(scalar) }
                switch next {
                case "\"": isEnded = true
                case "\\":
                    guard let escaped = rest.popFirst() else { throw unended(scalar) }
                    if !["\"", "\\", "$", "`"].contains(escaped) { text.append("\\") }
                    text.append(escaped)
                default: text.append(next)
                }
            }
            word = text
        case "\\":
            guard let next = rest.popFirst() else {
                throw UsageError("Nothing is behind the last \\ in: \(line)")
            }
            word = (word ?? .init()) + [next]
        default: word = (word ?? .init()) + [scalar]
        }
    }
    if let word { words.append(String(word)) }
    return words
}
