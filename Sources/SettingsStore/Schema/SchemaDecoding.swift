import FoundationEssentials
public import PropertyList

// Reads declared settings from JSON Schema. There is no library for it that runs without Foundation, and only a small
// part of JSON Schema is needed.

extension SuiteSchema {
    /// Reads a JSON Schema. Members that a ``SettingDeclaration`` can't express are ignored, and forbid nothing: for example
    /// `if`, `anyOf` and `uniqueItems`.
    ///
    /// | JSON Schema | Meaning |
    /// | --- | --- |
    /// | `"type": "boolean"` | a boolean |
    /// | `"type": "integer"` | an integer |
    /// | `"type": "number"` | a real number |
    /// | `"type": "string"` | a string |
    /// | … with `"format": "date-time"` | a date |
    /// | … with `"contentEncoding": "base64"` | data |
    /// | … and `"contentMediaType": "application/json"` | JSON in data |
    /// | `"type": "array"`, `items` | an array |
    /// | `"type": ["integer", "null"]`, for example | a value that may be null |
    /// | `"type": "object"`, `properties`, `required` | a dictionary with certain keys |
    /// | `"type": "object"`, `additionalProperties` | a dictionary with any keys |
    /// | `minimum`, `maximum`, `exclusiveMinimum`, `exclusiveMaximum` | bounds of numbers |
    /// | `formatMinimum`, `formatMaximum` | bounds of dates |
    /// | `minLength`, `maxLength` | bounds of a string's length |
    /// | `pattern` | a regular expression that matches a part of the string |
    /// | `enum`, or `const`, or `oneOf` with `const` and `title` | cases |
    /// | `title`, `description`, `default` | title, help, default |
    /// | `writeOnly` | secret |
    /// | `deprecated`, `x-deprecation` | deprecated, with a sentence |
    /// | `x-oldKeys` | previous names of the setting |
    /// | `$ref` to a schema in the same document, and `allOf` | add what the schema itself leaves out |
    ///
    /// All of this counts for members of objects and elements of arrays too. If a schema refers to itself, any value is allowed
    /// at the inner reference.
    ///
    /// The default of JSON in data is the default in `contentSchema`, as JSON.
    ///
    /// - Throws: ``PropertyListError`` with line and column, if the text is no JSON, or if a known member has an invalid
    ///   value.
    public init(parsing text: Data) throws(PropertyListError) {
        var limits = PropertyListLimits.standard
        limits.size = 8 << 20
        let root = try JSONDocument(parsing: text, limits: limits).root
        let schema = SchemaNode(root, SchemaReferences(root))
        try schema.expect([.object], "a JSON object")
        self.init()
        // The suite is an object whose members are its keys.
        guard case .record(let fields) = try schema.declaration().shape.wrapped else { return }
        declarations = fields.mapValues(\.shape.declaration)
    }
}

/// The schemas to which `$ref` refers. Each is read once, however often it is used.
private final class SchemaReferences {
    private let root: JSONNode
    private var known: [String: SettingDeclaration] = [:]

    init(_ root: JSONNode) { self.root = root }

    /// The declaration to which a reference refers. Nil if it is to another document or to nothing.
    func declaration(_ reference: String) throws(PropertyListError) -> SettingDeclaration? {
        if let known = known[reference] { return known }
        guard reference.first == "#", let pointer = try? JSONPointer(String(reference.dropFirst())),
            let node = root.node(at: ValuePath(pointer.tokens.map { .key($0) }))
        else { return nil }
        // Ends the recursion if the schema refers to itself.
        known[reference] = SettingDeclaration(.anything)
        let declaration = try SchemaNode(node, self).declaration()
        known[reference] = declaration
        return declaration
    }
}

/// A schema inside the text of a schema.
private struct SchemaNode {
    let json: JSONNode
    let references: SchemaReferences

    init(_ json: JSONNode, _ references: SchemaReferences) {
        self.json = json
        self.references = references
    }

    func declaration() throws(PropertyListError) -> SettingDeclaration {
        // The schemas `true` and `false` declare nothing.
        if json.kind == .boolean { return SettingDeclaration(.anything) }
        try expect([.object], "an object, true or false")
        let shape = try shape()
        var declaration = SettingDeclaration(shape)
        let cases = try cases(shape)
        // If the value has a type, `.optional` allows null.
        declaration.cases = cases.filter { shape == .anything || $0.value != .null }
        declaration.defaultValue = try defaultValue(shape)
        declaration.title = try string("title")
        declaration.help = try string("description")
        declaration.isSecret = try boolean("writeOnly") || shape.hasSecret
        if try boolean("deprecated") { declaration.deprecation = try string("x-deprecation") ?? "" }
        declaration.oldKeys = try strings("x-oldKeys")
        for other in try added() {
            if declaration.shape == .anything { declaration.shape = other.shape }
            declaration = declaration.completed(by: other)
        }
        let allowsNull = try types().contains("null") || cases.count > declaration.cases.count
        if allowsNull, declaration.shape != .anything {
            declaration.shape = .optional(declaration.shape.wrapped)
        }
        return declaration
    }

    /// The declarations to which `$ref` and `allOf` refer.
    private func added() throws(PropertyListError) -> [SettingDeclaration] {
        var added: [SettingDeclaration] = []
        if let target = try string("$ref").flatMap({ reference throws(PropertyListError) in
            try references.declaration(reference)
        }) {
            added.append(target)
        }
        for (_, node) in try node("allOf", [.array], "an array")?.children.map(\.self) ?? [] {
            added.append(try SchemaNode(node, references).declaration())
        }
        return added
    }

    // MARK: The shape

    private func shape() throws(PropertyListError) -> ValueShape {
        let type = try type()
        switch type ?? (json.node(at: [.key("properties")]) == nil ? nil : "object") {
        case "boolean": return .boolean
        case "integer": return .integer(try bounds { PropertyListInteger(spelling: $0) })
        case "number": return .real(try bounds { Double($0) })
        case "string": return try stringShape()
        case "array": return .array(of: try inner("items") ?? .anything)
        case "object": return try objectShape()
        default: return .anything
        }
    }

    /// The only type besides `null`, which optionals have too; nil if there are several.
    private func type() throws(PropertyListError) -> String? {
        let types = try types().filter { $0 != "null" }
        return types.count == 1 ? types[0] : nil
    }

    private func types() throws(PropertyListError) -> [String] {
        guard let node = try node("type", [.string, .array], "a string or an array") else { return [] }
        return [node.string].compactMap(\.self) + (try strings(in: node))
    }

    private func stringShape() throws(PropertyListError) -> ValueShape {
        if try string("contentEncoding") == "base64" {
            return try string("contentMediaType") == "application/json" ? .json : .data
        }
        let format = try string("format")
        if format == "date-time" {
            return .date(Bounds(try date("formatMinimum"), try date("formatMaximum")))
        }
        let length = Bounds(try count("minLength"), try count("maxLength"))
        return .string(
            StringShape(
                format: format.flatMap(StringShape.Format.init(rawValue:)),
                length: length,
                pattern: try string("pattern")
            )
        )
    }

    private func objectShape() throws(PropertyListError) -> ValueShape {
        guard let properties = try node("properties", [.object], "an object") else {
            return .dictionary(of: try inner("additionalProperties") ?? .anything)
        }
        let required = Set(try strings("required"))
        var fields: [String: ValueShape.Field] = [:]
        for (step, node) in properties.children {
            guard case .key(let name) = step, fields[name] == nil else { continue }
            let declaration = try SchemaNode(node, references).declaration()
            fields[name] = ValueShape.Field(declaration.asShape, isRequired: required.contains(name))
        }
        return .record(fields)
    }

    /// The shape of elements or members. Nil if they can have any. An array of schemas (`items` up to draft 2019-09) is ignored.
    private func inner(_ name: String) throws(PropertyListError) -> ValueShape? {
        guard let node = json.node(at: [.key(name)]), node.kind != .array else { return nil }
        return try SchemaNode(node, references).declaration().asShape
    }

    /// - Parameter number: reads a number; nil if the type has no such number, which is no bound then.
    private func bounds<Bound>(
        _ number: (_ spelling: String) -> Bound?
    ) throws(PropertyListError) -> Bounds<Bound> {
        func limit(_ name: String) throws(PropertyListError) -> Bound? {
            // In draft 4, these two are booleans. They are ignored, so the bound itself is allowed.
            let kinds: [JSONNode.Kind] = name.hasPrefix("exclusive") ? [.number, .boolean] : [.number]
            return try node(name, kinds, "a number").flatMap { number($0.source) }
        }
        var bounds = Bounds(try limit("minimum"), try limit("maximum"))
        // The narrower of two bounds counts.
        if let above = try limit("exclusiveMinimum"), bounds.lower.map({ above >= $0 }) ?? true {
            (bounds.lower, bounds.excludesLower) = (above, true)
        }
        if let below = try limit("exclusiveMaximum"), bounds.upper.map({ below <= $0 }) ?? true {
            (bounds.upper, bounds.excludesUpper) = (below, true)
        }
        return bounds
    }

    // MARK: Values

    /// The allowed values, null among them.
    private func cases(_ shape: ValueShape) throws(PropertyListError) -> [SettingCase] {
        func value(_ node: JSONNode) -> PropertyListValue? {
            node.kind == .null ? .null : shape.value(of: node.propertyListValue)
        }
        if let node = json.node(at: [.key("const")]) { return value(node).map { [SettingCase($0)] } ?? [] }
        if let list = try node("enum", [.array], "an array") {
            return list.children.compactMap { value($0.node).map { SettingCase($0) } }
        }
        guard let list = try node("oneOf", [.array], "an array") else { return [] }
        var cases: [SettingCase] = []
        for (_, node) in list.children {
            guard let value = node.node(at: [.key("const")]).flatMap(value) else {
                // A different use of `oneOf`.
                return []
            }
            cases.append(SettingCase(value, title: try SchemaNode(node, references).string("title")))
        }
        return cases
    }

    private func defaultValue(_ shape: ValueShape) throws(PropertyListError) -> PropertyListValue? {
        if shape == .json, let content = try node("contentSchema", [.object, .boolean], "a schema"),
            let node = content.node(at: [.key("default")])
        {
            return shape.value(of: node.propertyListValue)
        }
        guard let node = json.node(at: [.key("default")]) else { return nil }
        return (shape == .json ? ValueShape.data : shape).value(of: node.propertyListValue)
    }
}

// MARK: - Members

extension SchemaNode {
    func expect(_ kinds: [JSONNode.Kind], _ expected: String) throws(PropertyListError) {
        if kinds.contains(json.kind) { return }
        let problem = "found \(json.kind.withArticle), expected \(expected)"
        throw PropertyListError(json.place, .malformed, problem)
    }

    func node(
        _ name: String,
        _ kinds: [JSONNode.Kind],
        _ expected: String
    ) throws(PropertyListError) -> JSONNode? {
        guard let node = json.node(at: [.key(name)]) else { return nil }
        if !kinds.contains(node.kind) { throw problem(node, name, "must be \(expected)") }
        return node
    }

    private func problem(_ node: JSONNode, _ name: String, _ rule: String) -> PropertyListError {
        PropertyListError(node.place, .malformed, "“\(name)” \(rule)")
    }

    private func string(_ name: String) throws(PropertyListError) -> String? {
        try node(name, [.string], "a string")?.string
    }

    private func boolean(_ name: String) throws(PropertyListError) -> Bool {
        try node(name, [.boolean], "true or false")?.source == "true"
    }

    private func strings(_ name: String) throws(PropertyListError) -> [String] {
        guard let list = try node(name, [.array], "an array of strings") else { return [] }
        return try strings(in: list)
    }

    private func strings(in list: JSONNode) throws(PropertyListError) -> [String] {
        var strings: [String] = []
        for (_, node) in list.children where list.kind == .array {
            try SchemaNode(node, references).expect([.string], "a string")
            strings.append(node.string ?? "")
        }
        return strings
    }

    private func count(_ name: String) throws(PropertyListError) -> Int? {
        guard let node = try node(name, [.number], "a number") else { return nil }
        guard let number = PropertyListInteger(spelling: node.source), number >= 0 else {
            throw problem(node, name, "must be a whole number from 0 up")
        }
        return Int(exactly: number) ?? .max
    }

    private func date(_ name: String) throws(PropertyListError) -> Date? {
        guard let node = try node(name, [.string], "a string") else { return nil }
        do throws(ValueTextError) {
            if case .date(let date) = try PropertyListValue.parse(node.string ?? "", as: .date) {
                return date
            }
            return nil
        } catch {
            throw PropertyListError(node.place, .malformed, "“\(name)”: \(error)")
        }
    }
}
