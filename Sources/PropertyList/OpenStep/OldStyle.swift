import FoundationEssentials

// Prints values in the style of the macOS command `defaults read`, for people and scripts that expect
// that output.
extension PropertyListValue {
    /// The value in the old property-list style, laid out like the output of `defaults read` on macOS.
    /// There, a nested container starts on the line of its key, after that line's indentation.
    ///
    /// The text is made for people: it does not distinguish `1` from `true`, and data appears as
    /// `{length = 4, bytes = 0xdeadbeef}`. Use ``typedJSON(indented:hiding:openingJSON:)`` for a text
    /// without loss.
    public var oldStyle: String { oldStyle(hiding: []) }

    /// Returns the value in the old style and replaces some values by ``hiddenText``. That text has no
    /// quotation marks, so that it cannot be confused with a value.
    public func oldStyle(hiding hidden: Set<ValuePath>) -> String {
        var printer = OldStylePrinter(isOneLine: false, hidden: hidden)
        printer.append(self, level: 0, at: [])
        return printer.text
    }

    /// The text that replaces a hidden value.
    public static let hiddenText = "••••••"

    /// The value in the old style, on one line.
    public var oldStyleLine: String {
        var printer = OldStylePrinter(isOneLine: true, hidden: [])
        printer.append(self, level: 0, at: [])
        return printer.text
    }

    /// The value as `defaults read` prints a single one: strings, reals and dates without quotation
    /// marks, everything else in the old style.
    public var loneText: String {
        switch self {
        case .string(let text): text
        case .real(let number): OldStylePrinter.spelling(of: number)
        case .date(let date): OldStylePrinter.spelling(of: date)
        default: oldStyle
        }
    }
}

/// Returns a text in the old style. It gets quotation marks unless it consists of letters, digits and
/// `_`, and all characters outside ASCII are escaped.
public func oldStyleQuoted(_ text: String) -> String {
    let isWord = text.utf8.allSatisfy { ASCII.isLetter($0) || ASCII.isDigit($0) || $0 == UInt8(ascii: "_") }
    if isWord, !text.isEmpty { return text }
    var quoted = "\""
    for unit in text.utf16 {
        switch unit {
        case UInt16(ASCII.quote): quoted += "\\\""
        case UInt16(UInt8(ascii: "\\")): quoted += "\\\\"
        case UInt16(ASCII.lineFeed): quoted += "\\n"
        case UInt16(ASCII.tab): quoted += "\\t"
        case 0x20...0x7E: quoted.unicodeScalars.append(Unicode.Scalar(UInt8(unit)))
        default:
            let digits = String(unit, radix: 16)
            quoted += "\\U" + String(repeating: "0", count: 4 - digits.count) + digits
        }
    }
    return quoted + "\""
}

private struct OldStylePrinter {
    let isOneLine: Bool
    let hidden: Set<ValuePath>
    var text = ""

    mutating func append(_ value: PropertyListValue, level: Int, at path: ValuePath) {
        if !hidden.isEmpty, hidden.contains(path) {
            text += PropertyListValue.hiddenText
            return
        }
        func inner(_ step: PathStep) -> ValuePath { hidden.isEmpty ? path : path.appending(step) }
        switch value {
        case .boolean(let value): text += value ? "1" : "0"
        case .integer(let value): text += level == 0 ? "\(value)" : oldStyleQuoted("\(value)")
        case .real(let value): text += oldStyleQuoted(Self.spelling(of: value))
        case .string(let value): text += oldStyleQuoted(value)
        case .date(let value): text += oldStyleQuoted(Self.spelling(of: value))
        case .data(let data): text += "{length = \(data.count), bytes = 0x\(value.editText ?? "")}"
        case .null: text += "<null>"
        case .number(let spelling): text += oldStyleQuoted(spelling)
        case .uid(let number): text += "{ \"CF$UID\" = \(number); }"
        case .array(let elements):
            open("(", level: level)
            for (index, element) in elements.enumerated() {
                startLine(level: level + 1)
                append(element, level: level + 1, at: inner(.index(index)))
                if index + 1 < elements.count { text += "," }
            }
            close(")", level: level)
        case .dictionary(let entries):
            open("{", level: level)
            for (key, value) in entries.sorted(by: { $0.key < $1.key }) {
                startLine(level: level + 1)
                text += oldStyleQuoted(key) + " = "
                append(value, level: level + 1, at: inner(.key(key)))
                text += ";"
            }
            close("}", level: level)
        }
    }

    private mutating func open(_ bracket: String, level: Int) {
        if !isOneLine { text += Self.margin(level) }
        text += bracket
    }

    private mutating func startLine(level: Int) { text += isOneLine ? " " : "\n" + Self.margin(level) }

    private mutating func close(_ bracket: String, level: Int) {
        startLine(level: level)
        text += bracket
    }

    private static func margin(_ level: Int) -> String { String(repeating: " ", count: 4 * level) }

    /// A number without a fraction is printed as an integer, as on macOS.
    static func spelling(of number: Double) -> String {
        guard let whole = Int64(exactly: number), whole.magnitude < 1 << 53 else { return "\(number)" }
        return number.sign == .minus && whole == 0 ? "-0" : "\(whole)"
    }

    /// A date without its fraction of a second: `2024-05-01 10:20:30 +0000`.
    static func spelling(of date: Date) -> String {
        guard let civil = CivilDate(date) else { return PropertyListValue.date(date).editText ?? "" }
        var xml: [UInt8] = []
        civil.appendXML(to: &xml)
        return String(decoding: xml[..<10], as: UTF8.self) + " "
            + String(decoding: xml[11..<19], as: UTF8.self) + " +0000"
    }
}
