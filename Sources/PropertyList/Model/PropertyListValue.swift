public import FoundationEssentials

/// A value of a settings file: of a property list or of a JSON file, exactly as the file has it.
///
/// `true`, `1` and `1.0` are three different values. Foundation's `Any` and `NSNumber` blur them, so
/// this type replaces them.
///
/// Equality compares representations: a NaN equals itself, `-0.0` differs from `0.0`, and “é” as one
/// character differs from “é” as two, although `String` compares those as equal. So comparing two
/// readings of a file tells whether anything changed. <doc:WhatIsKept> says what each format preserves.
public enum PropertyListValue: Sendable {
    case boolean(Bool)
    case integer(PropertyListInteger)
    case real(Double)
    case string(String)
    /// A moment with its fraction of a second. An XML file holds whole seconds only.
    case date(Date)
    case data(Data)
    case array([PropertyListValue])
    case dictionary([String: PropertyListValue])
    /// A reference inside a keyed archive: `CF$UID` in XML, a type of its own in binary.
    case uid(UInt64)
    /// A value of its own in a JSON file. No property list has it.
    case null
    /// A number of a JSON file that is spelled unlike any ``integer(_:)`` or ``real(_:)``, such as `1e3`, `0.50` or one of
    /// 30 digits. ``plainNumber`` is the same number without its spelling.
    case number(String)
}

extension PropertyListValue {
    /// The kind of a value, without the value itself.
    public enum Kind: String, Sendable, Hashable, CaseIterable {
        case boolean, integer, real, string, date, data, array, dictionary, uid, null, number
    }

    public var kind: Kind {
        switch self {
        case .boolean: .boolean
        case .integer: .integer
        case .real: .real
        case .string: .string
        case .date: .date
        case .data: .data
        case .array: .array
        case .dictionary: .dictionary
        case .uid: .uid
        case .null: .null
        case .number: .number
        }
    }
}

extension PropertyListValue: Hashable {
    public static func == (a: PropertyListValue, b: PropertyListValue) -> Bool {
        switch (a, b) {
        case (.boolean(let a), .boolean(let b)): a == b
        case (.integer(let a), .integer(let b)): a == b
        case (.real(let a), .real(let b)): a.bitPattern == b.bitPattern
        case (.string(let a), .string(let b)): a.hasSameBytes(as: b)
        case (.date(let a), .date(let b)): a.bitPattern == b.bitPattern
        case (.data(let a), .data(let b)): a == b
        case (.array(let a), .array(let b)): a == b
        case (.dictionary(let a), .dictionary(let b)): a.hasSameEntries(as: b)
        case (.uid(let a), .uid(let b)): a == b
        case (.null, .null): true
        case (.number(let a), .number(let b)): a == b
        default: false
        }
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(kind)
        switch self {
        case .boolean(let value): hasher.combine(value)
        case .integer(let value): hasher.combine(value)
        case .real(let value): hasher.combine(value.bitPattern)
        case .string(let value): hasher.combine(value)
        case .date(let value): hasher.combine(value.bitPattern)
        case .data(let value): hasher.combine(value)
        case .array(let value): hasher.combine(value)
        case .dictionary(let value): hasher.combine(value)
        case .uid(let value): hasher.combine(value)
        case .null: break
        case .number(let spelling): hasher.combine(spelling)
        }
    }
}

extension [String: PropertyListValue] {
    /// Whether both dictionaries have byte-identical keys with equal values.
    fileprivate func hasSameEntries(as other: Self) -> Bool {
        count == other.count
            && allSatisfy { key, value in
                guard let index = other.index(forKey: key) else { return false }
                return other[index].key.hasSameBytes(as: key) && other[index].value == value
            }
    }
}

extension Date {
    fileprivate var bitPattern: UInt64 { timeIntervalSinceReferenceDate.bitPattern }
}

extension PropertyListValue: ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral,
    ExpressibleByFloatLiteral, ExpressibleByStringLiteral, ExpressibleByArrayLiteral,
    ExpressibleByDictionaryLiteral
{
    public init(booleanLiteral value: Bool) { self = .boolean(value) }
    public init(integerLiteral value: Int64) { self = .integer(PropertyListInteger(value)) }
    public init(floatLiteral value: Double) { self = .real(value) }
    public init(stringLiteral value: String) { self = .string(value) }
    public init(arrayLiteral elements: PropertyListValue...) { self = .array(elements) }
    /// Creates a dictionary. If two keys are equal, the last one wins.
    public init(dictionaryLiteral elements: (String, PropertyListValue)...) {
        self = .dictionary(Dictionary(elements) { _, last in last })
    }
}
