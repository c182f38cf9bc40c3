import TerminalCanvas

extension EditorState {
    /// Shows or hides the pane with live changes, if the screen has room.
    mutating func toggleWatching() {
        display.showsChanges.toggle()
        if display.showsChanges, Layout(self, display.size).watch == nil {
            display.showsChanges = false
            say("The window is too small for the live changes. Press H to list them.")
        }
    }
}

extension Painter {
    /// The live changes, newest at the bottom.
    mutating func paintWatchPane() {
        guard let area = layout.watch else { return }
        fill(area.firstRow, with: glyphs.horizontalLine, style: .faint)
        write(
            " Changes ",
            column: area.column + 1,
            row: area.row,
            columns: area.columns - 2,
            style: .columnHead
        )
        let rows = area.row + 1..<area.row + area.rows
        for (place, row) in rows.reversed().enumerated() {
            guard let entry = state.history.journal.entry(at: place) else { break }
            paint(entry, row, columns: area.columns)
        }
        if state.history.journal.entries.isEmpty {
            let knowsAll = !state.hasSuitesPane || state.suiteList.suites.contains { $0.version != nil }
            let text =
                "Nothing has changed \(knowsAll ? "since the editor was opened" : "in the suites that you have opened")."
            write(text, column: 1, row: rows.lowerBound, columns: area.columns - 1, style: .faint)
        }
    }
}
