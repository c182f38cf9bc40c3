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
            paint(pending.suite, pending.key, pending.change, column: 3, row, overtaken: pending.isOvertaken)
            if index == selected {
                write(signs.selected, column: 0, row: row, columns: 1)
                restyleSelection(parts.list, row, hasFocus: true)
            }
        }
        guard let area = parts.details, changes.indices.contains(selected) else { return }
        let pending = changes[selected]
        let stored = state.suiteIndex(pending.suite).flatMap {
            state.suites[$0].storedValue(forKey: pending.key)
        }
        let texts = [("In the file", stored), ("To be written", pending.change.new)].map { title, value in
            (title: title, text: fullText(value.map(ValueNode.init), of: pending.key, in: pending.suite))
        }
        paint(texts: fromFirstDifference(texts), in: area)
    }
}
