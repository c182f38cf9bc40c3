import TerminalCanvas

/// A text for the lines above the key line.
struct Notice: Sendable, Hashable {
    var text: String
    var isProblem = false
    var isPassing = false

    /// The text within so many columns and lines, followed by the answers.
    func lines(_ columns: Int, limit: Int, answers: [String], glyphs: Glyphs) -> [String] {
        let limit = isPassing ? 1 : limit
        // This is far more than the last lines can show.
        let text = spelled(String(text.unicodeScalars.prefix(4000)), glyphs)
        var lines = wrapped(text, columns: columns, glyphs: glyphs)
        let rows = packed(answers, columns, glyphs)
        guard let answers = rows.first else { return cut(lines, to: limit, columns, glyphs) }
        // The answers are more important than the question.
        if rows.count > 1 {
            let room = limit - rows.count
            return asked(text, room, columns, glyphs) + rows.prefix(limit)
        }
        let room = columns - displayWidth(of: answers, glyphs: glyphs) - 2
        if lines.count > limit || displayWidth(of: lines.last ?? "", glyphs: glyphs) > room {
            if limit == 1 { return [clipped(text, columns: room, glyphs: glyphs) + "  " + answers] }
            return asked(text, limit - 1, columns, glyphs) + [answers]
        }
        lines.append((lines.popLast() ?? "") + "  " + answers)
        return lines
    }

    /// Packs as many answers into each line as fit.
    private func packed(_ answers: [String], _ columns: Int, _ glyphs: Glyphs) -> [String] {
        answers.reduce(into: []) { rows, answer in
            let row = (rows.last.map { $0 + "  " } ?? "") + answer
            if !rows.isEmpty, displayWidth(of: row, glyphs: glyphs) <= columns { rows.removeLast() }
            rows.append(displayWidth(of: row, glyphs: glyphs) <= columns ? row : answer)
        }
    }

    /// Shortens a text with a question. The question stays; sentences before or after it are cut.
    private func asked(_ text: String, _ limit: Int, _ columns: Int, _ glyphs: Glyphs) -> [String] {
        func lines(_ part: some StringProtocol) -> [String] {
            wrapped(String(part), columns: columns, glyphs: glyphs)
        }
        let all = lines(text)
        guard all.count > limit, limit > 0, let mark = text.lastIndex(of: "?") else {
            return cut(all, to: max(0, limit), columns, glyphs)
        }
        let start = text[..<mark].ranges(of: ". ").last?.upperBound ?? text.startIndex
        let question = lines(text[start...mark])
        let room = limit - question.count
        if room < 0 { return cut(all, to: limit, columns, glyphs) }
        if room == 0 { return question }
        let before = lines(text[..<start])
        return before.isEmpty
            ? question + cut(lines(text[text.index(after: mark)...]), to: room, columns, glyphs)
            : cut(before, to: room, columns, glyphs) + question
    }

    /// Cuts the text to a number of lines. The last line ends with an ellipsis.
    private func cut(_ lines: [String], to limit: Int, _ columns: Int, _ glyphs: Glyphs) -> [String] {
        guard lines.count > limit else { return lines }
        if limit == 0 { return [] }
        let rest = lines[(limit - 1)...].joined(separator: " ")
        return lines[..<(limit - 1)] + [clipped(rest, columns: columns, glyphs: glyphs)]
    }
}

extension EditorState {
    /// The answers to the question on top, with their keys; empty if there is no question.
    var answers: [String] {
        switch modal {
        case .question?, .conflict?, .choosing?: break
        default: return []
        }
        return usefulBindings.map { "\($0.keyName(options.glyphs)) \($0.name)" }
    }

    /// The keys that answer the question on top, for example “y, n or w”.
    var keysOfAnswers: String {
        let keys = usefulBindings.map { $0.keyName(options.glyphs) }
        return keys.count < 2
            ? keys.joined() : "\(keys.dropLast().joined(separator: ", ")) or \(keys[keys.count - 1])"
    }

    var notice: Notice? {
        guard let stray = statusLine.stray, var notice = noticeWithoutStray, !answers.isEmpty else {
            return noticeWithoutStray
        }
        // The question stays readable before the words about a wrong key.
        notice.text += " \(nothingIsMeant(by: stray))"
        return notice
    }

    private var noticeWithoutStray: Notice? {
        switch modal {
        case .draft(let draft)?: draft.problem.map { Notice(text: sentence($0), isProblem: true) }
        case .naming(let naming)?: naming.problem.map { Notice(text: $0, isProblem: true) }
        case .question(let question)?: Notice(text: question.text)
        case .conflict(let conflict)?: Notice(text: conflict.question(self))
        case .choosing(.category)?: Notice(text: "Show only which keys?")
        case .choosing(.level)?: Notice(text: "Expand to which level? 1 shows only the keys.")
        case .menu?, .search?, .finding?, .palette?, .path?, .help?: nil
        case nil where isSearching: Notice(text: "Searching… Press Esc to stop.", isPassing: true)
        case nil where isFiltering: Notice(text: "Filtering… Press Esc to stop.", isPassing: true)
        case .history?, .comparing?, .pending?, .details?, nil:
            statusLine.message.map {
                let text = modal == nil ? keymap.naming($0.text) : $0.text
                return Notice(text: text, isProblem: $0.isProblem, isPassing: $0.until != nil)
            }
        }
    }
}

/// Replaces symbols of the editor's own texts with ASCII if the terminal needs that.
func spelled(_ text: String, _ glyphs: Glyphs) -> String {
    guard glyphs == .ascii else { return text }
    return text.replacing("“", with: "\"").replacing("”", with: "\"").replacing("→", with: "->")
        .replacing("…", with: "~").replacing("›", with: ">").replacing("–", with: "-")
}
