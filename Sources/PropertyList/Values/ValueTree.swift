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
    /// What the place's `Data` or string holds. Found when the node is made, or by a ``ValueReading``.
    public let embedded: EmbeddedDocument?
    /// Whether nobody has looked yet what is inside, which takes long (``unreadIfLong(_:)``).
    public let isUnread: Bool
    /// How many documents the place lies in.
    let level: Int
    /// The sorted keys of the dictionary at this place, where they were found beforehand.
    let keys: [String]?

    public init(_ value: PropertyListValue) { self.init(value, level: 0) }

    init(_ value: PropertyListValue, level: Int) {
        self.init(value, level: level, EmbeddedDocument(in: value, level: level))
    }

    /// What was found in a value.
    init(_ value: PropertyListValue, level: Int, _ embedded: EmbeddedDocument?, keys: [String]? = nil) {
        content = .propertyList(value)
        self.embedded = embedded
        self.level = level
        self.keys = keys
        isUnread = false
    }

    init(_ node: JSONNode, level: Int) {
        content = .json(node)
        embedded = nil
        isUnread = false
        self.level = level
        keys = nil
    }

    init(unread value: PropertyListValue, level: Int) {
        content = .propertyList(value)
        embedded = nil
        isUnread = true
        self.level = level
        keys = nil
    }

    /// The JSON at this place: the place's own, or the root of the document in its `Data` or string.
    public var json: JSONNode? {
        if case .json(let node) = content { return node }
        if case .json(let document) = embedded { return document.root }
        return nil
    }

    /// The property-list array or dictionary at this place, with the level of what is inside.
    var container: (value: PropertyListValue, level: Int)? {
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
        return ValueChildren(container?.value, level: container?.level ?? 0, keys: keys)
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
