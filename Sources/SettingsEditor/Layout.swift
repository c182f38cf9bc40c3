import PropertyList
import SettingsStore
import TerminalCanvas

/// A part of the screen.
struct Area: Sendable, Hashable {
    var column: Int
    var row: Int
    var columns: Int
    var rows: Int
}

/// What stands where on a screen of some size, from 1 × 1 upwards. What is missing has no room.
struct Layout: Sendable {
    let columns: Int
    let title: Int?
    let body: Range<Int>
    let status: Int?
    /// The last lines: a notice, a prompt or the keys.
    let foot: Range<Int>
    let notice: [String]
    let suites: Area?
    let keys: Area?
    /// The changes as they come.
    let watch: Area?
    /// The part of it that has the rows.
    let rows: Area?
    /// What is wrong with the suite: below its rows, none of which moves when that comes or goes.
    let problem: (lines: [String], area: Area)?

    /// From this width on both panes are shown.
    static let bothPanes = 60

    /// The rows that are left for keys.
    var keyRows: Int { rows?.rows ?? body.count }

    init(_ state: EditorState, _ size: Size) {
        let columns = max(0, size.columns)
        self.columns = columns
        let rows = max(0, size.rows)
        let glyphs = state.options.glyphs
        // What is asked has to be read before it is answered, whatever has to go for that.
        let limit = max(1, state.mode == .question ? rows : min(rows / 2, rows - 3))
        notice = state.notice?.lines(columns, limit: limit, answers: state.answers, glyphs: glyphs) ?? []
        let needsFoot = rows > 1 || !notice.isEmpty || state.input?.line != nil && state.mode.isPrompt
        let footRows = rows == 0 || !needsFoot ? 0 : max(1, notice.count)
        foot = rows - footRows..<rows
        // The values to choose from need all the lines that there are.
        let isTight =
            state.mode == .conflict && rows - footRows < 6 || state.mode == .question && rows - footRows < 3
        title = rows >= 4 && !isTight ? 0 : nil
        status = rows - footRows >= 2 && !isTight ? foot.lowerBound - 1 : nil
        let start = min(title == nil ? 0 : 1, foot.lowerBound)
        let whole = start..<max(start, status ?? foot.lowerBound)
        let watchRows =
            state.showsPanes && state.showsChanges && whole.count >= 6 ? max(3, whole.count / 4) : 0
        let body = whole.lowerBound..<whole.upperBound - watchRows
        self.body = body
        watch =
            watchRows == 0 ? nil : Area(column: 0, row: body.upperBound, columns: columns, rows: watchRows)

        let isWide = columns >= Self.bothPanes && !state.options.isSingle
        // Behind the signs, and before what parts the two.
        let left = isWide ? min(max(40, state.widestTitle + 3), columns * 3 / 10) : 0
        let shown = !state.suites.isEmpty
        let showsSuites = state.focus == .suites && !state.options.isSingle
        func area(_ column: Int, _ columns: Int) -> Area {
            Area(column: column, row: start, columns: columns, rows: body.count)
        }
        if isWide {
            suites = shown ? area(0, left) : nil
            keys = shown ? area(left + 1, columns - left - 1) : nil
        } else {
            suites = shown && showsSuites ? area(0, columns) : nil
            keys = shown && !showsSuites ? area(0, columns) : nil
        }
        guard var rest = keys, let suite = state.suite, let sentence = suite.problem(state.kind) else {
            self.rows = keys
            problem = nil
            return
        }
        let hasRows = !suite.tree.rows.isEmpty
        let sentenceLines = wrapped(spelled(sentence, glyphs), columns: rest.columns - 2, glyphs: glyphs)
        let lines = Array(sentenceLines.prefix(hasRows ? body.count / 2 : body.count))
        rest.rows -= lines.count
        var place = rest
        place.rows = lines.count
        if hasRows { place.row += rest.rows } else { rest.row += lines.count }
        self.rows = rest
        problem = (lines, place)
    }
}

extension EditorState {
    /// Nothing is shown in place of the panes.
    var showsPanes: Bool {
        switch input {
        case .help?, .finding?, .palette?: false
        default: historyScreen == nil
        }
    }
}

extension Mode {
    /// The line that is typed in is the last one of the screen.
    var isPrompt: Bool { [.search, .filter, .finder, .palette].contains(self) }
}

extension SuiteModel {
    /// What is wrong, in a sentence; nil where all is well.
    func problem(_ kind: PlaceKind) -> String? {
        if case .unreadable(let reason)? = status?.content {
            let rest = tree.entries.isEmpty ? "" : "; values shown are the last good ones"
            return "unreadable: \(reason)\(rest)"
        }
        if case .stale(let reason)? = status?.content {
            let rest = tree.entries.isEmpty ? "" : "; values shown are the last good ones"
            return "stale: \(reason)\(rest)"
        }
        if case .unfinished(let reason)? = status?.content { return reason }
        if isLost { return kind.loss }
        return status?.storingError.map { "not stored: \($0)" }
    }
}
