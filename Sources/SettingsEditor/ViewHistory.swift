import FoundationEssentials
import PropertyList
import TerminalCanvas

/// Where a list of changes stands, and below it the one that is selected, as a whole.
struct ChangesLayout {
    let list: Area
    /// Nil where there is no room for it.
    let details: Area?

    init(_ layout: Layout) {
        let rows = layout.body.count
        let columns = layout.columns
        let below = rows >= 9 ? min(rows / 2, 14) : 0
        list = Area(column: 0, row: layout.body.lowerBound, columns: columns, rows: rows - below)
        details =
            below == 0
            ? nil
            : Area(
                column: 0,
                row: layout.body.lowerBound + list.rows,
                columns: columns,
                rows: below
            )
    }
}

extension Painter {
    mutating func paintHistory(_ screen: HistoryScreen) {
        let parts = ChangesLayout(layout)
        let journal = state.journal(of: screen)
        let selected = journal.place(of: screen.selected)
        let top = visibleTop(
            journal.place(of: screen.top),
            selected: selected,
            count: journal.entries.count,
            height: parts.list.rows
        )
        for line in 0..<parts.list.rows {
            guard let entry = journal.entry(at: top + line) else { break }
            let row = parts.list.row + line
            paint(entry, row, columns: parts.list.columns)
            if top + line == selected {
                write(signs.selected, column: 0, row: row, columns: 1)
                restyleSelection(parts.list, row, hasFocus: true)
            }
        }
        if let area = parts.details, let entry = journal.entry(at: selected) {
            let hides = state.hides(entry.key, of: entry.suite)
            let difference = Difference(entry.change, of: entry.key, isHidden: hides)
            let place = difference.path.steps.count == 1 ? "" : " in \(difference.name)"
            let texts = [("Before", difference.old), ("Then", difference.new)].map { title, node in
                (title: title + place, text: fullText(node, of: entry.key, in: entry.suite))
            }
            paint(texts: fromFirstDifference(texts), in: area)
        }
    }

    mutating func paint(_ entry: Journal.Entry, _ row: Int, columns: Int) {
        var column = 1
        write(entry.isOwn ? " " : signs.changed, column: column, row: row, columns: 1, style: .changed)
        column += 2
        if columns >= 50 {
            write(time(of: entry.date), column: column, row: row, columns: 8, style: .faint)
            column += 10
        }
        paint(entry.suite, entry.key, entry.change, column: column, row)
    }

    /// Where something has changed, and how.
    ///
    /// - Parameter overtaken: others have changed it since, so that the old value is not there any more.
    mutating func paint(
        _ suite: String,
        _ key: String,
        _ change: ValueChange,
        column: Int,
        _ row: Int,
        overtaken: Bool = false
    ) {
        let room = columns - column
        let words = state.inWords(change, of: key, in: suite)
        let place =
            state.options.isSingle ? words.place : "\(title(of: suite)) \(signs.inside) \(words.place)"
        let width = room * 9 / 20
        write(place, column: column, row: row, columns: width)
        let text = "\(words.old) → \(words.new)" + (overtaken ? "  (changed in the file meanwhile)" : "")
        let behind = column + width + 1
        write(spelled(text, glyphs), column: behind, row: row, columns: columns - behind)
    }

    private func title(of suite: String) -> String {
        state.suiteIndex(suite).map { state.suites[$0].title } ?? suite
    }

    /// Hours, minutes and seconds of this place.
    private func time(of date: Date?) -> String {
        guard let date else { return "" }
        let second = Int(date.timeIntervalSinceReferenceDate.rounded(.down)) + state.options.zone(date)
        let ofDay = (second % 86400 + 86400) % 86400
        return [ofDay / 3600, ofDay / 60 % 60, ofDay % 60].map(twoDigits).joined(separator: ":")
    }
}

// Values as a whole.
extension Painter {
    /// Texts beside each other under their titles, below a line; below one another where it is narrow.
    mutating func paint(texts: [(title: String, text: String)], in area: Area) {
        guard !texts.isEmpty, area.rows > 0 else { return }
        let isWide = area.columns / texts.count >= 20
        let width = isWide ? (area.columns - (texts.count - 1)) / texts.count : area.columns
        let height = isWide ? area.rows : area.rows / texts.count
        for (number, part) in texts.enumerated() {
            let column = area.column + (isWide ? number * (width + 1) : 0)
            let row = area.row + (isWide ? 0 : number * height)
            paint(title: part.title, column: column, row: row, columns: width)
            if isWide, number > 0 {
                grid.fill(
                    at: Point(column: column - 1, row: row),
                    size: Size(columns: 1, rows: height),
                    with: glyphs.verticalLine,
                    style: .faint
                )
            }
            let body = Area(column: column + 1, row: row + 1, columns: width - 2, rows: height - 1)
            write(lines(of: part.text, in: body), in: body)
        }
    }

    private mutating func paint(title: String, column: Int, row: Int, columns: Int) {
        grid.fill(
            at: Point(column: column, row: row),
            size: Size(columns: columns, rows: 1),
            with: glyphs.horizontalLine,
            style: .faint
        )
        write(
            " \(spelled(title, glyphs)) ",
            column: column + 1,
            row: row,
            columns: columns - 2,
            style: .heading
        )
    }

    /// The lines of a text, broken where they are too long, and on the last that fits an ellipsis where
    /// there are more.
    private func lines(of text: String, in area: Area) -> [String] {
        guard area.rows > 0, area.columns > 0 else { return [] }
        var lines: [String] = []
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            // Spaces at the start are what sets in a line.
            let indent = String(line.prefix { $0 == " " }.prefix(area.columns / 2))
            let room = area.columns - indent.count
            let parts = wrapped(String(line), columns: room, glyphs: glyphs)
            lines += parts.isEmpty ? [""] : parts.map { indent + $0 }
            if lines.count > area.rows { break }
        }
        guard lines.count > area.rows else { return lines }
        return lines.prefix(area.rows - 1) + [String(glyphs.ellipsis)]
    }

    /// A value with all that is in it, as far as it may be shown.
    func fullText(_ node: ValueNode?, of key: String, in suite: String) -> String {
        guard let node else { return "nothing" }
        if state.hides(key, of: suite) { return "a secret" }
        let text =
            node.isContainer ? node.outline(limit: 40_000) : state.spelling.display(node, limit: 40_000)
        return text.isEmpty ? "an empty text" : text
    }
}

extension ValueNode {
    /// What is inside, one place a line, set in by two for each step down.
    fileprivate func outline(limit: Int) -> String {
        var lines: [String] = []
        var left = limit
        addOutline(to: &lines, depth: 0, &left)
        return lines.isEmpty ? displayText() : lines.joined(separator: "\n")
    }

    private func addOutline(to lines: inout [String], depth: Int, _ left: inout Int) {
        // No screen shows more.
        guard depth < 32 else { return }
        for child in children {
            guard left > 0 else { return }
            let name =
                switch child.step {
                case .key(let key): key
                case .index(let index): String(index)
                }
            let opens = child.node.isContainer && child.node.childCount > 0
            let value = opens ? "" : " " + child.node.displayText(limit: 200)
            let line = String(repeating: "  ", count: depth) + name + ":" + value
            left -= line.utf8.count
            // What has line ends of its own is one line here.
            lines.append(line.replacing("\n", with: "␊"))
            if opens { child.node.addOutline(to: &lines, depth: depth + 1, &left) }
        }
    }
}
