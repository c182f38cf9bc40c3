import FoundationEssentials

/// All edits of one value and of the values inside it, as a tree.
///
/// A single edit is a tree with one path. A batch decodes and encodes each container and embedded
/// document once, for any number of edits.
struct EditTree {
    private(set) var replacement: NewValue?
    private(set) var isRemoved = false
    /// The new key of this value's entry, or the new name of this member.
    private(set) var newName: String?
    private(set) var children: [PathStep: EditTree] = [:]
    /// New entries and elements, in the given order.
    private(set) var insertions: [(step: PathStep, value: NewValue)] = []

    var isEmpty: Bool { replacement == nil && children.isEmpty && insertions.isEmpty }

    init() {}

    /// Creates a tree of one edit.
    init(_ edit: ValueEdit.Action, at path: ValuePath) throws(ValueEditError) { try add(edit, at: path) }

    /// Adds an edit.
    ///
    /// - Throws: ``ValueEditError`` if the whole value would be removed, renamed or get a neighbor.
    mutating func add(_ edit: ValueEdit.Action, at path: ValuePath) throws(ValueEditError) {
        if path.steps.isEmpty {
            switch edit {
            case .replace: break
            case .insert, .remove: throw .outermost
            case .rename: throw .nameless(path)
            }
        }
        add(edit, at: path.steps[...])
    }

    private mutating func add(_ edit: ValueEdit.Action, at steps: ArraySlice<PathStep>) {
        if let step = steps.first {
            if steps.count == 1, case .insert(let new) = edit {
                insertions.append((step, new))
            } else {
                children[step, default: EditTree()].add(edit, at: steps.dropFirst())
            }
            return
        }
        switch edit {
        case .replace(let new): replacement = new
        case .insert: break
        case .remove: isRemoved = true
        case .rename(let name): newName = name
        }
    }

    /// The path of the only edit, relative to this value. Nil if there are several edits.
    var singlePath: ValuePath? {
        var (tree, path) = (self, ValuePath())
        while tree.insertions.isEmpty, tree.children.count == 1, let (step, child) = tree.children.first {
            path.steps.append(step)
            tree = child
        }
        if let (step, _) = tree.insertions.first {
            return tree.insertions.count == 1 && tree.children.isEmpty ? path.appending(step) : nil
        }
        return tree.children.isEmpty ? path : nil
    }

    /// Groups new elements by the index at which they are inserted.
    ///
    /// - Throws: ``ValueEditError`` if an index is greater than the number of elements.
    func insertedElements<Element>(
        count: Int,
        at path: ValuePath,
        _ element: (NewValue, ValuePath) throws(ValueEditError) -> Element
    ) throws(ValueEditError) -> [Int: [Element]] {
        var elements: [Int: [Element]] = [:]
        for (step, value) in insertions {
            let childPath = path.appending(step)
            guard case .index(let index) = step, 0...count ~= index else {
                throw .missing(childPath, in: .numbers(count: count))
            }
            elements[index, default: []].append(try element(value, childPath))
        }
        return elements
    }
}

extension PropertyListValue {
    /// Applies edits to this value.
    ///
    /// - Parameters:
    ///   - path: The path of this value.
    ///   - level: The number of embedded documents around the value.
    func edited(
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
            let new = child.isRemoved ? nil : try old.edited(child, at: path.appending(step), level: level)
            if let name = child.newName {
                guard name == key || entries[name] == nil else {
                    throw .taken(path.appending(.key(name)))
                }
                entries[key] = nil
                entries[name] = new
            } else {
                entries[key] = new
            }
        }
        for (step, new) in tree.insertions {
            let childPath = path.appending(step)
            guard case .key(let key) = step else { throw .missing(childPath, in: .names) }
            guard entries[key] == nil else { throw .taken(childPath) }
            entries[key] = try new.propertyListValue(for: childPath)
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
            if child.newName != nil { throw .nameless(path.appending(step)) }
            if child.isRemoved {
                removed.insert(index)
            } else {
                elements[index] = try self[index].edited(child, at: path.appending(step), level: level)
            }
        }
        let new = try tree.insertedElements(count: count, at: path) {
            (value, childPath) throws(ValueEditError) in
            try value.propertyListValue(for: childPath)
        }
        if new.isEmpty, removed.isEmpty { return elements }
        var result: [PropertyListValue] = []
        result.reserveCapacity(count + tree.insertions.count)
        var copied = 0
        for index in removed.union(new.keys).sorted() {
            result += elements[copied..<index]
            result += new[index] ?? []
            copied = removed.contains(index) ? index + 1 : index
        }
        result += elements[copied...]
        return result
    }
}
