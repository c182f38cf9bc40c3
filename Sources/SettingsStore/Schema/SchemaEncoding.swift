public import FoundationEssentials
public import PropertyList

// Writes declared settings as JSON Schema, a format that other editors know. Several programs may declare settings of one
// suite, so the text of an earlier program is extended, never replaced.

extension SuiteSchema {
    /// The schema as JSON text. Members are sorted, so equal schemas have equal texts.
    public var text: Data { Data((json(over: [:]).indentedJSON + "\n").utf8) }

    /// Merges the schema into an older text.
    ///
    /// A declaration of this schema replaces the known members (``init(parsing:)``) of the older one for the same key.
    /// Old names of keys are removed. Unknown members and other keys stay, but not their white space and order.
    ///
    /// - Returns: nil if the older text has all declarations already.
    /// - Throws: an error if the older text is no JSON Schema.
    public func merged(into old: Data) throws(PropertyListError) -> Data? {
        // Throws if the text is no JSON Schema.
        _ = try SuiteSchema(parsing: old)
        guard case .dictionary(let members) = try JSONDocument(parsing: old).root.propertyListValue else {
            return nil
        }
        let merged = json(over: members)
        return merged == .dictionary(members) ? nil : Data((merged.indentedJSON + "\n").utf8)
    }

    private func json(over old: [String: PropertyListValue]) -> PropertyListValue {
        var schema = old
        schema["$schema"] = schema["$schema"] ?? .string("https://json-schema.org/draft/2020-12/schema")
        schema["type"] = schema["type"] ?? .string("object")
        var properties: [String: PropertyListValue] = [:]
        if case .dictionary(let old)? = schema["properties"] { properties = old }
        for (key, declaration) in declarations {
            var words: [String: PropertyListValue] = [:]
            if case .dictionary(let old)? = properties[key] { words = old }
            for word in SettingDeclaration.words { words[word] = nil }
            properties[key] = .dictionary(words.merging(declaration.json) { $1 })
            for oldKey in declaration.oldKeys where declarations[oldKey] == nil { properties[oldKey] = nil }
        }
        schema["properties"] = .dictionary(properties)
        return .dictionary(schema)
    }
}

extension SettingDeclaration {
    /// The members of a JSON Schema that ``SuiteSchema`` knows.
    fileprivate static let words = [
        "type", "format", "contentEncoding", "contentMediaType", "contentSchema", "items", "properties",
        "required", "additionalProperties", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum",
        "formatMinimum", "formatMaximum", "minLength", "maxLength", "pattern", "enum", "const", "oneOf",
        "title", "description", "$ref", "allOf", "default", "writeOnly", "deprecated", "x-deprecation",
        "x-oldKeys",
    ]

    fileprivate var json: [String: PropertyListValue] {
        var words = shape.json
        words["title"] = title.map(PropertyListValue.string)
        words["description"] = help.map(PropertyListValue.string)
        if isSecret { words["writeOnly"] = .boolean(true) }
        if let deprecation {
            words["deprecated"] = .boolean(true)
            if !deprecation.isEmpty { words["x-deprecation"] = .string(deprecation) }
        }
        if !oldKeys.isEmpty { words["x-oldKeys"] = .array(oldKeys.map(PropertyListValue.string)) }
        let cases = cases.compactMap { entry in shape.json(of: entry.value).map { ($0, entry.title) } }
        if cases.contains(where: { $0.1 != nil }) {
            words["oneOf"] = .array(
                cases.map { value, title in
                    var words = ["const": value]
                    words["title"] = title.map(PropertyListValue.string)
                    return .dictionary(words)
                }
            )
        } else if !cases.isEmpty {
            words["enum"] = .array(cases.map(\.0))
        }
        // The default of a secret may be secret too.
        if !isSecret, let value = defaultValue.flatMap(shape.json(of:)) {
            if shape == .json {
                words["contentSchema"] = .dictionary(["default": value])
            } else {
                words["default"] = value
            }
        }
        return words
    }
}

extension ValueShape {
    fileprivate var json: [String: PropertyListValue] {
        switch self {
        case .anything: return [:]
        case .boolean: return ["type": "boolean"]
        case .integer(let bounds):
            return ["type": "integer"].merging(bounds.json { .integer($0) }) { $1 }
        case .real(let bounds):
            return ["type": "number"].merging(bounds.json { $0.isFinite ? .real($0) : nil }) { $1 }
        case .string(let shape): return shape.json
        case .date(let bounds):
            var words: [String: PropertyListValue] = ["type": "string", "format": "date-time"]
            words["formatMinimum"] = bounds.lower.flatMap { ValueShape.date().json(of: .date($0)) }
            words["formatMaximum"] = bounds.upper.flatMap { ValueShape.date().json(of: .date($0)) }
            return words
        case .data: return ["type": "string", "contentEncoding": "base64"]
        case .json:
            return [
                "type": "string", "contentEncoding": "base64", "contentMediaType": "application/json",
            ]
        case .array(let shape): return ["type": "array", "items": .dictionary(shape.json)]
        case .dictionary(let shape):
            return ["type": "object", "additionalProperties": .dictionary(shape.json)]
        case .record(let fields):
            var words: [String: PropertyListValue] = [
                "type": "object", "properties": .dictionary(fields.mapValues { .dictionary($0.shape.json) }),
            ]
            let required = fields.filter(\.value.isRequired).keys.sorted()
            if !required.isEmpty { words["required"] = .array(required.map(PropertyListValue.string)) }
            return words
        case .optional(let shape):
            var words = shape.json
            if case .string? = words["type"] { words["type"] = words["type"].map { .array([$0, "null"]) } }
            return words
        case .declared(let declaration): return declaration.json
        }
    }
}

extension Bounds {
    fileprivate func json(_ number: (Bound) -> PropertyListValue?) -> [String: PropertyListValue] {
        var words: [String: PropertyListValue] = [:]
        words[excludesLower ? "exclusiveMinimum" : "minimum"] = lower.flatMap(number)
        words[excludesUpper ? "exclusiveMaximum" : "maximum"] = upper.flatMap(number)
        return words
    }
}

extension StringShape {
    fileprivate var json: [String: PropertyListValue] {
        var words: [String: PropertyListValue] = ["type": "string"]
        if format == .base64 {
            words["contentEncoding"] = "base64"
        } else {
            words["format"] = format.map { .string($0.rawValue) }
        }
        words["minLength"] = length.lower.map { .integer(PropertyListInteger($0)) }
        words["maxLength"] = length.upper.map { .integer(PropertyListInteger($0)) }
        words["pattern"] = pattern.map(PropertyListValue.string)
        return words
    }
}
