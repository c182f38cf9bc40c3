import FoundationEssentials

// Edits a JSON text.
//
// An edit replaces the bytes at its path and parses the result again. That takes a few milliseconds for a
// megabyte and guarantees that every document is valid JSON. Only where a text, a number or another leaf takes the place of
// another one, which is by far the most frequent edit, the known positions are moved instead. Building the text again from
// values would lose white space, order and the spelling of numbers.
extension JSONDocument {
    /// Returns the document with the value at a path replaced by a JSON text. White space around the new
    /// text is removed.
    ///
    /// - Throws: ``ValueEditError`` if there is nothing at the path or the text is not JSON.
    public func replacing(at path: ValuePath, with json: String) throws(ValueEditError) -> JSONDocument {
        try edited(EditTree(.replace(.json(json)), at: path), at: [])
    }

    /// Returns the document with a value inserted.
    ///
    /// A member is added at the end of its object. An element is inserted before the one that has the
    /// index now; the number of elements as index appends. The white space follows that of the neighbors.
    ///
    /// - Throws: ``ValueEditError`` if the object has the name already, if the index is out of range, or
    ///   if the text is not JSON.
    public func inserting(_ json: String, at path: ValuePath) throws(ValueEditError) -> JSONDocument {
        try edited(EditTree(.insert(.json(json)), at: path), at: [])
    }

    /// Returns the document without a member or an element, its comma and its white space.
    ///
    /// - Throws: ``ValueEditError`` if there is nothing at the path, or if the path is empty.
    public func removing(at path: ValuePath) throws(ValueEditError) -> JSONDocument {
        try edited(EditTree(.remove, at: path), at: [])
    }

    /// Returns the document with another name for a member.
    ///
    /// - Throws: ``ValueEditError`` if there is no member at the path, or if its object has the name
    ///   already.
    public func renaming(at path: ValuePath, to name: String) throws(ValueEditError) -> JSONDocument {
        try edited(EditTree(.rename(name), at: path), at: [])
    }

    /// Applies edits to this document.
    ///
    /// - Parameter path: The path of the document.
    func edited(_ tree: EditTree, at path: ValuePath) throws(ValueEditError) -> JSONDocument {
        var splices = JSONSplices(document: self)
        try splices.add(tree, root, inside: nil, at: path)
        guard !splices.isEmpty else { return self }
        if let (leaf, growth) = splices.onlyLeaf, storage.bytes.count + growth <= limits.size {
            let index = storage.index.replacingLeaf(leaf, growth: growth)
            return JSONDocument(JSONStorage(splices.bytes, index), limits, dialect)
        }
        do {
            return try JSONDocument(parsing: splices.bytes, limits: limits, dialect)
        } catch {
            let place = ValuePath(path.steps + (tree.singlePath?.steps ?? []))
            throw ValueEditError(place, "the text would break a limit: \(error.problem)")
        }
    }
}
