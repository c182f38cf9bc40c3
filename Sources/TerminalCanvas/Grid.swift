/// A screen of cells: `view` functions draw into it, tests compare it, and a terminal shows it.
public struct Grid: Sendable, Hashable {
    public let size: Size
    /// The characters that texts may use here.
    public let glyphs: Glyphs
    /// The position of the terminal's cursor. Nil hides the cursor.
    public var cursor: Point?
    private var cells: [Cell]

    /// The greatest number of columns and of rows in a grid.
    public static let longestSide = 2_000

    /// Creates a blank grid. Each side is limited to the range from 0 to ``longestSide``.
    public init(size: Size, glyphs: Glyphs = .unicode) {
        self.size = Size(
            columns: min(max(0, size.columns), Self.longestSide),
            rows: min(max(0, size.rows), Self.longestSide)
        )
        self.glyphs = glyphs
        cells = Array(repeating: Cell(), count: self.size.columns * self.size.rows)
    }

    /// Returns the cells of one row, from the left.
    public func row(_ row: Int) -> ArraySlice<Cell> {
        cells[row * size.columns..<(row + 1) * size.columns]
    }

    /// The cell at a position, which must be inside the grid.
    public subscript(column: Int, row: Int) -> Cell {
        cells[row * size.columns + column]
    }

    /// Writes a text and returns the number of columns that it took.
    ///
    /// The text is escaped first (``escapedForDisplay(_:glyphs:)``), so nothing in it can act on a terminal.
    /// It ends before the first character that would pass `columns` or the right edge. Outside the grid
    /// nothing is written. If one half of a wide character is overwritten, the other half becomes a space.
    @discardableResult
    public mutating func write(
        _ text: some StringProtocol,
        at point: Point,
        style: Style = .plain,
        columns limit: Int = .max
    ) -> Int {
        write(Substring(text), at: point, style: style, columns: limit)
    }

    private mutating func write(
        _ text: Substring,
        at point: Point,
        style: Style,
        columns limit: Int
    ) -> Int {
        guard 0..<size.rows ~= point.row, 0..<size.columns ~= point.column, limit > 0 else { return 0 }
        let available = min(limit, size.columns - point.column)
        let first = point.row * size.columns + point.column
        let splitsWide = cells[first].isSecondHalf
        var used = writeASCII(text, at: first, style: style, available: available)
        if used < available, used < text.utf8.count {
            let rest = text[text.utf8.index(text.startIndex, offsetBy: used)...]
            for cell in DisplayCells(rest, glyphs: glyphs) {
                guard used + cell.width <= available else { break }
                cells[first + used] = Cell(cell.text, style)
                if cell.width == 2 { cells[first + used + 1] = Cell(second: style) }
                used += cell.width
            }
        }
        guard used > 0 else { return 0 }
        if splitsWide { blank(first - 1) }
        blankSecondHalf(at: point.column + used, ofRowFrom: first - point.column)
        return used
    }

    /// Writes the printable ASCII at the start of a text, up to the first character that could have a mark.
    private mutating func writeASCII(
        _ text: Substring,
        at first: Int,
        style: Style,
        available: Int
    ) -> Int {
        text.utf8.withContiguousStorageIfAvailable { bytes in
            var count = 0
            let end = min(bytes.count, available)
            while count < end, isPrintableASCII(bytes[count]) { count += 1 }
            if count > 0, count < bytes.count, !isPrintableASCII(bytes[count]) { count -= 1 }
            for offset in 0..<count {
                cells[first + offset] = Cell(Unicode.Scalar(bytes[offset]), style)
            }
            return count
        } ?? 0
    }

    /// Fills a rectangle, as far as it is in the grid, with a character of one column. Any other character
    /// counts as a space.
    public mutating func fill(
        at point: Point,
        size area: Size,
        with character: Character = " ",
        style: Style = .plain
    ) {
        let columns = clamped(point.column, area.columns, to: size.columns)
        guard !columns.isEmpty else { return }
        let drawn = DisplayCells(String(character), glyphs: glyphs).first { _ in true }
        let cell = Cell(drawn?.width == 1 ? drawn?.text ?? " " : " ", style)
        for row in clamped(point.row, area.rows, to: size.rows) {
            let start = row * size.columns
            if cells[start + columns.lowerBound].isSecondHalf { blank(start + columns.lowerBound - 1) }
            for column in columns { cells[start + column] = cell }
            blankSecondHalf(at: columns.upperBound, ofRowFrom: start)
        }
    }

    /// Replaces half of a wide character, whose other half was overwritten, by a space.
    private mutating func blank(_ index: Int) { cells[index] = Cell(" ", cells[index].style) }

    /// The same for the cell after those that were overwritten.
    private mutating func blankSecondHalf(at column: Int, ofRowFrom start: Int) {
        if column < size.columns, cells[start + column].isSecondHalf { blank(start + column) }
    }

    /// Changes the style of some cells and keeps their text.
    public mutating func restyle(from point: Point, columns: Int, style: Style) {
        guard 0..<size.rows ~= point.row else { return }
        for column in clamped(point.column, columns, to: size.columns) {
            cells[point.row * size.columns + column].style = style
        }
    }

    /// Returns the part of `start..<start + length` that is in `0..<end`.
    private func clamped(_ start: Int, _ length: Int, to end: Int) -> Range<Int> {
        let (sum, overflows) = start.addingReportingOverflow(max(0, length))
        let low = min(max(0, start), end)
        return low..<max(low, min(overflows ? end : sum, end))
    }
}

extension Grid {
    /// The rows as text without trailing spaces, for tests and for printing a screen.
    public var lines: [String] {
        (0..<size.rows).map { row in
            var line = self.row(row).map(\.text).joined()
            while line.last == " " { line.removeLast() }
            return line
        }
    }
}
