import PropertyList
import SettingsStore
import TerminalCanvas

/// A rectangle of the screen.
struct Area: Sendable, Hashable {
    var column: Int
    var row: Int
    var columns: Int
    var rows: Int
}

/// Decides where each part of the screen is, for any size from 1 × 1. A part without room is nil or empty.
struct Layout: Sendable {
    let columns: Int
    let title: Int?
    let body: Range<Int>
    let status: Int?
    /// The last lines: a message, a prompt or the key hints.
    let foot: Range<Int>
    let notice: [String]
    let suites: Area?
    let keys: Area?
    /// The pane with the latest changes.
    let watch: Area?
    /// The part of the keys pane that shows rows.
    let rows: Area?
    /// The suite's problem, below its rows. Rows do not move when the problem appears or disappears.
    let problem: (lines: [String], area: Area)?

    /// From this width on both panes are shown.
    static let bothPanes = 60

    /// The number of rows for keys.
    var keyRows: Int { rows?.rows ?? body.count }

    init(_ state: EditorState, _ size: Size) {
        let columns = max(0, size.columns)
        self.columns = columns
        let rows = max(0, size.rows)
        let glyphs = state.options.glyphs
        // A question must be readable before it is answered, so it may take all lines.
        let limit = max(1, state.mode == .question ? rows : min(rows / 2, rows - 3))
        notice = state.notice?.lines(columns, limit: limit, answers: state.answers, glyphs: glyphs) ?? []
        let needsFoot = rows > 1 || !notice.isEmpty || state.modal?.line != nil && state.mode.isPrompt
        let footRows = rows == 0 || !needsFoot ? 0 : max(1, notice.count)
        foot = rows - footRows..<rows
        // The compared values of a conflict need all lines.
        let isTight =
            state.mode == .conflict && rows - footRows < 6 || state.mode == .question && rows - footRows < 3
        title = rows >= 4 && !isTight ? 0 : nil
        status = rows - footRows >= 2 && !isTight ? foot.lowerBound - 1 : nil
        let start = min(title == nil ? 0 : 1, foot.lowerBound)
        let whole = start..<max(start, status ?? foot.lowerBound)
        let watchRows =
            state.showsPanes && state.display.showsChanges && whole.count >= 6 ? max(3, whole.count / 4) : 0
        let body = whole.lowerBound..<whole.upperBound - watchRows
        self.body = body
        watch =
            watchRows == 0 ? nil : Area(column: 0, row: body.upperBound, columns: columns, rows: watchRows)

        let isWide = columns >= Self.bothPanes && !state.options.isSingle
        // After the symbols, and before the line between the panes.
        let content = min(max(40, state.suiteList.widestTitle + 3), columns * 3 / 10)
        let left = isWide ? state.display.suitesWidth.map { max(8, min($0, columns / 2)) } ?? content : 0
        let shown = !state.suiteList.suites.isEmpty
        let showsSuites = state.display.focus == .suites && !state.options.isSingle
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
        let hasRows = !suite.outline.rows.isEmpty
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
    /// Whether the panes are shown and not a full-screen list.
    var showsPanes: Bool {
        switch modals.screen {
        case .help?, .finding?, .palette?, .history?: false
        default: true
        }
    }
}

extension Mode {
    /// Whether text is typed into the last line of the screen.
    var isPrompt: Bool { [.search, .filter, .finder, .palette, .path, .helpFilter].contains(self) }
}

extension SuiteModel {
    /// The problem, as a sentence; nil if there is none.
    func problem(_ kind: BackendKind) -> String? {
        if case .unreadable(let reason)? = status?.content {
            let rest = outline.entries.isEmpty ? "" : "; the values shown are the last readable ones"
            return "unreadable: \(reason)\(rest)"
        }
        if case .stale(let reason)? = status?.content {
            let rest = outline.entries.isEmpty ? "" : "; the values shown are the last readable ones"
            return "stale: \(reason)\(rest)"
        }
        if case .unfinished(let reason)? = status?.content { return reason }
        if isLost { return kind.loss }
        return status?.storingError.map { "not stored: \($0)" }
    }
}
