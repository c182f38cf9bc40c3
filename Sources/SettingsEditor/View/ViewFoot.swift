import PropertyList
import SettingsStore
import TerminalCanvas

extension Painter {
    mutating func paintFoot() {
        guard let row = layout.foot.first else { return }
        if state.modal?.component.paintPrompt(&self, row: row) == true {
            // The prompt takes the line.
        } else if !layout.notice.isEmpty {
            let style: Style = state.notice?.isProblem == true ? .problem : .heading
            let area = Area(column: 0, row: row, columns: columns, rows: layout.foot.count)
            write(layout.notice, in: area, style: style)
        } else {
            paintBindings()
        }
        if let count = state.keyInput.count {
            let text = " \(count)"
            write(text, column: columns - text.count, row: row, columns: text.count, style: .heading)
        }
    }

    mutating func paint(_ prompt: SearchPrompt, _ row: Int) {
        let sign = prompt.isFilter ? "&" : "/"
        let isUnderWay = prompt.isFilter ? state.isFiltering : state.isSearching
        let isMissing = !isUnderWay && prompt.isWithoutMatch(in: state)
        let hit = columns >= 24 && !prompt.isFilter && prompt.formerHistory == nil ? state.matchText : nil
        let note = isUnderWay ? String(glyphs.ellipsis) : isMissing ? "not found" : hit ?? ""
        let noteWidth = columns >= 24 ? note.count : min(1, note.count)
        write(sign, column: 0, row: row, columns: columns, style: .heading)
        if noteWidth > 0 {
            let text = noteWidth < note.count ? symbols.problem : note
            write(
                text,
                column: columns - noteWidth,
                row: row,
                columns: noteWidth,
                style: isMissing ? .problem : .faint
            )
        }
        paintField(
            prompt.line,
            column: 1,
            row: row,
            columns: columns - 1 - (noteWidth > 0 ? noteWidth + 1 : 0)
        )
    }

    private mutating func paintBindings() {
        for place in KeyHints(state, layout).places {
            let (area, key) = (place.area, place.binding.keys[0].name(glyphs))
            let used =
                write(key, column: area.column, row: area.row, columns: area.columns, style: .key) + 1
            write(
                place.binding.name,
                column: area.column + used,
                row: area.row,
                columns: area.columns - used,
                style: .faint
            )
        }
    }
}
