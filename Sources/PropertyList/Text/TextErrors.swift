// Creates errors of the text readers, with line and column.
extension PropertyListError {
    /// Creates an error at a byte of a UTF-8 text. It counts the lines, so that reading does not have
    /// to.
    static func inText(
        _ text: [UInt8],
        at offset: Int,
        _ problem: String,
        reason: Reason = .malformed
    ) -> PropertyListError {
        var line = 1
        var lineStart = 0
        for index in 0..<min(offset, text.count) where text[index] == ASCII.lineFeed {
            line += 1
            lineStart = index + 1
        }
        return PropertyListError(.line(line, column: offset - lineStart + 1), reason, problem)
    }

    /// Adds a step in front of the error's path, on the way out of a nested value.
    func inside(_ step: PathStep) -> PropertyListError {
        guard case .path(let path) = place else { return self }
        return PropertyListError(.path(ValuePath([step] + path.steps)), reason, problem)
    }
}

/// Describes the character at a position for an error message. Control characters appear as code
/// points, so that a terminal cannot mistake them for commands.
func characterDescription(at offset: Int, in text: [UInt8]) -> String {
    guard offset < text.count else { return "the end of the file" }
    let byte = text[offset]
    switch byte {
    case ASCII.lineFeed, ASCII.carriageReturn: return "the end of the line"
    case 0x20..<0x7F: return "‘\(Character(Unicode.Scalar(byte)))’"
    default: break
    }
    var decoder = UTF8()
    var rest = text[offset..<min(offset + 4, text.count)].makeIterator()
    if case .scalarValue(let scalar) = decoder.decode(&rest) { return scalar.codePoint }
    return "a byte that is not UTF-8"
}

extension Unicode.Scalar {
    /// The notation of the Unicode Standard: `U+001B`.
    var codePoint: String {
        let digits = String(value, radix: 16, uppercase: true)
        return "U+" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    }
}
