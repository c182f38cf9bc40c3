import FoundationEssentials
import PropertyList
import SettingsStore

/// Values in a form of their own. What is stored as `Data` by programs that keep any `Codable` value
/// as JSON is read too; a list or a dictionary with a nil inside is stored so.
struct NativeCoding<Value: PropertyListConvertible>: ValueCoding {
    var shape: ValueShape { Value.propertyListShape }
    var cases: [SettingCase] { knownCases(encode) }

    func encode(_ value: Value) throws -> PropertyListValue {
        do {
            return try value.propertyListValue()
        } catch let error as NilInside {
            guard let codable = value as? any Encodable else { throw error }
            return .data(try json(of: codable))
        }
    }

    func decode(_ stored: PropertyListValue) throws -> Value {
        if let value = Value.make(from: stored) ?? readJSON(stored) { return value }
        throw mismatch(stored, Value.self)
    }
}

/// Values that have a raw value, as which they are stored.
struct RawValueCoding<Value: RawRepresentable>: ValueCoding
where Value.RawValue: PropertyListConvertible {
    var shape: ValueShape { Value.RawValue.propertyListShape }
    var cases: [SettingCase] { knownCases(encode) }

    func encode(_ value: Value) throws -> PropertyListValue { try value.rawValue.propertyListValue() }

    func decode(_ stored: PropertyListValue) throws -> Value {
        if let raw = Value.RawValue.make(from: stored) {
            guard let value = Value(rawValue: raw) else {
                throw ConversionError("no \(Value.self) has the raw value \(raw)")
            }
            return value
        }
        if let value: Value = readJSON(stored) { return value }
        if let raw: Value.RawValue = readJSON(stored), let value = Value(rawValue: raw) { return value }
        throw mismatch(stored, Value.self)
    }
}

/// Values that may be missing, which nothing stored stands for.
struct OptionalCoding<Base: ValueCoding>: ValueCoding {
    let base: Base

    var shape: ValueShape { base.shape }
    var cases: [SettingCase] { base.cases }

    func encode(_ value: Base.Value?) throws -> PropertyListValue {
        guard let value else { throw ConversionError("nil has no form") }
        return try base.encode(value)
    }

    func decode(_ stored: PropertyListValue) throws -> Base.Value? { try base.decode(stored) }
}

/// Values as JSON in `Data`.
struct JSONCoding<Value: Codable>: ValueCoding {
    var shape: ValueShape { .json }
    var cases: [SettingCase] { [] }

    func encode(_ value: Value) throws -> PropertyListValue { .data(try json(of: value)) }

    func decode(_ stored: PropertyListValue) throws -> Value {
        guard case .data(let json) = stored else { throw mismatch(stored, Value.self) }
        return try JSONDecoder().decode(Value.self, from: json)
    }
}

/// How values of a type are kept of which the compiler knows no more than that it is `Codable`: the
/// argument of a generic type, say, which may have a form of its own all the same.
func codingOfCodable<Value: Codable>() -> any ValueCoding<Value> {
    func native<Form: PropertyListConvertible>(_: Form.Type) -> (any ValueCoding<Value>)? {
        NativeCoding<Form>() as? any ValueCoding<Value>
    }
    return (Value.self as? any PropertyListConvertible.Type).flatMap { native($0) } ?? JSONCoding<Value>()
}

/// Equal values have equal bytes, so that storing one again changes nothing.
func json(of value: some Encodable) throws -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return try encoder.encode(value)
}

private func readJSON<Value>(_ stored: PropertyListValue) -> Value? {
    guard case .data(let json) = stored, let type = Value.self as? any Decodable.Type else { return nil }
    return (try? JSONDecoder().decode(type, from: json)) as? Value
}

private func mismatch<Value>(_ stored: PropertyListValue, _ type: Value.Type) -> ConversionError {
    ConversionError("found a value of kind \(stored.kind), which makes no \(type)")
}

// MARK: - Nil

/// `Optional`, whatever it wraps.
protocol OptionalValue {
    static var wrapped: Any.Type { get }
    var isNil: Bool { get }
    var content: Any? { get }
}

extension Optional: OptionalValue {
    static var wrapped: Any.Type { Wrapped.self }

    var content: Any? { map { $0 as Any } }

    var isNil: Bool {
        switch self {
        case .none: true
        case .some(let wrapped): isNilValue(wrapped)
        }
    }
}

/// Whether the value is nil, at whatever depth of optionals.
func isNilValue<Value>(_ value: Value) -> Bool {
    guard Value.self is any OptionalValue.Type else { return false }
    return (value as? any OptionalValue)?.isNil ?? true
}

/// The type without its optionals.
func unwrapped(_ type: Any.Type) -> Any.Type {
    (type as? any OptionalValue.Type).map { unwrapped($0.wrapped) } ?? type
}

/// A nil in a place that property lists have none for.
struct NilInside: Error, CustomStringConvertible {
    var description: String { "nil has no place inside a list or a dictionary of a type that is not Codable" }
}

// MARK: - Errors as sentences

/// What an encoder, a decoder or a conversion threw, and where in the value.
func sentence(of error: any Error) -> String {
    func at(_ path: [any CodingKey]) -> String {
        path.isEmpty
            ? "" : " at " + path.map { $0.intValue.map(String.init) ?? $0.stringValue }.joined(separator: "/")
    }
    switch error {
    case DecodingError.keyNotFound(let key, let context):
        return "“\(key.stringValue)” is missing\(at(context.codingPath))"
    case DecodingError.typeMismatch(_, let context), DecodingError.valueNotFound(_, let context),
        DecodingError.dataCorrupted(let context):
        return context.debugDescription + at(context.codingPath)
    case EncodingError.invalidValue(_, let context):
        return context.debugDescription + at(context.codingPath)
    default:
        return "\(error)"
    }
}
