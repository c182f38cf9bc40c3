import SettingsStore
import TerminalCanvas

extension Painter {
    mutating func paintSuites() {
        guard let area = layout.suites else { return }
        let shown = state.shownSuites
        let selected = shown.firstIndex(of: state.suiteList.selected) ?? 0
        let naming = suiteNaming
        // A new suite has a row of its own below the selected one. A new name is typed over the old one.
        let isRename = if case .copy(_, true)? = naming?.subject { true } else { false }
        let typed = naming == nil ? nil : shown.isEmpty ? 0 : isRename ? selected : selected + 1
        let count = shown.count + (typed == nil || isRename ? 0 : 1)
        if count == 0 {
            write(sentences: ["No suite matches the filter. Press Esc to show all."], in: area, style: .faint)
        }
        let top = visibleTop(
            state.suiteList.top,
            selected: typed ?? selected,
            count: count,
            height: area.rows
        )
        for (line, place) in (top..<min(count, top + area.rows)).enumerated() {
            let row = area.row + line
            if let naming, place == typed {
                write(symbols.selected, column: area.column, row: row, columns: min(1, area.columns))
                paintField(naming.line, column: area.column + 2, row: row, columns: area.columns - 2)
                paintProblem(naming.problem, area, row)
            } else {
                let index = shown[typed.map { place > $0 && !isRename ? place - 1 : place } ?? place]
                paint(suite: index, area, row)
            }
        }
        if state.display.focus == .suites { highlightMatches(area, from: 2) }
        paintScrollbar(area, column: area.column + area.columns - 1, top: top, count: count)
    }

    private var suiteNaming: NamePrompt? {
        guard layout.box == nil, case .naming(let naming)? = state.modal, naming.subject.isOfSuite else {
            return nil
        }
        return naming
    }

    private mutating func paint(suite index: Int, _ area: Area, _ row: Int) {
        let suite = state.suiteList.suites[index]
        let isSelected = index == state.suiteList.selected && suiteNaming == nil
        if isSelected {
            let sign = state.display.focus == .suites ? symbols.selected : symbols.selectedElsewhere
            write(sign, column: area.column, row: row, columns: min(1, area.columns))
        }
        // The last column is for the scroll bar.
        let last = area.columns - 1
        var end = last
        for (sign, style) in signs(of: suite).reversed() {
            let width = displayWidth(of: sign, glyphs: glyphs)
            guard end - width >= 6 else { break }
            end -= width
            write(sign, column: area.column + end, row: row, columns: width, style: style)
        }
        let room = end - 2 - (end < last ? 1 : 0)
        write(shortened(suite.title, columns: room), column: area.column + 2, row: row, columns: room)
        if isSelected { restyleSelection(area, row, hasFocus: state.display.focus == .suites) }
    }

    private func signs(of suite: SuiteModel) -> [(String, Style)] {
        var signs: [(String, Style)] = []
        if suite.problem != nil || suite.staged.keys.contains(where: suite.isOvertaken) {
            signs.append((symbols.problem, .problem))
        }
        if !suite.highlights.isEmpty { signs.append((symbols.changed, .changed)) }
        if suite.status?.pendingKeys ?? 0 > 0 || !suite.inFlight.isEmpty {
            signs.append((symbols.pending, .plain))
        }
        if suite.status?.readOnlyReason != nil { signs.append((symbols.readOnly, .faint)) }
        let staged = suite.staged.count + (suite.stagedWhole == nil || !suite.staged.isEmpty ? 0 : 1)
        if staged > 0 { signs.append(("\(symbols.staged)\(staged)", .staged)) }
        return signs
    }

    mutating func restyleSelection(_ area: Area, _ row: Int, hasFocus: Bool) {
        grid.restyle(
            from: Point(column: area.column, row: row),
            columns: area.columns,
            style: hasFocus ? .selected : .selectedElsewhere
        )
    }

    mutating func paintProblem(_ problem: String?, _ area: Area, _ row: Int) {
        guard problem != nil else { return }
        write(symbols.problem, column: area.column + 1, row: row, columns: area.columns - 1, style: .problem)
    }

    /// Draws the text that replaces the panes while there are no suites.
    mutating func paintEmptyList() {
        var area = Area(column: 1, row: layout.body.lowerBound, columns: columns - 2, rows: layout.body.count)
        if let naming = suiteNaming {
            paintField(naming.line, column: 2, row: area.row, columns: columns - 2)
            paintProblem(naming.problem, Area(column: 0, row: 0, columns: columns, rows: 1), area.row)
            area.row += 1
            area.rows -= 1
        }
        let lines = emptyList.flatMap { wrapped(spelled($0, glyphs), columns: area.columns, glyphs: glyphs) }
        write(lines, in: area)
        guard case .listed = state.suiteList.listing else { return }
        let keys = 16
        // On a low screen the first things are the most useful ones.
        let first = area.row + lines.count + (area.rows > lines.count + firstSteps.count ? 1 : 0)
        for (row, step) in zip(first..<max(first, area.row + area.rows), firstSteps) {
            write(step.key, column: area.column, row: row, columns: min(keys - 1, area.columns), style: .key)
            write(step.text, column: area.column + keys, row: row, columns: area.columns - keys)
        }
    }

    private var emptyList: [String] {
        let place = state.options.place
        return switch state.suiteList.listing {
        case .waiting: ["Reading \(place)…"]
        case .failed(let reason):
            ["The settings in \(place) cannot be read.", sentence(reason), "Press q to quit."]
        case .listed:
            ["No settings yet in \(place).", "Programs create theirs when they first save something."]
        }
    }

    /// What can be done on a machine without settings.
    private var firstSteps: [(key: String, text: String)] {
        func key(_ command: Command) -> String {
            let binding = state.keymap.bindings.first {
                $0.command == command && $0.modes.contains(.suites)
            }
            return binding?.helpKeys(glyphs)[0] ?? ""
        }
        let steps: [(key: String, text: String)] = [
            (key(.add), "Create a suite."),
            ("pdefaults FILE", "Open a file, from the shell."),
            ("pdefaults demo", "See the demonstration, from the shell."),
            (key(.help), "Read the help."), (key(.quit), "Quit."),
        ]
        return Array(steps.dropFirst(state.canCreateSuite ? 0 : 1))
    }
}
