import FoundationEssentials

/// An edit of one place of a value, one of several that are done at once.
public struct ValueEdit: Sendable, Hashable {
    public enum Action: Sendable, Hashable {
        case replace(NewValue)
        /// An entry that a dictionary lacks, or an element in front of the one that has the index (the count
        /// appends).
        case insert(NewValue)
        case remove
    }

    /// In the value as it is before any of the edits.
    public let path: ValuePath
    public let action: Action

    public init(_ action: Action, at path: ValuePath) {
        self.path = path
        self.action = action
    }
}

extension PropertyListValue {
    /// The value with several places edited at once, which takes about as long as reading it once, however many
    /// they are.
    ///
    /// Several elements that go in front of the same one are put there in the order given. No edit may be of a
    /// place inside another one's.
    ///
    /// - Throws: as the edits of one place do (``replacing(at:with:)``, ``inserting(_:at:)``,
    ///   ``removing(at:)``), for any of them.
    public func editing(_ edits: [ValueEdit]) throws(ValueEditError) -> PropertyListValue {
        var tree = EditTree()
        for edit in edits {
            if edit.path.steps.isEmpty, edit.action.isStructural { throw .outermost }
            tree.add(edit, depth: 0)
        }
        return try edited(tree, at: [], level: 0)
    }
}

extension ValueEdit.Action {
    fileprivate var isStructural: Bool { if case .replace = self { false } else { true } }
}

/// What is to be done below one place.
struct EditTree {
    private(set) var replacement: NewValue?
    private(set) var isRemoved = false
    private(set) var children: [PathStep: EditTree] = [:]
    /// New entries and elements, in the order given.
    private(set) var insertions: [(step: PathStep, value: NewValue)] = []

    var isEmpty: Bool { replacement == nil && children.isEmpty && insertions.isEmpty }

    fileprivate mutating func add(_ edit: ValueEdit, depth: Int) {
        guard depth < edit.path.steps.count else {
            switch edit.action {
            case .replace(let new): replacement = new
            case .remove: isRemoved = true
            case .insert: break
            }
            return
        }
        let step = edit.path.steps[depth]
        if depth == edit.path.steps.count - 1, case .insert(let new) = edit.action {
            insertions.append((step, new))
        } else {
            children[step, default: EditTree()].add(edit, depth: depth + 1)
        }
    }

    /// New elements by the index of the element that they go in front of.
    ///
    /// - Throws: where there is no such element among so many.
    func insertedElements<Element>(
        count: Int,
        at path: ValuePath,
        _ element: (NewValue, ValuePath) throws(ValueEditError) -> Element
    ) throws(ValueEditError) -> [Int: [Element]] {
        var elements: [Int: [Element]] = [:]
        for (step, value) in insertions {
            let place = path.appending(step)
            guard case .index(let index) = step, 0...count ~= index else {
                throw .missing(place, in: .numbers(count: count))
            }
            elements[index, default: []].append(try element(value, place))
        }
        return elements
    }
}

extension PropertyListValue {
    /// - Parameters:
    ///   - path: That of this value.
    ///   - level: How many documents it lies in.
    fileprivate func edited(
        _ tree: EditTree,
        at path: ValuePath,
        level: Int
    ) throws(ValueEditError) -> PropertyListValue {
        if tree.isEmpty { return self }
        if case .propertyList(let new)? = tree.replacement { return new }
        switch EmbeddedDocument(in: self, level: level) {
        case .json(let document)?:
            let text = try document.edited(tree, at: path).text
            return kind == .string ? .string(String(decoding: text, as: UTF8.self)) : .data(text)
        case .propertyList(let list, let format)?:
            guard case .data(let data) = self, tree.replacement == nil else { break }
            let new = try list.edited(tree, at: path, level: level + 1)
            do {
                return .data(try format.bytes(of: new, replacing: list, in: data))
            } catch {
                throw ValueEditError(path, "\(error)")
            }
        case nil: break
        }
        if let new = tree.replacement { return try new.propertyListValue(for: path) }
        switch self {
        case .dictionary(let entries): return .dictionary(try entries.edited(tree, at: path, level: level))
        case .array(let elements): return .array(try elements.edited(tree, at: path, level: level))
        default:
            let step = tree.children.keys.first ?? tree.insertions.first?.step
            throw .missing(ValuePath(path.steps + (step.map { [$0] } ?? [])), in: .init(self))
        }
    }
}

extension [String: PropertyListValue] {
    fileprivate func edited(
        _ tree: EditTree,
        at path: ValuePath,
        level: Int
    ) throws(ValueEditError) -> [String: PropertyListValue] {
        var entries = self
        for (step, child) in tree.children {
            guard case .key(let key) = step, let old = self[key] else {
                throw .missing(path.appending(step), in: .names)
            }
            entries[key] =
                child.isRemoved ? nil : try old.edited(child, at: path.appending(step), level: level)
        }
        for (step, new) in tree.insertions {
            let place = path.appending(step)
            guard case .key(let key) = step else { throw .missing(place, in: .names) }
            guard entries[key] == nil else { throw .taken(place) }
            entries[key] = try new.propertyListValue(for: place)
        }
        return entries
    }
}

extension [PropertyListValue] {
    fileprivate func edited(
        _ tree: EditTree,
        at path: ValuePath,
        level: Int
    ) throws(ValueEditError) -> [PropertyListValue] {
        var elements = self
        var removed: Set<Int> = []
        for (step, child) in tree.children {
            guard case .index(let index) = step, indices ~= index else {
                throw .missing(path.appending(step), in: .numbers(count: count))
            }
            if child.isRemoved {
                removed.insert(index)
            } else {
                elements[index] = try self[index].edited(child, at: path.appending(step), level: level)
            }
        }
        let new = try tree.insertedElements(count: count, at: path) { (value, place) throws(ValueEditError) in
            try value.propertyListValue(for: place)
        }
        if new.isEmpty, removed.isEmpty { return elements }
        var result: [PropertyListValue] = []
        for index in 0...count {
            if let new = new[index] { result += new }
            if index < count, !removed.contains(index) { result.append(elements[index]) }
        }
        return result
    }
}
