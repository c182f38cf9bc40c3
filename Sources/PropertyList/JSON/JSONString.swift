/// Returns a string as JSON text with quotes. Only characters that must be escaped are (RFC 8259,
/// section 7). `JSONEncoder` would make an encoder and copy its output for each string.
public func jsonText(_ string: String) -> String {
    var text: [UInt8] = [UInt8(ascii: "\"")]
    text.reserveCapacity(string.utf8.count + 2)
    for unit in string.utf8 {
        switch unit {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"): text += [UInt8(ascii: "\\"), unit]
        case 0x08: text += #"\b"#.utf8
        case 0x09: text += #"\t"#.utf8
        case 0x0A: text += #"\n"#.utf8
        case 0x0C: text += #"\f"#.utf8
        case 0x0D: text += #"\r"#.utf8
        case 0..<0x20: text += ((unit < 0x10 ? #"\u000"# : #"\u00"#) + String(unit, radix: 16)).utf8
        default: text.append(unit)
        }
    }
    text.append(UInt8(ascii: "\""))
    return String(decoding: text, as: UTF8.self)
}

/// Reads strings of a JSON text that was parsed before, so that every escape is valid.
enum JSONString {
    /// Returns the characters of the string whose opening quote is at `start`, at most `limit` Unicode
    /// scalars. An escaped half of a surrogate pair becomes U+FFFD.
    static func decoded(_ bytes: [UInt8], at start: Int, limit: Int = .max) -> String {
        if limit == .max, let text = plainText(bytes, at: start) {
            return String(decoding: bytes[text], as: UTF8.self)
        }
        var position = start + 1
        var units: [UInt8] = []
        var count = 0
        while count < limit, bytes[position] != UInt8(ascii: "\"") {
            if bytes[position] == UInt8(ascii: "\\") {
                let (scalar, length) = escapedScalar(bytes, at: position)
                units += Character(scalar ?? "\u{FFFD}").utf8
                position += length
            } else {
                let length = sequenceLength(bytes, at: position) ?? 1
                units += bytes[position..<position + length]
                position += length
            }
            count += 1
        }
        return String(decoding: units, as: UTF8.self)
    }

    /// The range between the quotes, or nil if a character is escaped. Most strings have no escape.
    static func plainText(_ bytes: [UInt8], at start: Int) -> Range<Int>? {
        var end = start + 1
        while let word = bytes.word(at: end) {
            let length = (word.matches(of: UInt8(ascii: "\"")) | word.matches(of: UInt8(ascii: "\\")))
                .bytesBeforeFirstMatch
            end += length
            if length < 8 { break }
        }
        while bytes[end] != UInt8(ascii: "\""), bytes[end] != UInt8(ascii: "\\") { end += 1 }
        return bytes[end] == UInt8(ascii: "\"") ? (start + 1)..<end : nil
    }

    /// The ``KeyHash`` of the string whose opening quote is at `start`.
    static func keyHash(_ bytes: [UInt8], at start: Int) -> UInt64 {
        if let text = plainText(bytes, at: start),
            let hash = bytes.withUnsafeBufferPointer({
                KeyHash.of(ascii: UnsafeBufferPointer(rebasing: $0[text]))
            })
        {
            return hash
        }
        return KeyHash.of(decoded(bytes, at: start))
    }

    /// Whether the string has an escaped half of a surrogate pair, which a `String` cannot hold.
    static func hasLoneSurrogate(_ bytes: [UInt8], at start: Int) -> Bool {
        var position = start + 1
        while bytes[position] != UInt8(ascii: "\"") {
            if bytes[position] == UInt8(ascii: "\\") {
                let (scalar, length) = escapedScalar(bytes, at: position)
                if scalar == nil { return true }
                position += length
            } else {
                position += 1
            }
        }
        return false
    }

    /// The index after the closing quote of the string whose opening quote is at `start`.
    static func end(_ bytes: [UInt8], at start: Int) -> Int {
        var position = start + 1
        while bytes[position] != UInt8(ascii: "\"") {
            position += bytes[position] == UInt8(ascii: "\\") ? 2 : 1
        }
        return position + 1
    }

    /// Returns the character that an escape stands for, or nil for half a surrogate pair, and the
    /// number of bytes of the escape.
    private static func escapedScalar(
        _ bytes: [UInt8],
        at position: Int
    ) -> (scalar: Unicode.Scalar?, length: Int) {
        guard bytes[position + 1] == UInt8(ascii: "u") else {
            return (escape(bytes[position + 1]).map { Unicode.Scalar($0) }, 2)
        }
        let unit = codeUnit(bytes, at: position + 2)
        guard 0xD800..<0xDC00 ~= unit, bytes[position + 6] == UInt8(ascii: "\\"),
            bytes[position + 7] == UInt8(ascii: "u")
        else { return (Unicode.Scalar(unit), 6) }
        let next = codeUnit(bytes, at: position + 8)
        guard 0xDC00..<0xE000 ~= next else { return (nil, 6) }
        return (Unicode.Scalar(0x10000 + (unit - 0xD800) << 10 + (next - 0xDC00)), 12)
    }

    private static func codeUnit(_ bytes: [UInt8], at position: Int) -> UInt32 {
        bytes[position..<position + 4].reduce(0) { $0 << 4 | UInt32(ASCII.hexDigit($1) ?? 0) }
    }

    /// The character of a two-character escape, given the character after the backslash.
    static func escape(_ unit: UInt8) -> UInt8? {
        switch unit {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): unit
        case UInt8(ascii: "b"): 0x08
        case UInt8(ascii: "f"): 0x0C
        case UInt8(ascii: "n"): 0x0A
        case UInt8(ascii: "r"): 0x0D
        case UInt8(ascii: "t"): 0x09
        default: nil
        }
    }

    /// The number of bytes of the UTF-8 sequence at `position`, or nil if RFC 3629, section 4, does not
    /// allow it.
    static func sequenceLength(_ bytes: [UInt8], at position: Int) -> Int? {
        let second: ClosedRange<UInt8>
        let length: Int
        switch bytes[position] {
        case 0..<0x80: return 1
        case 0xC2...0xDF: (second, length) = (0x80...0xBF, 2)
        case 0xE0: (second, length) = (0xA0...0xBF, 3)
        case 0xED: (second, length) = (0x80...0x9F, 3)
        case 0xE1...0xEF: (second, length) = (0x80...0xBF, 3)
        case 0xF0: (second, length) = (0x90...0xBF, 4)
        case 0xF1...0xF3: (second, length) = (0x80...0xBF, 4)
        case 0xF4: (second, length) = (0x80...0x8F, 4)
        default: return nil
        }
        guard position + length <= bytes.count, second ~= bytes[position + 1] else { return nil }
        for offset in 2..<max(2, length) where bytes[position + offset] & 0xC0 != 0x80 { return nil }
        return length
    }
}
