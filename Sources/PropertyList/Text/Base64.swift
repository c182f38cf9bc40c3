/// Base64 (RFC 4648, section 4) with white space anywhere, as XML and GNUstep property lists have it.
///
/// Foundation's decoder either refuses white space or ignores every wrong character, and it does not
/// say where an error is.
enum Base64 {
    /// Why a text is not Base64, and the index of the error.
    struct Malformed: Error {
        let offset: Int
        let problem: String
    }

    private static let alphabet = Array(
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8
    )

    private static let notADigit: UInt8 = 0xFF
    private static let whiteSpace: UInt8 = 0xFE

    private static let digits: [UInt8] = {
        var table = [UInt8](repeating: notADigit, count: 256)
        for (value, character) in alphabet.enumerated() { table[Int(character)] = UInt8(value) }
        for byte in [ASCII.space, ASCII.tab, ASCII.lineFeed, ASCII.carriageReturn] {
            table[Int(byte)] = whiteSpace
        }
        return table
    }()

    /// Decodes a text. The padding may be missing at the end of the text, and unused bits of the last
    /// digit are ignored.
    static func decode(_ text: ArraySlice<UInt8>) throws(Malformed) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(text.count / 4 * 3 + 2)
        var bits: UInt32 = 0
        var digitsInGroup = 0
        var position = text.startIndex
        while position < text.endIndex {
            let digit = digits[Int(text[position])]
            if digit < 64 {
                bits = bits << 6 | UInt32(digit)
                digitsInGroup += 1
                if digitsInGroup == 4 {
                    result.append(UInt8(truncatingIfNeeded: bits >> 16))
                    result.append(UInt8(truncatingIfNeeded: bits >> 8))
                    result.append(UInt8(truncatingIfNeeded: bits))
                    digitsInGroup = 0
                }
            } else if digit != whiteSpace {
                break
            }
            position += 1
        }
        try checkPadding(text[position...], after: digitsInGroup)
        switch digitsInGroup {
        case 2: result.append(UInt8(truncatingIfNeeded: bits >> 4))
        case 3:
            result.append(UInt8(truncatingIfNeeded: bits >> 10))
            result.append(UInt8(truncatingIfNeeded: bits >> 2))
        default: break
        }
        return result
    }

    private static func checkPadding(_ rest: ArraySlice<UInt8>, after digits: Int) throws(Malformed) {
        var missingDigits = digits < 2 ? 0 : 4 - digits
        var isPadded = false
        for offset in rest.indices where !ASCII.isWhiteSpace(rest[offset]) {
            guard rest[offset] == UInt8(ascii: "=") else {
                let problem = isPadded ? "nothing may follow the padding" : "expected a digit of Base64"
                throw Malformed(offset: offset, problem: problem)
            }
            isPadded = true
            guard missingDigits > 0 else {
                throw Malformed(offset: offset, problem: "the data is complete without it")
            }
            missingDigits -= 1
        }
        if digits == 1 {
            throw Malformed(offset: rest.endIndex, problem: "the Base64 digits end within a byte")
        }
    }

    static func append(_ bytes: UnsafeRawBufferPointer, to output: inout [UInt8]) {
        alphabet.withUnsafeBufferPointer { alphabet in
            func digit(_ group: UInt32, _ shift: UInt32) -> UInt8 { alphabet[Int(group >> shift & 63)] }
            var start = 0
            while start + 3 <= bytes.count {
                let group =
                    UInt32(bytes[start]) << 16 | UInt32(bytes[start + 1]) << 8 | UInt32(bytes[start + 2])
                output.append(digit(group, 18))
                output.append(digit(group, 12))
                output.append(digit(group, 6))
                output.append(digit(group, 0))
                start += 3
            }
            guard start < bytes.count else { return }
            let second = start + 1 < bytes.count ? bytes[start + 1] : 0
            let group = UInt32(bytes[start]) << 16 | UInt32(second) << 8
            output.append(digit(group, 18))
            output.append(digit(group, 12))
            output.append(start + 1 < bytes.count ? digit(group, 6) : UInt8(ascii: "="))
            output.append(UInt8(ascii: "="))
        }
    }
}
