import PropertyList
import TerminalCanvas

/// Places a list of changes, and below it the selected change as two compared values.
struct ChangesLayout {
    let list: Area
    /// Nil if the values do not fit.
    let details: Area?

    init(_ layout: Layout) {
        var (list, below) = (layout.bodyArea, layout.bodyArea)
        below.rows = list.rows >= 9 ? min(list.rows / 2, 14) : 0
        list.rows -= below.rows
        below.row += list.rows
        self.list = list
        details = below.rows == 0 ? nil : below
    }
}

extension Painter {
    mutating func paintHistory(_ screen: HistoryScreen) {
        let parts = ChangesLayout(layout)
        let journal = state.journal(of: screen)
        let selected = journal.place(of: screen.selected)
        let top = state.historyTop(of: screen, layout)
        for line in 0..<parts.list.rows {
            guard let entry = journal.entry(at: top + line) else { break }
            let row = parts.list.row + line
            paint(entry, row, columns: parts.list.columns)
            if screen.isMarked(entry, in: journal) {
                write(symbols.multiSelection, column: 2, row: row, columns: 1)
            }
            if top + line == selected {
                write(symbols.selected, column: 0, row: row, columns: 1)
                restyleSelection(parts.list, row, hasFocus: true)
            }
        }
        highlightMatches(parts.list, from: 1)
        paintComparison()
    }

    mutating func paint(_ entry: Journal.Entry, _ row: Int, columns: Int) {
        var column = 1
        write(entry.isOwn ? " " : symbols.changed, column: column, row: row, columns: 1, style: .changed)
        column += 2
        if columns >= 50 {
            let number = entry.revision.map { "\($0)" } ?? timeOfDay(entry.date, state.options.zone)
            write(number, column: column, row: row, columns: 8, style: .faint)
            column += 10
        }
        switch entry.matter {
        case .key(let change):
            let words = state.words(change.words, change.value, of: change.key, in: entry.suite)
            paint(words, of: entry.suite, column: column, row)
        case .suite(let change):
            let width = (columns - column) * 9 / 20
            write(state.title(ofSuite: entry.suite), column: column, row: row, columns: width)
            let behind = column + width + 1
            write(spelled(change.words, glyphs), column: behind, row: row, columns: max(0, columns - behind))
        }
    }

    /// Draws the path of a change and the change itself. The number of further changes is never cut off.
    ///
    /// - Parameters:
    ///   - suite: the suite, if the line names it.
    ///   - indent: by how many columns the path is indented.
    mutating func paint(
        _ words: (place: String, text: String, more: String),
        of suite: String?,
        column: Int,
        indent: Int = 0,
        _ row: Int
    ) {
        let left = columnsOfChange(from: column)
        let behind = columns - left
        let width = max(0, behind - column - 1 - indent)
        // The key is worth more than the suite.
        let room = max(width / 3, width - displayWidth(of: words.place, glyphs: glyphs)) - 3
        let lead = suite.flatMap {
            state.hasSuitesPane
                ? "\(shortened(state.title(ofSuite: $0), columns: room)) \(symbols.inside) " : nil
        }
        let place = (lead ?? "") + words.place
        write(place, column: column + indent, row: row, columns: width)
        let used = write(
            spelled(words.text, glyphs),
            column: behind,
            row: row,
            columns: max(0, left - words.more.count)
        )
        write(spelled(words.more, glyphs), column: behind + used, row: row, columns: left - used)
    }

    /// The columns for a change, after its path.
    func columnsOfChange(from column: Int) -> Int {
        max(0, columns - column - (columns - column) * 9 / 20 - 1)
    }

}

extension Journal.SuiteChange {
    var words: String {
        switch self {
        case .come: "a new suite"
        case .gone: "the suite is gone"
        case .changed: "changed; it had not been read"
        case .unreadable(let reason): "cannot be read: \(reason)"
        case .readable: "can be read again"
        }
    }
}
