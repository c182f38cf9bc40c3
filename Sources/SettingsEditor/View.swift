import TerminalCanvas

/// The screen that shows a state, at any size from 1 × 1.
public func view(_ state: EditorState, size: Size) -> Grid {
    var painter = Painter(state, size)
    painter.paint()
    return painter.grid
}

/// Draws a state into a grid; its parts lie in the files named after them.
struct Painter {
    let state: EditorState
    /// The selected one, which each row asks, and none copies.
    let suite: SuiteModel?
    let layout: Layout
    let signs: Signs
    var grid: Grid
    /// What may be done to tell where the filter has found something inside rows.
    var effort = Effort.ofScreen
    /// What stands at the right end of the line about what is selected.
    var lineEnd = ""

    var glyphs: Glyphs { state.options.glyphs }
    var columns: Int { grid.size.columns }

    init(_ state: EditorState, _ size: Size) {
        self.state = state
        suite = state.suite
        grid = Grid(size: size, glyphs: state.options.glyphs)
        layout = Layout(state, grid.size)
        signs = Signs(glyphs: state.options.glyphs)
    }

    fileprivate mutating func paint() {
        paintTitle()
        if case .help(let screen)? = state.input {
            paintHelp(screen)
        } else if case .conflict(let conflict)? = state.input {
            paintConflict(conflict.whole == nil ? conflict.path.lastName : conflict.suite)
        } else if let pending = state.overtaken {
            paintConflict("\(pending.suite) › \(pending.key)")
        } else if case .pending(let screen)? = state.input {
            paintPending(screen)
        } else if case .finding(let finder)? = state.input {
            paintFinder(finder)
        } else if case .palette(let palette)? = state.input {
            paintPalette(palette)
        } else if let screen = state.historyScreen {
            paintHistory(screen)
        } else if state.suites.isEmpty {
            paintEmptyList()
        } else {
            paintSuites()
            paintSeparator()
            paintKeys()
        }
        paintWatchPane()
        paintStatus()
        paintFoot()
    }

    private mutating func paintSeparator() {
        guard layout.suites != nil, let keys = layout.keys else { return }
        grid.fill(
            at: Point(column: keys.column - 1, row: keys.row),
            size: Size(columns: 1, rows: keys.rows),
            with: glyphs.verticalLine,
            style: .faint
        )
    }

    /// Writes a text that is clipped with an ellipsis, and returns the columns that it took.
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

    /// Sentences below one another, as far as they fit.
    mutating func write(sentences: [String], in area: Area, style: Style = .plain) {
        let lines = sentences.flatMap {
            wrapped(spelled($0, glyphs), columns: area.columns, glyphs: glyphs)
        }
        write(lines, in: area, style: style)
    }

    /// The end of a text, behind an ellipsis where something had to be left out.
    func tail(of text: String, columns: Int) -> String {
        // More than fills the columns, of however long a text.
        let end = String(text.suffix(max(0, columns) + 1))
        let start = end.suffixFitting(columns, glyphs: glyphs)
        if start == end.startIndex, end.utf8.count == text.utf8.count { return text }
        return columns < 1
            ? "" : String(glyphs.ellipsis) + end[end.suffixFitting(columns - 1, glyphs: glyphs)...]
    }

    /// A name whose beginning and end are there: long ones differ at either. What would look like another name,
    /// or like none, is told.
    func shortened(_ name: String, columns: Int) -> String {
        let name = name.tellingSpaces
        if name.utf8.count <= columns { return name }
        let text = escapedForDisplay(name, glyphs: glyphs)
        guard columns >= 5, displayWidth(of: text, glyphs: glyphs) > columns else { return text }
        let end = text[text.suffixFitting((columns - 1) / 2, glyphs: glyphs)...]
        return clipped(text, columns: columns - displayWidth(of: end, glyphs: glyphs), glyphs: glyphs) + end
    }

    /// Draws the part of a line that is being typed that has the cursor in it.
    mutating func paintField(_ line: LineEditor, column: Int, row: Int, columns: Int) {
        guard columns > 0 else { return }
        let behind = width(of: line.after, limit: columns)
        // The cursor's own cell, and a glance at what is behind it.
        let room = max(0, columns - 1 - min(behind, columns / 4))
        let start = line.before.suffixFitting(room, glyphs: glyphs)
        grid.fill(
            at: Point(column: column, row: row),
            size: Size(columns: columns, rows: 1),
            style: .field
        )
        var used = 0
        if start > line.before.startIndex {
            let ellipsis = String(glyphs.ellipsis)
            let shown = line.before.suffixFitting(room - 1, glyphs: glyphs)
            used += grid.write(ellipsis, at: Point(column: column, row: row), style: .faint, columns: room)
            let rest = line.before[shown...]
            used += grid.write(rest, at: Point(column: column + used, row: row), style: .field)
        } else {
            used += grid.write(line.before, at: Point(column: column, row: row), style: .field)
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
    /// Where the longest end begins that takes no more than so many columns.
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

    /// A beginning that fills the columns, whatever the rest is.
    fileprivate func prefixForDisplay(_ columns: Int) -> String {
        String(unicodeScalars.prefix(max(0, columns) * 8 + 8))
    }
}

extension String {
    /// The same, in quotation marks where it begins or ends with a space, or is empty.
    var tellingSpaces: String { isEmpty || hasPrefix(" ") || hasSuffix(" ") ? "\"\(self)\"" : self }
}
