import PropertyList
import SettingsStore
import TerminalCanvas

struct Area: Sendable, Hashable {
    var column: Int
    var row: Int
    var columns: Int
    var rows: Int

    /// The first row of the area.
    var firstRow: Area { Area(column: column, row: row, columns: columns, rows: 1) }
}

/// Decides where each part of the screen is, for any size from 1 × 1. A part without room is nil or empty.
struct Layout: Sendable {
    let columns: Int
    let title: Int?
    /// The line with the heads of the panes, or with the name of a full-screen list.
    let heads: Int?
    let body: Range<Int>
    /// The lines above the prompt and the key line: a message, or words about the selected row.
    let message: Range<Int>
    let prompt: Int?
    /// The last line, which names the useful keys. Nil if the message needs the whole screen.
    let keyLine: Int?
    /// The message, broken into lines.
    let notice: [String]
    /// Whether the message contains the answers of the question, because the key line has no room for them.
    let noticeHasAnswers: Bool
    /// The question or prompt in a box over the outline.
    let box: ModalBox?
    let suites: Area?
    let keys: Area?
    let watch: Area?
    let details: Area?
    /// The part of the keys pane that shows rows.
    let rows: Area?
    /// The suite's problem, below its rows. Rows do not move when the problem appears or disappears.
    let problem: (lines: [String], area: Area)?

    /// From this width on both panes are shown.
    static let bothPanes = 60
    /// From this width on the details are on the right.
    static let detailsOnRight = 120
    /// From this height on the details are below the keys, if they are not on the right.
    static let detailsBelow = 24

    var keyRows: Int { rows?.rows ?? body.count }

    init(_ state: EditorState, _ size: Size) {
        let columns = max(0, size.columns)
        self.columns = columns
        let rows = max(0, size.rows)
        let glyphs = state.options.glyphs
        // A question or a prompt is in a box if there is room for one.
        let boxed = Foot(state, columns: columns, rows: rows, hasBox: true)
        let space = Frame(state, boxed, rows: rows).body
        box = ModalBox(state, Area(column: 0, row: space.lowerBound, columns: columns, rows: space.count))
        let foot =
            box == nil && (!state.answers.isEmpty || state.hasBoxContent)
            ? Foot(state, columns: columns, rows: rows, hasBox: false) : boxed
        (notice, noticeHasAnswers) = (foot.notice, foot.noticeHasAnswers)
        keyLine = foot.hasKeyLine ? rows - 1 : nil
        let frame = Frame(state, foot, rows: rows)
        (title, heads) = (frame.title, frame.heads)
        let (start, footStart) = (frame.body.lowerBound, frame.body.upperBound)
        message = footStart..<footStart + foot.messageRows
        prompt = foot.hasPrompt ? message.upperBound : nil
        let whole = start..<footStart
        let watchRows =
            state.showsPanes && state.display.showsChanges && whole.count >= 6 ? max(3, whole.count / 4) : 0
        let body = whole.lowerBound..<whole.upperBound - watchRows
        self.body = body
        watch =
            watchRows == 0 ? nil : Area(column: 0, row: body.upperBound, columns: columns, rows: watchRows)

        let isWide = columns >= Self.bothPanes && state.hasSuitesPane
        // With the symbols before and after the title.
        let indent = state.suiteList.hasHeads ? 2 : 0
        let content = min(max(20, state.suiteList.widestTitle + 8 + indent), columns * 3 / 10)
        let left = isWide ? state.display.suitesWidth.map { max(8, min($0, columns / 2)) } ?? content : 0
        let shown = !state.suiteList.isEmpty
        let showsSuites = state.display.focus == .suites && state.hasSuitesPane
        func area(_ column: Int, _ columns: Int) -> Area {
            Area(column: column, row: start, columns: columns, rows: body.count)
        }
        suites = !shown ? nil : isWide ? area(0, left) : showsSuites ? area(0, columns) : nil
        let right: Area? =
            !shown ? nil : isWide ? area(left + 1, columns - left - 1) : showsSuites ? nil : area(0, columns)
        let widths = state.suite?.outline.widths ?? RowWidths()
        let parts = right.map { Self.divided($0, size, widths) }
        (keys, details) = (parts?.keys, parts?.details)
        guard var rest = keys, let suite = state.suite, let sentence = suite.problem else {
            self.rows = keys
            problem = nil
            return
        }
        let hasRows = !suite.outline.rows.isEmpty
        let words = spelled(state.keymap.naming(sentence), glyphs)
        let sentenceLines = wrapped(words, columns: rest.columns - 2, glyphs: glyphs)
        let lines = Array(sentenceLines.prefix(hasRows ? rest.rows / 2 : rest.rows))
        rest.rows -= lines.count
        var place = rest
        place.rows = lines.count
        if hasRows { place.row += rest.rows } else { rest.row += lines.count }
        self.rows = rest
        problem = (lines, place)
    }

    /// Divides the area right of the suites between keys and details.
    private static func divided(_ area: Area, _ size: Size, _ widths: RowWidths) -> (
        keys: Area, details: Area?
    ) {
        var (keys, details) = (area, area)
        if size.columns >= detailsOnRight, area.rows >= 8 {
            // Most names are not cut as long as the details are readable.
            let left = area.columns - KeyColumns.needed(widths)
            details.columns = max(40, min(area.columns * 2 / 5, 72, left))
            keys.columns -= details.columns + 1
            details.column += keys.columns + 1
            return (keys, details)
        }
        // Below a few changes that are watched, the keys need the rows.
        guard size.rows >= detailsBelow, size.columns >= bothPanes, area.rows >= 14 else {
            return (area, nil)
        }
        details.rows = max(6, area.rows / 4)
        keys.rows -= details.rows
        details.row += keys.rows
        return (keys, details)
    }
}

/// The lines at the top of the screen, and those that are left.
private struct Frame {
    let title: Int?
    let heads: Int?
    let body: Range<Int>

    init(_ state: EditorState, _ foot: Foot, rows: Int) {
        let footStart = rows - foot.rows
        // The compared values of a conflict need all lines.
        let isTight =
            state.mode == .conflict && footStart < 6 || state.mode == .question && footStart < 3
        title = rows >= 4 && !isTight ? 0 : nil
        heads = title != nil && footStart >= 6 && state.hasHeads ? 1 : nil
        body = min(heads != nil ? 2 : title != nil ? 1 : 0, footStart)..<footStart
    }
}

/// Divides the last lines of the screen: the message, and the line that names the keys.
private struct Foot {
    let notice: [String]
    let noticeHasAnswers: Bool
    let hasPrompt: Bool
    let hasKeyLine: Bool
    let messageRows: Int
    let rows: Int

    init(_ state: EditorState, columns: Int, rows: Int, hasBox: Bool) {
        let (glyphs, answers) = (state.options.glyphs, state.answers)
        let isBoxed = hasBox && (!answers.isEmpty || state.hasBoxContent)
        hasPrompt = rows > 0 && state.mode.isPrompt && state.modal?.line != nil && !isBoxed
        noticeHasAnswers =
            !hasBox && !answers.isEmpty
            && (rows < 3 || !KeyHints.fit(state.usefulBindings, columns: columns, glyphs))
        // A question must be readable before it is answered, so it may take all lines.
        let limit = max(
            1,
            state.mode == .question ? rows - (noticeHasAnswers ? 0 : 1) : min(rows / 2, rows - 3)
        )
        notice =
            isBoxed
            ? []
            : state.notice?.lines(
                columns,
                limit: limit,
                answers: noticeHasAnswers ? answers : [],
                glyphs: glyphs
            ) ?? []
        let needsRow = !notice.isEmpty || hasPrompt
        hasKeyLine = rows >= 2 && !noticeHasAnswers && (rows >= 3 || !needsRow)
        // The prompt of a search or filter takes the place of the message, so that the rows stay where they are. On a low
        // screen every prompt does.
        let isInPlace = rows < 8 || [.search, .filter].contains(state.mode) && state.statusLine.stray == nil
        let hasMessage = hasPrompt ? !isInPlace : rows >= 3 || !notice.isEmpty
        messageRows = hasMessage ? min(rows, max(1, notice.count)) : 0
        self.rows = min(rows, messageRows + (hasPrompt ? 1 : 0) + (hasKeyLine ? 1 : 0))
    }
}

extension EditorState {
    /// Whether the panes are shown and not a full-screen list.
    var showsPanes: Bool {
        switch modals.screen {
        case .help?, .finding?, .palette?, .history?, .comparing?: false
        default: true
        }
    }

    /// Whether the panes have heads, or the full-screen list has a name.
    fileprivate var hasHeads: Bool { mode != .conflict && !(showsPanes && suiteList.isEmpty) }
}

extension Mode {
    /// Whether text is typed into a line below the rows. A path is typed there only without room for a box.
    var isPrompt: Bool { [.search, .filter, .finder, .palette, .path, .helpFilter].contains(self) }
}

extension SuiteModel {
    /// The problem, as a sentence; nil if there is none.
    var problem: String? {
        let rest = outline.entries.isEmpty ? "" : "; the values shown are the last readable ones"
        return switch status?.content {
        case .unreadable(let reason, _)?: "unreadable: \(reason)\(rest)"
        case .stale(let reason)?: "stale: \(reason)\(rest)"
        default: status?.storingError.map { "not stored: \($0)" }
        }
    }
}
