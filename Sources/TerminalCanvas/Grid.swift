/// One character cell of a screen.
public struct Cell: Sendable, Hashable {
    /// What stands in the cell: one grapheme of one or two columns, or empty in the second column
    /// of a grapheme that is two wide.
    public var text: String
    public var style: Style

    public init(_ text: String = " ", _ style: Style = .plain) {
        self.text = text
        self.style = style
    }
}

/// A screenful of cells: what `view` functions draw into, what tests compare, and all that a
/// terminal is given.
public struct Grid: Sendable, Hashable {
    public let size: Size
    /// Where the terminal's cursor stands; nil hides it.
    public var cursor: Point?
    private var cells: [Cell]

    /// A blank grid; a size below zero counts as zero.
    public init(size: Size) {
        self.size = Size(columns: max(0, size.columns), rows: max(0, size.rows))
        cells = Array(repeating: Cell(), count: self.size.columns * self.size.rows)
    }

    /// The cells of one row, from the left.
    public func row(_ row: Int) -> ArraySlice<Cell> {
        cells[row * size.columns..<(row + 1) * size.columns]
    }

    public subscript(column: Int, row: Int) -> Cell {
        cells[row * size.columns + column]
    }

    /// Writes a text and returns the columns that it took.
    ///
    /// The text is escaped first (``escapedForDisplay(_:)``), so nothing in it can act on a
    /// terminal. It ends before the first grapheme that would pass `columns` or the right edge; a
    /// place outside the grid takes nothing. Half of a wide grapheme that is written over becomes
    /// a space.
    @discardableResult
    public mutating func write(
        _ text: some StringProtocol,
        at point: Point,
        style: Style = .plain,
        columns limit: Int = .max
    ) -> Int {
        guard point.row >= 0, point.row < size.rows, point.column >= 0, point.column < size.columns
        else { return 0 }
        let available = min(limit, size.columns - point.column)
        var used = 0
        for grapheme in escapedForDisplay(text) {
            let width = displayWidth(of: grapheme)
            guard width > 0, used + width <= available else { break }
            place(grapheme, width: width, column: point.column + used, row: point.row, style: style)
            used += width
        }
        return used
    }

    /// Gives a run of cells a style and leaves their text.
    public mutating func restyle(from point: Point, columns: Int, style: Style) {
        guard point.row >= 0, point.row < size.rows else { return }
        let first = max(0, point.column)
        let end = min(size.columns, point.column + max(0, columns))
        guard first < end else { return }
        for column in first..<end { cells[point.row * size.columns + column].style = style }
    }

    private mutating func place(_ grapheme: Character, width: Int, column: Int, row: Int, style: Style) {
        let index = row * size.columns + column
        blankHalf(at: index, row: row)
        if width == 2 { blankHalf(at: index + 1, row: row) }
        cells[index] = Cell(String(grapheme), style)
        if width == 2 { cells[index + 1] = Cell("", style) }
    }

    /// If the cell is one half of a wide grapheme, the other half becomes a space.
    private mutating func blankHalf(at index: Int, row: Int) {
        let end = (row + 1) * size.columns
        if cells[index].text.isEmpty, index > row * size.columns { cells[index - 1].text = " " }
        if index + 1 < end, cells[index + 1].text.isEmpty { cells[index + 1].text = " " }
    }
}

extension Grid {
    /// The rows as text, trailing blanks left out: for tests, and for programs that print a screen.
    public var lines: [String] {
        (0..<size.rows).map { row in
            var line = self.row(row).map(\.text).joined()
            while line.last == " " { line.removeLast() }
            return line
        }
    }
}
