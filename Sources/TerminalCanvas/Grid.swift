/// One character cell of a screen.
public struct Cell: Sendable, Hashable {
    /// What stands in the cell: a character of one or two columns with its marks, or empty in the
    /// second column of one that is two wide.
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
    /// How texts are escaped that are written here.
    public let glyphs: Glyphs
    /// Where the terminal's cursor stands; nil hides it.
    public var cursor: Point?
    private var cells: [Cell]

    /// The longest side of a grid.
    public static let longestSide = 2_000

    /// A blank grid; a side below zero counts as zero, one above ``longestSide`` as that.
    public init(size: Size, glyphs: Glyphs = .unicode) {
        self.size = Size(
            columns: min(max(0, size.columns), Self.longestSide),
            rows: min(max(0, size.rows), Self.longestSide)
        )
        self.glyphs = glyphs
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
    /// The text is escaped first (``escapedForDisplay(_:glyphs:)``), so nothing in it can act on a
    /// terminal. It ends before the first character that would pass `columns` or the right edge; a
    /// place outside the grid takes nothing. Half of a wide character that is written over becomes
    /// a space.
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
        let splitsWide = cells[first].text.isEmpty
        var used = writeASCII(text, at: first, style: style, available: available)
        if used < available, used < text.utf8.count {
            let rest = text[text.utf8.index(text.startIndex, offsetBy: used)...]
            for cell in DisplayCells(rest, glyphs: glyphs) {
                guard used + cell.width <= available else { break }
                cells[first + used] = Cell(cell.text, style)
                if cell.width == 2 { cells[first + used + 1] = Cell("", style) }
                used += cell.width
            }
        }
        guard used > 0 else { return 0 }
        if splitsWide { cells[first - 1].text = " " }
        if point.column + used < size.columns, cells[first + used].text.isEmpty {
            cells[first + used].text = " "
        }
        return used
    }

    private static let ascii = (0..<0x80).map { String(Unicode.Scalar($0 as UInt8)) }

    /// Writes the printable ASCII that a text begins with, up to where a mark might follow.
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
                cells[first + offset] = Cell(Self.ascii[Int(bytes[offset])], style)
            }
            return count
        } ?? 0
    }

    /// Fills the part of a rectangle that lies in the grid with a character of one column; any other
    /// counts as a space.
    public mutating func fill(
        at point: Point,
        size area: Size,
        with character: Character = " ",
        style: Style = .plain
    ) {
        let columns = clamped(point.column, area.columns, to: size.columns)
        guard !columns.isEmpty else { return }
        let cell = DisplayCells(String(character), glyphs: glyphs).first { _ in true }
        let run = String(repeating: cell?.width == 1 ? cell?.text ?? " " : " ", count: columns.count)
        for row in clamped(point.row, area.rows, to: size.rows) {
            write(run, at: Point(column: columns.lowerBound, row: row), style: style)
        }
    }

    /// Gives a run of cells a style and leaves their text.
    public mutating func restyle(from point: Point, columns: Int, style: Style) {
        guard 0..<size.rows ~= point.row else { return }
        for column in clamped(point.column, columns, to: size.columns) {
            cells[point.row * size.columns + column].style = style
        }
    }

    /// The part of `start..<start + length` that lies in `0..<end`.
    private func clamped(_ start: Int, _ length: Int, to end: Int) -> Range<Int> {
        let (sum, overflows) = start.addingReportingOverflow(max(0, length))
        let low = min(max(0, start), end)
        return low..<max(low, min(overflows ? end : sum, end))
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
