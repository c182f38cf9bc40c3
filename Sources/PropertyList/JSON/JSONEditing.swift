// Every edit changes the bytes of its own place and reads the result again, which costs a few
// milliseconds for a megabyte.
extension JSONDocument {
    /// The document with the value at a path replaced by a JSON text. White space around the new
    /// text is left out.
    public func replacing(at path: ValuePath, with json: String) throws(ValueEditError) -> JSONDocument {
        try splicing(try editableNode(at: path).range, try value(json, for: path), for: path)
    }

    /// The document with a value put in: at the end of an object (refused where it has a member of
    /// that name), or before the element that has the index now (the count of the elements appends).
    /// White space follows what is around it.
    public func inserting(_ json: String, at path: ValuePath) throws(ValueEditError) -> JSONDocument {
        guard let step = path.steps.last, let parentPath = path.parent else {
            throw .outermost
        }
        let parent = try editableNode(at: parentPath)
        var new = try value(json, for: path)
        let place: Int
        switch (parent.kind, step) {
        case (.object, .key(let name)):
            guard parent.child(at: step) == nil else { throw .taken(path) }
            new = Array(jsonText(name).utf8) + style.colon(in: parent) + new
            place = parent.childCount
        case (.array, .index(let index)) where 0...parent.childCount ~= index:
            place = index
        default: throw .missing(path, in: .init(parent))
        }
        if parent.childCount == 0 {
            let (before, after) = style.padding(in: parent, inside: parentPath.parent.flatMap(node))
            let interior = (parent.range.lowerBound + 1)..<(parent.range.upperBound - 1)
            return try splicing(interior, before + new + after, for: path)
        }
        let separator = style.separator(in: parent, at: place)
        if place < parent.childCount {
            let position = parent.child(place).memberRange.lowerBound
            return try splicing(position..<position, new + separator, for: path)
        }
        let position = parent.child(place - 1).range.upperBound
        return try splicing(position..<position, separator + new, for: path)
    }

    /// The document without the member or the element, its comma and its white space included.
    public func removing(at path: ValuePath) throws(ValueEditError) -> JSONDocument {
        guard let parentPath = path.parent else {
            throw .outermost
        }
        let node = try editableNode(at: path)
        let parent = try editableNode(at: parentPath)
        let place = parent.place(of: node)
        let range = parent.rangeWithout(place..<place + 1)
        return try splicing(range, [], for: path)
    }

    /// The document with another name for the member at a path, refused where its object has a
    /// member of that name.
    public func renaming(at path: ValuePath, to name: String) throws(ValueEditError) -> JSONDocument {
        let node = try editableNode(at: path)
        guard let parentPath = path.parent, let range = node.nameRange, let oldName = node.name else {
            throw .nameless(path)
        }
        if oldName.utf8.elementsEqual(name.utf8) { return self }
        let newPath = parentPath.appending(.key(name))
        // Of the same name in another spelling, what would be in the way is the member itself.
        guard name == oldName || self.node(at: newPath) == nil else { throw .taken(newPath) }
        return try splicing(range, Array(jsonText(name).utf8), for: path)
    }
}

extension JSONDocument {
    private var style: JSONStyle { JSONStyle(document: self) }

    private func editableNode(at path: ValuePath) throws(ValueEditError) -> JSONNode {
        var node = root
        for (depth, step) in path.steps.enumerated() {
            let place = ValuePath(Array(path.steps[...depth]))
            guard let child = node.child(at: step) else { throw .missing(place, in: .init(node)) }
            if child.hasTwin, case .key = step {
                throw ValueEditError(
                    place,
                    "its object has several members of this name, and which one is meant is not clear; "
                        + "edit the object as a whole"
                )
            }
            node = child
        }
        return node
    }

    private func value(_ json: String, for path: ValuePath) throws(ValueEditError) -> [UInt8] {
        do {
            return Array(try JSONDocument(parsing: Array(json.utf8), limits: limits).root.sourceBytes)
        } catch {
            throw ValueEditError(path, "the new text is not JSON: \(error)")
        }
    }

    private func splicing(
        _ range: Range<Int>,
        _ new: [UInt8],
        for path: ValuePath
    ) throws(ValueEditError) -> JSONDocument {
        let bytes = storage.bytes[..<range.lowerBound] + new + storage.bytes[range.upperBound...]
        do {
            return try JSONDocument(parsing: Array(bytes), limits: limits)
        } catch {
            throw ValueEditError(path, "the text would break a limit: \(error.problem)")
        }
    }
}

extension JSONNode {
    /// The text of a member from its name to the end of its value; of an element, the value's.
    var memberRange: Range<Int> { (nameRange?.lowerBound ?? range.lowerBound)..<range.upperBound }

    /// What goes from the text with children of this container: their commas and white space, so that all others
    /// keep what lies before them and before their commas, and the brackets what lies beside them.
    ///
    /// - Parameter places: of children that follow each other, one at least.
    func rangeWithout(_ places: Range<Int>) -> Range<Int> {
        switch (places.lowerBound == 0, places.upperBound == childCount) {
        case (true, true): (range.lowerBound + 1)..<(range.upperBound - 1)
        case (true, false):
            child(0).memberRange.lowerBound..<child(places.upperBound).memberRange.lowerBound
        case (false, true):
            child(places.lowerBound - 1).range.upperBound..<child(places.upperBound - 1).range.upperBound
        case (false, false): comma(behind: places.lowerBound - 1)..<comma(behind: places.upperBound - 1)
        }
    }

    /// Where the comma behind a child is, of which there is one.
    private func comma(behind place: Int) -> Int {
        let gap = child(place).range.upperBound..<child(place + 1).memberRange.lowerBound
        return gap.first { storage.bytes[$0] == UInt8(ascii: ",") } ?? gap.lowerBound
    }

    /// The place of a child of this container among its children.
    fileprivate func place(of node: JSONNode) -> Int {
        // Numbers rise in the order of the text.
        var (low, high) = (0, childCount)
        while high - low > 1 {
            let middle = (low + high) / 2
            if child(middle).number <= node.number { low = middle } else { high = middle }
        }
        return low
    }
}
