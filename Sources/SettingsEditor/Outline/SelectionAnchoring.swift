import PropertyList

// Keeps the cursor on its row when rows come, go or move, for example when another process inserts an element.
extension Outline {
    /// Changes rows. The selection stays on its row, and at its height on the screen. If the row is gone, the next
    /// sibling is selected, or else the previous row.
    ///
    /// - Parameters:
    ///   - mappings: Where the paths of changed keys lead.
    ///   - keepsSelected: Whether the selected row stays even if it fails the filter now.
    mutating func anchoringSelection(
        _ mappings: [String: PathMapping] = [:],
        keepsSelected: Bool = false,
        _ change: (inout Outline) -> Void
    ) {
        if filter != nil, keepsSelected { session.keeping = selectedRow?.path }
        defer { session.keeping = nil }
        guard let row = selectedRow else {
            change(&self)
            select(0)
            if let anchor = session.anchor { selectAnchor(anchor.path) }
            return
        }
        let (position, offset) = rows.keyPlace(ofRow: selected)
        let old = offset > 0 ? rows.subtree(at: position) : nil
        let mapping = offset > 0 ? mappings[row.path.key] : nil
        let height = selected - top
        change(&self)
        if rows.isEmpty { session.anchor = (row.path, height) }
        let place = rows.findShown(row.path.key)
        if place.position == rows.keyCount {
            select(rows.count - 1)
        } else {
            var target = rows.start(of: place.position)
            if place.isThere, let old, let new = rows.subtree(at: place.position),
                let below = new.successor(
                    of: mapped(row.path, mapping).steps[...],
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

    /// The new path of a value in an expanded key, from the key's value down.
    private func mapped(_ path: ValuePath, _ mapping: PathMapping?) -> ValuePath {
        guard let mapping, let node = rows.openNode(forKey: path.key) else { return path.inside }
        return mapping.reading(node).nearest(to: path.inside)
    }
}
