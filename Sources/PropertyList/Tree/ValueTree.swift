import FoundationEssentials

/// A value at one position of a suite, seen as part of one tree.
///
/// The tree continues through `Data` and strings that hold JSON or a property list. So a caller can
/// walk and edit native values and encoded `Codable` values in the same way.
public struct ValueNode: Sendable {
    public enum Content: Sendable, Hashable {
        case propertyList(PropertyListValue)
        /// A part of the JSON inside `Data` or a string. (The `Data` itself is a property-list value.)
        case json(JSONNode)
    }

    public let content: Content
    /// The document that the node's `Data` or string holds. It is read when the node is created, or
    /// later by a ``ValueReading``.
    public let embedded: EmbeddedDocument?
    /// Whether the inside is not read yet, because that takes long. See ``unreadIfLong(_:)``.
    public let isUnread: Bool
    /// The number of embedded documents around the node.
    let level: Int
    /// The sorted keys of the node's dictionary, if they were sorted beforehand.
    let keys: [String]?

    public init(_ value: PropertyListValue) { self.init(value, level: 0) }

    init(_ value: PropertyListValue, level: Int) {
        self.init(value, level: level, EmbeddedDocument(in: value, level: level))
    }

    /// Creates a node whose inside was read beforehand.
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

    /// The JSON of this node: its own, or the root of the document in its `Data` or string.
    public var json: JSONNode? {
        if case .json(let node) = content { return node }
        if case .json(let document) = embedded { return document.root }
        return nil
    }

    /// The property-list array or dictionary of this node, with the level of its children.
    var container: (value: PropertyListValue, level: Int)? {
        if case .propertyList(let value, _) = embedded { return (value, level + 1) }
        guard case .propertyList(let value) = content else { return nil }
        return (value, level)
    }

    /// Whether the node can be expanded: an array, a dictionary, a JSON array or object, or `Data` or a
    /// string that holds one of these. An empty container counts.
    public var isContainer: Bool {
        if let json { return json.kind == .object || json.kind == .array }
        return container?.value.kind == .array || container?.value.kind == .dictionary
    }

    /// Whether the children are array elements, with indexes and no names.
    public var holdsElements: Bool { json.map { $0.kind == .array } ?? (container?.value.kind == .array) }

    public var childCount: Int {
        if let json { return json.childCount }
        return switch container?.value {
        case .array(let elements)?: elements.count
        case .dictionary(let entries)?: entries.count
        default: 0
        }
    }

    /// The children. Dictionary entries are sorted by key; other children keep their own order.
    public var children: ValueChildren {
        if let json { return ValueChildren(json, level: self.level) }
        return ValueChildren(container?.value, level: container?.level ?? 0, keys: keys)
    }

    /// Returns the node at a path relative to this one, or nil if there is none.
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
