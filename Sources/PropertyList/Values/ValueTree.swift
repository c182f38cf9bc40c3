import FoundationEssentials

/// One place inside a value, so that property-list containers and the JSON inside `Data` can be
/// walked and edited as one tree.
public struct ValueNode: Sendable, Hashable {
    public enum Content: Sendable, Hashable {
        case propertyList(PropertyListValue)
        /// A place below `Data` that holds JSON. (The `Data` itself is a property-list value.)
        case json(JSONNode)
    }

    public let content: Content
    /// For `Data` that holds JSON, of any kind: its document. Found when the node is made, which
    /// costs one look at the first bytes for data that can't be JSON.
    public let document: JSONDocument?

    public init(_ value: PropertyListValue) {
        content = .propertyList(value)
        document = if case .data(let data) = value { JSONDocument(inside: data) } else { nil }
    }

    private init(_ node: JSONNode) {
        content = .json(node)
        document = nil
    }

    /// The JSON at this place: the place's own, or the root of the document in its `Data`.
    public var json: JSONNode? {
        if case .json(let node) = content { node } else { document?.root }
    }

    /// What can be opened: arrays, dictionaries, JSON's two, and `Data` that holds one of JSON's
    /// two. An empty one too.
    public var isContainer: Bool {
        if let json { return json.kind == .object || json.kind == .array }
        switch content {
        case .propertyList(.array), .propertyList(.dictionary): return true
        default: return false
        }
    }

    public var childCount: Int {
        if let json { return json.childCount }
        return switch content {
        case .propertyList(.array(let elements)): elements.count
        case .propertyList(.dictionary(let entries)): entries.count
        default: 0
        }
    }

    /// Dictionary entries in sorted order, the rest in their own order.
    public var children: [(step: PathStep, node: ValueNode)] {
        if let json { return json.children.map { ($0.step, ValueNode($0.node)) } }
        return switch content {
        case .propertyList(.array(let elements)):
            elements.enumerated().map { (.index($0), ValueNode($1)) }
        case .propertyList(.dictionary(let entries)):
            entries.sorted { $0.key < $1.key }.map { (.key($0), ValueNode($1)) }
        default: []
        }
    }

    /// The node at a path below this one; nil where there is none.
    public func node(at path: ValuePath) -> ValueNode? {
        guard case .propertyList(var value) = content else {
            return json?.node(at: path).map(ValueNode.init)
        }
        for (depth, step) in path.steps.enumerated() {
            if let child = value.child(at: step) {
                value = child
            } else if case .data(let data) = value {
                let document = depth == 0 ? document : JSONDocument(inside: data)
                return document?.node(at: ValuePath(Array(path.steps[depth...]))).map(ValueNode.init)
            } else {
                return nil
            }
        }
        return path.steps.isEmpty ? self : ValueNode(value)
    }
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
