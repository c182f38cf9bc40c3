import FoundationEssentials
import PropertyList

// Values in a schema are JSON, which has fewer kinds of values than a property list. The shape says how to convert them:
// a date is a string of format `date-time`, data a string in Base64, a real number any number.

extension ValueShape {
    /// The value as JSON; nil if JSON can't express it, or if it would be read back as a different value. JSON in `Data`
    /// may be read back with its members in another order.
    func json(of value: PropertyListValue) -> PropertyListValue? {
        guard let json = anyJSON(of: value) else { return nil }
        return self == .json || self.value(of: json) == value ? json : nil
    }

    private func anyJSON(of value: PropertyListValue) -> PropertyListValue? {
        switch value {
        case .data(let data) where self == .json:
            return (try? JSONDocument(parsing: data))?.root.propertyListValue
        case .array, .dictionary: return converting(value) { $0.anyJSON(of: $1) }
        default: return try? value.inJSON
        }
    }

    /// Converts JSON to a value; nil if it is not of this shape's kind.
    func value(of json: PropertyListValue) -> PropertyListValue? {
        switch (self, json) {
        case (.json, _): return .data(Data(json.compactJSON.utf8))
        case (.optional, _), (.declared, _): return wrapped.value(of: json)
        case (.anything, .boolean), (.boolean, .boolean), (.anything, .null), (.anything, .string),
            (.string, .string):
            return json
        case (_, .integer), (_, .real), (_, .number): return number(json.editText ?? "")
        case (.date, .string(let text)): return try? PropertyListValue.parse(text, as: .date)
        case (.data, .string(let text)): return Data(base64Encoded: text).map(PropertyListValue.data)
        case (.anything, .array), (.array, .array), (.anything, .dictionary), (.dictionary, .dictionary),
            (.record, .dictionary):
            return converting(json) { $0.value(of: $1) }
        default: return nil
        }
    }

    /// Converts a number, which JSON can spell in several ways.
    private func number(_ spelling: String) -> PropertyListValue? {
        switch self {
        case .integer: PropertyListInteger(spelling: spelling).map(PropertyListValue.integer)
        case .real: Double(spelling).map(PropertyListValue.real)
        case .anything:
            PropertyListInteger(spelling).map(PropertyListValue.integer)
                ?? Double(spelling).map(PropertyListValue.real)
        // The encoding of `Codable`.
        case .date: Double(spelling).map { .date(Date(timeIntervalSinceReferenceDate: $0)) }
        default: nil
        }
    }

    /// Converts the elements or entries of a value, each by its own shape; nil if one of them can't be converted.
    func converting(
        _ value: PropertyListValue,
        _ convert: (ValueShape, PropertyListValue) -> PropertyListValue?
    ) -> PropertyListValue? {
        switch value {
        case .array(let elements):
            let shape = if case .array(let shape) = self { shape.wrapped } else { ValueShape.anything }
            let converted = elements.compactMap { convert(shape, $0) }
            return converted.count == elements.count ? .array(converted) : nil
        case .dictionary(var entries):
            let count = entries.count
            for (key, entry) in entries { entries[key] = convert(entryShape(key), entry) }
            return entries.count == count ? .dictionary(entries) : nil
        default: return nil
        }
    }

    func entryShape(_ key: String) -> ValueShape {
        switch self {
        case .dictionary(let shape): shape.wrapped
        case .record(let fields): fields[key]?.shape.wrapped ?? .anything
        default: .anything
        }
    }
}

extension PropertyListInteger {
    /// A whole number in any spelling of JSON, also `1e3` and `5.0`.
    init?(spelling: String) {
        let real = Double(spelling)
        guard let whole = PropertyListInteger(spelling) ?? real.flatMap({ PropertyListInteger(whole: $0) })
        else { return nil }
        self = whole
    }
}
