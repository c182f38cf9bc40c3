import PropertyList
import TerminalCanvas

private struct CompareColumns {
    static let key = 3
    let left: Int
    let right: Int
    /// The width of each value.
    let width: Int

    init(_ columns: Int) {
        let room = max(0, columns - Self.key)
        width = max(0, room * 35 / 100 - 2)
        right = max(0, columns - width)
        left = max(0, right - width - 2)
    }
}

extension Painter {
    mutating func paintCompare(_ screen: CompareScreen) {
        let area = ChangesLayout(layout).list
        guard let compared = state.compared else { return }
        let parts = CompareColumns(columns)
        paintHeads(of: screen, compared, parts)
        if compared.rows.isEmpty { return paintEmpty(screen, compared, area) }
        let selected = compared.index(of: screen.selected)
        let left = state.values(of: screen.left, beside: screen.right)
        let right = state.values(of: screen.right, beside: screen.left)
        for (line, index) in (screen.top..<compared.rows.count).prefix(area.rows).enumerated() {
            let row = area.row + line
            let nodes = state.comparedNodes(compared.rows[index], left, right)
            paint(compared.rows[index], nodes, of: screen, row, parts)
            if screen.chosen.contains(compared.rows[index].id) {
                write(symbols.multiSelection, column: 2, row: row, columns: 1)
            }
            if index == selected {
                write(symbols.selected, column: 0, row: row, columns: 1)
                restyleSelection(area, row, hasFocus: true)
            }
        }
        paintComparison()
    }

    /// The names of both sides above their values, and the number of differences.
    private mutating func paintHeads(
        of screen: CompareScreen,
        _ compared: ComparedRows,
        _ parts: CompareColumns
    ) {
        guard let row = layout.heads else { return }
        let count = compared.differences
        let isKnown = !state.comparisonHasWork && screen.sides.allSatisfy(state.isRead)
        let text = "\(count)\(isKnown ? "" : "+") \(count == 1 ? "difference" : "differences")"
        let start = CompareColumns.key
        write(text, column: start, row: row, columns: parts.left - start - 2, style: .heading)
        for (title, column) in zip(state.titles(of: screen.sides), [parts.left, parts.right]) {
            let title = shortened(spelled(title, glyphs), columns: parts.width)
            write(title, column: column, row: row, columns: parts.width, style: .heading)
        }
    }

    private mutating func paintEmpty(_ screen: CompareScreen, _ compared: ComparedRows, _ area: Area) {
        let unread = screen.sides.first { !state.isRead($0) }
        let text =
            unread.map { "Reading “\(state.title(of: $0))”…" }
            ?? (compared.hasWork
                ? "Comparing…"
                : screen.showsSame || !screen.isOfSuites
                    ? "There is no difference." : "Both sides are equal. Press o to show equal keys.")
        let inner = Area(column: 1, row: area.row, columns: area.columns - 1, rows: area.rows)
        write(sentences: [text], in: inner, style: .faint)
    }

    private mutating func paint(
        _ row: ComparedRow,
        _ nodes: (left: ValueNode?, right: ValueNode?),
        of screen: CompareScreen,
        _ line: Int,
        _ parts: CompareColumns
    ) {
        let place = state.compared?.place(row.id)
        let isInside = place != nil && screen.isOfSuites
        let name = place.map { place in
            let steps = place.path.steps.map(\.text)
            return steps.isEmpty ? "value" : steps.joined(separator: " \(symbols.inside) ")
        }
        let sign =
            switch row.kind {
            case .same: " "
            case .different: symbols.modified
            case .onlyLeft: symbols.deleted
            case .onlyRight: "+"
            }
        write(sign, column: 1, row: line, columns: 1, style: .changed)
        let column = CompareColumns.key + (isInside ? 2 : 0)
        let text = name ?? row.id.key
        let nameWidth = max(0, parts.left - column - 2)
        write(shortened(text, columns: nameWidth), column: column, row: line, columns: nameWidth)
        let isHidden = state.hidesCompared(row.id.key, screen)
        let texts =
            isHidden
            ? ("", "") : excerpts(nodes.left, nodes.right, state.format, limit: max(4, parts.width - 4))
        let differing = differingParts(texts.0, texts.1)
        for (node, text, part, column) in [
            (nodes.left, texts.0, differing.0, parts.left), (nodes.right, texts.1, differing.1, parts.right),
        ] where node != nil {
            let shown = isHidden ? String(repeating: symbols.hidden, count: 6) : spelled(text, glyphs)
            write(
                shown,
                column: column,
                row: line,
                columns: parts.width,
                style: row.kind == .same ? .faint : .plain
            )
            if row.kind == .same { continue }
            // The part that differs is marked; of a secret, or a value without a counterpart, all of it.
            let isPart = row.kind == .different && !isHidden && part.length > 0
            let start = isPart ? width(of: shown.prefix(part.start)) : 0
            let length = isPart ? width(of: shown.dropFirst(part.start).prefix(part.length)) : parts.width
            grid.restyle(
                from: Point(column: column + start, row: line),
                columns: max(0, min(length, parts.width - start)),
                style: .changed
            )
        }
    }

    private func width(of text: Substring) -> Int { displayWidth(of: String(text), glyphs: glyphs) }

    /// The parts of two texts between their common start and their common end, in characters.
    private func differingParts(
        _ a: String,
        _ b: String
    ) -> ((start: Int, length: Int), (start: Int, length: Int)) {
        let start = zip(a, b).prefix { $0 == $1 }.count
        let most = min(a.count, b.count) - start
        let end = zip(a.reversed(), b.reversed()).prefix(most).prefix { $0 == $1 }.count
        return ((start, a.count - start - end), (start, b.count - start - end))
    }

    /// What is wrong with a side, or the path of the selected row.
    func comparedLine(_ screen: CompareScreen) -> (text: String, isProblem: Bool) {
        let suites = screen.sides.compactMap { side in state.suiteIndex(side.suite) }
        if let problem = suites.lazy.compactMap({ state.suiteList.suites[$0].problem }).first {
            return (spelled(problem, glyphs), true)
        }
        guard let row = state.comparedRow(screen) else { return ("", false) }
        let place = state.compared?.place(row.id)?.path.description ?? ""
        return (row.id.key + place, false)
    }
}
