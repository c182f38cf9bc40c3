import TerminalCanvas

/// The columns of a row's parts, from the left edge of the pane.
struct KeyColumns {
    /// After the symbols for selection and changes.
    static let name = 2
    let nameWidth: Int
    let value: Int
    let valueWidth: Int
    /// Nil if the type does not fit.
    let type: Int?

    /// The widest name of a type.
    static let typeWidth = 10
    /// Names get a multiple of this width, so that the columns move rarely.
    private static let step = 4

    /// Values get this width if names take the rest.
    static let narrowestValue = 24

    /// The width of a pane in which few names are cut.
    static func needed(_ widths: RowWidths) -> Int {
        name + widths.names + step + 2 + narrowestValue + typeWidth + 9
    }

    /// Names get a little less than half of the pane, and more if the values do not need the rest.
    init(_ columns: Int, _ widths: RowWidths) {
        let room = max(0, columns - Self.name)
        // The last column is for the scroll bar.
        type = columns >= 44 ? columns - Self.typeWidth - 2 - (columns >= 70 ? 4 : 0) : nil
        let end = (type ?? columns) - 1
        // Includes the symbol for expanded values.
        let wanted = (max(14, widths.names + 2) + Self.step - 1) / Self.step * Self.step
        nameWidth = min(
            wanted,
            columns >= 40 ? max(room * 9 / 20, end - Self.name - 1 - widths.values) : room * 9 / 20
        )
        value = Self.name + nameWidth + 1
        valueWidth = max(0, end - value + (columns < 40 ? 1 : 0))
    }

    /// The indentation of a name at a depth, limited by the width.
    func indent(_ depth: Int) -> Int { min(2 * depth, deepest) }

    var deepest: Int { max(0, nameWidth / 2 - 1) }
}

extension SuiteModel {
    func keyColumns(_ columns: Int) -> KeyColumns { KeyColumns(columns, outline.widths) }
}
