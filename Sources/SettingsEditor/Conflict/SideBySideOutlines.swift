import PropertyList
import ValueDiff

// Compares containers child by child, one line for each.
extension SideBySideLines {
    /// In one line so many characters of a value inside a container are shown.
    private static let mostCharacters = 200
    /// The same for a value that is compared as a whole.
    private static let mostCharactersOfWhole = 4000
    /// An equal child with more lines is shown collapsed.
    private static let mostLinesOfChild = 200
    /// The number of shown lines of a container that only one value has.
    private static let mostLinesOfOne = 1000

    /// Adds values that can be compared. The first is the base, which each other is compared with.
    mutating func add(_ values: [(part: Int, node: ValueNode)]) {
        guard let base = values.first?.node else { return }
        let texts = values.compactMap { part, node -> (part: Int, text: String, marks: QuotationMarks)? in
            guard let text = node.text, let marks = node.quotationMarks else { return nil }
            return (part, text, marks)
        }
        if texts.count == values.count { return add(texts: texts) }
        if base.isContainer {
            guard values.contains(where: { $0.node.childCount > 0 }) else {
                return add(values.map { ($0.part, SideBySideLine(text: $0.node.displayText())) })
            }
            return add(inside: values, depth: 0)
        }
        let areSame = values.dropFirst().map { $0.node == base }
        let leaves = leaves(values.map(\.node), areSame, limit: Self.mostCharactersOfWhole)
        add(
            values.indices.map {
                (values[$0].part, SideBySideLine(text: leaves[$0], differs: areSame.marks($0)))
            }
        )
    }

    /// The lines of a value that has nothing to be compared with.
    func outline(of node: ValueNode, differs: Bool) -> [SideBySideLine] {
        var lines = SideBySideLines(count: 1, format)
        if node.text == nil, !node.isContainer || node.childCount == 0 {
            let text = format.display(node, limit: Self.mostCharactersOfWhole)
            return [SideBySideLine(text: text, differs: differs)]
        }
        lines.add([(0, node)])
        return lines.groups.compactMap(\.[0]).map { line in
            var line = line
            line.differs = differs
            return line
        }
    }

    /// Adds the children of containers of the same kind.
    private mutating func add(inside containers: [(part: Int, node: ValueNode)], depth: Int) {
        let children = containers.map(\.node.children)
        let hasNames = !containers[0].node.holdsElements
        let matchings = containers.dropFirst().map { ElementMatching(containers[0].node, $0.node) }
        let stretches = stretches(children[0].count, matchings) { a, b in
            !hasNames || children[a.part].step(at: a.place) == children[b.part].step(at: b.place)
        }
        for stretch in stretches {
            if isFull { return }
            switch stretch {
            case .same(let starts, let count):
                add(same: zip(containers, zip(children, starts)).map { ($0.part, $1.0, $1.1) }, count, depth)
            case .row(let places, let areSame):
                let cells = zip(containers, zip(children, places)).map { container, child in
                    Cell(part: container.part, child: child.1.map { child.0[$0] })
                }
                add(cells, areSame, depth)
            }
        }
    }

    /// A child of one of the containers in a row.
    private struct Cell {
        let part: Int
        /// Nil if the container lacks the child.
        let child: (step: PathStep, node: ValueNode)?

        var lead: String { "\(child?.step.text ?? ""):" }
    }

    /// Adds a row of children of which at least one differs.
    private mutating func add(_ cells: [Cell], _ areSame: [Bool], _ depth: Int) {
        let base = cells[0].child?.node
        let expanded = cells.filter { cell in cell.child.map { base?.opens(like: $0.node) == true } ?? false }
        if expanded.count > 1 {
            // Containers of one kind are compared inside. A child of another kind gets its lines first.
            let isExpanded = Set(expanded.map(\.part))
            let others = cells.filter { $0.child != nil && !isExpanded.contains($0.part) }
                .map { (part: $0.part, lines: lines(of: $0, depth, differs: true)) }
            add(
                expanded.map { ($0.part, SideBySideLine(text: $0.lead, depth: depth, isOwn: true)) }
                    + others.map { ($0.part, $0.lines[0]) }
            )
            add(besideEachOther: others.map { ($0.part, Array($0.lines.dropFirst())) })
            let inside = expanded.compactMap { cell in cell.child.map { (cell.part, $0.node) } }
            return add(inside: inside, depth: depth + 1)
        }
        let texts = cells.map { $0.child?.node.text }
        if texts[0] != nil, zip(cells, texts).allSatisfy({ $0.child == nil || $1 != nil }) {
            return add(
                line: zip(cells, texts).map { cell, text in
                    (cell.part, text.map { $0[...] }, cell.child?.node.quotationMarks)
                },
                areSame,
                depth: depth,
                leads: cells.map(\.lead)
            )
        }
        let leaves = leaves(cells.map { $0.child?.node }, areSame, limit: Self.mostCharacters)
        add(
            besideEachOther: cells.indices.compactMap { place in
                let cell = cells[place]
                guard let node = cell.child?.node else { return nil }
                let differs = areSame.marks(place)
                if node.isContainer { return (cell.part, lines(of: cell, depth, differs: differs)) }
                let text = "\(cell.lead) \(leaves[place])"
                return (
                    cell.part, [SideBySideLine(text: text, depth: depth, differs: differs, isOwn: true)]
                )
            }
        )
    }

    /// A child and everything inside it.
    private func lines(of cell: Cell, _ depth: Int, differs: Bool) -> [SideBySideLine] {
        guard let child = cell.child else { return [] }
        var lines = [line(child.step, child.node, depth, differs: differs)]
        var cursor = TreeCursor(child.node)
        while lines.count < Self.mostLinesOfOne, let (step, node) = cursor.next() {
            lines.append(line(step, node, depth + cursor.steps.count, differs: differs))
        }
        return lines
    }

    /// A child in one line. The children of a container follow in lines of their own, unless it is collapsed.
    private func line(
        _ step: PathStep,
        _ node: ValueNode,
        _ depth: Int,
        differs: Bool = false,
        isCollapsed: Bool = false
    ) -> SideBySideLine {
        let isExpanded = node.isContainer && node.childCount > 0 && !isCollapsed
        let text = isExpanded ? "" : " " + summary(node, format, limit: Self.mostCharacters)
        return SideBySideLine(text: "\(step.text):\(text)", depth: depth, differs: differs, isOwn: true)
    }

    /// Adds children that are equal in all containers.
    private mutating func add(
        same containers: [(part: Int, children: ValueChildren, start: Int)],
        _ count: Int,
        _ depth: Int
    ) {
        let (_, children, start) = containers[0]
        func size(_ node: ValueNode) -> Int {
            var (cursor, size) = (TreeCursor(node), 1)
            while size <= Self.mostLinesOfChild, cursor.next() != nil { size += 1 }
            return size > Self.mostLinesOfChild ? 1 : size
        }
        let shown = SameStretch(count: count) { size(children[start + $0].node) }
        add(
            shown,
            of: containers.map(\.part),
            leftOut: { .leftOut("\($0) are the same", depth: depth) },
            each: { lines, place in
                let node = children[start + place].node
                let isCollapsed = size(node) == 1
                lines.add(
                    containers.map {
                        let step = $0.children.step(at: $0.start + place)
                        return ($0.part, lines.line(step, node, depth, isCollapsed: isCollapsed))
                    }
                )
                if isCollapsed { return }
                var cursor = TreeCursor(node)
                while let (step, node) = cursor.next() {
                    let line = lines.line(step, node, depth + cursor.steps.count)
                    lines.add(containers.map { ($0.part, line) })
                }
            }
        )
    }

    /// The texts of values that have no children. Of long data the part that differs is shown.
    private func leaves(_ nodes: [ValueNode?], _ areSame: [Bool], limit: Int) -> [String] {
        var texts = nodes.map { node in
            limit > Self.mostCharacters
                ? node.map { format.display($0, limit: limit) } ?? "nothing"
                : summary(node, format, limit: limit)
        }
        for place in nodes.indices.dropFirst()
        where !areSame[place - 1] && nodes[place] != nil && nodes[0] != nil {
            guard texts[place].count >= limit || texts[place] == texts[0] else { continue }
            (texts[0], texts[place]) = excerpts(nodes[0], nodes[place], format, limit: limit)
        }
        return texts
    }
}

extension ValueNode {
    /// Whether lines of the two values can be laid side by side.
    func isComparable(with other: ValueNode?) -> Bool {
        guard let other else { return false }
        if let text, let theirs = other.text {
            return !text.isEmpty && !theirs.isEmpty && quotationMarks == other.quotationMarks
        }
        if isContainer || other.isContainer { return opens(like: other) }
        return text == nil && other.text == nil
    }
}
