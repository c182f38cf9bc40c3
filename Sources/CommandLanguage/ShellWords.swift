/// The words of a line, quoted as for a shell (POSIX, 2.2): `'…'` takes everything as it is, `"…"` and `\`
/// protect; nothing is expanded.
///
/// - Throws: ``UsageError`` where a quotation mark has no partner.
public func shellWords(_ line: String) throws(UsageError) -> [String] {
    var words: [String] = []
    var word = String.UnicodeScalarView()
    /// Whether a word has begun, be it that it is empty.
    var isInWord = false
    var rest = line.unicodeScalars[...]
    func unended(_ mark: Unicode.Scalar) -> UsageError {
        UsageError("The quotation mark \(mark) has no partner in its line: \(brief(line))")
    }
    while let scalar = rest.popFirst() {
        if [" ", "\t", "\n", "\r"].contains(scalar) {
            if isInWord { words.append(String(word)) }
            (word, isInWord) = (.init(), false)
            continue
        }
        isInWord = true
        switch scalar {
        case "'":
            guard let end = rest.firstIndex(of: "'") else { throw unended(scalar) }
            word += rest[..<end]
            rest = rest[rest.index(after: end)...]
        case "\"":
            var isEnded = false
            while !isEnded {
                guard let next = rest.popFirst() else { throw unended(scalar) }
                switch next {
                case "\"": isEnded = true
                case "\\":
                    guard let escaped = rest.popFirst() else { throw unended(scalar) }
                    if !["\"", "\\", "$", "`"].contains(escaped) { word.append("\\") }
                    word.append(escaped)
                default: word.append(next)
                }
            }
        case "\\":
            guard let next = rest.popFirst() else {
                throw UsageError("Nothing is behind the last \\ in: \(brief(line))")
            }
            word.append(next)
        default: word.append(scalar)
        }
    }
    if isInWord { words.append(String(word)) }
    return words
}

/// As much of what was typed as a sentence has room for.
func brief(_ text: String) -> String {
    let start = text.unicodeScalars.prefix(60)
    return start.endIndex == text.unicodeScalars.endIndex ? text : String(start) + "…"
}
