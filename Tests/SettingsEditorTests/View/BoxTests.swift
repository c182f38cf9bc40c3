import PropertyList
import SettingsStore
import TerminalCanvas
import Testing

@testable import SettingsEditor

@Suite("Questions and prompts in a box")
struct BoxTests {
    private func desk(_ keys: String, columns: Int = 80, rows: Int = 24, glyphs: Glyphs = .unicode) -> Desk {
        Desk(["a": ["k": 1, "l": 2], "b": [:]], columns: columns, rows: rows, glyphs: glyphs, keys: keys)
    }

    @Test(
        "A name is typed into a box, with its keys and the cursor in it",
        arguments: [Glyphs.unicode, .ascii]
    )
    func name(glyphs: Glyphs) {
        var desk = desk("⏎ane", glyphs: glyphs)
        #expect(desk.status == (glyphs == .ascii ? "A key for \"a\"" : "A key for “a”"))
        #expect(desk.typed == "ne")
        #expect(desk.text.contains("Enter accept   Esc cancel"))
        let field = Layout(desk.state, desk.size).box?.field
        #expect(desk.cursor == field.map { Point(column: $0.column + 2, row: $0.row) })
        // The rows have not moved.
        #expect(desk.outline == ["[k]", "l"])
        desk.type("⌫⌫l⏎")
        #expect(desk.message.contains("l"))
        #expect(desk.typed == "l")
        desk.type("⎋")
        #expect(desk.typed == nil)
    }

    @Test(
        "Everything with a name asks in the box what it is for",
        arguments: [
            ("a", "A new suite"), ("r", "New name for “a”"), ("D", "Name for the copy of “a”"),
            ("⏎r", "New name for “k”"), ("⏎a", "A key for “a”"),
        ]
    )
    func titles(keys: String, title: String) {
        #expect(desk(keys).status == title)
        // Without room the name is typed into its row, and the words are in the message line.
        let small = desk(keys, columns: 20, rows: 5)
        #expect(small.typed == nil)
        #expect(small.cursor != nil)
        #expect(small.text.contains(title.prefix(12)))
    }

    @Test("The first suite gets its name in a box, too")
    func first() {
        var desk = Desk([:], keys: "anew")
        #expect(desk.typed == "new")
        desk.type("⏎")
        #expect(desk.selectedSuite == "new")
    }

    @Test("A click on a key of the box presses it")
    func click() throws {
        var desk = desk("⏎ax")
        let box = try #require(Layout(desk.state, desk.size).box)
        let place = try #require(box.places.first { $0.binding.command == .cancel })
        desk.send(.mouse(.press, Point(column: place.area.column, row: place.area.row)))
        #expect(desk.state.modal == nil)
    }

    @Test(
        "The cursor is on the screen while something is typed, at every size",
        arguments: [(20, 5), (40, 10), (80, 24), (100, 30), (200, 50), (1, 1), (39, 7), (40, 8), (41, 9)],
        [
            "⏎aname", "⏎rname", "aname", "⏎:import⏎name", "⏎/name", "⏎&name", "⏎fname", "⏎:name", "⏎⏎5",
            "?/name",
        ]
    )
    func cursor(size: (columns: Int, rows: Int), keys: String) throws {
        let desk = desk(keys, columns: size.columns, rows: size.rows)
        guard size.rows > 3 else { return }
        let cursor = try #require(desk.cursor)
        #expect(0..<size.columns ~= cursor.column && 0..<size.rows ~= cursor.row)
        // The last line names the keys.
        #expect(cursor.row < size.rows - 1)
        #expect(desk.screen[size.rows - 1].contains("E"))
    }
}
