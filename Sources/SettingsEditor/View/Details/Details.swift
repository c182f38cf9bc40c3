import PropertyList
import TerminalCanvas

/// Everything about the selected row or suite, as a list of sections.
struct Details {
    let lines: [DetailLine]

    /// The sections about a row, the most important ones first, because a low pane shows only the first lines.
    static let sections: [any DetailSection] = [
        PathSection(), HelpSection(), CommentSection(), ChoicesSection(), ChangesSection(), SignsSection(),
        AppliedSection(),
        LayersSection(), ValueSection(),
    ]

    static let suiteSections: [any DetailSection] = [
        SuiteProblemSection(), BadLineSection(), SuiteSection(),
    ]

    /// The largest number of lines. Longer values are for the user's own editor.
    static let limit = 2000

    /// - Parameters:
    ///   - limit: how many lines are needed.
    ///   - hasTitles: whether the sections have titles, which take two lines each.
    init(_ state: EditorState, columns: Int, limit: Int, hasTitles: Bool, isBesideKeys: Bool = false) {
        guard let suite = state.suite else {
            lines = []
            return
        }
        let row = state.describedRow
        let context = DetailContext(
            state: state,
            suite: suite,
            row: row,
            columns: columns,
            limit: limit,
            isBesideKeys: isBesideKeys
        )
        var lines: [DetailLine] = []
        for section in row == nil ? Self.suiteSections : Self.sections {
            if lines.count >= limit { break }
            let own = section.lines(context)
            if own.isEmpty { continue }
            if hasTitles {
                if !lines.isEmpty { lines.append(.blank) }
                lines.append(DetailLine(section.title, .columnHead))
            }
            lines += own
        }
        self.lines = lines
    }
}

extension EditorState {
    /// The parts of the head of the details: name, type and state of the row, or the name of the suite.
    func detailHeads(_ glyphs: Glyphs) -> [String] {
        guard let suite else { return [] }
        guard let row = describedRow else {
            return [suite.title.tellingSpaces, "suite"]
        }
        let inside = Symbols(glyphs: glyphs).inside
        let name = row.path.steps.map { $0.text.tellingSpaces }.joined(separator: " \(inside) ")
        var heads = [name, suite.typeName(of: row)]
        let key = row.path.key
        if suite.secrets.contains(key) { heads.append("secret") }
        if suite.isStaged(row) || suite.stagedDeletion(ofKey: key) != nil {
            heads.append("staged")
        } else if row.depth == 0, suite.outline.deleted.contains(key) {
            heads.append("deleted")
        } else if row.depth == 0 {
            switch suite.origin(of: key) {
            case .byDefault: heads.append(suite.isWithoutValue(key) ? "not set" : "default")
            case .inherited(let layer), .overridden(let layer): heads.append(layer.name)
            case .locked: heads.append("locked")
            case .modified, .sameAsDefault, .undeclared: break
            }
        }
        if refusalOfReadOnly(suite) != nil { heads.append("read-only") }
        return heads
    }
}

extension Painter {
    /// Draws the pane with the details, right of the keys or below them.
    mutating func paintDetails() {
        guard let area = layout.details else { return }
        let isBelow = area.row != layout.keys?.row
        let heads = state.detailHeads(glyphs)
        var text = area
        if isBelow {
            paintRule(heads, area)
            text.row += 1
            text.rows -= 1
        } else if let row = layout.heads {
            paint(heads: heads, Area(column: area.column, row: row, columns: area.columns, rows: 1))
        }
        text.column += 1
        text.columns -= 2
        let details = Details(
            state,
            columns: text.columns,
            limit: text.rows + 1,
            hasTitles: text.rows >= 16,
            isBesideKeys: true
        )
        paint(details.lines, from: 0, in: text)
        guard details.lines.count > text.rows,
            let key = state.keymap.bindings.first(where: { $0.command == .details })?.keys.first
        else { return }
        let more = " \(glyphs.ellipsis) \(key.name(glyphs)) shows all "
        let column = text.column + text.columns - displayWidth(of: more, glyphs: glyphs)
        write(more, column: column, row: text.row + text.rows - 1, columns: columns - column, style: .faint)
    }

    /// Draws the parts of a head as far as they fit.
    private mutating func paint(heads: [String], _ area: Area) {
        let style: Style = .columnHead
        let rest = heads.dropFirst().reduce(0) { $0 + $1.count + 3 }
        let room = max(area.columns - 2 - rest, area.columns / 2)
        var used = write(
            tail(of: heads.first ?? "", columns: room),
            column: area.column + 1,
            row: area.row,
            columns: room,
            style: style
        )
        for head in heads.dropFirst() where used + 3 + head.count <= area.columns - 2 {
            used += 3
            used += write(
                head,
                column: area.column + 1 + used,
                row: area.row,
                columns: area.columns - 2 - used,
                style: .faint
            )
        }
    }

    private mutating func paintRule(_ heads: [String], _ area: Area) {
        fill(area.firstRow, with: glyphs.horizontalLine, style: .faint)
        if layout.suites != nil {
            write(symbols.branch, column: area.column - 1, row: area.row, columns: 1, style: .faint)
        }
        let room = area.columns - 2
        let rest = heads.dropFirst().reduce(0) { $0 + $1.count + 4 }
        var column = area.column + 1
        for (number, head) in heads.enumerated() {
            let text =
                number == 0
                ? tail(of: head, columns: max(room - 2 - rest, room / 2)) : head
            let width = displayWidth(of: text, glyphs: glyphs) + 2
            guard column + width <= area.column + area.columns else { break }
            let style: Style = number == 0 ? .columnHead : .faint
            column += write(" \(text) ", column: column, row: area.row, columns: width, style: style) + 2
        }
    }

    mutating func paint(_ lines: [DetailLine], from top: Int, in area: Area) {
        for (number, line) in lines.dropFirst(top).prefix(max(0, area.rows)).enumerated() {
            var used = min(line.indent, area.columns / 2)
            for piece in line.pieces where used < area.columns {
                used += write(
                    piece.text,
                    column: area.column + used,
                    row: area.row + number,
                    columns: area.columns - used,
                    style: piece.style
                )
            }
        }
    }
}
