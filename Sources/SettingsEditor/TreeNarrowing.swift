import PropertyList

// What is opened while there is a filter.
extension Tree {
    /// Has a key that was opened show what the filter leaves of it, with ``narrow(_:)``.
    mutating func narrowLater(_ path: ValuePath) {
        if filter != nil, rows.findShown(path.key).isThere { toNarrow.append(path) }
    }

    /// Shows what the filter leaves of what was opened, what was opened last first, as far as the effort goes.
    mutating func narrow(_ effort: inout Effort) {
        while effort.isLeft, let path = toNarrow.last {
            effort.spend(1)
            var underWay = narrowing.flatMap { $0.path == path ? $0 : nil }
            narrowing = nil
            if underWay == nil {
                guard let places = open[path.steps[...]], places.isOpen, let node = shownNode(at: path),
                    node.isContainer, let sieve = sieve(at: path)
                else {
                    toNarrow.removeLast()
                    continue
                }
                if sieve.isAll {
                    finishNarrowing(places.branch(of: node), path, node)
                    continue
                }
                underWay = (path, node, Narrowing(node, sieve, open: places))
            }
            guard case .done(let isLeft, let branch)? = underWay?.narrowing.next(&effort) else {
                narrowing = underWay
                return
            }
            if isToShowAgain(path, isLeft, branch) {
                toNarrow.removeLast()
                let index = rows.find(path.key).index
                keepingPlace(keepsSelected: true) { $0.showEntry(index, carries: false) }
                continue
            }
            if let node = underWay?.node { finishNarrowing(branch, path, node) }
        }
        if toNarrow.isEmpty { awaited = nil }
    }

    private mutating func finishNarrowing(_ branch: Branch?, _ path: ValuePath, _ node: ValueNode) {
        toNarrow.removeLast()
        keepingPlace { $0.set(branch, below: path, node) }
        guard let awaited, let index = index(of: awaited.path) else { return }
        selected = index
        top = Swift.max(0, selected - awaited.height)
        self.awaited = nil
    }

    /// What a row that is there shows.
    private func shownNode(at path: ValuePath) -> ValueNode? { index(of: path).map { rows[$0].node } }

    /// What the filter leaves of what lies in a place, or of the place itself where nothing does; nil where that
    /// is nothing.
    func sieve(at path: ValuePath) -> Sieve? {
        guard let filter else { return Sieve(nil, among: nil) }
        var places: PlaceTree?
        if let former = former(filter, path.key), let node = rows.node(forKey: path.key) {
            places = PlaceTree(ValueNode(former), node)
        }
        var sieve: Sieve? = Sieve(
            filter.text.flatMap { $0.matches(path.key) ? nil : $0 },
            among: places,
            keeping: kept?.key == path.key ? kept?.steps.dropFirst() : nil
        )
        for step in path.steps.dropFirst() { sieve = sieve?.inside(step) }
        return sieve
    }

    /// Whether the filter leaves a place, of a key that it has been tried on.
    func leaves(_ path: ValuePath) -> Bool {
        guard filter != nil, path.steps.count > 1 else { return rows.findShown(path.key).isThere }
        guard rows.findShown(path.key).isThere, let node = rows.node(forKey: path.key) else { return false }
        var effort = Effort.unlimited
        return sieve(at: [.key(path.key)])?.leaves(path.inside, in: node, &effort) ?? false
    }
}
