/// Splits a line into words, quoted as for a shell (POSIX Shell Command Language, section 2.2).
///
/// `'…'` quotes everything, and `"…"` and `\` protect as in a shell. Nothing is expanded.
///
/// - Throws: ``UsageError`` if a quotation mark is not closed.
public func shellWords(_ line: String) throws(UsageError) -> [String] {
    var words: [String] = []
    var word = String.UnicodeScalarView()
    /// Whether a word has started. A quoted word may be empty.
    var isInWord = false
    var rest = line.unicodeScalars[...]
    func unended(_ mark: Unicode.Scalar) -> UsageError {
        UsageError("Close the quotation mark \(mark) in: \(brief(line))")
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
                throw UsageError("The last \\ has no character after it in: \(brief(line))")
            }
            word.append(next)
        default: word.append(scalar)
        }
    }
    if isInWord { words.append(String(word)) }
    return words
}

/// Returns the start of a text, short enough for a sentence.
func brief(_ text: String) -> String {
    let start = text.unicodeScalars.prefix(60)
    return start.endIndex == text.unicodeScalars.endIndex ? text : String(start) + "…"
}
