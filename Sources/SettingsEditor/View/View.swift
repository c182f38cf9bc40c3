import TerminalCanvas

/// Draws a state as a grid of cells, at any size from 1 × 1. A pure function, so that tests compare screens.
public func view(_ state: EditorState, size: Size) -> Grid {
    var painter = Painter(state, size)
    painter.paint()
    return painter.grid
}

/// Draws a state into a grid. Each part of the screen is drawn by an extension in a file of its own.
struct Painter {
    let state: EditorState
    /// The selected suite. Each row needs it, so it is looked up once.
    let suite: SuiteModel?
    let layout: Layout
    let symbols: Symbols
    var grid: Grid
    /// How much work may be done to find the match inside collapsed rows.
    var budget = WorkBudget.ofScreen
    /// The text at the right end of the message line.
    var lineEnd = ""

    var glyphs: Glyphs { state.options.glyphs }
    var columns: Int { grid.size.columns }

    init(_ state: EditorState, _ size: Size) {
        self.state = state
        suite = state.suite
        grid = Grid(size: size, glyphs: state.options.glyphs)
        layout = Layout(state, grid.size)
        symbols = Symbols(glyphs: state.options.glyphs)
    }

    fileprivate mutating func paint() {
        lineEnd = textAtLineEnd
        paintTitle()
        paintHeads()
        if let screen = state.modals.screen {
            screen.component.paint(&self)
        } else if state.suiteList.isEmpty {
            paintEmptyList()
        } else {
            paintSuites()
            paintSeparators()
            paintKeys()
            paintPlace()
            paintDetails()
        }
        paintWatchPane()
        paintBox()
        paintFoot()
    }

    private mutating func paintSeparators() {
        guard let keys = layout.keys else { return }
        let top = layout.heads ?? keys.row
        let rows = layout.body.upperBound - top
        let columns = [
            layout.suites.map { $0.column + $0.columns },
            layout.details.flatMap { $0.row == keys.row ? $0.column - 1 : nil },
        ]
        for column in columns.compactMap(\.self) {
            let line = Area(column: column, row: top, columns: 1, rows: rows)
            fill(line, with: glyphs.verticalLine, style: .faint)
        }
    }

    /// Draws a bar that shows which part of a list is on the screen, if not all of it is.
    mutating func paintScrollbar(_ area: Area, column: Int, top: Int, count: Int) {
        guard area.rows > 1, count > area.rows, column >= area.column else { return }
        let length = max(1, area.rows * area.rows / count)
        let start = min(area.rows - length, top * area.rows / count)
        let last = top + area.rows >= count
        let first = last ? area.rows - length : top > 0 ? max(1, start) : start
        for (sign, start, rows) in [
            (symbols.scrollbar, 0, area.rows), (symbols.scrollbarThumb, first, length),
        ] {
            let bar = Area(column: column, row: area.row + start, columns: 1, rows: rows)
            fill(bar, with: sign, style: .faint)
        }
    }

    mutating func fill(_ area: Area, with character: Character = " ", style: Style = .plain) {
        let size = Size(columns: area.columns, rows: area.rows)
        grid.fill(at: Point(column: area.column, row: area.row), size: size, with: character, style: style)
    }

    /// Writes a text, clipped with an ellipsis if necessary. Returns the number of columns used.
    @discardableResult
    mutating func write(
        _ text: String,
        column: Int,
        row: Int,
        columns: Int,
        style: Style = .plain
    ) -> Int {
        let text = clipped(text, columns: columns, glyphs: glyphs)
        return grid.write(text, at: Point(column: column, row: row), style: style, columns: columns)
    }

    mutating func write(_ lines: [String], in area: Area, style: Style = .plain) {
        for (number, line) in lines.prefix(max(0, area.rows)).enumerated() {
            write(line, column: area.column, row: area.row + number, columns: area.columns, style: style)
        }
    }

    /// Writes sentences below each other, as far as they fit.
    mutating func write(sentences: [String], in area: Area, style: Style = .plain) {
        let lines = sentences.flatMap {
            wrapped(spelled(state.keymap.naming($0), glyphs), columns: area.columns, glyphs: glyphs)
        }
        write(lines, in: area, style: style)
    }

    /// The end of a text, after an ellipsis if the text is cut.
    func tail(of text: String, columns: Int) -> String {
        // A suffix that is a little too long, however long the text is.
        let end = String(text.suffix(max(0, columns) + 1))
        let start = end.suffixFitting(columns, glyphs: glyphs)
        if start == end.startIndex, end.utf8.count == text.utf8.count { return text }
        return columns < 1
            ? "" : String(glyphs.ellipsis) + end[end.suffixFitting(columns - 1, glyphs: glyphs)...]
    }

    /// Shortens a name in the middle, because long names often differ only at one end. A name that could be
    /// mistaken for another one is put in quotation marks.
    func shortened(_ name: String, columns: Int) -> String {
        let name = name.tellingSpaces
        if name.utf8.count <= columns { return name }
        let text = escapedForDisplay(name, glyphs: glyphs)
        guard columns >= 5, displayWidth(of: text, glyphs: glyphs) > columns else { return text }
        let end = text[text.suffixFitting((columns - 1) / 2, glyphs: glyphs)...]
        return clipped(text, columns: columns - displayWidth(of: end, glyphs: glyphs), glyphs: glyphs) + end
    }

    /// Draws the part of a line of text that contains the cursor.
    mutating func paintField(_ line: LineEditor, column: Int, row: Int, columns: Int) {
        guard columns > 0 else { return }
        let behind = width(of: line.after, limit: columns)
        // The cursor needs a cell, and some text after it stays visible.
        let room = max(0, columns - 1 - min(behind, columns / 4))
        let start = line.before.suffixFitting(room, glyphs: glyphs)
        fill(Area(column: column, row: row, columns: columns, rows: 1), style: .field)
        let style: Style = line.isSelected ? .selected : .field
        var used = 0
        if start > line.before.startIndex {
            let ellipsis = String(glyphs.ellipsis)
            let shown = line.before.suffixFitting(room - 1, glyphs: glyphs)
            used += grid.write(ellipsis, at: Point(column: column, row: row), style: .faint, columns: room)
            let rest = line.before[shown...]
            used += grid.write(rest, at: Point(column: column + used, row: row), style: style)
        } else {
            used += grid.write(line.before, at: Point(column: column, row: row), style: style)
        }
        grid.cursor = Point(column: column + used, row: row)
        write(
            line.after.prefixForDisplay(columns),
            column: column + used,
            row: row,
            columns: columns - used,
            style: .field
        )
    }

    private func width(of text: String, limit: Int) -> Int {
        min(limit, displayWidth(of: text.prefixForDisplay(limit), glyphs: glyphs))
    }
}

extension String {
    /// The start of the longest suffix that fits.
    fileprivate func suffixFitting(_ columns: Int, glyphs: Glyphs) -> Index {
        var start = endIndex
        var width = 0
        while start > startIndex {
            let previous = index(before: start)
            width += displayWidth(of: String(self[previous]), glyphs: glyphs)
            if width > columns { break }
            start = previous
        }
        return start
    }

    /// A prefix that fills the columns, however long the text is.
    fileprivate func prefixForDisplay(_ columns: Int) -> String {
        String(unicodeScalars.prefix(max(0, columns) * 8 + 8))
    }
}

extension String {
    /// The text in quotation marks if it is empty, or begins or ends with a space.
    var tellingSpaces: String { isEmpty || hasPrefix(" ") || hasSuffix(" ") ? "\"\(self)\"" : self }
}
