import PropertyList
import TerminalCanvas
import Testing

@testable import SettingsEditor

@Suite("Editing a line of text")
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

    @Test(
        "Joined emoji, flags, skin tones and keycaps are one character and shift nothing"
    )
    func graphemes() {
        let parts = ["👨‍👩‍👧", "🇩🇪", "🇫🇷", "👍🏽", "1️⃣", "❤️", "🏳️‍🌈", "é", "漢", "शि"]
        var desk = Desk(["a": ["k": .string(parts.joined()), "l": "x"]], columns: 100, keys: "⏎⏎")
        let start = (desk.cursor?.column ?? 0) - displayWidth(of: parts.joined())
        for count in (0..<parts.count).reversed() {
            desk.type("←")
            #expect(desk.cursor?.column == start + displayWidth(of: parts[..<count].joined()))
            #expect(desk.state.modal?.line?.after == parts[count...].joined())
        }
        desk.type("↘")
        for count in (0..<parts.count).reversed() {
            desk.type("⌫")
            #expect(desk.state.modal?.line?.text == parts[..<count].joined())
            #expect(desk.cursor?.column == start + displayWidth(of: parts[..<count].joined()))
        }
    }

    @Test(
        "Words are letters and digits, and ^W deletes back to white space",
        arguments: [
            ([.wordLeft], "user.name = |Pitt2"), ([.wordLeft, .wordLeft], "user.|name = Pitt2"),
            ([.start, .wordRight], "user|.name = Pitt2"),
            ([.start, .wordRight, .wordRight], "user.name| = Pitt2"),
            ([.start, .wordLeft], "|user.name = Pitt2"), ([.wordRight], "user.name = Pitt2|"),
            ([.deleteWordBackward], "user.name = |"), ([.start, .deleteWordForward], "|.name = Pitt2"),
            ([.deleteWord, .deleteWord, .deleteWord], "|"),
            ([.deleteWord, .start, .yank], "Pitt2|user.name = "),
            // Words that were cut one after the other come back as one text.
            ([.deleteWord, .deleteWord, .yank, .yank], "user.name = Pitt2= Pitt2|"),
            ([.wordLeft, .deleteWord, .deleteToEnd, .yank], "user.name = Pitt2|"),
            ([.deleteWord, .start, .deleteWordForward, .end, .yank], ".name = user|"),
        ] as [([LineCommand], String)]
    )
    func words(commands: [LineCommand], result: String) {
        var line = LineEditor("user.name = Pitt2")
        var killed = ""
        for command in commands { line.apply(command, killed: &killed) }
        #expect(line.before + "|" + line.after == result)
    }

    @Test("Text deleted from one line can be inserted into another")
    func yankElsewhere() {
        var desk = Desk(["a": ["k": "one two", "l": "x"]], keys: "⏎⏎")
        desk.press(.control("w"))
        desk.type("⎋j⏎")
        desk.press(.control("y"))
        desk.type("⏎")
        #expect(desk.files["a"] == ["k": "one two", "l": "xtwo"])
    }

    @Test("A typed combining mark joins the character before it")
    func joining() {
        var line = LineEditor("e")
        line.insert("\u{301}")
        line.apply(.left)
        #expect(line.before.isEmpty)
    }

    @Test("A long text scrolls to keep the cursor visible, and wide characters are never cut")
    func scrolling() throws {
        let text = "0123456789漢字かな交じり文abcdefghij"
        for columns in [20, 21, 24, 30, 50] {
            var desk = Desk(["a": ["k": .string(text)]], columns: columns, rows: 5, keys: "⏎⏎")
            for _ in 0...text.count {
                let grid = view(desk.state, size: desk.size)
                let cursor = try #require(grid.cursor)
                #expect(cursor.row == 1 && cursor.column < columns)
                let line = try #require(desk.state.modal?.line)
                if let next = line.after.first {
                    #expect(grid[cursor.column, 1].text == String(next) || cursor.column == columns - 1)
                }
                desk.type("←")
            }
            #expect(desk.body[0].contains("012345"))
        }
    }
}
