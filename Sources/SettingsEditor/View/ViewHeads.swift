import TerminalCanvas

// The line below the title. It says what each pane and column is, how much there is, and which pane gets the keys.
extension Painter {
    mutating func paintHeads() {
        guard let row = layout.heads else { return }
        if let screen = state.modals.screen {
            let (name, count) = head(of: screen)
            paintHead(name, count, Area(column: 0, row: row, columns: columns, rows: 1), isFocused: true)
            return
        }
        if let area = layout.suites {
            let shown = state.shownSuites.count
            let all = state.suiteList.suites.count
            let count = shown == all ? "\(all)" : "\(shown) of \(all)"
            paintHead(
                "SUITES",
                count,
                Area(column: area.column, row: row, columns: area.columns - 1, rows: 1),
                isFocused: state.display.focus == .suites
            )
        }
        if let area = layout.keys { paintHeads(ofKeys: area, row) }
    }

    private mutating func paintHead(_ name: String, _ count: String, _ area: Area, isFocused: Bool) {
        let style: Style = isFocused ? .heading : .columnHead
        let used = write(
            name,
            column: area.column + 1,
            row: area.row,
            columns: area.columns - 1,
            style: style
        )
        let width = displayWidth(of: count, glyphs: glyphs)
        guard used + width + 2 <= area.columns else { return }
        let column = area.column + area.columns - width
        write(count, column: column, row: area.row, columns: width, style: .faint)
    }

    private mutating func paintHeads(ofKeys area: Area, _ row: Int) {
        guard let suite else { return }
        let parts = suite.keyColumns(area.columns)
        let style: Style = state.display.focus == .keys ? .heading : .columnHead
        let name = KeyColumns.name + 2
        write("KEY", column: area.column + name, row: row, columns: parts.nameWidth - 2, style: style)
        write("VALUE", column: area.column + parts.value, row: row, columns: parts.valueWidth, style: style)
        let count = keyCount(suite)
        let width = count.count
        if let type = parts.type {
            write("TYPE", column: area.column + type, row: row, columns: 7, style: style)
            // After the types if there is room, or else before them.
            let fits = type + 5 + width < area.columns
            let column = fits ? area.columns - width - 1 : type - width - 2
            guard column > parts.value + 6 else { return }
            write(count, column: area.column + column, row: row, columns: width, style: .faint)
        }
    }

    private func keyCount(_ suite: SuiteModel) -> String {
        guard let words = suite.keyCountInWords else { return "" }
        guard suite.outline.filter != nil, suite.outline.isFiltered else { return words }
        return "\(suite.outline.rows.keyCount) of \(words)"
    }

    private var headOfDetails: (name: String, count: String) {
        let heads = state.detailHeads(glyphs)
        let name = heads.first.map { " OF \(spelled("“\($0)”", glyphs))" } ?? ""
        return ("DETAILS" + name, heads.dropFirst().joined(separator: "  "))
    }

    /// The name of a full-screen list, and how many lines it has.
    private func head(of screen: Modal) -> (name: String, count: String) {
        switch screen {
        case .help(let help): ("HELP", KeySection.title(of: help.mode) ?? "")
        case .palette(let palette): ("COMMANDS", "\(state.commands(of: palette).count)")
        case .finding(let finder): (finder.kind.head, "")
        case .pending: ("CHANGES TO SAVE", "\(state.pendingChanges.count)")
        case .history(let history):
            if let key = history.revisions?.entries.first?.ofKey?.key {
                ("REVISIONS OF \(spelled("“\(key)”", glyphs))", "\(state.journal(of: history).entries.count)")
            } else {
                ("CHANGES SINCE THE EDITOR WAS OPENED", "\(state.journal(of: history).entries.count)")
            }
        case .details: headOfDetails
        default: ("", "")
        }
    }
}
