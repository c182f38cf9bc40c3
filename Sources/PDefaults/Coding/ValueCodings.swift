import FoundationEssentials
import PropertyList
import SettingsStore

/// Stores values in their type's own form.
///
/// This coding also reads JSON in `Data`, which programs for other wrappers store for any `Codable` value. An array or a
/// dictionary with a nil inside is stored as JSON.
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

/// Stores values as their raw values. It also reads JSON in `Data`.
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

/// Stores optional values. Nil has no stored form.
struct OptionalCoding<Base: ValueCoding>: ValueCoding {
    let base: Base

    var shape: ValueShape { base.shape }
    var cases: [SettingCase] { base.cases }

    func encode(_ value: Base.Value?) throws -> PropertyListValue {
        guard let value else { throw ConversionError("nil can't be stored") }
        return try base.encode(value)
    }

    /// Null is nil. Only JSON files have it.
    func decode(_ stored: PropertyListValue) throws -> Base.Value? {
        stored == .null ? nil : try base.decode(stored)
    }
}

/// Stores values as JSON in `Data`.
struct JSONCoding<Value: Codable>: ValueCoding {
    var shape: ValueShape { .json }
    var cases: [SettingCase] { [] }

    func encode(_ value: Value) throws -> PropertyListValue { .data(try json(of: value)) }

    func decode(_ stored: PropertyListValue) throws -> Value {
        guard case .data(let json) = stored else { throw mismatch(stored, Value.self) }
        return try JSONDecoder().decode(Value.self, from: json)
    }
}

extension PDefaults where Value: Codable {
    /// Chooses at run time how to store a `Codable` type: in its own form if it has one. The compiler does not know that of
    /// a generic argument.
    static var codingOfCodable: any ValueCoding<Value> {
        func native<Form: PropertyListConvertible>(_: Form.Type) -> (any ValueCoding<Value>)? {
            NativeCoding<Form>() as? any ValueCoding<Value>
        }
        return (Value.self as? any PropertyListConvertible.Type).flatMap { native($0) } ?? JSONCoding<Value>()
    }
}

/// Encodes as JSON with sorted keys, so that equal values have equal bytes and storing one again changes nothing.
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
    ConversionError("found a value of kind \(stored.kind), which can't become \(type)")
}

// MARK: - Nil

/// `Optional` without the type that it wraps.
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

/// Whether the value is nil, at any depth of optionals.
func isNilValue<Value>(_ value: Value) -> Bool {
    guard Value.self is any OptionalValue.Type else { return false }
    return (value as? any OptionalValue)?.isNil ?? true
}

/// The type without its optionals.
func unwrapped(_ type: Any.Type) -> Any.Type {
    (type as? any OptionalValue.Type).map { unwrapped($0.wrapped) } ?? type
}

/// The error for a nil in an array or a dictionary.
struct NilInside: Error, CustomStringConvertible {
    var description: String { "an array or a dictionary of a type that is not Codable can't contain nil" }
}

// MARK: - Errors as sentences

/// A sentence for an error of an encoder, a decoder or a conversion, with the path inside the value.
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
