import PropertyList
import TerminalCanvas

extension Painter {
    mutating func paintPending(_ screen: PendingScreen) {
        let parts = ChangesLayout(layout)
        let rows = state.staging.rows
        let selected = max(0, min(screen.selected, rows.count - 1))
        let top = state.pendingTop(of: screen, layout)
        for (line, index) in (top..<max(top, min(rows.count, top + parts.list.rows))).enumerated() {
            let row = parts.list.row + line
            paint(rows[index], row)
            if index == selected {
                write(symbols.selected, column: 0, row: row, columns: 1)
                restyleSelection(parts.list, row, hasFocus: true)
            }
        }
        paintComparison()
    }

    private mutating func paint(_ pending: PendingRow, _ row: Int) {
        let words = state.words(pending, columns: columnsOfChange(from: 3))
        // Changed values are listed below their key.
        if pending.place != nil { return paint(words, of: nil, column: 3, indent: 2, row) }
        let isRefused =
            state.suiteIndex(pending.pending.suite).map {
                state.refusal(forWritingTo: state.suiteList.suites[$0], isKnown: true) != nil
            }
            ?? true
        let sign = pending.pending.isOvertaken || isRefused ? symbols.problem : symbols.staged
        write(sign, column: 1, row: row, columns: 1)
        paint(words, of: pending.pending.suite, column: 3, row)
    }
}
