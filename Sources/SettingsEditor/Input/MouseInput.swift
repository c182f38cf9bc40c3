import TerminalCanvas

// The mouse: a click selects a row; on the selected row or on an expansion symbol it acts like Enter; on a
// key hint it presses that key. The wheel scrolls.
extension EditorState {
    /// The rows that one step of the mouse wheel moves.
    private static let rowsOfWheel = 3

    mutating func use(_ action: MouseAction, at point: Point) -> [Effect] {
        switch action {
        case .wheelUp, .wheelDown:
            // While text is typed, the selection must not move away from it.
            guard !mode.isText, mode != .question else { return [] }
            let movement: Movement = action == .wheelUp ? .up : .down
            let layout = Layout(self, display.size)
            let values = comparing(layout)?.places
            let scrolls = values.map { $0.titles + $0.texts }?.contains { $0.line(of: point) != nil } == true
            let command: Command = scrolls ? .scroll(movement) : .move(movement)
            guard modal == nil, !scrolls else {
                return Array(repeating: .send(.command(command)), count: Self.rowsOfWheel)
            }
            // The wheel scrolls what is under the pointer. The focus stays.
            if layout.watch?.line(of: point) != nil { return [] }
            statusLine.beginCommand(isShown: true)
            search.end()
            let pane: Pane? =
                layout.suites?.line(of: point) != nil
                ? .suites : layout.keys?.line(of: point) != nil ? .keys : nil
            suiteList.move(movement, in: pane ?? display.focus, layout, times: Self.rowsOfWheel)
            return []
        case .press: return press(point)
        }
    }

    private mutating func press(_ point: Point) -> [Effect] {
        let layout = Layout(self, display.size)
        if let hint = KeyHints(self, layout).places.first(where: { $0.area.line(of: point) != nil }) {
            return messages(for: .key(hint.binding.keys[0]), in: self).map { .send($0) }
        }
        if let modal {
            guard let click = modal.component.click(point, layout, in: self) else { return [] }
            modals.replaceTop(click.modal)
            return click.actsLikeEnter ? [.send(.command(.confirm))] : []
        }
        if let area = layout.suites, let row = area.line(of: point) {
            let (rows, place) = (suiteList.rows, suiteList.top + row)
            guard rows.indices.contains(place) else { return [] }
            let isSelected = display.focus == .suites && suiteList.selectedRow(of: rows) == place
            display.focus = .suites
            suiteList.select(rows[place])
            return isSelected ? [.send(.command(.confirm))] : []
        }
        guard let line = layout.rows?.line(of: point), let outline = suite?.outline else { return [] }
        let row = outline.top + line
        guard outline.rows.indices.contains(row) else { return [] }
        let isSelected = display.focus == .keys && outline.selected == row
        display.focus = .keys
        suiteList.suites[suiteList.selected].outline.select(row)
        return isSelected || isOnSign(point, ofRow: row) ? [.send(.command(.confirm))] : []
    }

    /// Whether a point is on the expansion symbol of a row or on the blank after it.
    private func isOnSign(_ point: Point, ofRow row: Int) -> Bool {
        guard let area = Layout(self, display.size).rows, let suite, suite.outline.rows[row].shown.hasChildren
        else {
            return false
        }
        let depth = suite.outline.rows[row].depth
        let sign = area.column + KeyColumns.name + suite.keyColumns(area.columns).indent(depth)
        return sign...sign + 1 ~= point.column
    }
}

extension Layout {
    /// The rows between the title and the last lines.
    var bodyArea: Area { Area(column: 0, row: body.lowerBound, columns: columns, rows: body.count) }
}

extension Area {
    /// The row of the area at a point; nil outside.
    func line(of point: Point) -> Int? {
        let isInside =
            column..<column + max(0, columns) ~= point.column && row..<row + max(0, rows) ~= point.row
        return isInside ? point.row - row : nil
    }
}
