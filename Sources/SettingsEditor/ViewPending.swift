import PropertyList
import TerminalCanvas

extension Painter {
    mutating func paintPending(_ screen: PendingScreen) {
        let parts = ChangesLayout(layout)
        let changes = state.pendingChanges
        let selected = max(0, min(screen.selected, changes.count - 1))
        let top = visibleTop(0, selected: selected, count: changes.count, height: parts.list.rows)
        for (line, index) in (top..<max(top, min(changes.count, top + parts.list.rows))).enumerated() {
            let pending = changes[index]
            let row = parts.list.row + line
            let isRefused =
                state.suiteIndex(pending.suite).map {
                    state.refusal(forWritingTo: state.suites[$0], isKnown: true) != nil
                }
                ?? true
            write(
                pending.isOvertaken || isRefused ? signs.problem : signs.staged,
                column: 1,
                row: row,
                columns: 1
            )
            paint(state.words(pending), of: pending.suite, column: 3, row)
            if index == selected {
                write(signs.selected, column: 0, row: row, columns: 1)
                restyleSelection(parts.list, row, hasFocus: true)
            }
        }
        paintComparison()
    }
}
