import PropertyList

/// An expansion of the whole outline to a level, which is done in steps between keys.
struct LevelExpansion: Sendable {
    /// The level. At level 1 all keys are collapsed.
    let level: Int
    /// The path that was selected at the start, and its height on the screen.
    let path: ValuePath?
    let height: Int
    /// The key that was expanded last; nil before the first one.
    var last: String?
    /// The unfinished parsing of that key's value, and the version of the rows that it belongs to.
    var reading: (reading: ValueReading, version: Int)?
}

extension Outline {
    /// Expands all rows above a level, and collapses the rest. ``openFurther(_:)`` does the work.
    mutating func openToLevel(_ level: Int) {
        session.forgetSubtrees()
        opening =
            level > 1 ? LevelExpansion(level: level, path: selectedRow?.path, height: selected - top) : nil
        open = ExpandedPaths()
        anchoringSelection { $0.rows.closeAll() }
    }

    /// Continues the expansion, as far as the budget allows.
    mutating func openFurther(_ budget: inout WorkBudget) {
        guard var opening else { return }
        let found = opening.last.map { rows.find($0) }
        // A key that changed meanwhile is expanded again.
        if let reading = opening.reading, reading.version != rows.version { opening.reading = nil }
        var index = found.map { $0.index + ($0.isThere && opening.reading == nil ? 1 : 0) } ?? 0
        anchoringSelection { outline in
            while index < outline.entries.count, budget.isLeft {
                let entry = outline.entries[index]
                opening.last = entry.key
                outline.open(entry, &opening, &budget)
                if opening.reading == nil {
                    outline.filterSubtreeLater([.key(entry.key)])
                    index += 1
                }
            }
        }
        // The selection returns to its path, unless the user has moved it.
        if let path = opening.path, let last = opening.last, !(last < path.key),
            selectedRow?.path == [.key(path.key)], path.steps.count > 1
        {
            session.awaited = filter == nil ? nil : (path, opening.height)
            for depth in 1...path.steps.count { select(ValuePath(Array(path.steps.prefix(depth)))) }
            top = Swift.max(0, selected - opening.height)
        }
        self.opening = index < entries.count ? opening : nil
    }

    /// Expands a key and the values inside it, unless parsing the value uses up the budget.
    private mutating func open(
        _ entry: Rows.Entry,
        _ opening: inout LevelExpansion,
        _ budget: inout WorkBudget
    ) {
        budget.spend(1)
        switch entry.value {
        case .array, .dictionary: break
        case .data, .string: budget.spend(entry.value.mayHoldDocument ? 10 : 1)
        default: return
        }
        guard let node = takenApart(entry, &opening, &budget), node.isContainer, !hides(entry.key) else {
            return
        }
        open.inside[.key(entry.key)] = ExpandedPaths(node, levels: opening.level - 1, &budget)
        // The filter is applied after the key is expanded.
        if filter == nil { showBelow(entry.path, node) }
    }

    /// The parsed value of an entry; nil if the budget is used up first.
    private func takenApart(
        _ entry: Rows.Entry,
        _ opening: inout LevelExpansion,
        _ budget: inout WorkBudget
    ) -> ValueNode? {
        if let node = rows.knownNode(entry) { return node }
        let shown = entry.shown
        guard shown.isUnread else { return shown }
        var reading = opening.reading?.reading ?? ValueReading(shown)
        opening.reading = nil
        let node = budget.goOn(&reading)
        if node == nil { opening.reading = (reading, rows.version) }
        return node
    }
}
