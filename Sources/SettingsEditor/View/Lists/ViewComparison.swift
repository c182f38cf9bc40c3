import TerminalCanvas

extension Painter {
    /// Draws the compared values side by side, or below each other on a narrow screen.
    mutating func paintComparison() {
        guard let (subject, places) = state.comparing(layout) else { return }
        // The lines were made for the terminal's size, which is not necessarily the grid's.
        let comparison =
            state.display.comparison.flatMap {
                $0.subject == subject && $0.height == places.height ? $0 : nil
            }
            ?? Comparison(subject, height: places.height, state.format, glyphs)
        for (number, part) in subject.parts.enumerated() {
            paint(part, number, comparison, places)
            paint(comparison.texts[number], from: comparison.top, in: places.texts[number])
        }
    }

    private mutating func paint(
        _ part: ComparisonSubject.Part,
        _ number: Int,
        _ comparison: Comparison,
        _ places: ComparisonLayout
    ) {
        let area = places.titles[number]
        guard area.rows > 0 else { return }
        if places.isInline {
            write(part.shortTitle, column: area.column, row: area.row, columns: area.columns, style: .heading)
            return
        }
        fill(area.firstRow, with: glyphs.horizontalLine, style: .faint)
        if places.isWide, number > 0 {
            let line = Area(column: area.column - 1, row: area.row, columns: 1, rows: places.height + 1)
            fill(line, with: glyphs.verticalLine, style: .faint)
        }
        let title = " \(part.title) "
        let used = write(
            title,
            column: area.column + 1,
            row: area.row,
            columns: area.columns - 2,
            style: .heading
        )
        // The scroll position.
        guard comparison.scrolls, number == comparison.texts.count - 1 else { return }
        let end = min(comparison.rowCount, comparison.top + comparison.height)
        let texts = [
            " \(comparison.top + 1)-\(end) of \(comparison.rowCount) ",
            " \(comparison.top + 1)/\(comparison.rowCount) ",
        ]
        guard let text = texts.first(where: { used + $0.count + 3 <= area.columns }) else { return }
        let column = area.column + area.columns - text.count - 1
        write(text, column: column, row: area.row, columns: text.count, style: .faint)
    }

    private mutating func paint(_ rows: [Comparison.Row], from top: Int, in area: Area) {
        for (line, row) in rows.dropFirst(top).prefix(area.rows).enumerated() {
            let place = area.row + line
            let style: Style = row.differs ? .changed : .plain
            if row.differs {
                write(symbols.differs, column: area.column - 1, row: place, columns: 1, style: style)
            }
            write(
                row.text,
                column: area.column + row.indent,
                row: place,
                columns: area.columns - row.indent,
                style: style
            )
        }
        // An ellipsis says that more rows follow.
        if area.rows > 0, rows.count > top + area.rows {
            let column = area.column + area.columns
            let ellipsis = String(glyphs.ellipsis)
            write(ellipsis, column: column, row: area.row + area.rows - 1, columns: 1, style: .faint)
        }
    }
}

extension Painter {
    /// Draws a conflict: the user's value, the value in the file, and the value before both changes.
    mutating func paintConflict(_ name: String) {
        if layout.body.count >= EditorState.rowsOfConflictWithHeading {
            let place = "\(name): yours, and \(state.kind.present)"
            write(place, column: 1, row: layout.body.lowerBound, columns: columns - 2, style: .heading)
        }
        paintComparison()
    }
}
