import PropertyList

/// What is shown below an open row: all that lies in it, and in what of that is open. Its rows are made as
/// they are asked for, so that a container costs what is open in it, however much lies there.
struct Branch: Sendable {
    private struct Open: Sendable {
        /// Among the children.
        let place: Int
        /// How many rows the open ones before it have below theirs.
        var before: Int
        var branch: Branch

        /// Where its own row is.
        var start: Int { place + before }
    }

    let children: ValueChildren
    /// The children that are open, in their order.
    private var open: [Open] = []

    /// - Parameter open: what of it is open, by places, in their order.
    init(_ children: ValueChildren, open: [(place: Int, branch: Branch)] = []) {
        self.children = children
        self.open.reserveCapacity(open.count)
        var before = 0
        for (place, branch) in open {
            self.open.append(Open(place: place, before: before, branch: branch))
            before += branch.rowCount
        }
    }

    var rowCount: Int {
        children.count + (open.last.map { $0.before + $0.branch.rowCount } ?? 0)
    }

    /// The row of a child.
    func start(of place: Int) -> Int {
        let index = open.beginning { $0.place >= place }
        return place + (index > 0 ? open[index - 1].before + open[index - 1].branch.rowCount : 0)
    }

    private func openIndex(of place: Int) -> Int? {
        let index = open.beginning { $0.place >= place }
        return index < open.count && open[index].place == place ? index : nil
    }

    /// Opens or closes the child that steps lead to.
    mutating func set(_ branch: Branch?, at steps: ArraySlice<PathStep>) {
        guard let step = steps.first, let place = children.place(of: step) else { return }
        let index = open.beginning { $0.place >= place }
        let isOpen = index < open.count && open[index].place == place
        if steps.count > 1 {
            guard isOpen else { return }
            open[index].branch.set(branch, at: steps.dropFirst())
        } else if let branch {
            if isOpen { open.remove(at: index) }
            open.insert(Open(place: place, before: 0, branch: branch), at: index)
        } else if isOpen {
            open.remove(at: index)
        }
        var before = index > 0 ? open[index - 1].before + open[index - 1].branch.rowCount : 0
        for later in index..<open.count {
            open[later].before = before
            before += open[later].branch.rowCount
        }
    }
}

// Rows and places.
extension Branch {
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
            if inside < last.branch.rowCount {
                let path = path.appending(children.step(at: last.place))
                return last.branch.place(ofRow: inside, below: path)
            }
            number = row - last.before - last.branch.rowCount
        }
        return Place(
            path: path.appending(children.step(at: number)),
            children: children,
            number: number,
            isOpen: openIndex(of: number) != nil
        )
    }

    /// The row that steps lead to; nil where it is not among the rows.
    func row(of steps: ArraySlice<PathStep>) -> Int? {
        guard let step = steps.first, let place = children.place(of: step) else { return nil }
        let start = start(of: place)
        if steps.count == 1 { return start }
        guard let index = openIndex(of: place) else { return nil }
        return open[index].branch.row(of: steps.dropFirst()).map { start + 1 + $0 }
    }

    /// The row, so many places on, of what lies in the same container as a row; the last one where there are
    /// not so many.
    func sibling(ofRow row: Int, by distance: Int) -> Int {
        let next = open.beginning { $0.start >= row }
        var number = row
        if next > 0 {
            let last = open[next - 1]
            let inside = row - last.start - 1
            if inside < last.branch.rowCount {
                return last.start + 1 + last.branch.sibling(ofRow: inside, by: distance)
            }
            number = row - last.before - last.branch.rowCount
        }
        return start(of: max(0, min(number + distance, children.count - 1)))
    }

    /// What is shown below the row that steps lead to; nil where that is closed or gone.
    func branch(at steps: ArraySlice<PathStep>) -> Branch? {
        guard let step = steps.first else { return self }
        return children.place(of: step).flatMap(openIndex).flatMap {
            open[$0].branch.branch(at: steps.dropFirst())
        }
    }

    /// Where the selection goes from a place of an older branch: the row of that place, else of the sibling
    /// that followed, else of what stood before it; nil for the row above all.
    ///
    /// - Parameter former: The place in the older one, where the same was.
    func successor(
        of steps: ArraySlice<PathStep>,
        from former: ArraySlice<PathStep>,
        in old: Branch
    ) -> Int? {
        if let row = row(of: steps) { return row }
        let parent = steps.dropLast()
        let formerParent = former.prefix(steps.count).dropLast()
        if let siblings = branch(at: parent)?.children, let older = old.branch(at: formerParent)?.children,
            let place = former.prefix(steps.count).last.flatMap(older.place)
        {
            let others = [AnySequence(place + 1..<older.count), AnySequence((0..<place).reversed())].joined()
            if let step = others.lazy.map(older.step).first(where: { siblings.place(of: $0) != nil }) {
                return row(of: parent + [step])
            }
        }
        return parent.isEmpty ? nil : successor(of: parent, from: formerParent, in: old)
    }
}
