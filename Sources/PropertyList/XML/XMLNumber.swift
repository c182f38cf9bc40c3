/// Reads and writes the numbers of XML property lists.
///
/// `Int` and `Double` alone do not follow Foundation's rules for hexadecimal numbers, signs and range.
enum XMLNumber {
    enum IntegerReading {
        case number(PropertyListInteger)
        case outOfRange, malformed
    }

    /// Parses an integer as Foundation does: an optional sign with optional white space after it, then
    /// digits, or `0x` and hexadecimal digits.
    static func integer(_ text: ArraySlice<UInt8>) -> IntegerReading {
        var digits = text
        let isNegative = digits.first == UInt8(ascii: "-")
        if isNegative || digits.first == UInt8(ascii: "+") {
            digits = digits.dropFirst().drop(while: ASCII.isWhiteSpace)
        }
        var radix: UInt64 = 10
        if digits.first == ASCII.zero, let mark = digits.dropFirst().first, mark | 0x20 == UInt8(ascii: "x") {
            radix = 16
            digits = digits.dropFirst(2)
        }
        guard !digits.isEmpty else { return .malformed }
        var magnitude: UInt64 = 0
        var overflows = false
        for byte in digits {
            guard let digit = ASCII.hexDigit(byte), digit < radix else { return .malformed }
            let (product, overflow) = magnitude.multipliedReportingOverflow(by: radix)
            let (sum, carry) = product.addingReportingOverflow(UInt64(digit))
            magnitude = sum
            overflows = overflows || overflow || carry
        }
        guard !overflows else { return .outOfRange }
        if !isNegative { return .number(PropertyListInteger(magnitude)) }
        guard magnitude <= Int64.min.magnitude else { return .outOfRange }
        return .number(PropertyListInteger(Int64(truncatingIfNeeded: 0 &- magnitude)))
    }

    /// The powers of ten that a `Double` holds exactly.
    private static let powersOfTen: [Double] = [
        1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17,
        1e18, 1e19, 1e20, 1e21, 1e22,
    ]

    /// Parses a real and returns the nearest `Double`: infinity for a number that is too large, and zero for one that
    /// is too small, as in Foundation and in Python's plistlib.
    ///
    /// Also accepted, in upper or lower case: `nan`, and `inf` or `infinity` with an optional sign. A
    /// `nan` always has the same bits, because XML has no form for its sign and payload. The result is
    /// nil for any other text.
    static func real(_ text: ArraySlice<UInt8>) -> Double? {
        var digits = text
        let isNegative = digits.first == UInt8(ascii: "-")
        if isNegative || digits.first == UInt8(ascii: "+") { digits = digits.dropFirst() }
        guard let first = digits.first else { return nil }
        guard !ASCII.isLetter(first) else {
            return named(digits, isNegative: isNegative, isSigned: digits.count < text.count)
        }

        var mantissa: UInt64 = 0
        var digitCount = 0
        var fractionDigits = 0
        var index = digits.startIndex
        func scan(_ isFraction: Bool) {
            while index < digits.endIndex, ASCII.isDigit(digits[index]) {
                // This may overflow, but more than 15 digits are not used.
                mantissa = mantissa &* 10 &+ UInt64(digits[index] - ASCII.zero)
                digitCount += 1
                if isFraction { fractionDigits += 1 }
                index += 1
            }
        }
        scan(false)
        if index < digits.endIndex, digits[index] == UInt8(ascii: ".") {
            index += 1
            scan(true)
        }
        guard digitCount > 0 else { return nil }
        if index == digits.endIndex, digitCount <= 15, fractionDigits < powersOfTen.count {
            // Both numbers are exact, so only the division rounds.
            let number = Double(mantissa) / powersOfTen[fractionDigits]
            return isNegative ? -number : number
        }
        guard index == digits.endIndex || isExponent(digits[index...]) else { return nil }
        return Double(String(decoding: text, as: UTF8.self))
    }

    private static func isExponent(_ text: ArraySlice<UInt8>) -> Bool {
        guard let mark = text.first, mark | 0x20 == UInt8(ascii: "e") else { return false }
        var digits = text.dropFirst()
        if let sign = digits.first, sign == UInt8(ascii: "-") || sign == UInt8(ascii: "+") {
            digits = digits.dropFirst()
        }
        return !digits.isEmpty && digits.allSatisfy(ASCII.isDigit)
    }

    private static func named(_ name: ArraySlice<UInt8>, isNegative: Bool, isSigned: Bool) -> Double? {
        switch String(decoding: name, as: UTF8.self).lowercased() {
        case "nan" where !isSigned: .nan
        case "inf", "infinity": isNegative ? -.infinity : .infinity
        default: nil
        }
    }

    /// The shortest decimal number that reads back as the same `Double`, or Foundation's names for
    /// infinity and NaN.
    static func text(_ number: Double) -> String {
        if number.isFinite { return number.description }
        return number.isNaN ? "nan" : number < 0 ? "-infinity" : "+infinity"
    }
}
