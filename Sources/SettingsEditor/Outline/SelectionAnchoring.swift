import PropertyList

// Keeping the selection.
extension Outline {
    /// Changes rows. The selection stays on its own place, else goes to the sibling that followed, else
    /// to what stood before it; and it stays at its height on the screen.
    ///
    /// - Parameters:
    ///   - follows: Of which keys an element of an array is looked for where it may be now.
    ///   - keepsSelected: What is selected stays among what a filter leaves, unless it has gone.
    mutating func anchoringSelection(
        following follows: (String) -> Bool = { _ in false },
        keepsSelected: Bool = false,
        _ change: (inout Outline) -> Void
    ) {
        if filter != nil, keepsSelected { keeping = selectedRow?.path }
        defer { keeping = nil }
        guard let row = selectedRow else {
            change(&self)
            select(0)
            if let anchor { selectAnchor(anchor.path) }
            return
        }
        let (position, offset) = rows.keyPlace(ofRow: selected)
        let old = offset > 0 ? rows.subtree(at: position) : nil
        let node = offset > 0 && follows(row.path.key) ? rows.openNode(forKey: row.path.key) : nil
        let height = selected - top
        change(&self)
        if rows.isEmpty { anchor = (row.path, height) }
        let place = rows.findShown(row.path.key)
        if place.position == rows.keyCount {
            select(rows.count - 1)
        } else {
            var target = rows.start(of: place.position)
            if place.isThere, let old, let new = rows.subtree(at: place.position),
                let below = new.successor(
                    of: followed(row.path.inside, from: node, row.path.key).steps[...],
                    from: row.path.steps.dropFirst(),
                    in: old
                )
            {
                target += 1 + below
            }
            select(target)
        }
        top = Swift.max(0, min(selected - height, rows.count - 1))
    }

    /// Where a place of the opened key is by now that held something else.
    private func followed(_ path: ValuePath, from old: ValueNode?, _ key: String) -> ValuePath {
        guard let old, let new = rows.openNode(forKey: key) else { return path }
        if let value = rows.value(forKey: key), let changes = changes(from: old, to: value, key) {
            return changes.reduce(path) { $1.differences.nearest(to: $0) }
        }
        return PathMapping(path, from: old, to: new, isNear: true).nearest
    }
}
