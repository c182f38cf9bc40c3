/// What lies directly inside a ``ValueNode``, in its order, each made as it is asked for: of a hundred
/// thousand the few that somebody looks at cost no more than of a few.
public struct ValueChildren: Sendable {
    private enum Source: Sendable {
        case elements([PropertyListValue])
        /// With the keys in sorted order.
        case entries([String: PropertyListValue], keys: [String])
        case json(JSONNode)
    }

    private let source: Source
    /// How many documents they lie in.
    private let level: Int

    init(_ node: JSONNode, level: Int) {
        source = .json(node)
        self.level = level
    }

    /// Nothing where the value is no container.
    ///
    /// - Parameter keys: Those of a dictionary, sorted, where they were found beforehand.
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

    public subscript(place: Int) -> (step: PathStep, node: ValueNode) {
        switch source {
        case .elements(let elements): (.index(place), ValueNode(elements[place], level: level))
        case .entries(let entries, let keys):
            // Each of the keys is one of the dictionary's.
            (.key(keys[place]), ValueNode(entries[keys[place]] ?? .boolean(false), level: level))
        case .json(let node):
            (node.step(at: place), ValueNode(node.child(place), level: level))
        }
    }

    /// The node at a place, unread where it would take long to read it.
    public func shown(at place: Int) -> ValueNode {
        switch source {
        case .elements(let elements): .unreadIfLong(elements[place], level: level)
        case .entries(let entries, let keys):
            .unreadIfLong(entries[keys[place]] ?? .boolean(false), level: level)
        case .json: self[place].node
        }
    }

    /// The step that leads to the one at a place.
    public func step(at place: Int) -> PathStep {
        switch source {
        case .elements: .index(place)
        case .entries(_, let keys): .key(keys[place])
        case .json(let node): node.step(at: place)
        }
    }

    /// The place that a step leads to; nil where there is none. A name alone leads to the first of several
    /// members that have it.
    public func place(of step: PathStep) -> Int? {
        switch (source, step) {
        case (.elements(let elements), .index(let index)): return elements.indices ~= index ? index : nil
        case (.entries(let entries, let keys), .key(let key)):
            guard entries[key] != nil else { return nil }
            var (low, high) = (0, keys.count)
            while low < high {
                let middle = (low + high) / 2
                if keys[middle] < key { low = middle + 1 } else { high = middle }
            }
            return low
        case (.json(let node), _): return node.place(of: step)
        default: return nil
        }
    }

    /// Whether the one at a place is the same as one in another container, inside JSON also in its
    /// spelling; without finding out what is in them.
    public func isSame(at place: Int, as other: ValueChildren, at otherPlace: Int) -> Bool {
        if case .json(let mine) = source, case .json(let theirs) = other.source {
            return mine.child(place) == theirs.child(otherPlace)
        }
        guard let mine = value(at: place), let theirs = other.value(at: otherPlace) else { return false }
        return mine == theirs
    }

    private func value(at place: Int) -> PropertyListValue? {
        switch source {
        case .elements(let elements): elements[place]
        case .entries(let entries, let keys): entries[keys[place]]
        case .json: nil
        }
    }

    /// Whether it takes long to find out what is in the one at a place.
    public func mayHoldDocument(at place: Int) -> Bool {
        switch source {
        case .elements(let elements): elements[place].mayHoldDocument
        case .entries(let entries, let keys): entries[keys[place]]?.mayHoldDocument == true
        case .json: false
        }
    }
}

extension PropertyListValue {
    /// Whether it takes long to find out what is in it, which ``ValueNode`` does when it is made.
    public var mayHoldDocument: Bool {
        switch self {
        case .data: true
        case .string(let text): text.utf8.count > 100
        case .dictionary(let entries): entries.count > ValueNode.manyEntries
        default: false
        }
    }
}
