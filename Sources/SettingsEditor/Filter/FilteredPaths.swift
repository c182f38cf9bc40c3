import PropertyList

/// The paths inside keys that pass the filter. The filter of the key asked for last is remembered.
struct FilteredPaths: Sendable {
    private var known:
        (key: String, version: Int, arrangement: Int, node: ValueNode?, nodeFilter: NodeFilter?)?

    /// Whether a path in a shown key passes the filter.
    mutating func contain(_ path: ValuePath, of outline: Outline, _ budget: inout WorkBudget) -> Bool {
        if outline.filter == nil || path.steps.count == 1 { return true }
        let rows = outline.rows
        if known?.key != path.key || known?.version != rows.version
            || known?.arrangement != rows.arrangement
        {
            let node = rows.node(forKey: path.key)
            known = (path.key, rows.version, rows.arrangement, node, outline.nodeFilter(at: [.key(path.key)]))
        }
        guard let node = known?.node, let nodeFilter = known?.nodeFilter else { return false }
        return nodeFilter.passes(path.inside, in: node, &budget)
    }
}
