import TerminalCanvas

extension Painter {
    /// One's own value, the one that the file holds now, and the one from which the editing began.
    mutating func paintConflict(_ name: String) {
        if layout.body.count >= EditorState.rowsOfConflictWithHeading {
            let place = "\(name): yours, and \(state.kind.present)"
            write(place, column: 1, row: layout.body.lowerBound, columns: columns - 2, style: .heading)
        }
        paintComparison()
    }
}
