import FoundationEssentials

/// A value to be put at a place.
public enum NewValue: Sendable, Hashable {
    /// For places of a property list, also one inside `Data`. Where it replaces what holds a document,
    /// all of that goes.
    case propertyList(PropertyListValue)
    /// A JSON text for places inside JSON. At `Data` or a string that holds JSON it replaces the root
    /// value, and the bytes around that stay.
    case json(String)
}

extension PropertyListValue {
    /// The value with the place at the path replaced. The empty path replaces the whole.
    public func replacing(at path: ValuePath, with new: NewValue) throws(ValueEditError)
        -> PropertyListValue
    { try edited(.replace(new), at: path) }

    /// The value with an entry added to a dictionary (refused where the key is there already) or an
    /// element put before the one that has the index now (the count appends); the last step of the
    /// path names the new place.
    public func inserting(_ new: NewValue, at path: ValuePath) throws(ValueEditError) -> PropertyListValue {
        try edited(.insert(new), at: path)
    }

    /// The value without the entry or element at the path, which must not be empty.
    public func removing(at path: ValuePath) throws(ValueEditError) -> PropertyListValue {
        try edited(.remove, at: path)
    }

    /// The value with another key for the entry of a dictionary, or another name for the member of a
    /// JSON object, refused where that is taken.
    public func renaming(at path: ValuePath, to name: String) throws(ValueEditError) -> PropertyListValue {
        try edited(.rename(name), at: path)
    }
}

private enum Edit {
    case replace(NewValue)
    case insert(NewValue)
    case remove
    case rename(String)

    var isReplacing: Bool { if case .replace = self { true } else { false } }
}

extension PropertyListValue {
    /// - Parameters:
    ///   - depth: How many steps of the path lead to this value.
    ///   - level: How many documents it lies in.
    private func edited(
        _ edit: Edit,
        at path: ValuePath,
        depth: Int = 0,
        level: Int = 0
    ) throws(ValueEditError) -> PropertyListValue {
        let isHere =
            if case .replace = edit { depth == path.steps.count } else { depth >= path.steps.count - 1 }
        if case .replace(.propertyList(let new)) = edit, isHere { return new }
        switch EmbeddedDocument(in: self, level: level) {
        case .json(let document)?:
            let text = try document.edited(edit, at: path, depth: depth).text
            return kind == .string ? .string(String(decoding: text, as: UTF8.self)) : .data(text)
        case .propertyList(let list, let format)?:
            guard case .data(let data) = self, !(isHere && edit.isReplacing) else { break }
            let new = try list.edited(edit, at: path, depth: depth, level: level + 1)
            do {
                return .data(try format.bytes(of: new, replacing: list, in: data))
            } catch {
                throw ValueEditError(ValuePath(Array(path.steps[..<depth])), "\(error)")
            }
        case nil: break
        }
        if isHere {
            switch edit {
            case .replace(let new): return try new.propertyListValue(for: path)
            case .insert(let new): return try inserting(new.propertyListValue(for: path), lastOf: path)
            case .remove: return try removing(lastOf: path)
            case .rename(let name): return try renaming(lastOf: path, to: name)
            }
        }
        let step = path.steps[depth]
        guard let child = child(at: step) else {
            throw .missing(ValuePath(Array(path.steps[...depth])), in: .init(self))
        }
        return settingChild(
            at: step,
            to: try child.edited(edit, at: path, depth: depth + 1, level: level)
        )
    }

    /// The value with another child, or none, where the step leads to one.
    private func settingChild(at step: PathStep, to new: PropertyListValue?) -> PropertyListValue {
        switch (self, step) {
        case (.dictionary(var entries), .key(let key)):
            entries[key] = new
            return .dictionary(entries)
        case (.array(var elements), .index(let index)):
            elements.replaceSubrange(index...index, with: new.map { [$0] } ?? [])
            return .array(elements)
        default: return self
        }
    }

    private func inserting(
        _ new: PropertyListValue,
        lastOf path: ValuePath
    ) throws(ValueEditError) -> PropertyListValue {
        switch (self, path.steps.last) {
        case (_, nil): throw .outermost
        case (.dictionary(var entries), .key(let key)?):
            guard entries[key] == nil else { throw .taken(path) }
            entries[key] = new
            return .dictionary(entries)
        case (.array(var elements), .index(let index)?) where 0...elements.count ~= index:
            elements.insert(new, at: index)
            return .array(elements)
        default: throw .missing(path, in: .init(self))
        }
    }

    private func removing(lastOf path: ValuePath) throws(ValueEditError) -> PropertyListValue {
        guard let step = path.steps.last else { throw .outermost }
        guard child(at: step) != nil else { throw .missing(path, in: .init(self)) }
        return settingChild(at: step, to: nil)
    }

    private func renaming(
        lastOf path: ValuePath,
        to name: String
    ) throws(ValueEditError) -> PropertyListValue {
        guard let step = path.steps.last else { throw .nameless(path) }
        guard let child = child(at: step) else { throw .missing(path, in: .init(self)) }
        guard case (.dictionary(var entries), .key(let key)) = (self, step) else { throw .nameless(path) }
        guard name == key || entries[name] == nil else {
            throw .taken(ValuePath(path.steps.dropLast() + [.key(name)]))
        }
        entries[key] = nil
        entries[name] = child
        return .dictionary(entries)
    }
}

extension JSONDocument {
    /// - Parameter depth: How many steps of the path lead to this document.
    fileprivate func edited(
        _ edit: Edit,
        at path: ValuePath,
        depth: Int
    ) throws(ValueEditError) -> JSONDocument {
        let inside = ValuePath(Array(path.steps[depth...]))
        do {
            switch edit {
            case .replace(let new): return try replacing(at: inside, with: new.json(for: inside))
            case .insert(let new): return try inserting(new.json(for: inside), at: inside)
            case .remove: return try removing(at: inside)
            case .rename(let name): return try renaming(at: inside, to: name)
            }
        } catch {
            throw ValueEditError(ValuePath(path.steps[..<depth] + error.path.steps), error.problem)
        }
    }
}

extension NewValue {
    func propertyListValue(for path: ValuePath) throws(ValueEditError) -> PropertyListValue {
        switch self {
        case .propertyList(let value): return value
        case .json: throw ValueEditError(path, "a JSON text can only be put inside data that holds JSON")
        }
    }

    func json(for path: ValuePath) throws(ValueEditError) -> String {
        switch self {
        case .json(let text): return text
        case .propertyList: throw ValueEditError(path, "inside JSON only a JSON text can be put")
        }
    }
}
