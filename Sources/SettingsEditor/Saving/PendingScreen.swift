import PropertyList
import TerminalCanvas
import ValueDiff

/// The list of staged changes: the selected row, and the first row on the screen.
struct PendingScreen: Sendable, Hashable {
    var selected = 0
    var top = 0
}

extension PendingScreen: Component {
    var keyMode: Mode { .pending }

    func paint(_ painter: inout Painter) { painter.paintPending(self) }

    func click(_ point: Point, _ layout: Layout, in state: EditorState) -> Click? {
        guard let line = ChangesLayout(layout).list.line(of: point),
            state.staging.rows.indices.contains(top + line)
        else { return nil }
        var screen = self
        screen.selected = top + line
        return Click(modal: .pending(screen), actsLikeEnter: selected == top + line)
    }

    func handle(_ command: Command, in state: inout EditorState) -> [Effect] {
        guard !state.staging.rows.isEmpty else {
            state.modals.closeAll()
            return []
        }
        var screen = self
        screen.selected = min(selected, state.staging.rows.count - 1)
        let row = state.staging.rows[screen.selected]
        switch command {
        case .cancel: if state.keyInput.count == nil { state.modals.closeAll() }
        case .move(let movement):
            screen.selected = movement.target(
                from: screen.selected,
                count: state.staging.rows.count,
                page: ChangesLayout(Layout(state, state.display.size)).list.rows,
                times: state.keyInput.count
            )
            state.modals.replaceTop(.pending(screen))
        case .writeAll: return state.writeStaged()
        case .delete:
            return state.attempt { state throws in
                try state.drop(row)
                return []
            }
        case .scroll, .nextDifference, .previousDifference: state.say(state.reasonForNothingCompared)
        case .confirm: confirm(row, in: &state)
        default: break
        }
        return []
    }
}

extension PendingScreen {
    /// Goes to the key. If another process has changed it, asks which value to write.
    private func confirm(_ row: PendingRow, in state: inout EditorState) {
        let pending = row.pending
        guard let index = state.suiteIndex(pending.suite) else { return }
        guard pending.isOvertaken else {
            state.modals.closeAll()
            if state.shownSuites.contains(index) { state.suiteList.selected = index }
            let path = ValuePath([.key(pending.key)] + (row.place?.target.steps ?? []))
            _ = state.suiteList.suites[index].outline.go(to: path)
            state.display.focus = .keys
            return
        }
        let conflicts = ThreeWayMerge(pending.change, over: pending.stored).conflicts
        let question = state.questionAboutReplacing(conflicts, of: pending.key, in: pending.suite)
        state.modals.ask(question, .replaceOvertaken(pending, over: conflicts))
    }
}
