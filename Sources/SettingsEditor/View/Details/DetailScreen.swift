import TerminalCanvas

/// The details of the selected row on the whole screen, for a small screen or a long value.
struct DetailScreen: Sendable, Hashable {
    var top = 0
}

extension DetailScreen: Component {
    var keyMode: Mode { .details }

    func paint(_ painter: inout Painter) {
        let area = area(painter.layout)
        let lines = lines(painter.state, area)
        let top = min(top, max(0, lines.count - area.rows))
        painter.paint(lines, from: top, in: area)
        painter.paintScrollbar(area, column: area.column + area.columns, top: top, count: lines.count)
    }

    func handle(_ command: Command, in state: inout EditorState) -> [Effect] {
        switch command {
        case .cancel, .details:
            if state.keyInput.count == nil { state.modals.pop() }
        case .confirm where state.canEditRow:
            state.modals.pop()
            return [.send(.command(.confirm))]
        case .move(let movement):
            let area = area(Layout(state, state.display.size))
            let last = max(0, lines(state, area).count - area.rows)
            var screen = self
            screen.top = movement.target(
                from: min(top, last),
                count: last + 1,
                page: area.rows,
                times: state.keyInput.count
            )
            state.modals.replaceTop(.details(screen))
        default: break
        }
        return []
    }

    private func area(_ layout: Layout) -> Area {
        var area = layout.bodyArea
        area.column = 1
        area.columns = max(0, area.columns - 3)
        return area
    }

    private func lines(_ state: EditorState, _ area: Area) -> [DetailLine] {
        Details(state, columns: area.columns, limit: Details.limit, hasTitles: area.rows >= 6).lines
    }
}
