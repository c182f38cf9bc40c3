import SettingsStore
import TerminalCanvas

extension Painter {
    mutating func paintSuites() {
        guard let area = layout.suites else { return }
        let shown = state.suiteList.rows
        let selected = state.suiteList.selectedRow(of: shown)
        let naming = suiteNaming
        // A new suite has a row of its own below the selected one. A new name is typed over the old one.
        let isRename = if case .copy(true)? = naming?.subject { true } else { false }
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
                let indent = state.suiteList.hasHeads ? 4 : 2
                let columns = area.columns - indent
                paintField(naming.line, column: area.column + indent, row: row, columns: columns)
                paintProblem(naming.problem, area, row)
            } else {
                let number = typed.map { place > $0 && !isRename ? place - 1 : place } ?? place
                paint(shown[number], isSelected: number == selected && naming == nil, area, row)
            }
        }
        if state.display.focus == .suites { highlightMatches(area, from: 2) }
        paintScrollbar(area, column: area.column + area.columns - 1, top: top, count: count)
    }

    private var suiteNaming: NamePrompt? {
        guard layout.box == nil, case .naming(let naming)? = state.modal, naming.isOfSuite else {
            return nil
        }
        return naming
    }

    /// Draws a suite, or the head of a place with its expansion symbol. The suites of a place are set in below its head.
    private mutating func paint(_ paneRow: PaneRow, isSelected: Bool, _ area: Area, _ row: Int) {
        let (title, indent, signs): (String, Int, [(String, Style)])
        switch paneRow {
        case .suite(let index):
            let suite = state.suiteList.suites[index]
            let isInFolder = state.suiteList.places.contains { $0.id == suite.place && !$0.isFile }
            indent = !state.suiteList.hasHeads ? 2 : isInFolder ? 4 : 3
            (title, signs) = (suite.label, self.signs(of: suite))
        case .head(let index):
            let place = state.suiteList.places[index]
            (title, indent, signs) = (place.title, 3, self.signs(of: place))
            let sign = place.isFolded ? symbols.closed : symbols.open
            let columns = place.isFile ? 0 : min(1, area.columns - 1)
            write(sign, column: area.column + 1, row: row, columns: columns)
        }
        if isSelected {
            let sign = state.display.focus == .suites ? symbols.selected : symbols.selectedElsewhere
            write(sign, column: area.column, row: row, columns: min(1, area.columns))
        }
        // The last column is for the scroll bar.
        let last = area.columns - 1
        var end = last
        for (sign, style) in signs.reversed() {
            let width = displayWidth(of: sign, glyphs: glyphs)
            guard end - width >= 6 else { break }
            end -= width
            write(sign, column: area.column + end, row: row, columns: width, style: style)
        }
        let room = end - indent - (end < last ? 1 : 0)
        write(shortened(title, columns: room), column: area.column + indent, row: row, columns: room)
        if isSelected { restyleSelection(area, row, hasFocus: state.display.focus == .suites) }
    }

    private func signs(of place: Place) -> [(String, Style)] {
        var signs: [(String, Style)] = []
        if case .failed = place.listing { signs.append((symbols.problem, .problem)) }
        if place.readOnlyReason != nil { signs.append((symbols.readOnly, .faint)) }
        return signs
    }

    /// Draws what is known of the selected place, where the keys of a suite would be.
    mutating func paintPlace() {
        guard state.isHeadSelected, let area = layout.rows else { return }
        let count = state.suiteList.range(of: state.suiteList.selectedPlace).count
        var text = [state.place.title]
        switch state.place.listing {
        case .waiting: text.append("Reading…")
        case .failed(let reason): text.append(sentence(reason))
        case .listed: text.append(count == 1 ? "1 suite." : "\(count) suites.")
        }
        if let refusal = state.refusalOfMaking {
            text.append(sentence("\(refusal)"))
        } else if !state.place.isFile {
            text.append("Press a to create a suite.")
        }
        text.append("Press x to close this place. Its files stay.")
        let inside = Area(column: area.column + 1, row: area.row, columns: area.columns - 2, rows: area.rows)
        write(sentences: text, in: inside)
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
        guard case .listed = state.place.listing else { return }
        let keys = 16
        // On a low screen the first things are the most useful ones.
        let first = area.row + lines.count + (area.rows > lines.count + firstSteps.count ? 1 : 0)
        for (row, step) in zip(first..<max(first, area.row + area.rows), firstSteps) {
            write(step.key, column: area.column, row: row, columns: min(keys - 1, area.columns), style: .key)
            write(step.text, column: area.column + keys, row: row, columns: area.columns - keys)
        }
    }

    private var emptyList: [String] {
        let place = state.place.title
        return switch state.place.listing {
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
            (key(.add), "Create a suite."), (key(.open(nil)), "Open a file or a folder."),
            ("pdefaults demo", "See the demonstration, from the shell."),
            (key(.help), "Read the help."), (key(.quit), "Quit."),
        ]
        return Array(steps.dropFirst(state.canCreateSuite ? 0 : 1))
    }
}
