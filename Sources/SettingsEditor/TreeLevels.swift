import PropertyList

/// Opening to a level, under way.
struct Opening: Sendable {
    /// 1 has the keys alone.
    let level: Int
    /// What was selected, and how far down the screen.
    let path: ValuePath?
    let height: Int
    /// The key that was opened last; nil before the first one.
    var last: String?
}

extension Tree {
    /// Opens all that lies above a level, from 1 for the keys, and closes the rest. It comes with
    /// ``openFurther(_:)``.
    mutating func openToLevel(_ level: Int) {
        opening = level > 1 ? Opening(level: level, path: selectedRow?.path, height: selected - top) : nil
        open = []
        keepingPlace { $0.rows.closeAll() }
    }

    /// Goes on with that, as far as the effort goes.
    mutating func openFurther(_ effort: inout Effort) {
        guard var opening else { return }
        let found = opening.last.map { rows.find($0) }
        var index = found.map { $0.index + ($0.isThere ? 1 : 0) } ?? 0
        keepingPlace { tree in
            while index < tree.entries.count, effort.isLeft {
                let entry = tree.entries[index]
                tree.open(entry, opening.level, &effort)
                opening.last = entry.key
                index += 1
            }
        }
        // The selection goes back into what was closed, unless it has gone elsewhere since.
        if let path = opening.path, let last = opening.last, !(last < path.key),
            selectedRow?.path == [.key(path.key)], path.steps.count > 1
        {
            for depth in 1...path.steps.count { select(ValuePath(Array(path.steps.prefix(depth)))) }
            top = Swift.max(0, selected - opening.height)
        }
        self.opening = index < entries.count ? opening : nil
    }

    private mutating func open(_ entry: Rows.Entry, _ level: Int, _ effort: inout Effort) {
        effort.spend(1)
        switch entry.value {
        case .array, .dictionary, .data: break
        default: return
        }
        let node = entry.node
        guard node.canBeOpened else { return }
        open(entry.path, node, level, &effort)
        openAgain(entry.key)
    }

    private mutating func open(_ path: ValuePath, _ node: ValueNode, _ level: Int, _ effort: inout Effort) {
        guard node.canBeOpened, path.steps.count < level else { return }
        open.insert(path)
        effort.spend(10 + 5 * node.childCount)
        guard path.steps.count + 1 < level else { return }
        for child in node.children { open(path.appending(child.step), child.node, level, &effort) }
    }
}
