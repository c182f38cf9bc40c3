import TerminalCanvas

extension Painter {
    /// One's own value, the one that the file holds now, and the one from which the editing began, beside
    /// each other.
    mutating func paint(_ conflict: Conflict) {
        let place = "\(conflict.path.lastName): yours, and what the file has become"
        write(place, column: 1, row: layout.body.lowerBound, columns: columns - 2, style: .heading)
        let rows = layout.body.count - 1
        guard rows > 0 else { return }
        paint(
            texts: [
                ("Yours", fullText(conflict.new.node, of: conflict.path.key, in: conflict.suite)),
                ("In the file now", fullText(conflict.holding, of: conflict.path.key, in: conflict.suite)),
                ("When you began", fullText(conflict.base, of: conflict.path.key, in: conflict.suite)),
            ],
            in: Area(column: 0, row: layout.body.lowerBound + 1, columns: columns, rows: rows)
        )
    }
}
