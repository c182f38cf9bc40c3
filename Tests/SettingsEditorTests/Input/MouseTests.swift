import PropertyList
import TerminalCanvas
import Testing

@testable import SettingsEditor

@Suite("The mouse")
struct MouseTests {
    private func click(_ desk: inout Desk, _ column: Int, _ row: Int) {
        desk.send(.mouse(.press, Point(column: column, row: row)))
    }

    /// Clicks on a line of the body, counted from 1.
    private func clickLine(_ desk: inout Desk, _ column: Int, _ line: Int) {
        click(&desk, column, Layout(desk.state, desk.size).body.lowerBound + line - 1)
    }

    @Test(
        "In hits, commands and changes a click selects; a second click goes there, but restores nothing"
    )
    func lists() {
        var desk = Desk(["a": ["k": 1, "l": 2, "m": 3]], columns: 80, keys: "⏎f")
        desk.idle()
        clickLine(&desk, 10, 3)
        #expect(desk.body[2].hasPrefix("»"))
        clickLine(&desk, 10, 20)
        #expect(desk.body[2].hasPrefix("»"))
        clickLine(&desk, 10, 3)
        #expect(desk.state.mode == .keys)
        #expect(desk.selectedKey == "m")
        desk.type(":duplicate")
        clickLine(&desk, 10, 1)
        #expect(desk.state.mode == .naming)
        desk.type("⎋")
        for value in 5..<8 { desk.outside("a", "k", .integer(PropertyListInteger(value))) }
        desk.type("H")
        clickLine(&desk, 10, 3)
        clickLine(&desk, 10, 3)
        #expect(desk.body[2].hasPrefix("»"))
        #expect(desk.state.mode == .history)
        #expect(desk.writes.isEmpty)
        desk.type("⏎y")
        #expect(desk.files["a"]?["k"] == 1)
    }

    @Test(
        "In a menu a click selects, a second click takes the item, and a click beside the menu does nothing"
    )
    func choices() {
        var desk = Desk(["a": ["k": 1, "l": 2]], keys: "⏎jc")
        let items = desk.state.shownMenu(Layout(desk.state, desk.size))?.layout.items
        guard let items, let row = desk.screen.firstIndex(where: { $0.contains("3 path") }) else {
            Issue.record("\(desk.text)")
            return
        }
        let unchanged = desk.screen
        for (column, row) in [(items.column - 1, row), (items.column, items.row - 1), (items.column, 1)] {
            click(&desk, column, row)
            #expect(desk.screen == unchanged)
        }
        click(&desk, items.column + 4, row)
        #expect(desk.screen[row].contains("» 3 path"))
        click(&desk, items.column + items.columns - 1, row)
        #expect(desk.effects.last == .copy("/l"))
        #expect(desk.state.mode == .keys)
        // A new value has a row of its own above the menu of types.
        desk.type("an⏎")
        let types = desk.state.shownMenu(Layout(desk.state, desk.size))?.layout.items
        guard let types, let row = desk.screen.firstIndex(where: { $0.contains("boolean") }) else {
            Issue.record("\(desk.text)")
            return
        }
        for _ in 0..<2 { click(&desk, types.column, row) }
        #expect(desk.state.mode == .booleanDraft)
    }

    @Test(
        "A click on a key hint presses the key, also if the key is an answer",
        arguments: [80, 20],
        [Glyphs.unicode, .ascii]
    )
    func namedKeys(columns: Int, glyphs: Glyphs) {
        var desk = Desk(["a": ["k": 1], "b": ["l": 2]], columns: columns, glyphs: glyphs, keys: "d")
        func click(_ name: String, _ desk: inout Desk) {
            for row in 20..<24 {
                guard let place = desk.screen[row].ranges(of: name).last else { continue }
                let before = desk.screen[row][..<place.lowerBound]
                return self.click(&desk, before.count + 1, row)
            }
            Issue.record("no \(name) in \(desk.text)")
        }
        click("n no", &desk)
        #expect(desk.state.mode == .suites)
        desk.type("d")
        self.click(&desk, 0, 23 - desk.screen.reversed().prefix { $0.contains("y yes") }.count)
        #expect(desk.state.mode == .question)
        click("y yes", &desk)
        #expect(desk.files == ["b": ["l": 2]])
        desk.type("g")
        click("? help", &desk)
        #expect(desk.state.mode == .help)
        click("Esc back", &desk)
        #expect(desk.state.mode == .suites)
    }

    @Test("A list longer than the screen does not scroll on a click")
    func longLists() {
        let values = Dictionary(
            uniqueKeysWithValues: (10..<60).map { ("k\($0)", PropertyListValue.boolean(true)) }
        )
        var desk = Desk(["a": values], rows: 13, keys: "⏎SG" + String(repeating: " k", count: 20) + "W")
        desk.type("GS")
        let shown = desk.body[0...4].map { String($0.dropFirst(3).prefix(12)) }
        clickLine(&desk, 5, 2)
        #expect(desk.body[1].hasPrefix("»"))
        #expect(desk.body[0...4].map { String($0.dropFirst(3).prefix(12)) } == shown)
        clickLine(&desk, 5, 2)
        #expect(desk.state.mode == .keys)
        #expect(desk.selectedKey.map { shown[1].contains($0) } == true)
        desk.type("ga~⏎")
        #expect(desk.text.contains("Type of “~”"))
        desk.type("G")
        let menu = desk.screen
        guard let row = desk.screen.lastIndex(where: { $0.contains("»") }) else {
            Issue.record("\(desk.text)")
            return
        }
        click(&desk, 50, row - 1)
        #expect(desk.screen[row - 1].contains("»"))
        // All but the last two lines, which say what is selected.
        func texts(_ lines: [String]) -> [String] { lines.dropLast(2).map { $0.replacing("»", with: " ") } }
        #expect(texts(desk.screen) == texts(menu))
    }

    @Test("A click on an expansion symbol expands or collapses at once")
    func symbols() {
        var desk = Desk(["a": ["k": 1, "l": [[1], 2], "m": [3]], "b": ["z": 1]], keys: "⏎")
        let column = desk.body[1].firstIndex(of: "▸").map {
            desk.body[1].distance(from: desk.body[1].startIndex, to: $0)
        }
        guard let column else {
            Issue.record("\(desk.text)")
            return
        }
        clickLine(&desk, column, 2)
        #expect(desk.outline == ["k", "[l]", "  0", "  1", "m"])
        clickLine(&desk, column + 2, 3)
        #expect(desk.outline == ["k", "l", "  [0]", "    0", "  1", "m"])
        clickLine(&desk, column, 6)
        #expect(desk.outline == ["k", "l", "  0", "    0", "  1", "[m]", "  0"])
        clickLine(&desk, column, 2)
        #expect(desk.outline == ["k", "[l]", "m", "  0"])
        // A click beside a row without a sign only selects.
        clickLine(&desk, column, 1)
        #expect(desk.outline == ["[k]", "l", "m", "  0"])
        #expect(desk.state.mode == .keys)
    }

    @Test("A click selects a row or a suite, and a second click does the same as Enter")
    func clicking() {
        var desk = Desk(["a": ["k": 1, "l": [1]], "b": ["z": 1]])
        clickLine(&desk, 40, 2)
        #expect(desk.outline == ["k", "[l]"])
        #expect(desk.state.mode == .keys)
        clickLine(&desk, 40, 2)
        #expect(desk.outline == ["k", "[l]", "  0"])
        clickLine(&desk, 3, 2)
        #expect(desk.selectedSuite == "b")
        #expect(desk.state.mode == .suites)
        clickLine(&desk, 40, 20)
        click(&desk, 200, 200)
        click(&desk, 0, 0)
        #expect(desk.selectedSuite == "b")
    }

    @Test("The wheel moves the selection, and while text is typed the mouse does nothing")
    func wheel() {
        let values = Dictionary(
            uniqueKeysWithValues: (10..<60).map { ("k\($0)", PropertyListValue.boolean(true)) }
        )
        var desk = Desk(["a": values], keys: "⏎")
        desk.send(.mouse(.wheelDown, Point(column: 50, row: 5)))
        #expect(desk.selectedKey == "k13")
        desk.send(.mouse(.wheelUp, Point(column: 50, row: 5)))
        #expect(desk.selectedKey == "k10")
        desk.type("⏎")
        let typing = desk.screen
        desk.send(.mouse(.wheelDown, Point(column: 50, row: 5)))
        click(&desk, 50, 5)
        #expect(desk.screen == typing)
    }

    @Test("F2 turns the mouse off and on")
    func switchingOff() {
        var desk = Desk(["a": ["k": 1]])
        desk.press(.function(2))
        desk.press(.function(2))
        #expect(desk.effects.suffix(2) == [.reportMouse(false), .reportMouse(true)])
        #expect(desk.foot == "Mouse on.")
    }
}
