public import FoundationEssentials

/// A value that a property list can hold, exactly as the file has it.
///
/// `true` and `1` are different values, so are `1` and `1.0`. Equality is by representation: a NaN
/// equals itself, `-0.0` differs from `0.0`, and é in one character from é in two, though `String` takes
/// these for equal, so that comparing two readings of a file tells whether anything changed. What each format keeps of it: <doc:WhatIsKept>.
public enum PropertyListValue: Sendable {
    case boolean(Bool)
    case integer(PropertyListInteger)
    case real(Double)
    case string(String)
    /// Seconds are kept with their fraction; an XML file holds whole seconds only.
    case date(Date)
    case data(Data)
    case array([PropertyListValue])
    case dictionary([String: PropertyListValue])
    /// A reference inside a keyed archive: `CF$UID` in XML, a type of its own in binary.
    case uid(UInt64)
}

extension PropertyListValue {
    /// The kinds of value, without the values.
    public enum Kind: String, Sendable, Hashable, CaseIterable {
        case boolean, integer, real, string, date, data, array, dictionary, uid
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
        }
    }
}

extension [String: PropertyListValue] {
    /// Whether both have the same keys, byte by byte, with equal values.
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
    /// Of two equal keys the last one wins.
    public init(dictionaryLiteral elements: (String, PropertyListValue)...) {
        self = .dictionary(Dictionary(elements) { _, last in last })
    }
}
