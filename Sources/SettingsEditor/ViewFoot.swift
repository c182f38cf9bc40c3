import PropertyList
import SettingsStore
import TerminalCanvas

extension Painter {
    /// The line about what is selected.
    mutating func paintStatus() {
        guard let row = layout.status else { return }
        let line = statusLine
        write(line.text, column: 0, row: row, columns: columns, style: line.isProblem ? .problem : .faint)
    }

    private var statusLine: (text: String, isProblem: Bool) {
        switch state.input {
        case .help?: return ("", false)
        case .pending?: return ("What is not written yet", false)
        case .history(let screen)?:
            guard let key = screen.revisions?.entries.first?.key else {
                return ("What has changed since the editor was opened", false)
            }
            return (spelled("What “\(key)” has been, as far as is known", glyphs), false)
        case .draft(let draft)?:
            switch state.standing(of: draft) {
            case .same: return (describe(draft), false)
            case .changed(let node):
                return (spelled("The file holds \(describe(node, for: draft)) now.", glyphs), true)
            case .gone: return ("It is gone from the file.", true)
            }
        case .conflict(let conflict)?:
            return (describe(conflict.path, ValueKind(of: conflict.new.node).name, ""), false)
        case .naming(let naming)?:
            switch naming.subject {
            case .suite: return ("A new suite", false)
            case .key(_, let parent):
                return (parent.steps.isEmpty ? "A new key" : "A new key in \(parent)", false)
            case .value(_, let parent, let value):
                let place = parent.steps.isEmpty ? "" : " in \(parent)"
                return ("A name for \(naming.isHidden ? "a secret" : brief(value.node))\(place)", false)
            case .rename(_, let path): return ("Another name for \(path)", false)
            }
        case .menu(let menu)?:
            let item = menu.items[menu.selected]
            return (describe(menu.path, item.text, item.detail), false)
        case .finding(let finder)?:
            guard let hit = finder.selectedHit else { return ("", false) }
            return (describe(hit.path, "", value(of: hit)), false)
        case .palette(let palette)?:
            return (state.selectedCommand(of: palette)?.help ?? "", false)
        case .search?, .question?, .choosingLevel?, .choosingOnly?, nil: break
        }
        if state.focus == .suites { return suiteLine }
        guard let row = state.selectedRow, let suite = state.suite else { return suiteLine }
        if let problem = suite.decodingProblem(of: row) {
            let value = describe(row.path, suite.typeName(of: row), text(of: row, limit: columns / 3))
            return ("\(value)  \(signs.problem) \(spelled(problem, glyphs))", true)
        }
        return (describe(row), false)
    }

    /// What was found, as far as it may be shown.
    func value(of hit: Finder.Hit) -> String {
        state.hides(hit.path.key, of: hit.suite) ? String(repeating: signs.hidden, count: 6) : hit.value
    }

    /// Where a row is and what it holds; of a declared setting also what it is for.
    private func describe(_ row: Row) -> String {
        let suite = state.suite
        guard let declaration = suite?.declaration(of: row.path.key) else {
            return describe(row.path, row.node.typeName, text(of: row, limit: columns))
        }
        let place = describe(row.path, suite?.typeName(of: row) ?? "", text(of: row, limit: columns / 3))
        guard row.depth == 0, let suite else { return place }
        let shown = declaration.defaultValue.map { suite.hides(row.path.key) ? "a secret" : brief($0) }
        let origin =
            switch suite.origin(of: row.path.key) {
            case .byDefault: " (default)"
            case .modified: shown.map { " (default \($0))" } ?? ""
            case .undeclared, .sameAsDefault: ""
            }
        let about = declaration.about
        return place + origin + (about.isEmpty ? "" : "  \(glyphs == .unicode ? "—" : "-") \(about)")
    }

    /// What can be typed, and what was there before.
    private func describe(_ draft: Draft) -> String {
        let text = describe(
            draft.path,
            draft.kind.name,
            draft.isHidden ? "" : draft.base.map { state.spelling.display($0, limit: columns) } ?? ""
        )
        let limits =
            draft.path.steps.count == 1 ? state.suite?.declaration(of: draft.path.key)?.limitsText : nil
        guard draft.problem == nil, let hint = limits ?? draft.hint else { return text }
        let both = "\(text)  (\(hint))"
        return displayWidth(of: both, glyphs: glyphs) <= columns ? both : text
    }

    private func describe(_ node: ValueNode, for draft: Draft) -> String {
        if draft.isHidden { return "another secret" }
        let kind = ValueKind(of: node)
        return kind == draft.kind ? brief(node) : "\(kind.nameInSentence), \(brief(node)),"
    }

    /// Path, type and value. A long path must not push the others off the line.
    private func describe(_ path: ValuePath, _ type: String, _ value: String) -> String {
        let rest = "\(type)  \(value)"
        let room = columns - displayWidth(of: rest.prefix(columns), glyphs: glyphs) - 2
        let place = tail(of: path.description, columns: max(room, columns >= 40 ? columns / 2 : 0))
        return displayWidth(of: place, glyphs: glyphs) < 6 && place != path.description
            ? rest : "\(place)  \(rest)"
    }

    private var suiteLine: (text: String, isProblem: Bool) {
        guard let suite = state.suite else { return ("", false) }
        if let problem = suite.problem { return (problem, true) }
        var parts = [suite.title]
        if suite.contents == .loaded {
            let count = suite.tree.entries.count
            parts.append(count == 1 ? "1 key" : "\(count) keys")
        }
        if let reason = suite.status?.readOnlyReason { parts.append("read-only: \(reason)") }
        if case .polling(let reason)? = suite.status?.watching { parts.append("polling: \(reason)") }
        return (parts.joined(separator: "  "), false)
    }

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
        let note = prompt.isWithoutMatch(in: state) ? "not found" : ""
        let noteWidth = columns >= 24 ? note.count : min(1, note.count)
        write(sign, column: 0, row: row, columns: columns, style: .heading)
        if noteWidth > 0 {
            let text = noteWidth == 1 ? signs.problem : note
            write(text, column: columns - noteWidth, row: row, columns: noteWidth, style: .problem)
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
            guard width(of: binding) <= room else { break }
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
