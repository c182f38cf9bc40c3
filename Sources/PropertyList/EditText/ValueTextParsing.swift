import FoundationEssentials

/// Why a typed text is not a value of the expected kind.
public struct ValueTextError: Error, Sendable, Hashable, CustomStringConvertible {
    /// A sentence for a person that says what is expected.
    public let problem: String

    public init(_ problem: String) { self.problem = problem }

    public var description: String { problem }
}

extension ValueNode {
    /// Parses an edited ``editText`` into a new value of the same kind.
    public func newValue(fromEdited text: String) throws(ValueTextError) -> NewValue {
        if let json { return .json(try jsonText(fromEdited: text, as: json.kind)) }
        guard case .propertyList(let value) = content else { return .json(text) }
        return .propertyList(try PropertyListValue.parse(text, as: value.kind))
    }
}

extension PropertyListValue {
    /// Parses a text as a value of the given kind.
    ///
    /// A string is taken as it is. For other kinds, white space around the text is ignored.
    ///
    /// - Boolean: `true`, `yes`, `1`, `false`, `no` or `0`, in upper or lower case.
    /// - Integer: a decimal number from `Int64.min` to `UInt64.max`. UID: a decimal number up to
    ///   `UInt64.max`.
    /// - Real: a decimal number, `inf`, `-inf` or `nan`; the result is the nearest `Double`.
    /// - Date: `2024-05-01`, optionally followed by a space or `T` and a time (`10:20`, `10:20:30`,
    ///   `10:20:30.25`) and an offset (`Z`, `UTC`, `+02:00`). Without an offset, the date is in UTC.
    ///   Decimals after the ninth are ignored.
    /// - Data: hexadecimal digits, with white space anywhere.
    /// - Throws: ``ValueTextError`` if the text does not fit; always for arrays and dictionaries.
    public static func parse(_ text: String, as kind: Kind) throws(ValueTextError) -> PropertyListValue {
        switch kind {
        case .string: return .string(text)
        case .boolean: return .boolean(try parseBoolean(text))
        case .integer: return .integer(try parseInteger(text))
        case .real: return .real(try parseReal(text))
        case .date: return .date(try parseDate(text))
        case .data: return .data(try parseData(text))
        case .uid:
            let number = try parseInteger(text)
            guard let value = UInt64(exactly: number) else {
                throw ValueTextError("\(number) is below 0, the smallest UID")
            }
            return .uid(value)
        case .null:
            _ = try jsonText(fromEdited: text, as: .null)
            return .null
        case .number: return PropertyListValue(jsonNumber: try jsonText(fromEdited: text, as: .number))
        case .array, .dictionary:
            throw ValueTextError("\(kind == .array ? "an array" : "a dictionary") can't be typed in one line")
        }
    }

    /// Parses a date, like ``parse(_:as:)``.
    ///
    /// - Parameters:
    ///   - text: The date as a person typed it.
    ///   - years: The accepted years in UTC, within 0 to 9999.
    ///   - local: Converts a date without an offset. It gets the date as if the text were in UTC and
    ///     returns the moment that is meant, for example in the user's time zone.
    /// - Throws: ``ValueTextError``, which names the accepted years if the date is outside them.
    public static func parseDate(
        _ text: String,
        years: ClosedRange<Int> = 0...9999,
        local: (Date) -> Date = { $0 }
    ) throws(ValueTextError) -> Date { try DateText.parse(text, years: years, local: local) }
}

/// Converts an edited text to the JSON text of a value of the given kind.
///
/// A string is typed without quotes and escapes, everything else as JSON. A boolean may also be `yes`,
/// `no`, `1` or `0`.
///
/// - Throws: ``ValueTextError`` if the text does not fit the kind.
public func jsonText(fromEdited text: String, as kind: JSONNode.Kind) throws(ValueTextError) -> String {
    switch kind {
    case .string: return jsonText(text)
    case .boolean: return try parseBoolean(text) ? "true" : "false"
    case .null:
        guard trimmed(text) == "null" else { throw ValueTextError("\(quoted(text)) is not null") }
        return "null"
    case .number:
        guard let document = try? JSONDocument(parsing: Data(text.utf8)), document.root.kind == .number
        else {
            throw ValueTextError("\(quoted(text)) is not a JSON number, such as -1, 0.5 or 6e23")
        }
        return document.root.source
    case .object, .array:
        let document: JSONDocument
        do {
            document = try JSONDocument(parsing: Data(text.utf8))
        } catch {
            throw ValueTextError("the text is not JSON: \(error)")
        }
        guard document.root.kind == kind else {
            let opening = kind == .object ? "{" : "["
            throw ValueTextError("the text is not a JSON \(kind), which starts with “\(opening)”")
        }
        return document.root.source
    }
}

private func parseBoolean(_ text: String) throws(ValueTextError) -> Bool {
    switch trimmed(text).lowercased() {
    case "true", "yes", "1": return true
    case "false", "no", "0": return false
    default: throw ValueTextError("\(quoted(text)) is not a boolean: true or false is expected")
    }
}

private func parseInteger(_ text: String) throws(ValueTextError) -> PropertyListInteger {
    let text = trimmed(text)
    if let number = PropertyListInteger(text) { return number }
    let digits = text.hasPrefix("-") || text.hasPrefix("+") ? text.dropFirst() : text
    guard !digits.isEmpty, digits.utf8.allSatisfy({ UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }) else {
        throw ValueTextError("\(quoted(text)) is not a whole number")
    }
    if text.hasPrefix("-") {
        throw ValueTextError("\(quoted(text)) is below \(Int64.min), the smallest integer")
    }
    throw ValueTextError("\(quoted(text)) is above \(UInt64.max), the largest integer")
}

private func parseReal(_ text: String) throws(ValueTextError) -> Double {
    let text = trimmed(text)
    guard let number = Double(text) else { throw ValueTextError("\(quoted(text)) is not a number") }
    // `Double` turns a number that is too large into infinity and one that is too small into zero.
    if number.isInfinite, !text.lowercased().contains("inf") {
        let bound = Double.greatestFiniteMagnitude
        throw ValueTextError("\(quoted(text)) is beyond ±\(bound), the largest real number")
    }
    let isHexadecimal = text.lowercased().contains("x")
    let mantissa = text.lowercased().prefix { $0 != (isHexadecimal ? "p" : "e") }
    if number.isZero, mantissa.contains(where: { $0.isHexDigit && $0 != "0" }) {
        let bound = Double.leastNonzeroMagnitude
        throw ValueTextError("\(quoted(text)) is closer to zero than ±\(bound), the smallest real number")
    }
    return number
}

private func parseData(_ text: String) throws(ValueTextError) -> Data {
    var data = Data(capacity: text.utf8.count / 2)
    var first: Unicode.Scalar?
    var digits = trimmed(text)
    // `pdefaults read` prints data with this start.
    if digits.hasPrefix("0x") { digits.removeFirst(2) }
    for scalar in digits.unicodeScalars where !isSpace(scalar) {
        guard let half = first else {
            first = scalar
            continue
        }
        guard let high = hexDigit(half), let low = hexDigit(scalar) else {
            throw ValueTextError("byte \(data.count + 1): \(quoted("\(half)\(scalar)")) is not hexadecimal")
        }
        data.append(high << 4 | low)
        first = nil
    }
    if let first {
        throw ValueTextError(
            "byte \(data.count + 1): \(quoted("\(first)")) is half a byte, two digits are expected"
        )
    }
    return data
}

private func isSpace(_ scalar: Unicode.Scalar) -> Bool {
    // Looking up Unicode properties takes ten times as long as reading a digit.
    scalar.isASCII ? scalar == " " || "\t"..."\r" ~= scalar : scalar.properties.isWhitespace
}

private func hexDigit(_ scalar: Unicode.Scalar) -> UInt8? {
    scalar.isASCII ? ASCII.hexDigit(UInt8(scalar.value)) : nil
}

package func trimmed(_ text: String) -> Substring {
    let start = text.drop { $0.isWhitespace }
    let end = start.lastIndex { !$0.isWhitespace }.map(start.index(after:)) ?? start.startIndex
    return start[..<end]
}

func quoted(_ text: some StringProtocol) -> String { "“\(shortened(String(trimmed(String(text))), 40))”" }
