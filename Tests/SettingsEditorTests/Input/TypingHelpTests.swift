import PropertyList
import SettingsStore
import TerminalCanvas
import Testing

@testable import SettingsEditor

@Suite("Help and line breaks while typing")
struct TypingHelpTests {
    @Test("F1 shows the keys of the current mode, and closing the help changes nothing")
    func help() {
        var desk = Desk(["a": ["name": "x"]], columns: 100, rows: 50, keys: "⏎⏎yz")
        #expect(desk.foot.contains("F1 help") == true)
        desk.press(.function(1))
        #expect(desk.heads.hasSuffix("While typing"))
        #expect(desk.text.contains("Cut back to the previous space."))
        #expect(desk.text.contains("Insert the next key itself"))
        #expect(!desk.text.contains("Duplicate the row."))
        desk.type("⎋")
        #expect(desk.state.mode == .draft)
        desk.type("⏎")
        #expect(desk.files["a"]?["name"] == "xyz")
        for (keys, title) in [
            ("a", "While a name is typed"), (":", "In the command palette"),
            ("c", "In a menu"), ("H", "In the history"), ("fx", "In the key finder"),
            ("/x", "While searching"), ("&n", "While filtering"),
        ] {
            desk.type(keys)
            let mode = desk.state.mode
            desk.press(.function(1))
            #expect(desk.heads.hasSuffix(title), "\(keys): \(desk.heads)")
            desk.press(.function(1))
            #expect(desk.state.mode == mode)
            desk.type("⎋")
        }
        desk.type("?")
        #expect(desk.heads.hasSuffix("In the list of keys"))
        desk.press(.function(1))
        #expect(desk.state.mode == .keys)
    }

    @Test("A match found below the help is left when the search is cancelled")
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

    @Test("A draft below the help follows foreign changes")
    func follows() {
        var desk = Desk(["a": ["k": ["one", "two"]]], columns: 100, keys: "⏎⏎jj⏎!")
        desk.press(.function(1))
        desk.outside("a", "k", ["new", "one", "two"])
        desk.type("⎋⏎")
        #expect(desk.files["a"]?["k"] == ["new", "one", "two!"])
    }

    @Test("^V makes the next key insert a line break, a tab or its character, and other keys insert nothing")
    func literal() {
        var desk = Desk(["a": ["name": "x"]], columns: 100, keys: "⏎⏎")
        for key in [Key.enter, .tab, .character("q"), .escape] {
            desk.press(.control("v"))
            #expect(desk.foot == "Enter line break  Tab tab  Esc nothing")
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

    @Test("^V works in searches and filters too", arguments: ["/", "&", "F"])
    func literalSearch(key: String) {
        var desk = Desk(["a": ["k": "a\tb", "l": "a b"]], columns: 100, keys: "⏎j" + key + "a")
        desk.press(.control("v"))
        desk.press(.tab)
        desk.type("b⏎")
        #expect(desk.selectedKey == "k")
    }
}

@Suite("Rows that another program moves")
struct MovedRowTests {
    @Test("A moved element stays selected and expanded, and keys act on it")
    func moved() {
        var desk = Desk(["s": ["arr": [["id": "a"], ["id": "b"], 0]]], columns: 100, keys: "⏎z9gjjj")
        #expect(desk.outline == ["arr", "  0", "    id", "  [1]", "    id", "  2"])
        desk.outside("s", "arr", [["id": "b"], ["id": "a"], 0])
        #expect(desk.outline == ["arr", "  [0]", "    id", "  1", "    id", "  2"])
        desk.type("dy")
        #expect(desk.files["s"]?["arr"] == [["id": "a"], 0])
    }
}

@Suite("Messages about changes")
struct WordsAboutChangesTests {
    @Test("Several changes of one key are reported as one")
    func several() {
        var desk = Desk(["s": ["n": 1, "m": 1]], columns: 100, keys: "⏎")
        func change(_ key: String, _ old: PropertyListValue, _ new: PropertyListValue) -> Change {
            Change(key: key, old: old, new: new, origin: .otherProcess, sequence: 0)
        }
        desk.act(.changed("s", [change("n", 1, 2), change("n", 2, 3)]))
        #expect(desk.foot == "n changed by another program: 1 → 3")
        desk.wait(1)
        desk.act(.changed("s", [change("n", 3, 4), change("m", 1, 2), change("n", 4, 5)]))
        #expect(desk.foot == "2 keys changed by another program: m, n")
    }

    @Test(
        "Names that differ only in spaces look different",
        arguments: [
            ("a b", "a b"), ("a\u{A0}b", "a<U+00A0>b"), ("a\u{3000}", "a<U+3000>"), ("", "\"\""),
            (" ", "\" \""), (" x", "\" x\""), ("x ", "\"x \""), ("é", "é"),
        ]
    )
    func spaces(name: String, shown: String) {
        let desk = Desk(["s": [name: 1]], columns: 100, keys: "⏎")
        #expect(desk.body[0].contains("  \(shown)  "), "\(desk.body[0])")
    }

    @Test("Undo and redo report how several keys have changed")
    func redone() {
        var desk = Desk(["s": ["a": true, "b": true]], columns: 100, keys: "⏎mm u")
        #expect(desk.foot == "Undone: 2 keys have their previous values.")
        desk.press(.control("r"))
        #expect(desk.foot == "Redone: 2 keys have their new values.")
    }

    @Test("For an unreadable file the list of pending changes shows the value that was read last")
    func unreadable() {
        var desk = Desk(["s": ["n": 1]], columns: 100, keys: "⏎S⏎⌫7⏎")
        desk.type("W")
        #expect(desk.text.contains("In the file"))
        desk.act(.status("s", SuiteStatus(content: .unreadable("line 1"))))
        desk.type("⎋W")
        #expect(!desk.text.contains("In the file"))
        #expect(desk.text.contains("Last readable value"))
    }

    @Test("A change of a value over four megabytes by the user is reported with its path")
    func large() {
        let rest = String(repeating: "x", count: 5 << 20)
        var desk = Desk(["s": ["k": json("{\"a\": 1, \"rest\": \"\(rest)\"}")]], columns: 100, keys: "⏎")
        desk.idle()
        desk.type("⏎j⏎⌫7⏎")
        desk.idle()
        desk.type("u")
        #expect(desk.foot == "Undone: “k/a” is 1 again.")
        #expect(desk.selectedKey == "a")
    }
}
