import TerminalCanvas

// A click goes to a row, and on the selected row, or the sign of one, does what Enter does; on a key that the last
// line names it presses that. The wheel moves the selection.
extension EditorState {
    mutating func use(_ action: MouseAction, at point: Point) -> [EditorEffect] {
        switch action {
        case .wheelUp, .wheelDown:
            // What is typed stays where it is.
            guard !mode.isText, mode != .question else { return [] }
            let movement: Movement = action == .wheelUp ? .up : .down
            let layout = Layout(self, size)
            let scrolls = comparing(layout)?.places.contains(point) == true
            // What is under the pointer moves, and the keys stay with what they are about.
            let former = focus
            if input == nil {
                if layout.watch?.line(of: point) != nil { return [] }
                if layout.suites?.line(of: point) != nil { focus = .suites }
                if layout.keys?.line(of: point) != nil { focus = .keys }
            }
            defer { focus = former }
            return (0..<3).flatMap { _ in update(&self, scrolls ? .scroll(movement) : .move(movement)) }
        case .press: return press(point)
        }
    }

    private mutating func press(_ point: Point) -> [EditorEffect] {
        let layout = Layout(self, size)
        if let key = FootKeys(self, layout).key(at: point) {
            return actions(for: .key(key), in: self).flatMap { update(&self, $0) }
        }
        guard input == nil else { return pressInList(point, layout) }
        if let area = layout.suites, let row = area.line(of: point) {
            let shown = shownSuites
            let place = suitesTop + row
            guard shown.indices.contains(place) else { return [] }
            let isSelected = focus == .suites && selectedSuite == shown[place]
            focus = .suites
            selectedSuite = shown[place]
            return isSelected ? update(&self, .confirm) : []
        }
        guard let line = layout.rows?.line(of: point), let tree = suite?.tree else { return [] }
        let row = tree.top + line
        guard tree.rows.indices.contains(row) else { return [] }
        let isSelected = focus == .keys && tree.selected == row
        focus = .keys
        suites[selectedSuite].tree.select(row)
        return isSelected || isOnSign(point, ofRow: row) ? update(&self, .confirm) : []
    }

    /// In what is shown in place of the panes: likewise, but that nothing is put back or written by a second click.
    private mutating func pressInList(_ point: Point, _ layout: Layout) -> [EditorEffect] {
        let body = Area(
            column: 0,
            row: layout.body.lowerBound,
            columns: size.columns,
            rows: layout.body.count
        )
        let isSelected: Bool
        switch input {
        case .history(let screen)?:
            guard let line = ChangesLayout(layout).list.line(of: point) else { return [] }
            let place = historyTop(of: screen, layout) + line
            if journal(of: screen).entry(at: place) != nil {
                input = .history(self.screen(screen, on: place))
            }
            return []
        case .pending(var screen)?:
            let place = screen.top + (ChangesLayout(layout).list.line(of: point) ?? pendingRows.count)
            guard pendingRows.indices.contains(place) else { return [] }
            isSelected = screen.selected == place
            screen.selected = place
            input = .pending(screen)
        case .menu?:
            guard case (var menu, let place)? = shownMenu(layout), let line = place.items.line(of: point)
            else { return [] }
            isSelected = menu.selected == place.top + line && !menu.isWithoutMatch
            menu.forgetTyped()
            menu.selected = place.top + line
            input = .menu(menu)
        case .finding(var finder)?:
            guard let line = body.line(of: point), finder.hits.indices.contains(finder.top + line) else {
                return []
            }
            isSelected = finder.selected == finder.top + line
            finder.selected = finder.top + line
            input = .finding(finder)
        case .palette(var palette)?:
            guard let line = body.line(of: point), commands(of: palette).indices.contains(palette.top + line)
            else { return [] }
            isSelected = palette.selected == palette.top + line
            palette.selected = palette.top + line
            input = .palette(palette)
        default: return []
        }
        return isSelected ? update(&self, .confirm) : []
    }

    /// Whether a point lies on the sign of a row for open or closed, or on the blank behind it.
    private func isOnSign(_ point: Point, ofRow row: Int) -> Bool {
        guard let area = Layout(self, size).rows, let suite, suite.tree.rows[row].shown.mayBeOpened else {
            return false
        }
        let depth = suite.tree.rows[row].depth
        let sign = area.column + KeyColumns.name + suite.keyColumns(area.columns).indent(depth)
        return sign...sign + 1 ~= point.column
    }
}

extension FootKeys {
    /// The key that is named at a point.
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
    /// How far down a point lies in it; nil outside.
    fileprivate func line(of point: Point) -> Int? {
        let isInside =
            column..<column + max(0, columns) ~= point.column && row..<row + max(0, rows) ~= point.row
        return isInside ? point.row - row : nil
    }
}
