// Creates errors of the text readers, with line and column.
extension PropertyListError {
    /// Creates an error at a byte of a UTF-8 text. It counts the lines, so that reading does not have
    /// to.
    static func inText(
        _ text: [UInt8],
        at offset: Int,
        _ problem: String,
        reason: Reason = .malformed
    ) -> PropertyListError { PropertyListError(place(of: offset, in: text), reason, problem) }

    static func inText(
        _ text: [UInt8],
        at offset: Int,
        quoting quotation: Quotation,
        reason: Reason = .malformed,
        _ problem: (String) -> String
    ) -> PropertyListError {
        PropertyListError(place(of: offset, in: text), reason, quoting: quotation, problem)
    }

    private static func place(of offset: Int, in text: [UInt8]) -> Place {
        var line = 1
        var lineStart = 0
        for index in 0..<min(offset, text.count) where text[index] == ASCII.lineFeed {
            line += 1
            lineStart = index + 1
        }
        return .line(line, column: offset - lineStart + 1)
    }

    /// Adds a step in front of the error's path, on the way out of a nested value.
    func inside(_ step: PathStep) -> PropertyListError {
        guard case .path(let path) = place else { return self }
        return moved(to: .path(ValuePath([step] + path.steps)))
    }
}

/// A reader of a text, as its errors need it.
protocol TextReader {
    var bytes: [UInt8] { get }
    var position: Int { get }
}

extension TextReader {
    func error(
        at offset: Int,
        _ problem: String,
        reason: PropertyListError.Reason = .malformed
    ) -> PropertyListError { .inText(bytes, at: offset, problem, reason: reason) }

    func error(
        at offset: Int,
        quoting quotation: Quotation,
        _ problem: (String) -> String
    ) -> PropertyListError { .inText(bytes, at: offset, quoting: quotation, problem) }

    func expected(_ what: String) -> PropertyListError {
        error(at: position, quoting: .character(at: position, in: bytes)) { "found \($0), expected \(what)" }
    }
}

/// The characters of a file that an error quotes. If the file has secrets, the error has the substitute instead.
struct Quotation {
    let text: String
    let substitute: String

    /// At most 20 characters. Longer texts end in an ellipsis.
    static func text(_ bytes: some Collection<UInt8>) -> Self {
        let limit = 20
        // A character has at most four bytes.
        let start = String(decoding: bytes.prefix(4 * (limit + 1)), as: UTF8.self).unicodeScalars
        let shown = MessageText.escaped(String(start.prefix(limit)))
        return Self(text: start.count > limit ? "“\(shown)…”" : "“\(shown)”", substitute: "the text here")
    }

    /// The character at an offset. Control characters appear as code points, so that a terminal cannot mistake them for
    /// commands.
    static func character(at offset: Int, in text: [UInt8]) -> Self {
        guard offset < text.count else { return unconcealed("the end of the file") }
        let byte = text[offset]
        switch byte {
        case ASCII.lineFeed, ASCII.carriageReturn: return unconcealed("the end of the line")
        case 0x20..<0x7F: return character("‘\(Character(Unicode.Scalar(byte)))’")
        default: break
        }
        var decoder = UTF8()
        var rest = text[offset..<min(offset + 4, text.count)].makeIterator()
        if case .scalarValue(let scalar) = decoder.decode(&rest) { return character(scalar.codePoint) }
        return unconcealed("a byte that is not UTF-8")
    }

    /// A character that is not ASCII, by its bytes. One that can't be seen appears as its code point.
    static func character(_ bytes: ArraySlice<UInt8>) -> Self {
        let text = String(decoding: bytes, as: UTF8.self)
        let codePoint = text.unicodeScalars.first?.codePoint ?? ""
        let isVisible = text.unicodeScalars.allSatisfy { !$0.properties.isWhitespace && !$0.isActedUpon }
        return character(isVisible ? "“\(text)” (\(codePoint))" : codePoint)
    }

    static func character(_ text: String) -> Self { Self(text: text, substitute: "another character") }

    static func unconcealed(_ text: String) -> Self { Self(text: text, substitute: text) }
}

extension Unicode.Scalar {
    /// The notation of the Unicode Standard: `U+001B`.
    var codePoint: String {
        let digits = String(value, radix: 16, uppercase: true)
        return "U+" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    }
}
