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
    let title: Int?
    let body: Range<Int>
    let status: Int?
    /// The last lines: a notice, a prompt or the keys.
    let foot: Range<Int>
    let notice: [String]
    let suites: Area?
    let keys: Area?
    /// What is wrong with the suite, above its keys.
    let heading: [String]

    /// From this width on both panes are shown.
    static let bothPanes = 60

    /// The rows that are left for keys.
    var keyRows: Int { (keys?.rows ?? body.count) - heading.count }

    init(_ state: EditorState, _ size: Size) {
        let columns = max(0, size.columns)
        let rows = max(0, size.rows)
        title = rows >= 4 ? 0 : nil
        notice = state.notice.map { $0.lines(columns, limit: max(1, min(rows / 2, rows - 3)), state) } ?? []
        let needsFoot = rows > 1 || !notice.isEmpty || state.input?.line != nil && state.mode.isPrompt
        let footRows = rows == 0 || !needsFoot ? 0 : max(1, notice.count)
        foot = rows - footRows..<rows
        status = rows - footRows >= 2 ? foot.lowerBound - 1 : nil
        let start = min(title == nil ? 0 : 1, foot.lowerBound)
        let body = start..<max(start, status ?? foot.lowerBound)
        self.body = body

        let isWide = columns >= Self.bothPanes && !state.options.isSingle
        let left = isWide ? min(40, columns * 3 / 10) : 0
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
        if let keys, let problem = state.suite?.problem {
            let lines = wrapped(problem, columns: keys.columns - 2, glyphs: state.options.glyphs)
            heading = Array(lines.prefix(max(0, (body.count - 1) / 2)))
        } else {
            heading = []
        }
    }
}

/// What the last lines have to say instead of naming keys.
struct Notice: Sendable, Hashable {
    var text: String
    var isProblem = false
    var isQuestion = false
    var isPassing = false

    /// The text in so many columns and lines, with what can be answered at its end.
    func lines(_ columns: Int, limit: Int, _ state: EditorState) -> [String] {
        let glyphs = state.options.glyphs
        // Far more than any screen's last lines.
        let text = String(text.unicodeScalars.prefix(4000))
        var lines = wrapped(spelled(text, glyphs), columns: columns, glyphs: glyphs)
        let answers =
            isQuestion
            ? state.usefulBindings.map { "\($0.keys[0].name(glyphs)) \($0.label ?? "")" }
                .joined(separator: "  ") : ""
        let room = columns - displayWidth(of: answers, glyphs: glyphs) - 2
        if !answers.isEmpty {
            if let last = lines.last, displayWidth(of: last, glyphs: glyphs) <= room {
                lines[lines.count - 1] = "\(last)  \(answers)"
            } else {
                lines.append(answers)
            }
        }
        let limit = isPassing ? 1 : limit
        guard lines.count > limit else { return lines }
        if limit == 1, !answers.isEmpty {
            return [clipped(lines.joined(separator: " "), columns: room, glyphs: glyphs) + "  " + answers]
        }
        let kept = answers.isEmpty ? limit : limit - 1
        let cut = lines[(kept - 1)...].joined(separator: " ")
        return lines[..<(kept - 1)] + [clipped(cut, columns: columns, glyphs: glyphs)]
            + (answers.isEmpty ? [] : [answers])
    }
}

extension EditorState {
    var notice: Notice? {
        switch input {
        case .draft(let draft)?: draft.problem.map { Notice(text: $0, isProblem: true) }
        case .naming(let naming)?: naming.problem.map { Notice(text: $0, isProblem: true) }
        case .question(let question)?: Notice(text: question.text, isQuestion: true)
        case .choosingType?, .search?, .help?: nil
        case nil:
            message.map { Notice(text: $0.text, isProblem: $0.isProblem, isPassing: $0.until != nil) }
        }
    }
}

extension Mode {
    /// The line that is typed in is the last one of the screen.
    var isPrompt: Bool { self == .search || self == .filter }
}

extension SuiteModel {
    /// What is wrong, in a sentence; nil where all is well.
    var problem: String? {
        if case .unreadable(let reason)? = status?.content {
            let rest = tree.entries.isEmpty ? "" : "; values shown are the last good ones"
            return "unreadable: \(reason)\(rest)"
        }
        return status?.storingError.map { "not stored: \($0)" }
    }
}

/// A text of the editor's own with signs that every terminal has, where it can't have others.
func spelled(_ text: String, _ glyphs: Glyphs) -> String {
    guard glyphs == .ascii else { return text }
    return text.replacing("“", with: "\"").replacing("”", with: "\"").replacing("→", with: "->")
        .replacing("…", with: "~").replacing("›", with: ">")
}
