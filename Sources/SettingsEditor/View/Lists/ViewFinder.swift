import PropertyList
import TerminalCanvas

extension Painter {
    mutating func paintFinder(_ finder: Finder) {
        let area = Area(column: 0, row: layout.body.lowerBound, columns: columns, rows: layout.body.count)
        if finder.hits.isEmpty, finder.suitesLeft.isEmpty {
            let text =
                switch finder.kind {
                case .compare: "Nothing to compare with has these letters in its name."
                case .jump where finder.line.text.isEmpty: "No suite has keys."
                case .jump: "No key has a name with these letters. Values are not searched."
                case .search where finder.line.text.isEmpty:
                    "Type to search the names and values of all suites."
                case .search: "Nothing found."
                }
            let inner = Area(column: 1, row: area.row, columns: area.columns - 1, rows: area.rows)
            write(sentences: [text], in: inner, style: .faint)
        }
        for (line, number) in (finder.top..<max(finder.top, finder.hits.count)).prefix(area.rows).enumerated()
        {
            let row = area.row + line
            paint(finder.hits[number], row)
            if number == finder.selected {
                write(symbols.selected, column: 0, row: row, columns: 1)
                restyleSelection(Area(column: 0, row: row, columns: columns, rows: 1), row, hasFocus: true)
            }
        }
        if !finder.hits.isEmpty { highlightMatches(area) }
    }

    /// Draws a hit: its suite, its path and its value, in columns.
    private mutating func paint(_ hit: Finder.Hit, _ row: Int) {
        var column = 2
        let room = max(0, columns - column)
        if hit.path.steps.isEmpty {
            let title = state.title(ofSuite: hit.suite)
            write(title, column: column, row: row, columns: max(0, room * 4 / 10 - 2))
        } else if state.hasSuitesPane, columns >= 40 {
            let title = state.title(ofSuite: hit.suite)
            write(title, column: column, row: row, columns: max(0, room * 3 / 10 - 2), style: .faint)
            column += room * 3 / 10
        }
        let width = max(0, room * 4 / 10 - 2)
        write(tail(of: name(of: hit.path), columns: width), column: column, row: row, columns: width)
        column += width + 2
        write(value(of: hit), column: column, row: row, columns: max(0, columns - column))
    }

    private func name(of path: ValuePath) -> String {
        path.steps.count == 1 ? path.key : path.steps.map(\.text).joined(separator: " \(symbols.inside) ")
    }

    /// Draws the prompt: its title, the text, and the number of hits.
    mutating func paint(_ finder: Finder, prompt row: Int) {
        let sign = columns >= 40 ? finder.kind.prompt : finder.kind == .search ? "/" : ">"
        write(sign, column: 0, row: row, columns: columns, style: .heading)
        var note = finder.suitesLeft.isEmpty ? "" : "\(glyphs.ellipsis) "
        if finder.count > 0 {
            let isCapped = finder.kind == .search && finder.hits.count >= Finder.limit
            note +=
                "\(min(finder.selected + 1, finder.hits.count)) of \(finder.count)" + (isCapped ? "+" : "")
        } else if finder.suitesLeft.isEmpty, !finder.line.text.isEmpty {
            note = "not found"
        }
        let noteWidth = columns >= 24 ? displayWidth(of: note, glyphs: glyphs) : 0
        write(note, column: columns - noteWidth, row: row, columns: noteWidth, style: .faint)
        let start = displayWidth(of: sign, glyphs: glyphs)
        paintField(
            finder.line,
            column: start,
            row: row,
            columns: columns - start - (noteWidth > 0 ? noteWidth + 1 : 0)
        )
    }
}
