/// The direct children of a ``ValueNode``, in order.
///
/// Each child is created when it is accessed. A view that shows thirty children of a container with
/// 100,000 therefore does the work for thirty.
public struct ValueChildren: Sendable {
    private enum Source: Sendable {
        case elements([PropertyListValue])
        /// The keys are sorted.
        case entries([String: PropertyListValue], keys: [String])
        case json(JSONNode)
    }

    private let source: Source
    /// The number of embedded documents around the children.
    private let level: Int

    init(_ node: JSONNode, level: Int) {
        source = .json(node)
        self.level = level
    }

    /// Creates the children of a value, or no children if it is not a container.
    ///
    /// - Parameter keys: The sorted keys of the dictionary, if they were sorted beforehand.
    init(_ value: PropertyListValue?, level: Int, keys: [String]? = nil) {
        self.level = level
        switch value {
        case .array(let elements)?: source = .elements(elements)
        case .dictionary(let entries)?: source = .entries(entries, keys: keys ?? sortedKeys(entries))
        default: source = .elements([])
        }
    }
}

extension ValueChildren: RandomAccessCollection {
    public var startIndex: Int { 0 }

    public var endIndex: Int {
        switch source {
        case .elements(let elements): elements.count
        case .entries(_, let keys): keys.count
        case .json(let node): node.childCount
        }
    }

    public subscript(index: Int) -> (step: PathStep, node: ValueNode) {
        if case .json(let node) = source {
            return (node.step(at: index), ValueNode(node.child(index), level: level))
        }
        // Every key in `keys` is in the dictionary.
        return (step(at: index), ValueNode(value(at: index) ?? .boolean(false), level: level))
    }

    /// Returns the child at an index. If reading its inside takes long, the child is unread.
    public func shown(at index: Int) -> ValueNode {
        value(at: index).map { .unreadIfLong($0, level: level) } ?? self[index].node
    }

    /// Returns the step that leads to the child at an index.
    public func step(at index: Int) -> PathStep {
        switch source {
        case .elements: .index(index)
        case .entries(_, let keys): .key(keys[index])
        case .json(let node): node.step(at: index)
        }
    }

    /// Returns the index of the child at a step, or nil if there is none. A plain name leads to the
    /// first of several JSON members with that name.
    public func place(of step: PathStep) -> Int? {
        switch (source, step) {
        case (.elements(let elements), .index(let index)): return elements.indices ~= index ? index : nil
        case (.entries(let entries, let keys), .key(let key)):
            guard entries[key] != nil else { return nil }
            return indexNotBelow(key, from: 0, count: keys.count) { keys[$0] }
        case (.json(let node), _): return node.index(of: step)
        default: return nil
        }
    }

    /// Whether two children are the same, without reading their insides. Two JSON values are the same
    /// if their texts are.
    public func isSame(at index: Int, as other: ValueChildren, at otherIndex: Int) -> Bool {
        if case .json(let mine) = source, case .json(let theirs) = other.source {
            return mine.child(index) == theirs.child(otherIndex)
        }
        guard let mine = value(at: index), let theirs = other.value(at: otherIndex) else { return false }
        return mine == theirs
    }

    private func value(at index: Int) -> PropertyListValue? {
        switch source {
        case .elements(let elements): elements[index]
        case .entries(let entries, let keys): entries[keys[index]]
        case .json: nil
        }
    }

    /// Whether the child at an index might hold a document, so that ``ValueNode/init(_:)`` takes time
    /// to look.
    public func mayHoldDocument(at index: Int) -> Bool {
        value(at: index)?.mayHoldDocument == true
    }
}

extension PropertyListValue {
    /// Whether the value might hold a document, so that ``ValueNode/init(_:)`` takes time to look.
    public var mayHoldDocument: Bool {
        switch self {
        case .data: true
        case .string(let text): text.utf8.count > 100
        case .dictionary(let entries): entries.count > ValueNode.manyEntries
        default: false
        }
    }
}
