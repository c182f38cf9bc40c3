import FoundationEssentials

// Several edits of a text at once: each changes the bytes of its own place, and the result is read once.
extension JSONDocument {
    /// - Parameter path: That of the document.
    func edited(_ tree: EditTree, at path: ValuePath) throws(ValueEditError) -> JSONDocument {
        var splices = JSONSplices(document: self)
        try splices.add(tree, root, inside: nil, at: path)
        do {
            return try JSONDocument(parsing: splices.bytes, limits: limits)
        } catch {
            throw ValueEditError(path, "the text would break a limit: \(error.problem)")
        }
    }
}

/// Ranges of a text that become something else; none of them lies in another.
private struct JSONSplices {
    let document: JSONDocument
    private let style: JSONStyle
    private var splices: [(range: Range<Int>, new: [UInt8])] = []

    init(document: JSONDocument) {
        self.document = document
        style = JSONStyle(document: document)
    }

    /// The text with all of them.
    var bytes: [UInt8] {
        let old = document.storage.bytes
        var result: [UInt8] = []
        result.reserveCapacity(old.count + splices.reduce(0) { $0 + $1.new.count })
        var end = 0
        // What is put in in front of a place comes before what becomes of that.
        for (range, new) in splices.sorted(by: {
            ($0.range.lowerBound, $0.range.upperBound) < ($1.range.lowerBound, $1.range.upperBound)
        }) {
            result += old[end..<range.lowerBound]
            result += new
            end = range.upperBound
        }
        result += old[end...]
        return result
    }

    mutating func add(
        _ tree: EditTree,
        _ node: JSONNode,
        inside parent: JSONNode?,
        at path: ValuePath
    ) throws(ValueEditError) {
        if let new = tree.replacement {
            splices.append((node.range, try text(of: new, at: path)))
            return
        }
        var removed: Set<Int> = []
        for (step, child) in tree.children {
            let place = path.appending(step)
            guard let index = node.place(of: step) else { throw .missing(place, in: .init(node)) }
            if case .key = step, node.child(index).hasTwin {
                throw ValueEditError(place, "its object has several members of this name")
            }
            if child.isRemoved {
                removed.insert(index)
            } else {
                try add(child, node.child(index), inside: node, at: place)
            }
        }
        let new = try newChildren(of: tree, node, without: removed, at: path)
        if !new.isEmpty || !removed.isEmpty { arrange(node, new, without: removed, inside: parent) }
    }

    /// Texts of new children, by the place that they go in front of.
    private func newChildren(
        of tree: EditTree,
        _ node: JSONNode,
        without removed: Set<Int>,
        at path: ValuePath
    ) throws(ValueEditError) -> [Int: [[UInt8]]] {
        guard let first = tree.insertions.first else { return [:] }
        switch node.kind {
        case .array:
            return try tree.insertedElements(count: node.childCount, at: path) {
                (value, place) throws(ValueEditError) in
                try text(of: value, at: place)
            }
        case .object:
            let colon = style.colon(in: node)
            var members: [[UInt8]] = []
            for (step, value) in tree.insertions {
                let place = path.appending(step)
                guard case .key(let name) = step else { throw .missing(place, in: .names) }
                if let other = node.place(of: step), !removed.contains(other) { throw .taken(place) }
                members.append(Array(jsonText(name).utf8) + colon + (try text(of: value, at: place)))
            }
            return [node.childCount: members]
        default: throw .missing(path.appending(first.step), in: .init(node))
        }
    }

    private func text(of new: NewValue, at path: ValuePath) throws(ValueEditError) -> [UInt8] {
        let json = try new.json(for: path)
        do {
            let limits = document.limits
            return Array(try JSONDocument(parsing: Array(json.utf8), limits: limits).root.sourceBytes)
        } catch {
            throw ValueEditError(path, "the new text is not JSON: \(error)")
        }
    }

    /// Takes children out of a container and puts new ones in. The white space around what stays is as it was.
    private mutating func arrange(
        _ node: JSONNode,
        _ new: [Int: [[UInt8]]],
        without removed: Set<Int>,
        inside parent: JSONNode?
    ) {
        let count = node.childCount
        guard removed.count < count else {
            return fill(node, (0...count).flatMap { new[$0] ?? [] }, inside: parent)
        }
        /// New ones in front of something, or behind all.
        func inFront(_ place: Int, _ texts: [[UInt8]]) -> [UInt8] {
            let separator = style.separator(in: node, at: place)
            return texts.flatMap { $0 + separator }
        }
        func behind(_ texts: [[UInt8]]) -> [UInt8] {
            let separator = style.separator(in: node, at: count)
            return texts.flatMap { separator + $0 }
        }
        var place = 0
        while place <= count {
            var end = place
            var texts = new[place] ?? []
            while end < count, removed.contains(end) {
                end += 1
                // What follows what goes has a place of its own, save behind all.
                if end == count || removed.contains(end) { texts += new[end] ?? [] }
            }
            if end == count {
                let last = end == place ? count - 1 : place - 1
                let start = node.child(last).range.upperBound
                let upper = node.child(count - 1).range.upperBound
                if start < upper || !texts.isEmpty { splices.append((start..<upper, behind(texts))) }
                return
            }
            if end == place {
                let start = node.child(place).memberRange.lowerBound
                if !texts.isEmpty { splices.append((start..<start, inFront(place, texts))) }
                place += 1
                continue
            }
            if texts.isEmpty {
                splices.append((node.rangeWithout(place..<end), []))
            } else {
                let (first, last) = (node.child(place), node.child(end - 1))
                let separator = style.separator(in: node, at: place)
                splices.append(
                    (
                        first.memberRange.lowerBound..<last.range.upperBound,
                        Array(texts.joined(separator: separator))
                    )
                )
            }
            place = end
        }
    }

    /// Puts these in place of all that is in a container.
    private mutating func fill(_ node: JSONNode, _ texts: [[UInt8]], inside parent: JSONNode?) {
        let interior = (node.range.lowerBound + 1)..<(node.range.upperBound - 1)
        guard !texts.isEmpty else { return splices.append((interior, [])) }
        let isEmpty = node.childCount == 0
        let (before, after) =
            isEmpty ? style.padding(in: node, inside: parent) : (style.lead(of: node), style.trail(of: node))
        let separator = isEmpty ? style.separator(behind: before) : style.separator(in: node, at: 0)
        splices.append((interior, before + Array(texts.joined(separator: separator)) + after))
    }
}
