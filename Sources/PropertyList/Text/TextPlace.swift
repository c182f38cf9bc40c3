/// The bytes of ASCII that the readers look for.
enum ASCII {
    static let tab = UInt8(ascii: "\t")
    static let lineFeed = UInt8(ascii: "\n")
    static let carriageReturn = UInt8(ascii: "\r")
    static let space = UInt8(ascii: " ")
    static let quote = UInt8(ascii: "\"")
    static let ampersand = UInt8(ascii: "&")
    static let less = UInt8(ascii: "<")
    static let greater = UInt8(ascii: ">")
    static let slash = UInt8(ascii: "/")
    static let zero = UInt8(ascii: "0")
    static let nine = UInt8(ascii: "9")

    @inline(__always)
    static func isWhiteSpace(_ byte: UInt8) -> Bool {
        byte <= space && (byte == space || byte == lineFeed || byte == tab || byte == carriageReturn)
    }

    static func isLetter(_ byte: UInt8) -> Bool {
        (byte | 0x20) >= UInt8(ascii: "a") && (byte | 0x20) <= UInt8(ascii: "z")
    }

    static func isDigit(_ byte: UInt8) -> Bool { byte >= zero && byte <= nine }

    static func hexDigit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case zero...nine: byte - zero
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}

extension PropertyListError {
    /// An error at a byte of a UTF-8 text. The lines are counted only now.
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

    /// The same error, seen from one step further up.
    func below(_ step: PathStep) -> PropertyListError {
        guard case .path(let path) = place else { return self }
        return PropertyListError(.path(ValuePath([step] + path.steps)), reason, problem)
    }
}

/// What stands at a place of a UTF-8 text, for a sentence: without anything that a terminal would
/// take for a command.
func found(at offset: Int, in text: [UInt8]) -> String {
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
    return "a byte that is no UTF-8"
}

extension Unicode.Scalar {
    /// As the Unicode Standard writes it: `U+001B`.
    var codePoint: String {
        let digits = String(value, radix: 16, uppercase: true)
        return "U+" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    }
}
