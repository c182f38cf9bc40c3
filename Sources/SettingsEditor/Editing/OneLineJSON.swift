import PropertyList

/// A JSON text that is stored on one line. The user's own editor shows it in lines, and it stays on one line.
///
/// The edited text is compared with the stored one token by token. Tokens before and after the differences keep their
/// white space, and others get the white space that the stored text has at such a place. Comparing values would lose the order of
/// members and the spelling of numbers.
struct OneLineJSON {
    private struct Token {
        /// The white space before it.
        let space: String
        let text: String
    }

    private let tokens: [Token]

    /// Nil if the text has several lines already, or no member or element.
    init?(_ source: String) {
        if source.utf8.contains(UInt8(ascii: "\n")) { return nil }
        tokens = Self.tokens(of: source)
        if tokens.count < 3 { return nil }
    }

    /// The tokens of a valid JSON text.
    private static func tokens(of source: String) -> [Token] {
        let bytes = Array(source.utf8)
        var tokens: [Token] = []
        var position = 0
        while let first = bytes[position...].firstIndex(where: { !isSpace($0) }) {
            var end = first + 1
            if bytes[first] == UInt8(ascii: "\"") {
                while bytes[end] != UInt8(ascii: "\"") { end += bytes[end] == UInt8(ascii: "\\") ? 2 : 1 }
                end += 1
            } else if !isSign(bytes[first]) {
                end = bytes[end...].firstIndex { isSign($0) || isSpace($0) } ?? bytes.count
            }
            let space = String(decoding: bytes[position..<first], as: UTF8.self)
            tokens.append(Token(space: space, text: String(decoding: bytes[first..<end], as: UTF8.self)))
            position = end
        }
        return tokens
    }

    private static func isSpace(_ byte: UInt8) -> Bool { byte <= UInt8(ascii: " ") }

    private static func isSign(_ byte: UInt8) -> Bool { "{}[],:".utf8.contains(byte) }

    /// The text with a line for each member and element, indented by two spaces.
    var indented: String {
        var (text, lineStart, previous) = ("", "\n", "")
        for token in tokens.map(\.text) {
            let (closes, isFirst) = (["}", "]"].contains(token), ["{", "["].contains(previous))
            if closes { lineStart.removeLast(2) }
            if closes ? !isFirst : isFirst || previous == "," { text += lineStart }
            text += previous == ":" ? " \(token)" : token
            if ["{", "["].contains(token) { lineStart += "  " }
            previous = token
        }
        return text
    }

    /// The stored text with the differences of an edited one, which is valid JSON.
    func edited(_ edited: String) -> String {
        let new = Self.tokens(of: edited)
        let start = zip(tokens, new).prefix { $0.text == $1.text }.count
        let common = min(tokens.count, new.count) - start
        let end = zip(tokens.reversed(), new.reversed()).prefix(common).prefix { $0.text == $1.text }.count
        /// The place in the stored text of a token before or after the differences.
        func place(_ index: Int) -> Int? {
            index < start ? index : index < new.count - end ? nil : index - new.count + tokens.count
        }
        var style: [String: String] = [:]
        for (before, after) in zip(tokens, tokens.dropFirst()) where style[Self.gap(before, after)] == nil {
            style[Self.gap(before, after)] = after.space
        }
        return (0..<new.count).map { index in
            if index == 0 { return new[0].text }
            let gap = Self.gap(new[index - 1], new[index])
            // The white space after the same token, or else at another place of this kind.
            if let place = place(index - 1), place + 1 < tokens.count,
                Self.gap(tokens[place], tokens[place + 1]) == gap
            {
                return tokens[place + 1].space + new[index].text
            }
            return (style[gap] ?? (gap == ",_" ? style[":_"] : nil) ?? "") + new[index].text
        }.joined()
    }

    /// The kind of place between two tokens: after or before which sign it is.
    private static func gap(_ before: Token, _ after: Token) -> String {
        if [",", ":", "{", "["].contains(before.text) { return before.text + "_" }
        return ["}", "]", ",", ":"].contains(after.text) ? "_" + after.text : ""
    }
}
