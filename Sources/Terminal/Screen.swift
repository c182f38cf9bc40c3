import CNcurses
import Glibc
import TerminalCanvas

/// ncurses' screen: what is drawn and how it gets there.
struct Screen {
    private var looks: Looks
    private let isUnicode: Bool
    /// What the screen shows; nil when that isn't known.
    private var drawn: Grid?
    private var showsCursor: Bool?
    /// Something else may stand on the terminal.
    private var isStale = false

    /// For the terminal that newterm(3) has made the current one.
    init(_ theme: Theme, isMonochrome: Bool, isUnicode: Bool) {
        looks = Looks(theme, isMonochrome: isMonochrome)
        self.isUnicode = isUnicode
        let window = cncurses_screen()
        // The form of the keys that terminfo describes.
        keypad(window, true)
        // What is typed meanwhile must not leave the screen half drawn.
        typeahead(-1)
        scrollok(window, false)
        idlok(window, false)
        // Shifting the rest of a row goes wrong where the terminal's widths differ from ncurses'.
        idcok(window, false)
    }

    var size: Size {
        Size(
            columns: min(Int(cncurses_columns()), Grid.longestSide),
            rows: min(Int(cncurses_rows()), Grid.longestSide)
        )
    }

    var theme: Theme { looks.theme }
    var hasColors: Bool { looks.colors > 0 }

    /// Draws what is on the screen in another theme.
    mutating func draw(in theme: Theme, update: (() -> Void) -> Void) {
        looks.theme = theme
        guard let grid = drawn else { return }
        drawn = nil
        draw(grid, update: update)
    }

    /// Has the next drawing clear the terminal first.
    func clearWithNext() { clearok(cncurses_physical_screen(), true) }

    /// Leaves the screen as it is if it has that size already.
    mutating func resize(to size: Size) {
        guard Int(cncurses_columns()) != size.columns || Int(cncurses_rows()) != size.rows else { return }
        resizeterm(Int32(size.rows), Int32(size.columns))
        drawn = nil
    }

    /// Brings the grid's changes to the terminal.
    ///
    /// - Parameter update: what is called around all that is written; not at all where nothing differs.
    mutating func draw(_ grid: Grid, update: (() -> Void) -> Void) {
        let runs = grid.changedRuns(from: drawn)
        if !isStale, runs.isEmpty, let drawn, drawn.size == grid.size, drawn.cursor == grid.cursor { return }
        update { put(grid, runs) }
    }

    private mutating func put(_ grid: Grid, _ runs: [Grid.Run]) {
        let window = cncurses_screen()
        if drawn?.size != grid.size {
            drawn = nil
            werase(window)
        }
        let size = self.size
        for run in runs where run.start.row < size.rows {
            let room = size.columns - run.start.column
            guard room > 0 else { continue }
            let cells = characters(run.cells.prefix(room))
            mvwadd_wchnstr(
                window,
                Int32(run.start.row),
                Int32(run.start.column),
                cells,
                Int32(cells.count)
            )
        }
        drawn = grid
        isStale = false
        place(grid.cursor, in: size)
        wrefresh(window)
    }

    /// Has the next drawing write all of it again, whatever the terminal shows.
    mutating func redraw() {
        clearWithNext()
        isStale = true
    }

    /// Takes the terminal, at first, and after another program has had it, or the shell. Sets its modes, so
    /// that ncurses must have the terminal itself and no file in its place; then it is empty, and the next drawing
    /// writes all.
    mutating func resume() {
        reset_prog_mode()
        (drawn, showsCursor) = (nil, nil)
        werase(cncurses_screen())
        clearok(cncurses_physical_screen(), true)
        wrefresh(cncurses_screen())
    }

    private mutating func place(_ cursor: Point?, in size: Size) {
        let isVisible = cursor.map { 0..<size.columns ~= $0.column && 0..<size.rows ~= $0.row } ?? false
        if showsCursor != isVisible {
            showsCursor = isVisible
            curs_set(isVisible ? 1 : 0)
        }
        // Out of the way where a terminal can't hide it.
        let place =
            cursor.flatMap { isVisible ? $0 : nil }
            ?? Point(column: size.columns - 1, row: size.rows - 1)
        wmove(cncurses_screen(), Int32(place.row), Int32(place.column))
    }

    /// The cells as ncurses has them: one for each character, however wide.
    private mutating func characters(_ cells: ArraySlice<Cell>) -> [cchar_t] {
        var result: [cchar_t] = []
        result.reserveCapacity(cells.count)
        // Most cells look like the one before.
        var last: (style: Style, look: Looks.Look)?
        for (index, cell) in zip(cells.indices, cells) where !cell.text.isEmpty {
            let isWide = index + 1 < cells.endIndex && cells[index + 1].text.isEmpty
            let look = last.flatMap { $0.style == cell.style ? $0.look : nil } ?? looks.look(of: cell.style)
            last = (cell.style, look)
            if isShown(cell.text, width: isWide ? 2 : 1) {
                result.append(character(cell.text, look))
            } else {
                result.append(character(isUnicode ? "\u{FFFD}" : "?", look))
                if isWide { result.append(character(" ", look)) }
            }
        }
        return result
    }

    private func character(_ text: String, _ look: Looks.Look) -> cchar_t {
        // More than ncurses takes are not shown.
        let longest = Int(CCHARW_MAX)
        return withUnsafeTemporaryAllocation(of: wchar_t.self, capacity: longest + 1) { wide in
            var count = 0
            for scalar in text.unicodeScalars where count < longest {
                wide[count] = wchar_t(scalar.value)
                count += 1
            }
            wide[count] = 0
            var character = cchar_t()
            setcchar(&character, wide.baseAddress, look.attributes, look.pair, nil)
            return character
        }
    }

    /// Whether the C library, by which ncurses counts, agrees on the width. It may be older or newer
    /// than the grid's tables, or its locale may lack the character.
    private func isShown(_ text: String, width: Int) -> Bool {
        let scalars = text.unicodeScalars
        guard let first = scalars.first else { return false }
        if first.isASCII, text.utf8.count == 1 { return width == 1 && 0x20..<0x7F ~= first.value }
        return cncurses_width(first.value) == Int32(width)
            && scalars.dropFirst().allSatisfy { cncurses_width($0.value) == 0 }
            && scalars.count <= CCHARW_MAX
    }
}
