/// Makes text from files, programs and users safe for messages: for standard error, logs and the descriptions
/// of errors.
///
/// A message never contains a character that a terminal obeys, hides or uses to reorder a line. Such a
/// character appears by its number, as `\u{202E}`.
public enum MessageText {
    /// How many characters of a key or a suite's name a message shows.
    public static let nameLimit = 80
    /// How many characters of a path a message shows. No single file name is longer (`NAME_MAX`).
    public static let pathLimit = 255

    /// A whole message.
    ///
    /// - Parameters:
    ///   - text: The message.
    ///   - keepsLines: Line feeds and tabs stay. Without it a message is one line.
    public static func escaped(_ text: String, keepsLines: Bool = false) -> String {
        // Most messages are this.
        if text.utf8.allSatisfy({ 0x20..<0x7F ~= $0 }) { return text }
        var escaped = ""
        for scalar in text.unicodeScalars {
            let isLayout = keepsLines && (scalar == "\n" || scalar == "\t")
            if isLayout || !scalar.isActedUpon {
                escaped.unicodeScalars.append(scalar)
            } else {
                escaped += "\\u{" + String(scalar.value, radix: 16, uppercase: true) + "}"
            }
        }
        return escaped
    }

    /// A key, a suite's name or another word in a message. The middle of a long one is left out.
    public static func name(_ name: String) -> String { shortened(name, limit: nameLimit) }

    /// A path or URL in a message. The middle of a very long one is left out.
    public static func path(_ path: String) -> String { shortened(path, limit: pathLimit) }

    /// Up to five keys, sorted, as a list.
    public static func names(_ names: some Sequence<String>, quoted: Bool = false) -> String {
        let limit = 5
        let sorted = names.sorted()
        let list = sorted.prefix(limit).map { quoted ? "“\(name($0))”" : name($0) }.joined(separator: ", ")
        return sorted.count > limit ? "\(list) and \(sorted.count - limit) more" : list
    }

    private static func shortened(_ text: String, limit: Int) -> String {
        // A text has no more scalars than bytes. Scalars are counted and not characters, since one character
        // can have any number of marks.
        if text.utf8.count <= limit { return escaped(text) }
        let scalars = text.unicodeScalars
        guard scalars.count > limit else { return escaped(text) }
        let end = limit / 3
        return escaped(String(scalars.prefix(limit - end - 1))) + "…" + escaped(String(scalars.suffix(end)))
    }
}

extension Unicode.Scalar {
    /// Whether a terminal obeys it, breaks the line at it, or reorders or hides text because of it.
    var isActedUpon: Bool {
        switch properties.generalCategory {
        // C0, DEL and C1.
        case .control, .lineSeparator, .paragraphSeparator: true
        // Bidirectional marks, embeddings, overrides and isolates, and what is invisible. Joiners are parts of
        // words and emoji.
        case .format: value != 0x200C && value != 0x200D
        default: false
        }
    }
}
