import TerminalCanvas

/// A question, or a prompt for a name or a path, in a box over the outline: a text, the line that is typed into, a note
/// about it, and the keys. Without room for a box, a question is in the message line, a name is typed into its row, and a
/// path below the rows.
///
/// Searches and filters have no box: their matches must stay visible while the pattern is typed, as in less(1).
struct ModalBox: Sendable {
    let area: Area
    let text: [String]
    /// The line that is typed into; nil for a question.
    let field: Area?
    /// The lines below that line.
    let note: [String]
    let noteIsProblem: Bool
    /// The answers of each line.
    private let answers: [[(binding: KeyBinding, column: Int)]]
    private let glyphs: Glyphs

    /// The columns between the border and the text, on each side.
    private static let margin = 2
    private static let gap = 3
    /// The widest text that is easy to read.
    private static let widest = 72

    /// Nil if there is no question and no prompt, or if there is no room.
    init?(_ state: EditorState, _ body: Area) {
        guard let content = state.boxContent, body.columns >= 40 else { return nil }
        let glyphs = state.options.glyphs
        let most = min(body.columns - 8, Self.widest)
        func lines(_ text: String) -> [String] {
            wrapped(spelled(String(text.unicodeScalars.prefix(4000)), glyphs), columns: most, glyphs: glyphs)
        }
        let text = lines(content.text)
        var rows: [[(binding: KeyBinding, column: Int)]] = []
        var used = 0
        // The line of keys names the help.
        for binding in state.usefulBindings where binding.command != .help {
            let width = Self.width(of: binding, glyphs)
            if rows.isEmpty || used + Self.gap + width > most {
                rows.append([(binding, 0)])
                used = width
            } else {
                rows[rows.count - 1].append((binding, used + Self.gap))
                used += Self.gap + width
            }
        }
        let widest = content.isPrompt ? most : text.map { displayWidth(of: $0, glyphs: glyphs) }.max() ?? 0
        let ends = rows.flatMap { $0 }.map { $0.column + Self.width(of: $0.binding, glyphs) }
        let columns = max(32, widest, ends.max() ?? 0) + 2 * (Self.margin + 1)
        // A prompt has always a line for a note, so that it keeps its size.
        let note = content.isPrompt ? lines(content.note) : []
        let middle = content.isPrompt ? 1 + max(1, note.count) : 1
        let height = text.count + middle + rows.count + 2
        // Some rows stay visible above or below a prompt.
        guard height + (content.isPrompt ? 2 : 0) <= body.rows else { return nil }
        (self.glyphs, self.text, answers, self.note) = (glyphs, text, rows, note)
        noteIsProblem = content.noteIsProblem
        area = Area(
            column: body.column + (body.columns - columns) / 2,
            row: body.row + min(2, (body.rows - height) / 2),
            columns: columns,
            rows: height
        )
        field =
            content.isPrompt
            ? Area(
                column: area.column + 1 + Self.margin,
                row: area.row + 1 + text.count,
                columns: columns - 2 * (1 + Self.margin),
                rows: 1
            ) : nil
    }

    private static func width(of binding: KeyBinding, _ glyphs: Glyphs) -> Int {
        displayWidth(of: binding.keyName(glyphs), glyphs: glyphs) + 1 + binding.name.count
    }

    /// Where each answer is, so that it can be clicked.
    var places: [KeyHints.Place] {
        let first = area.row + area.rows - 1 - answers.count
        return zip(first..., answers).flatMap { row, answers in
            answers.map { binding, column in
                let area = Area(
                    column: area.column + 1 + Self.margin + column,
                    row: row,
                    columns: Self.width(of: binding, glyphs),
                    rows: 1
                )
                return KeyHints.Place(binding: binding, name: binding.name, area: area)
            }
        }
    }
}

extension EditorState {
    /// Whether the top modal is a question or prompt that is in a box if there is room for one.
    var hasBoxContent: Bool { boxContent != nil }

    /// The words of the box, except for its keys; nil if the top modal has none.
    fileprivate var boxContent: (text: String, isPrompt: Bool, note: String, noteIsProblem: Bool)? {
        switch modal {
        case .question?, .choosing?:
            guard mode != .conflict, let notice else { return nil }
            return (notice.text, false, "", false)
        case .path(let prompt)?:
            let note = note(of: prompt)
            return (prompt.purpose.rawValue, true, note.text, note.isProblem)
        case .naming(let naming)?:
            return (title(of: naming), true, naming.problem ?? "", true)
        default: return nil
        }
    }
}

extension Painter {
    mutating func paintBox() {
        guard let box = layout.box else { return }
        paintFrame(box.area)
        let column = box.area.column + 3
        let room = box.area.columns - 4
        for (number, line) in box.text.enumerated() {
            write(line, column: column, row: box.area.row + 1 + number, columns: room)
        }
        if let field = box.field, let line = state.modal?.line {
            paintField(line, column: field.column, row: field.row, columns: field.columns)
            let style: Style = box.noteIsProblem ? .problem : .faint
            for (number, text) in box.note.enumerated() {
                write(text, column: column, row: field.row + 1 + number, columns: room, style: style)
            }
        }
        for place in box.places { paint(place) }
    }

    private mutating func paintFrame(_ area: Area) {
        fill(area)
        let corners = glyphs == .unicode ? ["┌", "┐", "└", "┘"] : ["+", "+", "+", "+"]
        let last = area.row + area.rows - 1
        for (row, ends) in [(area.row, corners[..<2]), (last, corners[2...])] {
            let line = String(repeating: glyphs.horizontalLine, count: area.columns - 2)
            let text = ends[ends.startIndex] + line + ends[ends.startIndex + 1]
            write(text, column: area.column, row: row, columns: area.columns, style: .heading)
        }
        for column in [area.column, area.column + area.columns - 1] {
            let side = Area(column: column, row: area.row + 1, columns: 1, rows: area.rows - 2)
            fill(side, with: glyphs.verticalLine, style: .heading)
        }
    }
}
