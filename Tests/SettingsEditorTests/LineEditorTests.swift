import TerminalCanvas
import Testing

@testable import SettingsEditor

@Suite("A line that is being typed")
struct LineEditorTests {
    @Test(
        "Keys move and delete by characters as readers see them",
        arguments: [
            ([], "naïve 👨‍👩‍👧 漢字|"), ([.left], "naïve 👨‍👩‍👧 漢|字"), ([.left, .left, .left], "naïve 👨‍👩‍👧| 漢字"),
            ([.left, .left, .left, .left], "naïve |👨‍👩‍👧 漢字"), ([.start], "|naïve 👨‍👩‍👧 漢字"),
            ([.start, .right], "n|aïve 👨‍👩‍👧 漢字"), ([.start, .end], "naïve 👨‍👩‍👧 漢字|"),
            ([.deleteBackward], "naïve 👨‍👩‍👧 漢|"), ([.deleteForward], "naïve 👨‍👩‍👧 漢字|"),
            ([.start, .deleteForward], "|aïve 👨‍👩‍👧 漢字"), ([.start, .deleteBackward], "|naïve 👨‍👩‍👧 漢字"),
            ([.deleteWord], "naïve 👨‍👩‍👧 |"), ([.deleteWord, .deleteWord], "naïve |"), ([.deleteToStart], "|"),
            ([.left, .deleteToStart], "|字"), ([.left, .deleteToEnd], "naïve 👨‍👩‍👧 漢|"), ([.right], "naïve 👨‍👩‍👧 漢字|"),
            ([.start, .left], "|naïve 👨‍👩‍👧 漢字"),
        ] as [([LineCommand], String)]
    )
    func commands(commands: [LineCommand], result: String) {
        var line = LineEditor("naïve 👨‍👩‍👧 漢字")
        for command in commands { line.apply(command) }
        #expect(line.before + "|" + line.after == result)
    }

    @Test("A mark that is typed joins the character before it")
    func joining() {
        var line = LineEditor("e")
        line.insert("\u{301}")
        line.apply(.left)
        #expect(line.before.isEmpty)
    }

    @Test(
        "Control keys do what the arrows and their like do",
        arguments: [
            ("a", LineCommand.start), ("e", .end), ("b", .left), ("f", .right), ("d", .deleteForward),
            ("h", .deleteBackward), ("u", .deleteToStart), ("k", .deleteToEnd), ("w", .deleteWord),
        ] as [(Character, LineCommand)]
    )
    func controls(letter: Character, command: LineCommand) {
        let desk = Desk(["a": ["k": "v"]], keys: "⏎⏎")
        #expect(actions(for: .key(.control(letter)), in: desk.state) == [.line(command)])
    }

    @Test("A long text scrolls so that the cursor is always on the screen, and wide characters stay whole")
    func scrolling() throws {
        let text = "0123456789漢字かな交じり文abcdefghij"
        for columns in [20, 21, 24, 30, 50] {
            var desk = Desk(["a": ["k": .string(text)]], columns: columns, rows: 5, keys: "⏎⏎")
            for _ in 0...text.count {
                let grid = view(desk.state, size: desk.size)
                let cursor = try #require(grid.cursor)
                #expect(cursor.row == 1 && cursor.column < columns)
                let line = try #require(desk.state.input?.line)
                if let next = line.after.first {
                    #expect(grid[cursor.column, 1].text == String(next) || cursor.column == columns - 1)
                }
                desk.type("←")
            }
            #expect(desk.screen[1].contains("012345"))
        }
    }
}
