import CNcurses
import Glibc
import TerminalCanvas

/// The screen of ncurses: sends the difference between two grids to the terminal.
struct Screen {
    private var looks: StyleAttributes
    private let isUnicode: Bool
    /// The grid that the terminal shows, or nil if that is unknown.
    private var drawn: Grid?
    private var showsCursor: Bool?
    /// Whether another program might have written on the terminal.
    private var isStale = false

    /// Prepares the terminal that newterm(3) has made the current one.
    init(_ theme: Theme, isMonochrome: Bool, isUnicode: Bool) {
        looks = StyleAttributes(theme, isMonochrome: isMonochrome)
        self.isUnicode = isUnicode
        let window = cncurses_screen()
        // Selects the form of the keys that terminfo describes.
        keypad(window, true)
        // Input that arrives during an update must not interrupt it.
        typeahead(-1)
        scrollok(window, false)
        idlok(window, false)
        // Shifting the rest of a row goes wrong if the terminal and ncurses disagree about a character's
        // width.
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

    mutating func draw(in theme: Theme, update: (() -> Void) -> Void) {
        looks.theme = theme
        guard let grid = drawn else { return }
        drawn = nil
        draw(grid, update: update)
    }

    func clearWithNext() { clearok(cncurses_physical_screen(), true) }

    mutating func resize(to size: Size) {
        guard Int(cncurses_columns()) != size.columns || Int(cncurses_rows()) != size.rows else { return }
        resizeterm(Int32(size.rows), Int32(size.columns))
        drawn = nil
    }

    /// Sends the changes of the grid to the terminal.
    ///
    /// - Parameter update: Called with a closure that writes the changes. Not called if nothing differs.
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

    /// Makes the next drawing write the whole screen, whatever the terminal shows.
    mutating func redraw() {
        clearWithNext()
        isStale = true
    }

    /// Takes the terminal: at the start, and after another program or the shell has used it.
    ///
    /// This sets the terminal's modes, so ncurses must be connected to the terminal and not to a file.
    /// Afterwards the screen is empty, and the next drawing writes all of it.
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
        // A terminal that cannot hide its cursor gets it in the lower right corner, out of the way.
        let place =
            cursor.flatMap { isVisible ? $0 : nil }
            ?? Point(column: size.columns - 1, row: size.rows - 1)
        wmove(cncurses_screen(), Int32(place.row), Int32(place.column))
    }

    /// Converts cells for ncurses, which uses one element for each character, however wide.
    private mutating func characters(_ cells: ArraySlice<Cell>) -> [cchar_t] {
        var result: [cchar_t] = []
        result.reserveCapacity(cells.count)
        // Most cells have the same style as the previous one.
        var last: (style: Style, look: StyleAttributes.Look)?
        for (index, cell) in zip(cells.indices, cells) where !cell.isSecondHalf {
            let isWide = index + 1 < cells.endIndex && cells[index + 1].isSecondHalf
            let look = last.flatMap { $0.style == cell.style ? $0.look : nil } ?? looks.look(of: cell.style)
            last = (cell.style, look)
            let text = cell.text
            if isShown(text, width: isWide ? 2 : 1) {
                result.append(character(text, look))
            } else {
                result.append(character(isUnicode ? "\u{FFFD}" : "?", look))
                if isWide { result.append(character(" ", look)) }
            }
        }
        return result
    }

    private func character(_ text: String, _ look: StyleAttributes.Look) -> cchar_t {
        // ncurses accepts a limited number of scalars. The rest is not shown.
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

    /// Whether the C library agrees with our tables about the width.
    ///
    /// ncurses uses the C library's widths. These might be older or newer than ours, or the locale might lack
    /// the character.
    private func isShown(_ text: String, width: Int) -> Bool {
        let scalars = text.unicodeScalars
        guard let first = scalars.first else { return false }
        if first.isASCII, text.utf8.count == 1 { return width == 1 && 0x20..<0x7F ~= first.value }
        return cncurses_width(first.value) == Int32(width)
            && scalars.dropFirst().allSatisfy { cncurses_width($0.value) == 0 }
            && scalars.count <= CCHARW_MAX
    }
}
