import PropertyList

/// Opening to a level, under way.
struct LevelExpansion: Sendable {
    /// 1 has the keys alone.
    let level: Int
    /// What was selected, and how far down the screen.
    let path: ValuePath?
    let height: Int
    /// The key that was opened last; nil before the first one.
    var last: String?
    /// How far that key's value has been read, where that takes long, and of which version of the rows.
    var reading: (reading: ValueReading, version: Int)?
    /// Where it is in that key, and which version of the rows that is of.
    var inside: (cursor: TreeCursor, version: Int)?

    /// Whether it is in the midst of a key.
    var isInside: Bool { inside != nil || reading != nil }
}

extension Outline {
    /// Opens all that lies above a level, from 1 for the keys, and closes the rest. It comes with
    /// ``openFurther(_:)``.
    mutating func openToLevel(_ level: Int) {
        (subtreesToFilter, subtreeFilterTask, awaited) = ([], nil, nil)
        opening =
            level > 1 ? LevelExpansion(level: level, path: selectedRow?.path, height: selected - top) : nil
        open = ExpandedPaths()
        anchoringSelection { $0.rows.closeAll() }
    }

    /// Goes on with that, as far as the budget goes.
    mutating func openFurther(_ budget: inout WorkBudget) {
        guard var opening else { return }
        let found = opening.last.map { rows.find($0) }
        // What has changed meanwhile is gone through once more.
        if let inside = opening.inside, inside.version != rows.version { opening.inside = nil }
        if let reading = opening.reading, reading.version != rows.version { opening.reading = nil }
        var index = found.map { $0.index + ($0.isThere && !opening.isInside ? 1 : 0) } ?? 0
        anchoringSelection { outline in
            while index < outline.entries.count, budget.isLeft {
                let entry = outline.entries[index]
                opening.last = entry.key
                outline.open(entry, &opening, &budget)
                if !opening.isInside {
                    outline.filterSubtreeLater([.key(entry.key)])
                    index += 1
                }
            }
        }
        // The selection goes back into what was closed, unless it has gone elsewhere since.
        if let path = opening.path, let last = opening.last, !(last < path.key),
            selectedRow?.path == [.key(path.key)], path.steps.count > 1
        {
            awaited = filter == nil ? nil : (path, opening.height)
            for depth in 1...path.steps.count { select(ValuePath(Array(path.steps.prefix(depth)))) }
            top = Swift.max(0, selected - opening.height)
        }
        self.opening = index < entries.count ? opening : nil
    }

    /// Opens a key and what is in it, as far as the budget goes.
    private mutating func open(
        _ entry: Rows.Entry,
        _ opening: inout LevelExpansion,
        _ budget: inout WorkBudget
    ) {
        budget.spend(1)
        if opening.inside == nil {
            switch entry.value {
            case .array, .dictionary: break
            case .data, .string: budget.spend(entry.value.mayHoldDocument ? 10 : 1)
            default: return
            }
            guard let node = takenApart(entry, &opening, &budget) else { return }
            guard node.isContainer, !hides(entry.key) else { return }
            open(entry.path, node, &budget)
            if opening.level > 2 {
                opening.inside = (TreeCursor(node, depth: opening.level - 2), rows.version)
            }
        }
        guard case (var cursor, let version)? = opening.inside else { return }
        opening.inside = nil
        while let (_, node) = cursor.next() {
            budget.spend(1)
            if node.isContainer { open(ValuePath([.key(entry.key)] + cursor.steps), node, &budget) }
            if !budget.isLeft {
                opening.inside = (cursor, version)
                return
            }
        }
    }

    /// What is in an entry; nil while the budget does not suffice for that.
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

    private mutating func open(_ path: ValuePath, _ node: ValueNode, _ budget: inout WorkBudget) {
        budget.spend(10 + node.childCount / 4)
        open.set(true, at: path.steps[...])
        // What a filter leaves of it is found once all of the key is open.
        if filter == nil { showBelow(path, node) }
    }
}
