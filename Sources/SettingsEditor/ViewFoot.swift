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
            paintBindings(row)
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

    /// The most useful keys, as many as fit, and at the end the way out and the one that shows all of them.
    private mutating func paintBindings(_ row: Int) {
        var bindings = state.usefulBindings
        var last: [KeyBinding] = []
        // On a line that has room for little else, the way out is in the help.
        for action in columns < 30 ? [EditorAction.help] : [.quit, .help] {
            if let index = bindings.firstIndex(where: { $0.action == action }) {
                last.append(bindings.remove(at: index))
            }
        }
        // Behind the last one there is nothing.
        var room = columns + 2 - last.reduce(0) { $0 + width(of: $1) }
        var shown: [KeyBinding] = []
        for binding in bindings {
            // Where the first ones have no room, any that has is better than none.
            guard width(of: binding) <= room else { if shown.isEmpty { continue } else { break } }
            room -= width(of: binding)
            shown.append(binding)
        }
        var column = 0
        for binding in shown + last {
            let key = binding.keys[0].name(glyphs)
            column += write(key, column: column, row: row, columns: columns - column, style: .heading) + 1
            column +=
                write(binding.name, column: column, row: row, columns: columns - column, style: .faint) + 2
        }
    }

    private func width(of binding: KeyBinding) -> Int {
        let key = displayWidth(of: binding.keys[0].name(glyphs), glyphs: glyphs)
        return key + 1 + binding.name.count + 2
    }
}
