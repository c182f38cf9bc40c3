import PropertyList

/// The rows below an expanded row: its children, or those that pass the filter, and the rows of expanded children.
/// Rows are made when they are asked for, so that a large container costs only what is expanded in it.
struct VisibleSubtree: Sendable {
    private struct Open: Sendable {
        /// The position among the shown children.
        let position: Int
        /// The number of rows below the expanded children before it.
        var before: Int
        var subtree: VisibleSubtree

        /// The index of its own row.
        var start: Int { position + before }
    }

    let children: ValueChildren
    /// The positions of the shown children; nil if all are shown.
    private let shown: [Int]?
    /// The expanded children, in order.
    private var open: [Open] = []

    /// - Parameters:
    ///   - shown: The positions of the shown children, in order; nil for all.
    ///   - open: The expanded children, in order.
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

    private var count: Int { shown?.count ?? children.count }

    var rowCount: Int { count + (open.last.map { $0.before + $0.subtree.rowCount } ?? 0) }

    private func place(at position: Int) -> Int { shown?[position] ?? position }

    private func step(at position: Int) -> PathStep { children.step(at: place(at: position)) }

    /// The position of a child among the shown ones; nil if it is hidden.
    private func position(of place: Int) -> Int? {
        guard let shown else { return place }
        let position = shown.beginning { $0 >= place }
        return position < shown.count && shown[position] == place ? position : nil
    }

    /// The same; nil also if there is no such child.
    private func position(of step: PathStep) -> Int? { children.place(of: step).flatMap(position) }

    /// The row of a shown child.
    private func start(of position: Int) -> Int {
        let index = open.beginning { $0.position >= position }
        return position + (index > 0 ? open[index - 1].before + open[index - 1].subtree.rowCount : 0)
    }

    private func openIndex(of position: Int) -> Int? {
        let index = open.beginning { $0.position >= position }
        return index < open.count && open[index].position == position ? index : nil
    }

    /// Sets the rows below a descendant. Nil collapses it.
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

// Rows and paths.
extension VisibleSubtree {
    /// The value that a row shows.
    struct Place {
        let path: ValuePath
        /// The container, and the position of the value in it.
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

    /// The row of a descendant; nil if it has no row.
    func row(of steps: ArraySlice<PathStep>) -> Int? {
        guard let step = steps.first, let position = position(of: step) else { return nil }
        let start = start(of: position)
        if steps.count == 1 { return start }
        guard let index = openIndex(of: position) else { return nil }
        return open[index].subtree.row(of: steps.dropFirst()).map { start + 1 + $0 }
    }

    /// The rows below a descendant; nil if it is collapsed or missing.
    func subtree(at steps: ArraySlice<PathStep>) -> VisibleSubtree? {
        guard let step = steps.first else { return self }
        return position(of: step).flatMap(openIndex).flatMap {
            open[$0].subtree.subtree(at: steps.dropFirst())
        }
    }

    /// The row to select after a change: the row of the same path, or else of the sibling that followed it, or else
    /// of the previous row. Nil for the row above the subtree.
    ///
    /// - Parameter former: The path in the former subtree.
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
