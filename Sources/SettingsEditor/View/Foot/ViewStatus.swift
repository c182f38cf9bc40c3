import PropertyList
import SettingsStore
import TerminalCanvas

extension Painter {
    mutating func paintStatus(_ row: Int) {
        let line = statusLine
        write(line.text, column: 0, row: row, columns: lineColumns, style: line.isProblem ? .problem : .faint)
        paintLineEnd(row)
    }

    /// The text at the right end of the message line: the selected match, the position and the connection.
    var textAtLineEnd: String {
        [hit, position, connection].filter { !$0.isEmpty }.joined(separator: "  ")
    }

    /// How the service that keeps the suites is reached, if there is room to say it.
    private var connection: String {
        guard let connection = state.place.connection, columns >= 40 else { return "" }
        let word =
            switch connection.state {
            case .opening: "connecting"
            case .open: "connected"
            case .lost: "unreachable"
            }
        let whole = "\(connection.server) \(glyphs == .unicode ? "·" : "-") \(word)"
        return displayWidth(of: whole, glyphs: glyphs) <= columns / 2 ? whole : word
    }

    /// The position of the selection, unless it is a match with a number of its own. Something new that is being typed
    /// has no position yet.
    private var position: String {
        guard columns >= Layout.bothPanes, state.modals.screen == nil, hit.isEmpty, !state.isTypingNew else {
            return ""
        }
        let rows = state.suiteList.hasHeads ? [] : state.suiteList.rows
        let (noun, place, count) =
            switch state.display.focus {
            case .keys: ("row", suite?.outline.selected ?? 0, suite?.outline.rows.count ?? 0)
            case .suites: ("suite", state.suiteList.selectedRow(of: rows), rows.count)
            }
        return count > 0 ? "\(noun) \(place + 1) of \(count)" : ""
    }

    /// Which match of the search is selected.
    private var hit: String {
        guard columns >= 40, state.showsPanes, state.modal == nil, let text = state.matchText else {
            return ""
        }
        return columns >= Layout.bothPanes && text.contains(" of ") ? "match \(text)" : text
    }

    private var lineColumns: Int {
        lineEnd.isEmpty ? columns : max(0, columns - displayWidth(of: lineEnd, glyphs: glyphs) - 2)
    }

    private var statusLine: (text: String, isProblem: Bool) {
        if let stray = state.statusLine.stray {
            return (spelled(state.nothingIsMeant(by: stray), glyphs), true)
        }
        switch state.modal {
        case .path? where layout.box != nil, .naming? where layout.box != nil: break
        case .path(let prompt)?: return state.note(of: prompt)
        case .help(let screen)?:
            let help = HelpLayout(screen, state, layout)
            let binding = help.selected.flatMap { help.lines[$0].binding }
            return (spelled(binding?.help ?? "", glyphs), false)
        case .pending?: return ("Nothing in this list is saved yet.", false)
        case .history?: return ("", false)
        case .comparing(let screen)?: return comparedLine(screen)
        case .draft(let draft)?:
            guard state.decision(on: draft, writing: draft.base).isQuestion else {
                return (describe(draft), false)
            }
            guard let node = state.current(at: draft.path, of: draft.suite) else {
                return ("Another program deleted it.", true)
            }
            return (spelled("Another program stored \(describe(node, for: draft)).", glyphs), true)
        case .conflict(let conflict)?:
            if conflict.whole != nil { return (state.title(ofSuite: conflict.suite), false) }
            return (describe(conflict.path, ValueKind(of: conflict.new.node).name, ""), false)
        case .naming(let naming)?: return (spelled(state.title(of: naming), glyphs), false)
        case .menu(let menu)?:
            let item = menu.items[menu.selected]
            return (describe(menu.path, item.text, item.detail), false)
        case .finding(let finder)?:
            guard let hit = finder.selectedHit, !hit.path.steps.isEmpty else { return ("", false) }
            return (describe(hit.path, "", value(of: hit)), false)
        case .palette(let palette)?:
            return (state.selectedCommand(of: palette)?.help ?? "", false)
        case .search?, .question?, .choosing?, .details?, nil: break
        }
        if state.display.focus == .suites { return suiteLine }
        guard let row = state.selectedRow, let suite = state.suite else { return suiteLine }
        // The details say the rest.
        if layout.details != nil || state.modals.screen != nil {
            return (end(of: row.path.description.tellingSpaces, columns: lineColumns), false)
        }
        if let problem = suite.decodingProblem(of: row) {
            let shown = text(of: row, in: suite, limit: lineColumns / 3)
            let value = describe(row.path, suite.typeName(of: row), shown)
            return ("\(value)  \(symbols.problem) \(spelled(problem, glyphs))", true)
        }
        return (describe(row, in: suite), false)
    }

    /// The value of a hit. Secrets stay hidden.
    func value(of hit: Finder.Hit) -> String {
        if let reason = state.unreadable(hit.suite), !state.isKnown(hit.path.key, of: hit.suite) {
            return "\(symbols.problem) unreadable: \(spelled(reason, glyphs))"
        }
        return !hit.path.steps.isEmpty && state.hides(hit.path.key, of: hit.suite)
            ? String(repeating: symbols.hidden, count: 6) : hit.value
    }

    /// The path and value of a row. For a declared setting also its description.
    private func describe(_ row: Row, in suite: SuiteModel) -> String {
        func value(_ columns: Int) -> String { text(of: row, in: suite, limit: columns) }
        var warning: String?
        if case .twin? = row.path.steps.last {
            warning = "one of several keys of this name; programs use the last"
        } else if row.depth == 0, suite.keysInSeveralForms.contains(row.path.key) {
            warning = "the file also has this name in another Unicode form; delete removes both"
        }
        if let warning {
            return "\(describe(row.path, row.node.typeName, value(lineColumns / 3)))  (\(warning))"
        }
        guard let declaration = suite.declaration(of: row.path.key) else {
            let text = describe(row.path, row.shown.typeName, value(lineColumns))
            guard let doubt = suite.secrets.doubt, suite.hides(row.path.key) else { return text }
            return text + "  (hidden, because the declarations are unreadable: \(doubt))"
        }
        let place = describe(row.path, suite.typeName(of: row), value(lineColumns / 3))
        var about = suite.declaration(at: row.path)?.about ?? ""
        if !about.isEmpty { about = "  \(glyphs == .unicode ? "—" : "-") \(about)" }
        guard row.depth == 0 else { return place + about }
        let shown = declaration.defaultValue.map { state.summary($0, of: row.path.key, in: suite.id) }
        let origin =
            switch suite.origin(of: row.path.key) {
            case .byDefault: suite.isWithoutValue(row.path.key) ? "" : " (default)"
            case .modified: shown.map { " (default \($0))" } ?? ""
            case .undeclared, .sameAsDefault, .inherited, .overridden, .locked: ""
            }
        return place + origin + about
    }

    /// The accepted text, and the old value.
    private func describe(_ draft: Draft) -> String {
        let text = describe(
            draft.path,
            draft.kind.name,
            draft.isHidden ? "" : draft.base.map { state.format.display($0, limit: lineColumns) } ?? ""
        )
        let limits = state.suite?.declaration(at: draft.path)?.limitsText
        guard draft.problem == nil, let hint = limits ?? draft.hint else { return text }
        let both = "\(text)  (\(hint))"
        return displayWidth(of: both, glyphs: glyphs) <= lineColumns ? both : text
    }

    private func describe(_ node: ValueNode, for draft: Draft) -> String {
        if draft.isHidden { return "another secret" }
        let kind = ValueKind(of: node)
        let value = summary(node, state.format)
        return kind == draft.kind ? value : "\(kind.nameInSentence), \(value)"
    }

    /// Path, type and value. The path is whole, except on a short line, where the value is more useful.
    private func describe(_ path: ValuePath, _ type: String, _ value: String) -> String {
        let rest = "\(type)  \(value)"
        let room = lineColumns - displayWidth(of: rest.prefix(lineColumns), glyphs: glyphs) - 2
        let least = lineColumns < 40 ? lineColumns / 2 : lineColumns - type.count - 2
        let needed = lineColumns < 40 && room >= 6 ? room : max(room, least)
        let place = end(of: path.description.tellingSpaces, columns: needed)
        return "\(place)  \(rest)"
    }

    /// The end of a path. On a short line it starts at a whole step.
    private func end(of path: String, columns: Int) -> String {
        let end = tail(of: path, columns: columns)
        guard end != path, lineColumns < 40, let step = end.firstIndex(of: "/") else { return end }
        return String(glyphs.ellipsis) + end[step...]
    }

    private var suiteLine: (text: String, isProblem: Bool) {
        guard let suite = state.suite else { return (state.isHeadSelected ? state.place.title : "", false) }
        // The pane of keys may show the problem already.
        if layout.problem == nil, let problem = suite.problem { return (problem, true) }
        var parts = [suite.title]
        if let count = suite.keyCountInWords { parts.append(count) }
        if let reason = suite.status?.readOnlyReason { parts.append("read-only: \(reason)") }
        if case .polling(let reason)? = suite.status?.watching { parts.append("polling: \(reason)") }
        return (parts.joined(separator: "  "), false)
    }
}
