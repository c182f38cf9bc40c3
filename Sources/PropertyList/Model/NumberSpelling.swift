import FoundationEssentials

// Numbers of JSON files keep their spelling, and may have any size. `Decimal` holds only 38 digits.

/// A decimal number of any size, which two spellings of the same number have in common.
struct DecimalNumber: Hashable {
    let isNegative: Bool
    /// Without zeros at the start and the end. Empty for zero.
    let digits: [UInt8]
    /// The power of ten by which the digits are multiplied.
    let exponent: Int

    /// Reads a number of JSON. Nil if its exponent is not even an `Int`.
    init?(_ spelling: String) {
        var rest = Array(spelling.utf8)[...]
        isNegative = rest.first == UInt8(ascii: "-")
        if isNegative { rest.removeFirst() }
        var exponent = 0
        if let mark = rest.firstIndex(where: { $0 | 0x20 == UInt8(ascii: "e") }) {
            guard let written = Int(String(decoding: rest[(mark + 1)...], as: UTF8.self)),
                abs(written) < 1 << 60
            else { return nil }
            exponent = written
            rest = rest[..<mark]
        }
        if let point = rest.firstIndex(of: UInt8(ascii: ".")) {
            exponent -= rest.endIndex - point - 1
            rest.remove(at: point)
        }
        var digits = Array(rest.drop { $0 == ASCII.zero })
        while digits.last == ASCII.zero {
            digits.removeLast()
            exponent += 1
        }
        self.digits = digits
        self.exponent = digits.isEmpty ? 0 : exponent
    }
}

extension PropertyListValue {
    /// As `init(jsonNumber:)` with a text, without creating a text for short integers.
    init(jsonNumber bytes: ArraySlice<UInt8>) {
        // Most numbers are integers of a few digits.
        let digits = bytes.first == UInt8(ascii: "-") ? bytes.dropFirst() : bytes
        let isExact = digits.first != ASCII.zero || bytes.count == 1
        if isExact, digits.count <= 18, digits.allSatisfy(ASCII.isDigit) {
            let magnitude = digits.reduce(0) { $0 * 10 + Int64($1 - ASCII.zero) }
            self = .integer(PropertyListInteger(digits.count < bytes.count ? -magnitude : magnitude))
        } else {
            self.init(jsonNumber: String(decoding: bytes, as: UTF8.self))
        }
    }

    /// A number of a JSON file, which keeps its spelling.
    init(jsonNumber spelling: String) {
        if let integer = PropertyListInteger(spelling), spelling != "-0" {
            self = .integer(integer)
        } else if let real = Double(spelling), real.isFinite, real.description == spelling {
            self = .real(real)
        } else {
            self = .number(spelling)
        }
    }

    /// The same number as an integer or a real. Nil if neither has exactly this value, and for other values.
    ///
    /// A real counts as exact if its shortest decimal form is the same number: `0.50` is 0.5.
    public var plainNumber: PropertyListValue? {
        guard case .number(let spelling) = self else {
            return kind == .integer || kind == .real ? self : nil
        }
        guard let number = DecimalNumber(spelling) else { return nil }
        let isMinusZero = number.isNegative && number.digits.isEmpty
        if !isMinusZero, 0...20 ~= number.exponent {
            let digits = number.digits + Array(repeating: ASCII.zero, count: number.exponent)
            let text =
                (number.isNegative ? "-" : "")
                + (digits.isEmpty ? "0" : String(decoding: digits, as: UTF8.self))
            if let integer = PropertyListInteger(text) { return .integer(integer) }
        }
        guard let real = Double(spelling), real.isFinite, DecimalNumber(real.description) == number else {
            return nil
        }
        return .real(real)
    }

    /// The value, with a spelled number replaced by an equal integer or real number, or by the nearest real number.
    public var withPlainNumber: PropertyListValue {
        guard case .number(let spelling) = self else { return self }
        return plainNumber ?? .real(Double(spelling) ?? .infinity)
    }

    /// The value as a property list holds it.
    ///
    /// - Throws: if no property list can hold it.
    var inPropertyList: PropertyListValue {
        get throws(PropertyListError) {
            switch self {
            case .null:
                throw PropertyListError(.path([]), .unrepresentable, "a property list can't store null")
            case .number(let spelling):
                if let number = plainNumber { return number }
                let problem = "a property list can't store the number \(shortened(spelling, 40)) exactly"
                throw PropertyListError(.path([]), .unrepresentable, problem)
            default: return self
            }
        }
    }

    /// Whether both are the same number, however they are spelled.
    public static func isSameNumber(_ a: String, _ b: String) -> Bool {
        if a == b { return true }
        guard let a = DecimalNumber(a), let b = DecimalNumber(b) else { return false }
        return a == b
    }
}

/// Whether two values mean the same: equal, the same number as an integer and as a real, or differently spelled in JSON.
///
/// Somebody who writes 1 into a settings file does not know whether the program stores 1 or 1.0.
package func isSame(_ a: PropertyListValue?, _ b: PropertyListValue?) -> Bool {
    if a == b { return true }
    guard let a, let b else { return false }
    switch (a, b) {
    case (.number, .number), (.number, .integer), (.number, .real), (.integer, .number), (.real, .number),
        (.integer, .real), (.real, .integer):
        return PropertyListValue.isSameNumber(a.editText ?? "", b.editText ?? "")
    case (.array(let a), .array(let b)): return a.count == b.count && zip(a, b).allSatisfy { isSame($0, $1) }
    case (.dictionary(let a), .dictionary(let b)):
        return a.count == b.count && a.allSatisfy { name, value in isSame(value, b[name]) && b[name] != nil }
    case (.data(let a), .data(let b)):
        guard let a = try? JSONDocument(parsing: a), let b = try? JSONDocument(parsing: b) else {
            return false
        }
        return isSame(a.root.propertyListValue, b.root.propertyListValue)
    default: return false
    }
}
