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
            let scrolls = comparing(layout)?.places.contains(point) == true
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
            move(movement, in: pane ?? display.focus, times: Self.rowsOfWheel)
            return []
        case .press: return press(point)
        }
    }

    private mutating func press(_ point: Point) -> [Effect] {
        let layout = Layout(self, display.size)
        if let key = KeyHints(self, layout).key(at: point) {
            return messages(for: .key(key), in: self).map { .send($0) }
        }
        guard modal == nil else { return pressInList(point, layout) }
        if let area = layout.suites, let row = area.line(of: point) {
            let shown = shownSuites
            let place = suiteList.top + row
            guard shown.indices.contains(place) else { return [] }
            let isSelected = display.focus == .suites && suiteList.selected == shown[place]
            display.focus = .suites
            suiteList.selected = shown[place]
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

    /// A click in a full-screen list selects only: a second click must not restore or write anything.
    private mutating func pressInList(_ point: Point, _ layout: Layout) -> [Effect] {
        let body = Area(
            column: 0,
            row: layout.body.lowerBound,
            columns: display.size.columns,
            rows: layout.body.count
        )
        let isSelected: Bool
        switch modal {
        case .history(let screen)?:
            guard let line = ChangesLayout(layout).list.line(of: point) else { return [] }
            let place = historyTop(of: screen, layout) + line
            if journal(of: screen).entry(at: place) != nil {
                modals.replaceTop(.history(self.screen(screen, on: place)))
            }
            return []
        case .pending(var screen)?:
            let place = screen.top + (ChangesLayout(layout).list.line(of: point) ?? staging.rows.count)
            guard staging.rows.indices.contains(place) else { return [] }
            isSelected = screen.selected == place
            screen.selected = place
            modals.replaceTop(.pending(screen))
        case .menu?:
            guard case (var menu, let place)? = shownMenu(layout), let line = place.items.line(of: point)
            else { return [] }
            isSelected = menu.selected == place.top + line && !menu.isWithoutMatch
            menu.forgetTyped()
            menu.selected = place.top + line
            modals.replaceTop(.menu(menu))
        case .finding(var finder)?:
            guard let line = body.line(of: point), finder.hits.indices.contains(finder.top + line) else {
                return []
            }
            isSelected = finder.selected == finder.top + line
            finder.selected = finder.top + line
            modals.replaceTop(.finding(finder))
        case .palette(var palette)?:
            guard let line = body.line(of: point), commands(of: palette).indices.contains(palette.top + line)
            else { return [] }
            isSelected = palette.selected == palette.top + line
            palette.selected = palette.top + line
            modals.replaceTop(.palette(palette))
        default: return []
        }
        return isSelected ? [.send(.command(.confirm))] : []
    }

    /// Whether a point is on the expansion symbol of a row or on the blank after it.
    private func isOnSign(_ point: Point, ofRow row: Int) -> Bool {
        guard let area = Layout(self, display.size).rows, let suite, suite.outline.rows[row].shown.mayBeOpened
        else {
            return false
        }
        let depth = suite.outline.rows[row].depth
        let sign = area.column + KeyColumns.name + suite.keyColumns(area.columns).indent(depth)
        return sign...sign + 1 ~= point.column
    }
}

extension KeyHints {
    /// The key whose hint is at a point.
    fileprivate func key(at point: Point) -> Key? {
        places.first { $0.area.line(of: point) != nil }?.binding.keys[0]
    }
}

extension ComparisonLayout {
    fileprivate func contains(_ point: Point) -> Bool {
        (titles + texts).contains { $0.line(of: point) != nil }
    }
}

extension Area {
    /// The row of the area at a point; nil outside.
    fileprivate func line(of point: Point) -> Int? {
        let isInside =
            column..<column + max(0, columns) ~= point.column && row..<row + max(0, rows) ~= point.row
        return isInside ? point.row - row : nil
    }
}
