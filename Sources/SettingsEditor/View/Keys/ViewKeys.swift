import PropertyList
import TerminalCanvas

extension Painter {
    /// The text that is being typed into a row of the suite, or the menu that is open for it.
    private struct Typed {
        let depth: Int
        /// Nil while the name itself is typed.
        var name: String?
        var line: LineEditor?
        var problem: String?
    }

    mutating func paintKeys() {
        guard let area = layout.rows, let suite = state.suite else { return }
        if let (lines, area) = layout.problem {
            write(
                lines,
                in: Area(column: area.column + 1, row: area.row, columns: area.columns - 1, rows: area.rows),
                style: .problem
            )
        }
        let rows = suite.outline.rows
        let (typed, shown) = (typed, ShownRows(state, suite, area, isBoxed: layout.box != nil))
        if shown.count == 0 { paintNoKeys(suite, area) }
        let (top, place) = (shown.top, shown.place)
        let end = max(top, min(shown.count, top + area.rows))
        for (line, number) in (top..<end).enumerated() {
            let screenRow = area.row + line
            if let typed, number == place {
                paint(typed, of: suite, area, screenRow)
            } else {
                let index = shown.extra.map { number > $0 ? number - 1 : number } ?? number
                // While text is typed, the row with the text is the selected one.
                let isSelected = typed == nil && number == place
                paint(rows[index], of: suite, isSelected: isSelected, area, screenRow)
            }
        }
        if state.display.focus == .keys { highlightMatches(area, from: KeyColumns.name) }
        if area.columns >= 40 {
            paintScrollbar(area, column: area.column + area.columns - 1, top: top, count: shown.count)
        }
        if let (menu, place) = state.shownMenu(layout) { paint(menu, place) }
    }

    private var typed: Typed? {
        if layout.box?.field != nil { return nil }
        return switch state.modal {
        case .draft(let draft)?:
            Typed(
                depth: draft.path.steps.count - 1,
                name: draft.path.lastName,
                line: draft.isHidden ? draft.line.hidden(symbols.hidden) : draft.line,
                problem: draft.problem
            )
        case .naming(let naming)? where !naming.isOfSuite:
            Typed(
                depth: naming.path.steps.count - (naming.place == nil ? 0 : 1),
                line: naming.line,
                problem: naming.problem
            )
        case .menu(let menu)? where menu.subject == .adding:
            Typed(depth: menu.path.steps.count - 1, name: menu.path.lastName)
        default: nil
        }
    }

    private mutating func paintNoKeys(_ suite: SuiteModel, _ area: Area) {
        // The problem is in its place. How many keys the file has is not known.
        if suite.isUnreadable { return }
        let area = Area(column: area.column + 1, row: area.row, columns: area.columns - 1, rows: area.rows)
        let text =
            if suite.contents != .loaded {
                "Reading…"
            } else if !suite.outline.isFiltered {
                "Filtering…"
            } else if suite.outline.filter != nil {
                "Nothing matches the filter. Press Esc to show all."
            } else if state.refusal(forWritingTo: suite) != nil {
                "No keys."
            } else {
                "No keys yet. Press a to add one."
            }
        write(sentences: [text], in: area, style: .faint)
    }
}

// The row with the text.
extension Painter {
    private mutating func paint(_ typed: Typed, of suite: SuiteModel, _ area: Area, _ screenRow: Int) {
        write(symbols.selected, column: area.column, row: screenRow, columns: min(1, area.columns))
        paintProblem(typed.problem, area, screenRow)
        let (parts, name) = (suite.keyColumns(area.columns), typed.name)
        let end = paint(name: name, fold: " ", depth: typed.depth, parts, area, screenRow, style: .heading)
        guard let line = typed.line else { return }
        let start = name == nil ? end : area.column + parts.value
        paintField(line, column: start, row: screenRow, columns: max(0, area.column + area.columns - start))
    }
}
