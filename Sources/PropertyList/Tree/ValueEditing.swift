import FoundationEssentials

/// A new value for a position in a tree.
public enum NewValue: Sendable, Hashable {
    /// A value for a property list, which may itself be inside `Data`. If it replaces `Data` that holds
    /// a document, the whole document is replaced.
    case propertyList(PropertyListValue)
    /// A JSON text for a position inside JSON. If it replaces `Data` or a string that holds JSON, it
    /// replaces the root value and keeps the bytes around it.
    case json(String)
}

extension PropertyListValue {
    /// Returns the value with the part at a path replaced. The empty path replaces the whole value.
    ///
    /// - Throws: ``ValueEditError`` if there is nothing at the path, or if the new value cannot be
    ///   stored there.
    public func replacing(at path: ValuePath, with new: NewValue) throws(ValueEditError)
        -> PropertyListValue
    { try edited(EditTree(.replace(new), at: path), at: [], level: 0) }

    /// Returns the value with a dictionary entry added or an array element inserted.
    ///
    /// The last step of the path is the new key or index. An element is inserted before the one that
    /// has the index now; the number of elements as index appends.
    ///
    /// - Throws: ``ValueEditError`` if the key exists, if the index is out of range, or if the new
    ///   value cannot be stored there.
    public func inserting(_ new: NewValue, at path: ValuePath) throws(ValueEditError) -> PropertyListValue {
        try edited(EditTree(.insert(new), at: path), at: [], level: 0)
    }

    /// Returns the value without the entry or element at a path.
    ///
    /// - Throws: ``ValueEditError`` if there is nothing at the path, or if the path is empty.
    public func removing(at path: ValuePath) throws(ValueEditError) -> PropertyListValue {
        try edited(EditTree(.remove, at: path), at: [], level: 0)
    }

    /// Returns the value with another key for a dictionary entry, or another name for a JSON member.
    ///
    /// - Throws: ``ValueEditError`` if there is no such entry, or if the new name is in use.
    public func renaming(at path: ValuePath, to name: String) throws(ValueEditError) -> PropertyListValue {
        try edited(EditTree(.rename(name), at: path), at: [], level: 0)
    }
}

/// One of several edits of a value that are applied together.
public struct ValueEdit: Sendable, Hashable {
    public enum Action: Sendable, Hashable {
        case replace(NewValue)
        /// Adds an entry that the dictionary does not have yet, or an element before the one with this
        /// index. The number of elements as index appends.
        case insert(NewValue)
        case remove
        /// Gives the entry of a dictionary another key, or the member of a JSON object another name.
        case rename(String)
    }

    /// The position in the value before any of the edits is applied.
    public let path: ValuePath
    public let action: Action

    public init(_ action: Action, at path: ValuePath) {
        self.path = path
        self.action = action
    }
}

extension PropertyListValue {
    /// Returns the value with several edits applied at once.
    ///
    /// The time is about that of reading the value once, for any number of edits. Elements inserted at
    /// the same index keep their order. No edit may be inside the part that another one replaces or
    /// removes.
    ///
    /// - Throws: ``ValueEditError`` for the same reasons as ``replacing(at:with:)``,
    ///   ``inserting(_:at:)`` and ``removing(at:)``. Nothing is changed then.
    public func editing(_ edits: [ValueEdit]) throws(ValueEditError) -> PropertyListValue {
        var tree = EditTree()
        for edit in edits { try tree.add(edit.action, at: edit.path) }
        return try edited(tree, at: [], level: 0)
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
