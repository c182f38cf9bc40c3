import TerminalCanvas

/// A question in a box over the outline: its text, and below it the answers. A question without room for a box is in the
/// message line.
struct QuestionBox: Sendable {
    let area: Area
    let text: [String]
    /// The answers of each line.
    private let answers: [[(binding: KeyBinding, column: Int)]]
    private let glyphs: Glyphs

    /// The columns between the border and the text, on each side.
    private static let margin = 2
    private static let gap = 3
    /// The widest text that is easy to read.
    private static let widest = 72

    /// Nil if no question is asked, or if there is no room.
    init?(_ state: EditorState, _ body: Area) {
        switch state.modal {
        case .question?, .choosingOnly?, .choosingLevel?: break
        default: return nil
        }
        guard state.mode != .conflict, body.columns >= 40, let notice = state.notice else { return nil }
        let glyphs = state.options.glyphs
        let most = min(body.columns - 8, Self.widest)
        let words = spelled(String(notice.text.unicodeScalars.prefix(4000)), glyphs)
        let text = wrapped(words, columns: most, glyphs: glyphs)
        var rows: [[(binding: KeyBinding, column: Int)]] = []
        var used = 0
        for binding in state.usefulBindings {
            let width = Self.width(of: binding, glyphs)
            if rows.isEmpty || used + Self.gap + width > most {
                rows.append([(binding, 0)])
                used = width
            } else {
                rows[rows.count - 1].append((binding, used + Self.gap))
                used += Self.gap + width
            }
        }
        let widest = text.map { displayWidth(of: $0, glyphs: glyphs) }.max() ?? 0
        let ends = rows.flatMap { $0 }.map { $0.column + Self.width(of: $0.binding, glyphs) }
        let columns = max(32, widest, ends.max() ?? 0) + 2 * (Self.margin + 1)
        let height = text.count + rows.count + 3
        guard height <= body.rows else { return nil }
        (self.glyphs, self.text, answers) = (glyphs, text, rows)
        area = Area(
            column: body.column + (body.columns - columns) / 2,
            row: body.row + min(2, (body.rows - height) / 2),
            columns: columns,
            rows: height
        )
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

extension Painter {
    mutating func paintBox() {
        guard let box = layout.box else { return }
        paintFrame(box.area)
        for (number, line) in box.text.enumerated() {
            write(
                line,
                column: box.area.column + 3,
                row: box.area.row + 1 + number,
                columns: box.area.columns - 4
            )
        }
        for place in box.places { paint(place) }
    }

    /// Clears an area and draws a line around it.
    private mutating func paintFrame(_ area: Area) {
        grid.fill(
            at: Point(column: area.column, row: area.row),
            size: Size(columns: area.columns, rows: area.rows)
        )
        let corners = glyphs == .unicode ? ["┌", "┐", "└", "┘"] : ["+", "+", "+", "+"]
        let last = area.row + area.rows - 1
        for (row, ends) in [(area.row, corners[..<2]), (last, corners[2...])] {
            let line = String(repeating: glyphs.horizontalLine, count: area.columns - 2)
            let text = ends[ends.startIndex] + line + ends[ends.startIndex + 1]
            write(text, column: area.column, row: row, columns: area.columns, style: .heading)
        }
        for column in [area.column, area.column + area.columns - 1] {
            grid.fill(
                at: Point(column: column, row: area.row + 1),
                size: Size(columns: 1, rows: area.rows - 2),
                with: glyphs.verticalLine,
                style: .heading
            )
        }
    }
}
