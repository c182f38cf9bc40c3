import PropertyList
import SettingsStore
import TerminalCanvas

extension Painter {
    mutating func paintFoot() {
        if let row = layout.message.first {
            if layout.notice.isEmpty { paintStatus(row) } else { paintNotice() }
        }
        if let row = layout.prompt { state.modal?.component.paintPrompt(&self, row: row) }
        paintBindings()
        if let count = state.keyInput.count, let row = layout.keyLine ?? layout.message.last {
            let text = " \(count)"
            write(text, column: columns - text.count, row: row, columns: text.count, style: .heading)
        }
    }

    private mutating func paintNotice() {
        let style: Style = state.notice?.isProblem == true ? .problem : .heading
        let area = Area(
            column: 0,
            row: layout.message.lowerBound,
            columns: columns,
            rows: layout.message.count
        )
        write(layout.notice, in: area, style: style)
        // Where the selection is, if there is room for it beside the message.
        let used = displayWidth(of: layout.notice.last ?? "", glyphs: glyphs)
        let width = displayWidth(of: lineEnd, glyphs: glyphs)
        guard width > 0, used + width + 2 <= columns, let row = layout.message.last else { return }
        paintLineEnd(row)
    }

    mutating func paintLineEnd(_ row: Int) {
        let width = displayWidth(of: lineEnd, glyphs: glyphs)
        let style: Style = state.place.connection?.isLost == true ? .problem : .faint
        write(lineEnd, column: max(0, columns - width), row: row, columns: width, style: style)
    }

    mutating func paint(_ prompt: SearchPrompt, _ row: Int) {
        let sign = prompt.isFilter ? "&" : "/"
        let isUnderWay = prompt.isFilter ? state.isFiltering : state.isSearching
        let isMissing = !isUnderWay && prompt.isWithoutMatch(in: state.suiteList)
        let hit = columns >= 24 && !prompt.isFilter ? state.matchText : nil
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
        let hints = KeyHints(state, layout)
        if layout.noticeHasAnswers {
            // The answers are part of the message. Their keys look like those of the key line.
            for place in hints.places {
                let name = place.binding.keyName(glyphs)
                grid.restyle(
                    from: Point(column: place.area.column, row: place.area.row),
                    columns: displayWidth(of: name, glyphs: glyphs),
                    style: .key
                )
            }
            return
        }
        for place in hints.places where place.area.row == layout.keyLine { paint(place) }
        guard let row = layout.keyLine else { return }
        for column in hints.separators {
            write(String(glyphs.verticalLine), column: column, row: row, columns: 1, style: .faint)
        }
    }

    mutating func paint(_ place: KeyHints.Place) {
        let (area, key) = (place.area, place.binding.keyName(glyphs))
        let used = write(key, column: area.column, row: area.row, columns: area.columns, style: .key) + 1
        write(
            place.name,
            column: area.column + used,
            row: area.row,
            columns: area.columns - used,
            style: .faint
        )
    }
}
