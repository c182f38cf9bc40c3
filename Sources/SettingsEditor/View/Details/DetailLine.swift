import PropertyList
import SettingsStore
import TerminalCanvas

/// A line of the details: pieces of text with their styles.
struct DetailLine: Sendable, Hashable {
    struct Piece: Sendable, Hashable {
        let text: String
        let style: Style
    }

    var pieces: [Piece]
    var indent = 0

    init(_ pieces: [Piece], indent: Int = 0) { (self.pieces, self.indent) = (pieces, indent) }

    init(_ text: String, _ style: Style = .plain, indent: Int = 0) {
        self.init([Piece(text: text, style: style)], indent: indent)
    }

    static let blank = DetailLine([])
}

/// The state that a section of the details reads, and the room that it has.
struct DetailContext {
    let state: EditorState
    let suite: SuiteModel
    /// The selected row; nil if the details are about the suite.
    let row: Row?
    let columns: Int
    /// No section needs more lines than this.
    let limit: Int
    /// Whether the keys are on the screen too.
    let isBesideKeys: Bool

    var glyphs: Glyphs { state.options.glyphs }
    var symbols: Symbols { Symbols(glyphs: glyphs) }
    var key: String { row?.path.key ?? "" }
    /// The declaration of the selected value.
    var declaration: SettingDeclaration? { row.flatMap { suite.declaration(at: $0.path) } }
    var isHidden: Bool { row != nil && suite.hides(key) }

    /// Sentences, broken into lines.
    func sentences(_ text: String, _ style: Style = .plain, indent: Int = 0) -> [DetailLine] {
        // This is far more than the details can show.
        let text = spelled(String(text.unicodeScalars.prefix(columns * max(1, limit) + 1000)), glyphs)
        return text.split(separator: "\n", omittingEmptySubsequences: false).prefix(limit).flatMap { part in
            let lines = wrapped(String(part), columns: max(8, columns - indent), glyphs: glyphs)
            return (lines.isEmpty ? [""] : lines).map { DetailLine($0, style, indent: indent) }
        }
    }

    /// Pieces beside each other, as many in a line as fit.
    func packed(_ pieces: [DetailLine.Piece], gap: Int = 3, indent: Int = 0) -> [DetailLine] {
        var lines: [DetailLine] = []
        var used = columns
        for piece in pieces {
            let width = displayWidth(of: piece.text, glyphs: glyphs)
            if used + gap + width > columns - indent {
                lines.append(DetailLine([piece], indent: indent))
                used = width
            } else {
                let blank = DetailLine.Piece(text: String(repeating: " ", count: gap), style: .plain)
                lines[lines.count - 1].pieces += [blank, piece]
                used += gap + width
            }
        }
        return lines
    }
}

/// A part of the details. To show more about a row, add a type and put it into ``Details/sections``.
protocol DetailSection: Sendable {
    var title: String { get }
    /// The lines; none if the section has nothing to say about the row.
    func lines(_ context: DetailContext) -> [DetailLine]
}
