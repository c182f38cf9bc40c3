import PropertyList
import SettingsStore
import TerminalCanvas
import Testing

@testable import SettingsEditor

@Suite("Help and line breaks while typing")
struct TypingHelpTests {
    @Test("F1 shows the keys of what one is doing first, and goes back to it as it was")
    func help() {
        var desk = Desk(["a": ["name": "x"]], columns: 100, rows: 50, keys: "⏎⏎yz")
        #expect(desk.screen.last?.contains("F1 help") == true)
        desk.press(.function(1))
        #expect(desk.screen[1].hasPrefix("While typing"))
        #expect(desk.text.contains("Takes out all before, up to a space."))
        #expect(desk.text.contains("Has the next key insert what it stands for"))
        desk.type("⎋")
        #expect(desk.state.mode == .draft)
        desk.type("⏎")
        #expect(desk.files["a"]?["name"] == "xyz")
        for (keys, title) in [
            ("d", "At a question"), ("a", "While a name is typed"), (":", "While a command is looked for"),
            ("c", "In a choice"), ("H", "In the history"), ("fx", "While a key is looked for"),
            ("/x", "While searching"), ("&n", "While filtering"),
        ] {
            desk.type(keys)
            let mode = desk.state.mode
            desk.press(.function(1))
            #expect(desk.screen[1].hasPrefix(title), "\(keys): \(desk.screen[1])")
            desk.press(.function(1))
            #expect(desk.state.mode == mode)
            desk.type("⎋")
        }
        desk.type("?")
        #expect(desk.screen[1].hasPrefix("In the keys"))
        desk.press(.function(1))
        #expect(desk.state.mode == .keys)
    }

    @Test("What a search finds below the help is gone back to when it is left")
    func search() {
        var desk = Desk(["a": ["k": ["x": 1], "z": 1]], columns: 100, keys: "⏎j/x")
        desk.press(.function(1))
        desk.type("⎋")
        #expect(desk.state.mode == .search)
        #expect(desk.selectedKey == "x")
        desk.type("⎋")
        #expect(desk.outline == ["k", "[z]"])
        desk.type("&z")
        desk.press(.function(1))
        desk.type("⎋⎋")
        #expect(desk.outline == ["k", "[z]"])
    }

    @Test("What is typed below the help follows what others change, as it does without")
    func follows() {
        var desk = Desk(["a": ["k": ["one", "two"]]], columns: 100, keys: "⏎⏎jj⏎!")
        desk.press(.function(1))
        desk.outside("a", "k", ["new", "one", "two"])
        desk.type("⎋⏎")
        #expect(desk.files["a"]?["k"] == ["new", "one", "two!"])
    }

    @Test("^V has the next key insert a line break, a tab, or what is typed, and nothing for any other")
    func literal() {
        var desk = Desk(["a": ["name": "x"]], columns: 100, keys: "⏎⏎")
        for key in [Key.enter, .tab, .character("q"), .escape] {
            desk.press(.control("v"))
            #expect(desk.screen.last == "Enter line break  Tab tab  Esc nothing")
            desk.press(key)
            #expect(desk.state.mode == .draft)
        }
        desk.press(.control("v"))
        #expect(!desk.state.endsOnInterrupt)
        desk.press(.control("c"))
        desk.press(.control("v"))
        desk.press(.function(7))
        desk.press(.enter)
        desk.type("z⏎")
        #expect(desk.files["a"]?["name"] == "x\n\tq\nz")
    }

    @Test("^V does so in searches and filters too", arguments: ["/", "&", "F"])
    func literalSearch(key: String) {
        var desk = Desk(["a": ["k": "a\tb", "l": "a b"]], columns: 100, keys: "⏎j" + key + "a")
        desk.press(.control("v"))
        desk.press(.tab)
        desk.type("b⏎")
        #expect(desk.selectedKey == "k")
    }
}

@Suite("What others have changed before it can be seen")
struct UnseenTests {
    @Test(
        "A key in one go behind the change acts on no other row, and on no other value",
        arguments: [
            (["arr": [1, 2, 3]], "⏎j", ["arr": ["x": 1]], "dy", "“0” has just gone; nothing was done."),
            (["a": 1, "b": 2], "", ["b": 2], "dy", "“a” has just gone; nothing was done."),
            (["arr": [1, 2, 3]], "⏎j", ["arr": [2, 3]], "dy", "“0” has just changed; nothing was done."),
            (["a": true], "", ["a": false], " ", "“a” has just changed; nothing was done."),
        ] as [([String: PropertyListValue], String, [String: PropertyListValue], String, String)]
    )
    func early(
        old: [String: PropertyListValue],
        keys: String,
        new: [String: PropertyListValue],
        typed: String,
        message: String
    ) {
        var desk = Desk(["s": old], columns: 100, keys: "⏎" + keys)
        for key in old.keys where old[key] != new[key] { desk.outside("s", key, new[key]) }
        desk.typeAtOnce(typed)
        #expect(desk.screen.last?.hasPrefix(message) == true)
        #expect(desk.state.mode == .keys)
        #expect(desk.files["s"] == new)
        desk.wait(0.3)
        desk.type(typed)
        #expect(desk.files["s"] != new)
    }

    @Test(
        "Where the row has gone, the first key is not about another one, however late it comes",
        arguments: ["", "&x⏎"]
    )
    func late(filter: String) {
        var desk = Desk(["s": ["ax": 1, "bx": 3, "cx": 3]], columns: 110, keys: "⏎" + filter + "↖j")
        desk.idle()
        desk.outside("s", "bx", nil)
        desk.wait(60)
        var moving = desk
        desk.type("d")
        let words = "“bx” is gone, and “cx” is selected: nothing was done. The same key again does it."
        #expect(desk.screen.last == words)
        #expect(desk.state.mode == .keys)
        desk.type("dy")
        #expect(desk.files["s"] == ["ax": 1])
        moving.type("kdy")
        #expect(moving.files["s"] == ["cx": 3])
    }

    @Test("An element that was moved stays selected, and open, and keys act on it")
    func moved() {
        var desk = Desk(["s": ["arr": [["id": "a"], ["id": "b"], 0]]], columns: 100, keys: "⏎z9gjjj")
        #expect(desk.outline == ["arr", "  0", "    id", "  [1]", "    id", "  2"])
        desk.outside("s", "arr", [["id": "b"], ["id": "a"], 0])
        #expect(desk.outline == ["arr", "  [0]", "    id", "  1", "    id", "  2"])
        desk.type("dy")
        #expect(desk.files["s"]?["arr"] == [["id": "a"], 0])
    }
}

@Suite("Words about changes")
struct WordsAboutChangesTests {
    @Test("Several changes of one key are told as one")
    func several() {
        var desk = Desk(["s": ["n": 1, "m": 1]], columns: 100, keys: "⏎")
        func change(_ key: String, _ old: PropertyListValue, _ new: PropertyListValue) -> Change {
            Change(key: key, old: old, new: new, origin: .otherProcess, sequence: 0)
        }
        desk.act(.changed("s", [change("n", 1, 2), change("n", 2, 3)]))
        #expect(desk.screen.last == "n changed from outside: 1 → 3")
        desk.wait(1)
        desk.act(.changed("s", [change("n", 3, 4), change("m", 1, 2), change("n", 4, 5)]))
        #expect(desk.screen.last == "2 keys changed from outside: m, n")
    }

    @Test("What comes in pieces is told as one")
    func pieces() {
        var desk = Desk(["s": ["a": 1, "b": 1, "c": 1]], columns: 100, keys: "⏎")
        for key in ["a", "b", "c"] { desk.outside("s", key, 2) }
        #expect(desk.screen.last == "3 keys changed from outside: a, b, c")
        desk.wait(1)
        desk.outside("s", "b", 3)
        #expect(desk.screen.last == "b changed from outside: 2 → 3")
        desk.type("j")
        desk.outside("s", "c", 3)
        #expect(desk.screen.last == "c changed from outside: 2 → 3")
    }

    @Test(
        "Names that only differ in their spaces do not look the same",
        arguments: [
            ("a b", "a b"), ("a\u{A0}b", "a<U+00A0>b"), ("a\u{3000}", "a<U+3000>"), ("", "\"\""),
            (" ", "\" \""), (" x", "\" x\""), ("x ", "\"x \""), ("é", "é"),
        ]
    )
    func spaces(name: String, shown: String) {
        let desk = Desk(["s": [name: 1]], columns: 100, keys: "⏎")
        #expect(desk.screen[1].contains("  \(shown)  "), "\(desk.screen[1])")
    }

    @Test("What several keys are again is told for undo and redo")
    func redone() {
        var desk = Desk(["s": ["a": true, "b": true]], columns: 100, keys: "⏎mm u")
        #expect(desk.screen.last == "Undone: 2 keys are as they were.")
        desk.press(.control("r"))
        #expect(desk.screen.last == "Done again: 2 keys are as they had become.")
    }

    @Test("Of a file that can't be read the list of what waits says what it held when it was read last")
    func unreadable() {
        var desk = Desk(["s": ["n": 1]], columns: 100, keys: "⏎S⏎⌫7⏎")
        desk.type("W")
        #expect(desk.text.contains("In the file"))
        desk.act(.status("s", SuiteStatus(content: .unreadable("line 1"))))
        desk.type("⎋W")
        #expect(!desk.text.contains("In the file"))
        #expect(desk.text.contains("When it was read last"))
    }

    @Test("The user's own change of a value of more than four megabytes is told by its place")
    func large() {
        let rest = String(repeating: "x", count: 5 << 20)
        var desk = Desk(["s": ["k": json("{\"a\": 1, \"rest\": \"\(rest)\"}")]], columns: 100, keys: "⏎")
        desk.idle()
        desk.type("⏎j⏎⌫7⏎")
        desk.idle()
        desk.type("u")
        #expect(desk.screen.last == "Undone: “k/a” is 1 again.")
        #expect(desk.selectedKey == "a")
    }
}
