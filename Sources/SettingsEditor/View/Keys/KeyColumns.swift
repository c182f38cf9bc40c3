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
    private static let typeWidth = 7
    /// Names get a multiple of this width, so that the columns move rarely.
    private static let step = 4

    /// Values get this width if a long name takes the rest.
    private static let narrowestValue = 24

    /// The width of a pane in which no name is cut.
    static func needed(names: Int) -> Int { name + names + step + 2 + narrowestValue + typeWidth + 12 }

    /// - Parameter names: the width of the longest name that was on the screen.
    init(_ columns: Int, names: Int) {
        let room = max(0, columns - Self.name)
        // The last column is for the scroll bar.
        type = columns >= 40 ? columns - Self.typeWidth - 2 - (columns >= 70 ? 7 : 0) : nil
        let end = (type ?? columns) - 1
        // Includes the symbol for expanded values.
        let wanted = (max(14, names + 2) + Self.step - 1) / Self.step * Self.step
        nameWidth = min(
            wanted,
            columns >= 40 ? max(room * 9 / 20, end - Self.name - 1 - Self.narrowestValue) : room * 9 / 20
        )
        value = Self.name + nameWidth + 1
        valueWidth = max(0, end - value + (type == nil ? 1 : 0))
    }

    /// The indentation of a name at a depth, limited by the width.
    func indent(_ depth: Int) -> Int { min(2 * depth, deepest) }

    var deepest: Int { max(0, nameWidth / 2 - 1) }
}

extension SuiteModel {
    func keyColumns(_ columns: Int) -> KeyColumns { KeyColumns(columns, names: outline.widestName) }
}

extension Painter {
    func keyColumns(_ area: Area) -> KeyColumns {
        suite?.keyColumns(area.columns) ?? KeyColumns(area.columns, names: 0)
    }
}
