import TerminalCanvas
import Testing

@Suite("A grid of cells")
struct GridTests {
    @Test("A text is written up to its limit and up to the edge")
    func writing() {
        var grid = Grid(size: Size(columns: 8, rows: 3))
        #expect(grid.write("settings and more", at: Point(column: 0, row: 0)) == 8)
        #expect(grid.write("日本語", at: Point(column: 1, row: 1), columns: 5) == 4)
        #expect(grid.write("a\u{1B}é", at: Point(column: 6, row: 2)) == 2)
        #expect(grid.lines == ["settings", " 日本", "      a␛"])
        #expect(grid[1, 1].text == "日")
        #expect(grid[2, 1].text == "")
    }

    @Test(
        "A cell keeps a character of up to five scalars",
        arguments: ["a", "é", "漢", "e\u{301}\u{323}", "🄰", "─"]
    )
    func cell(text: String) {
        let cell = Cell(text, .field)
        #expect(Array(cell.text.unicodeScalars) == Array(text.unicodeScalars))
        #expect(cell == Cell(text, .field))
        #expect(cell != Cell(text + "\u{302}", .field))
        #expect(cell != Cell(text, .plain))
        #expect(cell.ascii == (text == "a" ? 0x61 : nil))
        #expect(!cell.isSecondHalf)
    }

    @Test("A cell keeps the first five scalars of a longer character")
    func longCell() {
        #expect(Cell("a" + String(repeating: "\u{301}", count: 9)) == Cell("a\u{301}\u{301}\u{301}\u{301}"))
    }

    @Test("A wide character that does not fit into the last column is left out")
    func wideAtEdge() {
        var grid = Grid(size: Size(columns: 3, rows: 1))
        #expect(grid.write("漢字", at: Point(column: 0, row: 0)) == 2)
        #expect(grid.write("漢", at: Point(column: 2, row: 0)) == 0)
        #expect(grid.lines == ["漢"])
    }

    @Test(
        "Overwriting half of a wide character replaces the other half by a space",
        arguments: [
            ("x", 0, "x 字"), ("x", 1, " x字"), ("x", 2, "漢x"), ("x", 3, "漢 x"), ("語", 1, " 語"),
            ("語", 0, "語字"), ("é", 0, "é 字"), ("é", 1, " é字"), ("xyz", 1, " xyz"), ("ab", 1, " ab"),
            ("語é", 0, "語é"),
        ]
    )
    func halves(text: String, column: Int, result: String) {
        var grid = Grid(size: Size(columns: 4, rows: 1))
        grid.write("漢字", at: Point(column: 0, row: 0))
        grid.write(text, at: Point(column: column, row: 0))
        #expect(grid.lines == [result])
        #expect(grid.isWhole)
    }

    @Test("A mark stays with the character before it, even after plain text")
    func marks() {
        var grid = Grid(size: Size(columns: 4, rows: 1))
        #expect(grid.write("abe\u{301}\u{302}x", at: Point(column: 0, row: 0)) == 4)
        #expect(grid[2, 0].text == "e\u{301}\u{302}")
        #expect(grid.write("e\u{301}", at: Point(column: 3, row: 0), columns: 1) == 1)
        #expect(grid[3, 0].text == "e\u{301}")
    }

    @Test("Letters that form one wide grapheme get a cell each")
    func conjuncts() {
        var grid = Grid(size: Size(columns: 4, rows: 1))
        #expect(grid.write("क्षि|", at: Point(column: 0, row: 0)) == 4)
        #expect(grid.row(0).map(\.text) == ["क्", "ष", "ि", "|"])
    }

    @Test(
        "Writing outside the grid changes nothing",
        arguments: [
            Point(column: -1, row: 0), Point(column: 0, row: -1), Point(column: 4, row: 0),
            Point(column: 0, row: 2), Point(column: .min, row: .min), Point(column: .max, row: .max),
        ]
    )
    func outside(point: Point) {
        for size in [Size(columns: 4, rows: 2), Size(columns: 0, rows: 0), Size(columns: -3, rows: 5)] {
            var grid = Grid(size: size)
            #expect(grid.write("text", at: point) == 0)
            #expect(grid == Grid(size: size))
        }
    }

    @Test("A limit below one writes nothing, and a huge limit has no effect")
    func limits() {
        var grid = Grid(size: Size(columns: 4, rows: 1))
        for limit in [0, -1, Int.min] {
            #expect(grid.write("text", at: Point(column: 0, row: 0), columns: limit) == 0)
        }
        #expect(grid.write("te", at: Point(column: 1, row: 0), columns: .max) == 2)
    }

    @Test("The size of a grid is limited")
    func sizes() {
        let grid = Grid(size: Size(columns: .max, rows: -1))
        #expect(grid.size == Size(columns: Grid.longestSide, rows: 0))
        #expect(grid.lines == [])
    }

    @Test(
        "A fill covers the part of its rectangle that is in the grid",
        arguments: [
            (Point(column: 1, row: 1), Size(columns: 2, rows: 1), ["", " ##", ""]),
            (Point(column: -1, row: -1), Size(columns: 3, rows: 2), ["##", "", ""]),
            (Point(column: 3, row: 2), Size(columns: .max, rows: .max), ["", "", "   #"]),
            (Point(column: .min, row: .min), Size(columns: .max, rows: .max), ["", "", ""]),
            (Point(column: .max, row: 0), Size(columns: .max, rows: 1), ["", "", ""]),
            (Point(column: 0, row: 0), Size(columns: -1, rows: 1), ["", "", ""]),
        ]
    )
    func filling(point: Point, area: Size, result: [String]) {
        var grid = Grid(size: Size(columns: 4, rows: 3))
        grid.fill(at: point, size: area, with: "#")
        #expect(grid.lines == result)
    }

    @Test(
        "A fill with a character that is not one column wide leaves no half characters",
        arguments: ["漢", "\u{E000}", "\u{301}"] as [Character]
    )
    func fillingWide(character: Character) {
        var grid = Grid(size: Size(columns: 4, rows: 1))
        grid.write("xxxx", at: Point(column: 0, row: 0))
        grid.fill(at: Point(column: 1, row: 0), size: Size(columns: 3, rows: 1), with: character)
        #expect(grid.isWhole)
        #expect(grid[0, 0].text == "x")
        #expect((1..<4).allSatisfy { grid[$0, 0].text != "x" })
    }

    @Test("Restyling cells keeps their text")
    func restyling() {
        let style = Style.problem
        var grid = Grid(size: Size(columns: 4, rows: 1))
        grid.write("text", at: Point(column: 0, row: 0))
        grid.restyle(from: Point(column: 2, row: 0), columns: .max, style: style)
        grid.restyle(from: Point(column: -5, row: 0), columns: 6, style: style)
        grid.restyle(from: Point(column: 0, row: 7), columns: 1, style: .plain)
        #expect(grid.row(0).map(\.style) == [style, .plain, style, style])
        #expect(grid.lines == ["text"])
    }

    @Test("After any writes, the widths in a row add up and no cell contains control characters")
    func hostileTexts() {
        var hostile = HostileTexts(seed: 1)
        for glyphs in [Glyphs.unicode, .ascii] {
            var grid = Grid(size: Size(columns: 13, rows: 3), glyphs: glyphs)
            for _ in 0..<4_000 {
                let text = hostile.next()
                let point = Point(column: hostile.number(below: 17) - 2, row: hostile.number(below: 5) - 1)
                let limit = hostile.number(below: 3) == 0 ? hostile.number(below: 16) - 1 : .max
                let used = grid.write(text, at: point, columns: limit)
                #expect(used >= 0 && used <= max(0, limit))
                #expect(grid.isWhole, "\(text.debugDescription) at \(point)")
            }
        }
    }
}

@Suite("Changes between two grids")
struct GridChangesTests {
    @Test("Applied to the old grid, the changes give the new one")
    func changes() {
        var hostile = HostileTexts(seed: 2)
        var old = Grid(size: Size(columns: 13, rows: 3))
        for _ in 0..<2_000 {
            var new = old
            for _ in 0..<hostile.number(below: 3) {
                let point = Point(column: hostile.number(below: 13), row: hostile.number(below: 3))
                let style = hostile.number(below: 2) == 0 ? Style.plain : .heading
                if hostile.number(below: 4) == 0 {
                    new.restyle(from: point, columns: 1, style: style)
                } else {
                    new.write(hostile.next(), at: point, style: style)
                }
            }
            var rows = (0..<3).map { Array(old.row($0)) }
            for run in new.changedRuns(from: old) {
                #expect(run.cells.first?.text != "")
                for (offset, cell) in run.cells.enumerated() {
                    rows[run.start.row][run.start.column + offset] = cell
                }
                let end = run.start.column + run.cells.count
                if end < 13 { #expect(new[end, run.start.row].text != "") }
            }
            #expect(rows == (0..<3).map { Array(new.row($0)) })
            old = new
        }
    }

    @Test("Only differing cells are changes, and all rows are if the size differs")
    func changedRuns() {
        var old = Grid(size: Size(columns: 8, rows: 2))
        old.write("ab漢cd", at: Point(column: 0, row: 0))
        var new = old
        #expect(new.changedRuns(from: old) == [])
        new.write("x", at: Point(column: 0, row: 0))
        new.write("字", at: Point(column: 2, row: 0))
        let runs = new.changedRuns(from: old)
        #expect(runs.map(\.start) == [Point(column: 0, row: 0), Point(column: 2, row: 0)])
        #expect(runs.map { $0.cells.map(\.text) } == [["x"], ["字", ""]])
        #expect(new.changedRuns(from: nil).map(\.cells.count) == [8, 8])
        #expect(new.changedRuns(from: Grid(size: Size(columns: 7, rows: 2))).count == 2)
        #expect(Grid(size: Size(columns: 0, rows: 4)).changedRuns(from: nil) == [])
    }
}

extension Grid {
    /// Whether the widths of each row add up to its columns, and no cell contains anything that acts on a
    /// terminal.
    var isWhole: Bool {
        (0..<size.rows).allSatisfy { number in
            let row = Array(self.row(number))
            let widths = row.map { displayWidth(of: $0.text) }
            let halves = row.indices.allSatisfy { column in
                let isSecond = column > 0 && widths[column - 1] == 2
                return row[column].text.isEmpty == isSecond
                    && (isSecond ? [0] : [1, 2]).contains(widths[column])
            }
            return halves && widths.reduce(0, +) == size.columns
                && !row.contains { $0.text.unicodeScalars.contains(where: actsOnTerminals) }
        }
    }
}
