import PropertyList
import TerminalCanvas

/// Where the parts of a row stand, counted from the pane's left edge.
struct KeyColumns {
    /// Behind the signs for the selection and for changes.
    static let name = 2
    let nameWidth: Int
    /// Nil where there is no room for it.
    let type: Int?
    let value: Int

    var behindName: Int { type ?? value }

    init(_ columns: Int) {
        let room = max(0, columns - Self.name)
        let typeWidth = columns >= 40 ? 8 : 0
        nameWidth = min(36, max(0, room - typeWidth) * 9 / 20)
        let next = Self.name + nameWidth + 1
        type = typeWidth > 0 ? next : nil
        value = next + typeWidth
    }
}

extension Painter {
    /// What is being typed or chosen for a place in the suite.
    private struct Typed {
        let depth: Int
        /// Nil while it is the name that is being typed.
        var name: String?
        var line: LineEditor?
        var problem: String?
    }

    mutating func paintKeys() {
        guard var area = layout.keys, let suite = state.suite else { return }
        write(
            layout.heading,
            in: Area(column: area.column + 1, row: area.row, columns: area.columns - 1, rows: area.rows),
            style: .problem
        )
        area.row += layout.heading.count
        area.rows -= layout.heading.count
        let rows = suite.tree.rows
        let typed = typed
        // What has no row yet, or none any more, gets one below the selected row.
        let existing = typed == nil ? nil : typedPath.flatMap(suite.tree.index)
        let extra =
            typed == nil || existing != nil
            ? nil : rows.isEmpty ? 0 : goneRow(rows) ?? suite.tree.selected + 1
        let place = existing ?? extra ?? suite.tree.selected
        let count = rows.count + (extra == nil ? 0 : 1)
        if count == 0 { paintNoKeys(suite, area) }
        let menu: Menu? = if case .menu(let menu)? = state.input { menu } else { nil }
        let top = visibleTop(
            suite.tree.top,
            selected: place,
            count: count,
            height: area.rows - min(menu?.height ?? 0, max(0, area.rows - 1))
        )
        for (line, number) in (top..<max(top, min(count, top + area.rows))).enumerated() {
            let screenRow = area.row + line
            if let typed, number == place {
                paint(typed, area, screenRow)
            } else {
                let index = extra.map { number > $0 ? number - 1 : number } ?? number
                // While something is typed, its row is the one that is selected.
                paint(rows[index], isSelected: typed == nil && number == place, area, screenRow)
            }
        }
        if let menu { paint(menu, below: area.row + place - top, area) }
    }

    private var typed: Typed? {
        switch state.input {
        case .draft(let draft)?:
            Typed(
                depth: draft.path.steps.count - 1,
                name: draft.path.lastName,
                line: draft.isHidden ? draft.line.hidden(signs.hidden) : draft.line,
                problem: draft.problem
            )
        case .naming(let naming)?:
            switch naming.subject {
            case .suite: nil
            case .key(_, let parent), .value(_, let parent, _):
                Typed(depth: parent.steps.count, line: naming.line, problem: naming.problem)
            case .rename(_, let path):
                Typed(depth: path.steps.count - 1, line: naming.line, problem: naming.problem)
            }
        case .menu(let menu)? where menu.subject == .adding:
            Typed(depth: menu.path.steps.count - 1, name: menu.path.lastName)
        default: nil
        }
    }

    /// Where the key stood that is typed for, if it is gone.
    private func goneRow(_ rows: Rows) -> Int? {
        guard case .draft(let draft)? = state.input, draft.purpose != .inserting, draft.path.steps.count == 1
        else { return nil }
        let position = rows.findShown(draft.path.key).position
        return position < rows.keyCount ? rows.start(of: position) : rows.count
    }

    /// The place of what is typed, where it replaces something.
    private var typedPath: ValuePath? {
        switch state.input {
        case .draft(let draft)?: return draft.purpose == .inserting ? nil : draft.path
        case .naming(let naming)?:
            if case .rename(_, let path) = naming.subject { return path }
            return nil
        default: return nil
        }
    }

    private mutating func paintNoKeys(_ suite: SuiteModel, _ area: Area) {
        let area = Area(column: area.column + 1, row: area.row, columns: area.columns - 1, rows: area.rows)
        let text =
            if suite.contents != .loaded {
                "Reading…"
            } else if !suite.tree.isFiltered {
                "Filtering…"
            } else if suite.tree.filter != nil {
                "Nothing matches the filter. Esc shows all."
            } else if state.refusal(forWritingTo: suite) != nil {
                "No keys."
            } else {
                "No keys yet; a adds one."
            }
        write(sentences: [text], in: area, style: .faint)
    }
}

// Rows.
extension Painter {
    private mutating func paint(_ row: Row, isSelected: Bool, _ area: Area, _ screenRow: Int) {
        let parts = KeyColumns(area.columns)
        if isSelected {
            let isMarked = state.suite?.marked.contains(row.path) == true
            let sign = state.focus == .keys ? signs.selected : signs.selectedElsewhere
            write(
                isMarked ? signs.markedSelected : sign,
                column: area.column,
                row: screenRow,
                columns: min(1, area.columns)
            )
        }
        let suite = state.suite
        if !isSelected, suite?.marked.contains(row.path) == true {
            write(signs.marked, column: area.column, row: screenRow, columns: min(1, area.columns))
        }
        let isChanged = suite?.marks.contains(row) == true
        if isChanged {
            write(
                signs.changed,
                column: area.column + 1,
                row: screenRow,
                columns: area.columns - 1,
                style: .changed
            )
        } else if row.depth == 0, suite?.staged[row.path.key] != nil {
            write(signs.staged, column: area.column + 1, row: screenRow, columns: area.columns - 1)
        } else if row.depth == 0, suite?.isInFlight(row.path.key) == true {
            write(signs.pending, column: area.column + 1, row: screenRow, columns: area.columns - 1)
        } else if row.depth == 0, let suite, suite.isSeenUndecodable(row) {
            write(
                signs.problem,
                column: area.column + 1,
                row: screenRow,
                columns: area.columns - 1,
                style: .problem
            )
        } else if row.depth == 0, let suite {
            write(
                origin(suite.origin(of: row.path.key)),
                column: area.column + 1,
                row: screenRow,
                columns: area.columns - 1,
                style: .faint
            )
        }
        let fold = row.shown.mayBeOpened ? (row.isOpen ? signs.open : signs.closed) : " "
        paint(name: row.name, fold: fold, depth: row.depth, area, screenRow)
        let isUnset = suite?.isStored(row.path.key) == false
        if let type = parts.type {
            let name = suite?.typeName(of: row) ?? ""
            write(name, column: area.column + type, row: screenRow, columns: 7, style: .type)
        }
        let room = area.columns - parts.value
        let used = write(
            text(of: row, limit: max(1, room) + 1),
            column: area.column + parts.value,
            row: screenRow,
            columns: room,
            style: isChanged
                ? .changed : row.shown.isContainer || row.shown.isUnread || isUnset ? .faint : .plain
        )
        if isChanged, room - used >= 10, suite?.hides(row.path.key) != true,
            let before = suite?.marks.before(row, state.spelling)
        {
            write(
                spelled(before, glyphs),
                column: area.column + parts.value + used + 2,
                row: screenRow,
                columns: room - used - 2,
                style: .faint
            )
        }
        if !isChanged, let found = textOfFound(in: row) {
            let column = parts.value + used + 2
            write(
                spelled(found, glyphs),
                column: area.column + column,
                row: screenRow,
                columns: max(0, area.columns - column)
            )
        }
        if isSelected { restyleSelection(area, screenRow, hasFocus: state.focus == .keys) }
    }

    /// Where inside a closed row the filter has found something, and what; nil where that is not what the
    /// row is shown for.
    private func textOfFound(in row: Row) -> String? {
        guard let suite = state.suite, !suite.hides(row.path.key), let way = suite.tree.wayToFound(from: row),
            row.shown.isContainer
        else { return nil }
        return "\(signs.inside) \(way) \(brief(row.shown.node(at: way), state.spelling))"
    }

    /// The value of a row, as far as it may be shown.
    func text(of row: Row, limit: Int) -> String {
        guard let suite = state.suite else { return "" }
        let key = row.path.key
        if row.depth == 0, suite.isWithoutValue(key) {
            return "not set"
        }
        if suite.hides(key) { return String(repeating: signs.hidden, count: 6) }
        if row.shown.isUnread, !row.shown.isContainer { return spelled("reading…", glyphs) }
        return state.spelling.display(row.shown, limit: limit)
    }

    private func origin(_ origin: ValueOrigin) -> String {
        switch origin {
        case .undeclared, .sameAsDefault: ""
        case .byDefault: signs.byDefault
        case .modified: signs.modified
        }
    }

    /// The name with its sign for open and closed, set in as deep as there is room for.
    @discardableResult
    private mutating func paint(
        name: String,
        fold: String,
        depth: Int,
        _ area: Area,
        _ screenRow: Int,
        style: Style = .plain
    ) -> Int {
        let width = KeyColumns(area.columns).nameWidth
        let limit = max(0, width / 2 - 1)
        let indent = min(2 * depth, limit)
        let column = area.column + KeyColumns.name + indent
        // Where there is no room to set it in further than what it lies in, its depth is told.
        if indent == limit, depth > 0, 2 * (depth - 1) >= limit {
            let number = String(depth + 1)
            write(number, column: column - indent, row: screenRow, columns: indent - 1, style: .faint)
        }
        write(fold, column: column, row: screenRow, columns: max(0, min(1, area.columns - KeyColumns.name)))
        let used = write(name, column: column + 2, row: screenRow, columns: width - indent - 2, style: style)
        return column + 2 + used
    }

    /// A row in which something is being typed.
    private mutating func paint(_ typed: Typed, _ area: Area, _ screenRow: Int) {
        write(signs.selected, column: area.column, row: screenRow, columns: min(1, area.columns))
        paintProblem(typed.problem, area, screenRow)
        let end = area.column + area.columns
        guard let name = typed.name else {
            let start = paint(name: "", fold: " ", depth: typed.depth, area, screenRow)
            return paintField(typed.line, typed.problem, column: start, row: screenRow, end: end)
        }
        paint(name: name, fold: " ", depth: typed.depth, area, screenRow, style: .heading)
        let parts = KeyColumns(area.columns)
        let start = area.column + parts.behindName
        paintField(typed.line, typed.problem, column: start, row: screenRow, end: end)
    }

    /// The line, and behind it why it was refused, if there is room for both.
    private mutating func paintField(
        _ line: LineEditor?,
        _ problem: String?,
        column: Int,
        row: Int,
        end: Int
    ) {
        guard let line else { return }
        var columns = max(0, end - column)
        if let problem {
            let needed = displayWidth(of: line.text.prefix(columns), glyphs: glyphs) + 1
            let text = spelled(problem, glyphs)
            let width = displayWidth(of: text, glyphs: glyphs)
            if needed + width + 2 <= columns {
                columns = columns - width - 2
                write(text, column: column + columns + 2, row: row, columns: width, style: .problem)
            }
        }
        paintField(line, column: column, row: row, columns: columns)
    }
}
