import FoundationEssentials
public import PropertyList

// A JSON file has no dates and no data, and a `Codable` value is an object in it. Declarations and properties speak of the
// type that a program uses. This file says how such a type looks in a JSON file, in both directions.

extension ValueShape {
    /// The shape that values of this shape have in a JSON file.
    public var inJSON: ValueShape {
        switch self {
        case .date: .string(StringShape(format: .dateTime))
        case .data: .string(StringShape(format: .base64))
        case .json: .anything
        case .array(let shape): .array(of: shape.inJSON)
        case .dictionary(let shape): .dictionary(of: shape.inJSON)
        case .record(let fields):
            .record(fields.mapValues { Field($0.shape.inJSON, isRequired: $0.isRequired) })
        case .optional(let shape): .optional(shape.inJSON)
        case .declared(let declaration): .declared(declaration.inJSON)
        case .anything, .boolean, .integer, .real, .string: self
        }
    }

    /// The form of a value of this shape in a JSON file.
    ///
    /// - Throws: if JSON can't hold the value.
    public func jsonForm(of value: PropertyListValue) throws(PropertyListError) -> PropertyListValue {
        // An array with nil and a `Codable` value are JSON in `Data` elsewhere.
        if self != .data, case .data(let text) = value, let document = try? JSONDocument(parsing: text) {
            return document.root.propertyListValue
        }
        return try value.inJSON
    }

    /// The value of this shape that a value of a JSON file stands for. A value that is none of this shape stays as it is.
    public func value(ofJSONForm stored: PropertyListValue) -> PropertyListValue {
        switch (self, stored) {
        case (.optional, _), (.declared, _): return wrapped.value(ofJSONForm: stored)
        case (.date, .string(let text)): return (try? PropertyListValue.parse(text, as: .date)) ?? stored
        case (.data, .string(let text)):
            return Data(base64Encoded: text).map(PropertyListValue.data) ?? stored
        case (.json, .data), (_, .null): return stored
        case (.json, _): return stored.jsonForm.map { .data(Data($0.utf8)) } ?? stored
        case (_, .number): return stored.withPlainNumber
        case (.array, .array), (.dictionary, .dictionary), (.record, .dictionary):
            return converting(stored) { $0.value(ofJSONForm: $1) } ?? stored
        default: return stored
        }
    }
}

extension SettingDeclaration {
    /// The declaration for a JSON file.
    fileprivate var inJSON: SettingDeclaration {
        var declaration = self
        declaration.shape = shape.inJSON
        declaration.defaultValue = defaultValue.flatMap { try? shape.jsonForm(of: $0) }
        declaration.cases = cases.compactMap { entry in
            (try? shape.jsonForm(of: entry.value)).map { SettingCase($0, title: entry.title) }
        }
        return declaration
    }
}

extension SuiteSchema {
    /// The declarations for a JSON file.
    public var inJSON: SuiteSchema { SuiteSchema(declarations.mapValues(\.inJSON)) }
}
