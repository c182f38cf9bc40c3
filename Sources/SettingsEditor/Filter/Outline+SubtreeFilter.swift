import PropertyList

// Filters values that the user expands while a filter is set.
extension Outline {
    /// Queues an expanded path for ``filterSubtrees(_:)``.
    mutating func filterSubtreeLater(_ path: ValuePath) {
        if filter != nil, rows.findShown(path.key).isThere { session.subtreesToFilter.append(path) }
    }

    /// Filters queued paths, the newest first, as far as the budget allows.
    mutating func filterSubtrees(_ budget: inout WorkBudget) {
        while budget.isLeft, let path = session.subtreesToFilter.last {
            budget.spend(1)
            var underWay = session.subtreeTask.flatMap { $0.path == path ? $0 : nil }
            session.subtreeTask = nil
            if underWay == nil {
                guard let places = open[path.steps[...]], places.isOpen,
                    let node = index(of: path).map({ rows[$0].node }), node.isContainer,
                    let nodeFilter = nodeFilter(at: path)
                else {
                    session.subtreesToFilter.removeLast()
                    continue
                }
                if nodeFilter.isAll {
                    finishFiltering(places.subtree(of: node), path, node)
                    continue
                }
                underWay = (path, node, SubtreeFilterTask(node, nodeFilter, open: places))
            }
            guard case .done(_, let subtree)? = underWay?.task.next(&budget) else {
                session.subtreeTask = underWay
                return
            }
            if let node = underWay?.node { finishFiltering(subtree, path, node) }
        }
        if session.subtreesToFilter.isEmpty { session.awaited = nil }
    }

    private mutating func finishFiltering(_ subtree: VisibleSubtree?, _ path: ValuePath, _ node: ValueNode) {
        session.subtreesToFilter.removeLast()
        anchoringSelection { $0.set(subtree, below: path, node) }
        guard let awaited = session.awaited, let index = index(of: awaited.path) else { return }
        selected = index
        top = Swift.max(0, selected - awaited.height)
        session.awaited = nil
    }

    /// The filter for the values inside a path, or for the value itself if it has no children; nil if nothing
    /// passes.
    func nodeFilter(at path: ValuePath) -> NodeFilter? {
        guard let filter else { return NodeFilter(nil, among: nil) }
        var places: PathTree?
        if let former = former(filter, path.key), let node = rows.node(forKey: path.key) {
            places = PathTree(ValueNode(former), node)
        }
        var nodeFilter: NodeFilter? = NodeFilter(
            filter.text.flatMap { $0.matches(path.key) ? nil : $0 },
            among: places,
            keeping: session.kept?.key == path.key ? session.kept?.steps.dropFirst() : nil
        )
        for step in path.steps.dropFirst() { nodeFilter = nodeFilter?.inside(step) }
        return nodeFilter
    }

    /// Whether a path passes, if its key was filtered.
    func filterPasses(_ path: ValuePath) -> Bool {
        guard filter != nil, path.steps.count > 1 else { return rows.findShown(path.key).isThere }
        guard rows.findShown(path.key).isThere, let node = rows.node(forKey: path.key) else { return false }
        var budget = WorkBudget.unlimited
        return nodeFilter(at: [.key(path.key)])?.passes(path.inside, in: node, &budget) ?? false
    }
}
