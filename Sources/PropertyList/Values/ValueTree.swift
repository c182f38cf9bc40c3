import FoundationEssentials

/// One place inside a value, so that property-list containers and what lies inside `Data` and strings
/// can be walked and edited as one tree.
public struct ValueNode: Sendable {
    public enum Content: Sendable, Hashable {
        case propertyList(PropertyListValue)
        /// A place below `Data` or a string that holds JSON. (The `Data` itself is a property-list value.)
        case json(JSONNode)
    }

    public let content: Content
    /// What the place's `Data` or string holds. Found when the node is made.
    public let embedded: EmbeddedDocument?
    /// How many documents the place lies in.
    private let level: Int

    public init(_ value: PropertyListValue) { self.init(value, level: 0) }

    init(_ value: PropertyListValue, level: Int) {
        content = .propertyList(value)
        embedded = EmbeddedDocument(in: value, level: level)
        self.level = level
    }

    init(_ node: JSONNode, level: Int) {
        content = .json(node)
        embedded = nil
        self.level = level
    }

    /// The JSON at this place: the place's own, or the root of the document in its `Data` or string.
    public var json: JSONNode? {
        if case .json(let node) = content { return node }
        if case .json(let document) = embedded { return document.root }
        return nil
    }

    /// The property-list array or dictionary at this place, with the level of what is inside.
    private var container: (value: PropertyListValue, level: Int)? {
        if case .propertyList(let value, _) = embedded { return (value, level + 1) }
        guard case .propertyList(let value) = content else { return nil }
        return (value, level)
    }

    /// What can be opened: arrays, dictionaries, JSON's two, and `Data` or a string that holds one of
    /// these. An empty one too.
    public var isContainer: Bool {
        if let json { return json.kind == .object || json.kind == .array }
        return container?.value.kind == .array || container?.value.kind == .dictionary
    }

    /// Whether its children have numbers, not names.
    public var holdsElements: Bool { json.map { $0.kind == .array } ?? (container?.value.kind == .array) }

    public var childCount: Int {
        if let json { return json.childCount }
        return switch container?.value {
        case .array(let elements)?: elements.count
        case .dictionary(let entries)?: entries.count
        default: 0
        }
    }

    /// Dictionary entries in sorted order, the rest in their own order.
    public var children: ValueChildren {
        if let json { return ValueChildren(json, level: self.level) }
        return ValueChildren(container?.value, level: container?.level ?? 0)
    }

    /// The node at a path below this one; nil where there is none.
    public func node(at path: ValuePath) -> ValueNode? {
        guard case .propertyList(var value) = content else {
            return json?.node(at: path).map { ValueNode($0, level: self.level) }
        }
        var level = level
        for (depth, step) in path.steps.enumerated() {
            if let child = value.child(at: step) {
                value = child
                continue
            }
            switch depth == 0 ? embedded : EmbeddedDocument(in: value, level: level) {
            case .json(let document)?:
                let rest = ValuePath(Array(path.steps[depth...]))
                return document.node(at: rest).map { ValueNode($0, level: level) }
            case .propertyList(let list, _)?:
                guard let child = list.child(at: step) else { return nil }
                value = child
                level += 1
            case nil: return nil
            }
        }
        return path.steps.isEmpty ? self : ValueNode(value, level: level)
    }
}

extension ValueNode: Hashable {
    public static func == (a: ValueNode, b: ValueNode) -> Bool { a.content == b.content }

    public func hash(into hasher: inout Hasher) { hasher.combine(content) }
}

extension PropertyListValue {
    func child(at step: PathStep) -> PropertyListValue? {
        switch (self, step) {
        case (.dictionary(let entries), .key(let key)): entries[key]
        case (.array(let elements), .index(let index)) where elements.indices ~= index: elements[index]
        default: nil
        }
    }
}

extension JSONDocument {
    /// The document that a property list's data holds; nil where it is no JSON.
    init?(inside data: Data) {
        guard let first = data.first(where: { !JSONString.isSpace($0) }) else { return nil }
        switch first {
        case UInt8(ascii: "{"), UInt8(ascii: "["), UInt8(ascii: "\""), UInt8(ascii: "-"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "t"), UInt8(ascii: "f"),
            UInt8(ascii: "n"), 0xEF:
            guard let document = try? JSONDocument(parsing: data) else { return nil }
            self = document
        default: return nil
        }
    }
}
