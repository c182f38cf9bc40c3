import PropertyList

/// The rows below an expanded row: its children, or those that pass the filter, and the rows of expanded children.
/// Rows are made when they are asked for, so that a large container costs only what is expanded in it.
struct VisibleSubtree: Sendable {
    private struct Open: Sendable {
        /// Among the children that are shown.
        let position: Int
        /// How many rows the open ones before it have below theirs.
        var before: Int
        var subtree: VisibleSubtree

        /// Where its own row is.
        var start: Int { position + before }
    }

    let children: ValueChildren
    /// The places of the children that are shown, where not all of them are.
    private let shown: [Int]?
    /// The children that are open, in their order.
    private var open: [Open] = []

    /// - Parameters:
    ///   - shown: which of the children are, in their order; nil for all.
    ///   - open: what of them is open, by places, in their order.
    init(_ children: ValueChildren, shown: [Int]? = nil, open: [(place: Int, subtree: VisibleSubtree)] = []) {
        self.children = children
        self.shown = shown?.count == children.count ? nil : shown
        self.open.reserveCapacity(open.count)
        var before = 0
        for (place, subtree) in open {
            guard let position = position(of: place) else { continue }
            self.open.append(Open(position: position, before: before, subtree: subtree))
            before += subtree.rowCount
        }
    }

    /// How many of the children are shown.
    private var count: Int { shown?.count ?? children.count }

    var rowCount: Int { count + (open.last.map { $0.before + $0.subtree.rowCount } ?? 0) }

    private func place(at position: Int) -> Int { shown?[position] ?? position }

    private func step(at position: Int) -> PathStep { children.step(at: place(at: position)) }

    /// Which of the shown ones a child is; nil where it is hidden.
    private func position(of place: Int) -> Int? {
        guard let shown else { return place }
        let position = shown.beginning { $0 >= place }
        return position < shown.count && shown[position] == place ? position : nil
    }

    /// Likewise; nil also where there is none.
    private func position(of step: PathStep) -> Int? { children.place(of: step).flatMap(position) }

    /// The row of a child that is shown.
    private func start(of position: Int) -> Int {
        let index = open.beginning { $0.position >= position }
        return position + (index > 0 ? open[index - 1].before + open[index - 1].subtree.rowCount : 0)
    }

    private func openIndex(of position: Int) -> Int? {
        let index = open.beginning { $0.position >= position }
        return index < open.count && open[index].position == position ? index : nil
    }

    /// Opens or closes the child that steps lead to.
    mutating func set(_ subtree: VisibleSubtree?, at steps: ArraySlice<PathStep>) {
        guard let step = steps.first, let position = position(of: step) else { return }
        let index = open.beginning { $0.position >= position }
        let isOpen = index < open.count && open[index].position == position
        if steps.count > 1 {
            guard isOpen else { return }
            open[index].subtree.set(subtree, at: steps.dropFirst())
        } else if let subtree {
            if isOpen { open.remove(at: index) }
            open.insert(Open(position: position, before: 0, subtree: subtree), at: index)
        } else if isOpen {
            open.remove(at: index)
        }
        var before = index > 0 ? open[index - 1].before + open[index - 1].subtree.rowCount : 0
        for later in index..<open.count {
            open[later].before = before
            before += open[later].subtree.rowCount
        }
    }
}

// Going over to another value.
extension VisibleSubtree {
    /// The same rows of what the place holds by now, as far as they are there.
    func carried(to node: ValueNode) -> VisibleSubtree {
        let new = node.children
        // Where as many are there they are the same by far most often.
        let isAlike = new.count == children.count
        let open = open.compactMap { child -> (place: Int, subtree: VisibleSubtree)? in
            guard let place = new.place(of: step(at: child.position)) else { return nil }
            let node = new[place].node
            return node.isContainer ? (place, child.subtree.carried(to: node)) : nil
        }
        return VisibleSubtree(
            new,
            shown: isAlike ? shown : shown?.compactMap { new.place(of: children.step(at: $0)) }.sorted(),
            open: open.sorted { $0.place < $1.place }
        )
    }
}

// Rows and places.
extension VisibleSubtree {
    /// What stands in a row.
    struct Place {
        let path: ValuePath
        /// The container it lies in, and which of its children it is.
        let children: ValueChildren
        let number: Int
        let isOpen: Bool
    }

    func place(ofRow row: Int, below path: ValuePath) -> Place {
        let next = open.beginning { $0.start >= row }
        var number = row
        if next > 0 {
            let last = open[next - 1]
            let inside = row - last.start - 1
            if inside < last.subtree.rowCount {
                let path = path.appending(step(at: last.position))
                return last.subtree.place(ofRow: inside, below: path)
            }
            number = row - last.before - last.subtree.rowCount
        }
        return Place(
            path: path.appending(step(at: number)),
            children: children,
            number: place(at: number),
            isOpen: openIndex(of: number) != nil
        )
    }

    /// The row that steps lead to; nil where it is not among the rows.
    func row(of steps: ArraySlice<PathStep>) -> Int? {
        guard let step = steps.first, let position = position(of: step) else { return nil }
        let start = start(of: position)
        if steps.count == 1 { return start }
        guard let index = openIndex(of: position) else { return nil }
        return open[index].subtree.row(of: steps.dropFirst()).map { start + 1 + $0 }
    }

    /// The row, so many places on, of what lies in the same container as a row; the last one where there are
    /// not so many.
    func sibling(ofRow row: Int, by distance: Int) -> Int {
        let next = open.beginning { $0.start >= row }
        var number = row
        if next > 0 {
            let last = open[next - 1]
            let inside = row - last.start - 1
            if inside < last.subtree.rowCount {
                return last.start + 1 + last.subtree.sibling(ofRow: inside, by: distance)
            }
            number = row - last.before - last.subtree.rowCount
        }
        return start(of: max(0, min(number + distance, count - 1)))
    }

    /// What is shown below the row that steps lead to; nil where that is closed or gone.
    func subtree(at steps: ArraySlice<PathStep>) -> VisibleSubtree? {
        guard let step = steps.first else { return self }
        return position(of: step).flatMap(openIndex).flatMap {
            open[$0].subtree.subtree(at: steps.dropFirst())
        }
    }

    /// Where the selection goes from a place of an older branch: the row of that place, else of the sibling
    /// that followed, else of what stood before it; nil for the row above all.
    ///
    /// - Parameter former: The place in the older one, where the same was.
    func successor(
        of steps: ArraySlice<PathStep>,
        from former: ArraySlice<PathStep>,
        in old: VisibleSubtree
    ) -> Int? {
        if let row = row(of: steps) { return row }
        let parent = steps.dropLast()
        let formerParent = former.prefix(steps.count).dropLast()
        if let siblings = subtree(at: parent), let older = old.subtree(at: formerParent),
            let last = former.prefix(steps.count).last, let position = older.position(of: last)
        {
            let others = [
                AnySequence(position + 1..<older.count), AnySequence((0..<position).reversed()),
            ].joined()
            if let step = others.lazy.map(older.step).first(where: { siblings.position(of: $0) != nil }) {
                return row(of: parent + [step])
            }
        }
        return parent.isEmpty ? nil : successor(of: parent, from: formerParent, in: old)
    }
}
