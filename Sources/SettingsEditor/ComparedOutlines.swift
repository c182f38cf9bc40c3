import PropertyList

// What lies in containers, one place a line.
extension ComparedLines {
    /// Adds values that can be compared; the first is the one that each other is compared with by itself.
    mutating func add(_ values: [(part: Int, node: ValueNode)]) {
        guard let first = values.first else { return }
        let texts = values.compactMap { value in value.node.text.map { (value.part, $0) } }
        if texts.count == values.count { return add(texts: texts) }
        if first.node.isContainer {
            guard values.contains(where: { $0.node.childCount > 0 }) else {
                return add(values.map { ($0.part, ComparedLine(text: $0.node.displayText())) })
            }
            return add(inside: values, depth: 0)
        }
        let areSame = values.dropFirst().map { $0.node == first.node }
        let words = leaves(values.map { $0.node }, areSame, limit: 4000)
        add(
            values.indices.map { place in
                let differs = place == 0 ? areSame.contains(false) : !areSame[place - 1]
                let marks = differs ? ComparedLine.whole : []
                return (values[place].part, ComparedLine(text: words[place], differences: marks))
            }
        )
    }

    /// All of a value.
    func outline(of node: ValueNode, marks: [Range<Int>]) -> [ComparedLine] {
        var lines = ComparedLines(count: 1, columns: columns, spelling)
        if let text = node.text {
            if text.isEmpty { return [ComparedLine(text: "an empty text", differences: marks)] }
            lines.add(texts: [(0, text)])
        } else if node.isContainer, node.childCount > 0 {
            lines.add(inside: [(0, node)], depth: 0)
        } else {
            return [ComparedLine(text: spelling.display(node, limit: 4000), differences: marks)]
        }
        return lines.groups.compactMap(\.[0]).map { line in
            var line = line
            line.differences = marks
            return line
        }
    }

    /// Adds what lies in containers that open alike.
    private mutating func add(inside containers: [(part: Int, node: ValueNode)], depth: Int) {
        let children = containers.map(\.node.children)
        let hasNames = !containers[0].node.holdsElements
        let pairs = containers.dropFirst().map { Pairs(containers[0].node, $0.node) }
        let stretches = stretches(children[0].count, pairs) { a, b in
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

    /// What stands in a row of one of the values.
    private struct Cell {
        let part: Int
        /// Nil where that has nothing there.
        let child: (step: PathStep, node: ValueNode)?
    }

    private mutating func add(_ cells: [Cell], _ areSame: [Bool], _ depth: Int) {
        let base = cells[0].child?.node
        func isChanged(_ place: Int) -> Bool { place == 0 ? areSame.contains(false) : !areSame[place - 1] }
        // Containers that have changed inside.
        let opened = cells.indices.filter { place in
            guard let base, let node = cells[place].child?.node else { return false }
            return base.opens(like: node)
        }
        if opened.count > 1 {
            let others = cells.indices.filter { !opened.contains($0) && cells[$0].child != nil }
            add(
                opened.map { place in
                    (cells[place].part, ComparedLine(text: lead(of: cells[place]), depth: depth, isOwn: true))
                } + others.map { (cells[$0].part, lines(of: cells[$0], depth)[0]) }
            )
            add(
                besideEachOther: others.map {
                    (cells[$0].part, Array(lines(of: cells[$0], depth).dropFirst()))
                }
            )
            let inside = opened.compactMap { place in
                cells[place].child.map { (cells[place].part, $0.node) }
            }
            // That it differs from what is gone, or is nothing like it, is not to be seen inside.
            add(inside: inside, depth: depth + 1)
            return
        }
        let texts = cells.map { $0.child?.node.text }
        if base != nil, texts[0] != nil, zip(cells, texts).allSatisfy({ $0.child == nil || $1 != nil }) {
            return add(
                line: zip(cells, texts).map { cell, text in (cell.part, text.map { "“\($0)”" }) },
                areSame: areSame,
                depth: depth,
                lead: cells.map { lead(of: $0) + " " }
            )
        }
        let spelled = leaves(cells.map { $0.child?.node }, areSame, limit: 200)
        add(
            besideEachOther: cells.enumerated().compactMap { place, cell in
                guard let node = cell.child?.node else { return nil }
                let marks = isChanged(place) ? ComparedLine.whole : []
                if node.isContainer { return (cell.part, lines(of: cell, depth, marks)) }
                let text = lead(of: cell) + " " + spelled[place]
                return (cell.part, [ComparedLine(text: text, depth: depth, differences: marks, isOwn: true)])
            }
        )
    }

    private func lead(of cell: Cell) -> String { "\(cell.child?.step.text ?? ""):" }

    /// A place and all that lies in it.
    private func lines(
        of cell: Cell,
        _ depth: Int,
        _ marks: [Range<Int>] = ComparedLine.whole
    ) -> [ComparedLine] {
        guard let child = cell.child else { return [] }
        var lines = [line(child.step, child.node, depth, marks)]
        var walk = Walk(child.node)
        while lines.count < 1000, let (step, node) = walk.next() {
            lines.append(line(step, node, depth + walk.steps.count, marks))
        }
        return lines
    }

    private func line(_ step: PathStep, _ node: ValueNode, _ depth: Int, _ marks: [Range<Int>])
        -> ComparedLine
    {
        let opens = node.isContainer && node.childCount > 0
        let text = opens ? "" : " " + brief(node, spelling, limit: 200)
        return ComparedLine(text: "\(step.text):\(text)", depth: depth, differences: marks, isOwn: true)
    }

    /// Adds children that are the same in all.
    private mutating func add(
        same containers: [(part: Int, children: ValueChildren, start: Int)],
        _ count: Int,
        _ depth: Int
    ) {
        let (_, children, start) = containers[0]
        let most = 200
        /// How many lines something takes; what takes many is shown closed.
        func size(_ node: ValueNode) -> Int {
            var (walk, size) = (Walk(node), 1)
            while size <= most, walk.next() != nil { size += 1 }
            return size > most ? 1 : size
        }
        func add(_ place: Int) {
            let node = children[start + place].node
            let isShown = node.isContainer && size(node) > 1
            let heads = containers.map { container in
                let step = container.children.step(at: container.start + place)
                let text = isShown ? "" : " " + brief(node, spelling, limit: 200)
                return (
                    container.part, ComparedLine(text: "\(step.text):\(text)", depth: depth, isOwn: true)
                )
            }
            self.add(heads)
            guard isShown else { return }
            var walk = Walk(node)
            while let (step, node) = walk.next() {
                let line = line(step, node, depth + walk.steps.count, [])
                self.add(containers.map { ($0.part, line) })
            }
        }
        let shown = SameStretch(count: count) { size(children[start + $0].node) }
        for place in 0..<shown.head { add(place) }
        if shown.head < shown.tail {
            let leftOut = ComparedLine.leftOut("\(shown.tail - shown.head) are the same", depth: depth)
            self.add(containers.map { ($0.part, leftOut) })
        }
        for place in shown.tail..<count { add(place) }
    }

    /// Values that have nothing inside them, in a few words.
    private func leaves(_ nodes: [ValueNode?], _ areSame: [Bool], limit: Int) -> [String] {
        var texts = nodes.map { brief($0, spelling, limit: limit) }
        if limit > 200 { texts = nodes.map { $0.map { spelling.display($0, limit: limit) } ?? "nothing" } }
        for place in nodes.indices.dropFirst()
        where !areSame[place - 1] && nodes[place] != nil && nodes[0] != nil {
            // Of long data what differs.
            guard texts[place].count >= limit || texts[place] == texts[0] else { continue }
            (texts[0], texts[place]) = excerpts(nodes[0], nodes[place], spelling, limit: limit)
        }
        return texts
    }
}

extension ValueNode {
    /// Whether lines of the two can stand beside each other.
    func isComparable(with other: ValueNode?) -> Bool {
        guard let other else { return false }
        if let text, let theirs = other.text { return !text.isEmpty && !theirs.isEmpty }
        if isContainer || other.isContainer { return opens(like: other) }
        return text == nil && other.text == nil
    }
}
