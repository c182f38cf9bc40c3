import FoundationEssentials

// Edits a JSON text.
//
// An edit replaces the bytes at its path and parses the result again. That takes a few milliseconds for a
// megabyte and guarantees that every document is valid JSON. Only where a text, a number or another leaf takes the place of
// another one, which is by far the most frequent edit, the known positions are moved instead. Building the text again from
// values would lose white space, order and the spelling of numbers.
extension JSONDocument {
    /// Returns the document with one part of it replaced, inserted, removed or renamed.
    ///
    /// White space around a new text is removed. A member is added at the end of its object, and the white space
    /// follows that of the neighbors. A removed part takes its comma and its white space along.
    ///
    /// - Throws: ``ValueEditError`` if there is nothing at the path, if a new text is not JSON, if a new name is in use,
    ///   or if the index of a new element is out of range.
    public func editing(_ action: ValueEdit.Action, at path: ValuePath) throws(ValueEditError) -> Self {
        try edited(EditTree(action, at: path), at: [])
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
