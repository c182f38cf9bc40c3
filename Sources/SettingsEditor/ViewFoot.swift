import PropertyList
import SettingsStore
import TerminalCanvas

extension Painter {
    mutating func paintFoot() {
        guard let row = layout.foot.first else { return }
        if case .search(let prompt)? = state.input {
            paint(prompt, row)
        } else if case .finding(let finder)? = state.input {
            paint(finder, prompt: row)
        } else if case .palette(let palette)? = state.input {
            paint(palette, prompt: row)
        } else if !layout.notice.isEmpty {
            let style: Style = state.notice?.isProblem == true ? .problem : .heading
            let area = Area(column: 0, row: row, columns: columns, rows: layout.foot.count)
            write(layout.notice, in: area, style: style)
        } else {
            paintBindings()
        }
        if let count = state.count {
            let text = " \(count)"
            write(text, column: columns - text.count, row: row, columns: text.count, style: .heading)
        }
    }

    private mutating func paint(_ prompt: SearchPrompt, _ row: Int) {
        let sign = prompt.isFilter ? "&" : "/"
        let isUnderWay = prompt.isFilter ? state.isFiltering : state.isSearching
        let isMissing = !isUnderWay && prompt.isWithoutMatch(in: state)
        let hit = columns >= 24 && !prompt.isFilter && prompt.history == nil ? state.hitText : nil
        let note = isUnderWay ? String(glyphs.ellipsis) : isMissing ? "not found" : hit ?? ""
        let noteWidth = columns >= 24 ? note.count : min(1, note.count)
        write(sign, column: 0, row: row, columns: columns, style: .heading)
        if noteWidth > 0 {
            let text = noteWidth < note.count ? signs.problem : note
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
        for place in FootKeys(state, layout).places {
            let (area, key) = (place.area, place.binding.keys[0].name(glyphs))
            let used =
                write(key, column: area.column, row: area.row, columns: area.columns, style: .heading) + 1
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
