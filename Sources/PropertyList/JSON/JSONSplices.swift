/// Turns edits of a JSON document into ranges of its text and their replacements. No range is inside
/// another one.
struct JSONSplices {
    let document: JSONDocument
    private let style: JSONStyle
    private var splices: [(range: Range<Int>, new: [UInt8])] = []

    init(document: JSONDocument) {
        self.document = document
        style = JSONStyle(document: document)
    }

    var isEmpty: Bool { splices.isEmpty }

    /// The number of the entry and its growth in bytes, if the only change replaces one leaf by another.
    var onlyLeaf: (number: Int, growth: Int)? { splices.count == 1 ? leaf : nil }
    private var leaf: (number: Int, growth: Int)?

    /// The text with all replacements.
    var bytes: [UInt8] {
        let old = document.storage.bytes
        var result: [UInt8] = []
        result.reserveCapacity(old.count + splices.reduce(0) { $0 + $1.new.count })
        var end = 0
        // An insertion comes before the replacement that begins at the same index.
        for (range, new) in splices.sorted(by: {
            ($0.range.lowerBound, $0.range.upperBound) < ($1.range.lowerBound, $1.range.upperBound)
        }) {
            result += old[end..<range.lowerBound]
            result += new
            end = range.upperBound
            // A removed child leaves the blank before it. At the end of a line, that blank is removed too.
            if end < old.count, ASCII.isLineBreak(old[end]) {
                while let last = result.last, ASCII.isBlank(last) { result.removeLast() }
            }
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
            let text = try text(of: new, at: path)
            splices.append((node.range, text))
            let isLeaf = text.first != UInt8(ascii: "{") && text.first != UInt8(ascii: "[")
            if isLeaf, node.isLeaf { leaf = (node.number, text.count - node.range.count) }
            return
        }
        var removed: Set<Int> = []
        for (step, child) in tree.children {
            let childPath = path.appending(step)
            guard let index = node.index(of: step) else { throw .missing(childPath, in: .init(node)) }
            if case .key = step, node.child(index).hasTwin {
                throw ValueEditError(
                    childPath,
                    "its object has several members of this name; "
                        + "edit the whole object instead"
                )
            }
            if child.isRemoved {
                removed.insert(index)
                continue
            }
            if let name = child.newName {
                try rename(node.child(index), in: node, to: name, at: childPath)
            }
            try add(child, node.child(index), inside: node, at: childPath)
        }
        let new = try newChildren(of: tree, node, without: removed, at: path)
        if !new.isEmpty || !removed.isEmpty { arrange(node, new, without: removed, inside: parent) }
    }

    private mutating func rename(
        _ member: JSONNode,
        in object: JSONNode,
        to name: String,
        at path: ValuePath
    ) throws(ValueEditError) {
        guard let range = member.nameRange, let oldName = member.name else { throw .nameless(path) }
        if oldName.utf8.elementsEqual(name.utf8) { return }
        // If the new name is another spelling of the old one, the member in the way is this member itself.
        guard name == oldName || object.index(of: .key(name)) == nil else {
            throw .taken(ValuePath(path.steps.dropLast() + [.key(name)]))
        }
        splices.append((range, Array(jsonText(name).utf8)))
    }

    /// Returns the texts of new children by the index at which they are inserted.
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
                (value, childPath) throws(ValueEditError) in
                try text(of: value, at: childPath)
            }
        case .object:
            let colon = style.colon(in: node)
            var members: [[UInt8]] = []
            for (step, value) in tree.insertions {
                let childPath = path.appending(step)
                guard case .key(let name) = step else { throw .missing(childPath, in: .names) }
                if let other = node.index(of: step), !removed.contains(other) { throw .taken(childPath) }
                members.append(Array(jsonText(name).utf8) + colon + (try text(of: value, at: childPath)))
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

    /// Removes and inserts children of a container. The white space around the remaining children does
    /// not change.
    private mutating func arrange(
        _ node: JSONNode,
        _ new: [Int: [[UInt8]]],
        without removed: Set<Int>,
        inside parent: JSONNode?
    ) {
        let count = node.childCount
        if node.hasComments { return arrangeBesideComments(node, new, without: removed) }
        guard removed.count < count else {
            return fill(node, (0...count).flatMap { new[$0] ?? [] }, inside: parent)
        }
        var index = 0
        while index <= count {
            var end = index
            var texts = new[index] ?? []
            while end < count, removed.contains(end) {
                end += 1
                // New children after a removed one take its position. Those after the last child are
                // added below.
                if end == count || removed.contains(end) { texts += new[end] ?? [] }
            }
            if end == count {
                let last = end == index ? count - 1 : index - 1
                let start = node.child(last).range.upperBound
                let upper = node.child(count - 1).range.upperBound
                let separator = style.separator(in: node, at: count)
                if start < upper || !texts.isEmpty {
                    splices.append((start..<upper, texts.flatMap { separator + $0 }))
                }
                return
            }
            if end == index {
                let start = node.child(index).memberRange.lowerBound
                let separator = texts.isEmpty ? [] : style.separator(in: node, at: index)
                if !texts.isEmpty { splices.append((start..<start, texts.flatMap { $0 + separator })) }
                index += 1
                continue
            }
            if texts.isEmpty {
                splices.append((node.rangeWithout(index..<end), []))
            } else {
                let (first, last) = (node.child(index), node.child(end - 1))
                let separator = style.separator(in: node, at: index)
                splices.append(
                    (
                        first.memberRange.lowerBound..<last.range.upperBound,
                        Array(texts.joined(separator: separator))
                    )
                )
            }
            index = end
        }
    }

    /// Removes and inserts children of a container that has comments. A removed child takes its line and the comments behind
    /// it on its line along. A new last child comes behind those of the last one.
    private mutating func arrangeBesideComments(
        _ node: JSONNode,
        _ new: [Int: [[UInt8]]],
        without removed: Set<Int>
    ) {
        // The blanks between two children can belong to both.
        var removedEnd = node.range.lowerBound
        for range in removed.sorted().map(node.ownRange(ofChild:)) {
            splices.append((max(removedEnd, range.lowerBound)..<range.upperBound, []))
            removedEnd = range.upperBound
        }
        let count = node.childCount
        let comma = UInt8(ascii: ",")
        let hasCommaAtEnd = count > 0 && node.gap(before: count).comma != nil
        let kept = (0..<count).filter { !removed.contains($0) }
        var added: [[UInt8]] = []
        for (index, texts) in new.sorted(by: { $0.key < $1.key }) {
            guard let next = kept.first(where: { $0 >= index }) else {
                added += texts
                continue
            }
            let start = node.insertionPoint(beforeChild: next)
            let blank = style.blankBeforeChild(of: node)
            splices.append((start..<start, texts.flatMap { $0 + [comma] + blank }))
        }
        guard let last = kept.last else { return fillBesideComments(node, added) }
        let end = node.child(last).range.upperBound
        let ownComma = node.gap(before: last + 1).comma
        if added.isEmpty {
            if last < count - 1, !hasCommaAtEnd, let ownComma {
                splices.append((ownComma..<ownComma + 1, []))
            }
            return
        }
        let blank = style.blankBeforeChild(of: node)
        var texts = blank + Array(added.joined(separator: [comma] + blank)) + (hasCommaAtEnd ? [comma] : [])
        let ownEnd = node.ownEnd(ofChild: last)
        if ownComma == nil {
            // On one line the comma comes after the comment, which would otherwise belong to the new child.
            if blank.contains(ASCII.lineFeed) {
                splices.append((end..<end, [comma]))
            } else {
                texts.insert(comma, at: 0)
            }
        }
        splices.append((ownEnd..<ownEnd, texts))
    }

    /// Puts children behind the comments of a container that has no other children.
    private mutating func fillBesideComments(_ node: JSONNode, _ texts: [[UInt8]]) {
        guard !texts.isEmpty else { return }
        let interior = JSONGap(
            bytes: document.storage.bytes,
            range: (node.range.lowerBound + 1)..<(node.range.upperBound - 1)
        )
        let outer = style.lineEnd + style.indentation(at: node.range.lowerBound)
        let inner = outer + style.indentUnit(nil)
        let hasCommaAtEnd = node.childCount > 0 && node.gap(before: node.childCount).comma != nil
        let text = inner + Array(texts.joined(separator: [UInt8(ascii: ",")] + inner))
        // The children that are removed end here, and the comments behind them.
        let count = node.childCount
        let removedEnd = count == 0 ? interior.range.lowerBound : node.ownRange(ofChild: count - 1).upperBound
        let lastComment = node.gap(before: count).comments.last?.range.upperBound
        let end = max(lastComment ?? removedEnd, removedEnd)
        let startsLine = document.storage.bytes[end - 1] == ASCII.lineFeed
        splices.append(
            (
                end..<interior.range.upperBound,
                text.dropFirst(startsLine ? style.lineEnd.count : 0)
                    + (hasCommaAtEnd ? [UInt8(ascii: ",")] : []) + outer
            )
        )
    }

    /// Replaces all children of a container.
    private mutating func fill(_ node: JSONNode, _ texts: [[UInt8]], inside parent: JSONNode?) {
        let interior = (node.range.lowerBound + 1)..<(node.range.upperBound - 1)
        guard !texts.isEmpty else { return splices.append((interior, [])) }
        let isEmpty = node.childCount == 0
        let (before, after) =
            isEmpty ? style.padding(in: node, inside: parent) : (style.lead(of: node), style.trail(of: node))
        let separator = isEmpty ? style.separator(after: before) : style.separator(in: node, at: 0)
        splices.append((interior, before + Array(texts.joined(separator: separator)) + after))
    }
}

extension JSONNode {
    /// The text of a member from its name to the end of its value, or the text of an element.
    var memberRange: Range<Int> { (nameRange?.lowerBound ?? range.lowerBound)..<range.upperBound }

    /// The range to remove from the text to delete children, with their commas and white space. The
    /// remaining children and brackets keep the white space beside them.
    ///
    /// - Parameter indexes: Consecutive indexes, at least one.
    func rangeWithout(_ indexes: Range<Int>) -> Range<Int> {
        switch (indexes.lowerBound == 0, indexes.upperBound == childCount) {
        case (true, true): (range.lowerBound + 1)..<(range.upperBound - 1)
        case (true, false):
            child(0).memberRange.lowerBound..<child(indexes.upperBound).memberRange.lowerBound
        case (false, true):
            child(indexes.lowerBound - 1).range.upperBound..<child(indexes.upperBound - 1).range.upperBound
        case (false, false): comma(after: indexes.lowerBound - 1)..<comma(after: indexes.upperBound - 1)
        }
    }

    /// The index of the comma after a child. The child must not be the last one.
    private func comma(after index: Int) -> Int {
        gap(before: index + 1).comma ?? child(index).range.upperBound
    }
}
