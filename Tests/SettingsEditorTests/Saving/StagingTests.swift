import PropertyList
import SettingsStore
import TerminalCanvas
import Testing

@testable import SettingsEditor

@Suite("Staged changes")
struct StagingTests {
    @Test("A staged deletion stays visible until it is written, and the next key is for the next row")
    func visibleDeletion() {
        var desk = Desk(["s": ["k": 1, "l": 2, "m": 3]], columns: 110, keys: "⏎Sjd")
        #expect(desk.outline == ["k", "l", "[m]"])
        #expect(desk.screen.contains { $0.contains("l") && $0.contains("2  will be deleted") })
        desk.type("k⏎")
        #expect(desk.foot == "“l” will be deleted when you save. Press u to undo.")
        desk.type("u")
        #expect(!desk.text.contains("will be deleted"))
        desk.type("dWw")
        #expect(desk.files["s"]?["l"] == nil)
        #expect(desk.outline.count == 2)
    }

    @Test("Saving says what was written and what was not")
    func report() {
        var desk = Desk(["s": ["k": 1, "l": 2]], columns: 110, keys: "⏎S⏎5⏎j⏎6⏎")
        desk.outside("s", "l", 9)
        desk.type("Ww")
        #expect(desk.files["s"] == ["k": 5, "l": 9])
        #expect(
            desk.foot
                == "Saved: 1 key. Not saved: 1 key. Another program changed this key. Press Enter to decide."
        )
    }

    @Test("A conflict of a staged deletion stays in its row and in the details until the user decides")
    func conflictInRow() {
        var desk = Desk(["s": ["a": 1, "b": 2]], columns: 200, rows: 40, keys: "⏎Sjdk")
        desk.outside("s", "b", 66)
        for _ in 0..<2 {
            #expect(desk.body[1].contains("!  b "), "\(desk.body[1])")
            #expect(desk.body[1].hasSuffix("2  will be deleted  (66 in the file now)"), "\(desk.body[1])")
            desk.wait(30)
        }
        desk.type("j")
        #expect(desk.detailWords.contains("stored 66 (2 when you changed it) → will be deleted"))
        #expect(desk.detailWords.contains("! Another program changed it. Press W, then Enter, to decide."))
        #expect(!desk.text.contains("was nothing"))
        desk.type("W⏎y⎋")
        #expect(!desk.text.contains("in the file now"))
        #expect(desk.detailWords.contains("stored 66 → will be deleted"))
    }

    @Test("A conflict of a staged value names both values in its row")
    func conflictOfValue() {
        var desk = Desk(
            ["s": ["a": 1, "d": ["x": 1], "z": 1]],
            columns: 200,
            rows: 40,
            keys: "⏎S⏎7⏎jlj⏎5⏎kh"
        )
        desk.outside("s", "a", 55)
        desk.outside("s", "d", ["x": 9])
        #expect(desk.body[0].contains("!  a "), "\(desk.body[0])")
        #expect(desk.body[0].hasSuffix("7  (55 in the file now)"), "\(desk.body[0])")
        #expect(desk.body[1].contains("(changed in the file)"), "\(desk.body[1])")
        #expect(desk.text.contains("!●±2"))
        desk.type("gg")
        #expect(desk.detailWords.contains("stored 55 (1 when you changed it) → to be saved 7"))
    }

    @Test("In a read-only editor S says that nothing can be staged")
    func readOnly() {
        let desk = Desk(["a": ["k": 1]], readOnly: "it was opened with --read-only", keys: "⏎S")
        #expect(desk.foot == "There is nothing to stage. Read-only: it was opened with --read-only.")
        #expect(!desk.state.staging.isOn)
    }

    static let overtaken: [(old: PropertyListValue?, keys: String, theirs: PropertyListValue?)] = [
        (1, "⏎⌫7⏎", 55), (1, "⏎5⏎⏎⌫⌫7⏎", 55), (1, "⏎⌫7⏎", nil), ("x", "d", "theirs"),
        (json(#"{"a": 1.00, "b": 1}"#), "lj⏎⌫⌫⌫⌫7⏎k", json(#"{"a": 9.99, "b": 2}"#)),
    ]

    @Test(
        "Undo restores the foreign value that the user agreed to overwrite",
        arguments: [false, true]
    )
    func backToTheirs(isWritten: Bool) {
        for (old, keys, theirs) in Self.overtaken {
            var desk = Desk(["s": ["k": old ?? 0, "z": 1]], keys: "⏎S" + keys)
            desk.outside("s", "k", theirs)
            desk.type("W⏎y")
            #expect(desk.state.pendingChanges.count == 1)
            desk.type(isWritten ? "w" : "⎋")
            for _ in 0..<keys.count(where: { $0 == "7" || $0 == "d" || $0 == "5" }) { desk.type("u") }
            if isWritten { desk.type("Ww") }
            #expect(desk.files["s"]?["k"] == theirs)
            #expect(desk.state.pendingChanges.isEmpty)
        }
    }

    static let cursors: [(PropertyListValue, keys: String, path: ValuePath)] = [
        (["alpha": 1, "beta": 2], "ljr!zeta⏎", [.key("k"), .key("zeta")]),
        (json(#"{"alpha":1,"beta":2}"#), "ljr!zeta⏎", [.key("k"), .key("zeta")]),
        ([1, 2, 3], "lj2>", [.key("k"), .index(2)]), ([1, 2, 3], "ljD", [.key("k"), .index(1)]),
        (["alpha": 1, "beta": 2], "ljanew⏎⏎x⏎", [.key("k"), .key("new")]),
    ]

    @Test("The cursor stays on its value when the staged change is written")
    func cursorOverWriting() {
        for (value, keys, path) in Self.cursors {
            var desk = Desk(["s": ["k": value, "z": 1]], keys: "⏎S")
            for character in keys {
                if character == "!" { desk.press(.control("u")) } else { desk.type(String(character)) }
            }
            #expect(desk.state.selectedRow?.path == path)
            desk.type("Ww")
            #expect(desk.writes.count == 1)
            #expect(desk.state.selectedRow?.path == path)
        }
    }

    @Test("Changes are staged, shown with a symbol, and written by w in the list, one write for each suite")
    func waiting() {
        var desk = Desk(["a": ["b": true, "k": 1], "c": ["z": "x"]], columns: 100, keys: "⏎S j⏎→2⏎⇥j⏎⏎y⏎")
        #expect(desk.writes.isEmpty)
        #expect(desk.body[0].contains("»±"))
        #expect(desk.title.hasSuffix("± 3 staged"))
        desk.type("W")
        #expect(
            desk.body[0...2].map { $0.split(separator: " ").joined(separator: " ") } == [
                "»± a › b true → false", "± a › k 1 → 12", "± c › z “x” → “xy”",
            ]
        )
        desk.type("w")
        #expect(desk.files == ["a": ["b": false, "k": 12], "c": ["z": "xy"]])
        #expect(desk.writes.count == 2)
        #expect(desk.foot == "Saved: 3 keys.")
        #expect(desk.title.hasSuffix("± 0 staged"))
    }

    @Test("A staged change can be edited, undone and discarded, and a change back is no longer staged")
    func changingAgain() {
        var desk = Desk(["a": ["k": 1, "l": 1]], keys: "⏎S⏎→2⏎⏎→3⏎")
        #expect(desk.state.pendingChanges.map(\.change) == [ValueChange(old: 1, new: 123)])
        desk.type("uu")
        #expect(desk.state.pendingChanges.isEmpty)
        desk.press(.control("r"))
        #expect(desk.state.pendingChanges.map(\.change) == [ValueChange(old: 1, new: 12)])
        desk.type("j⏎5⏎Wd")
        #expect(desk.state.pendingChanges.map(\.key) == ["l"])
        desk.type("⏎")
        #expect(desk.state.mode == .keys)
        #expect(desk.selectedKey == "l")
        desk.type("Wd")
        #expect(desk.state.mode == .keys)
        #expect(desk.outline == ["k", "[l]"])
        #expect(desk.writes.isEmpty)
    }

    @Test(
        "If a foreign change conflicts with a staged one, three values are compared, and t keeps the foreign value"
    )
    func sideBySide() {
        var desk = Desk(["a": ["j": 1, "k": 1]], columns: 110, keys: "⏎S⏎→4⏎j⏎→2⏎")
        desk.outside("a", "k", 77)
        desk.type("Wj⏎")
        #expect(desk.state.mode == .conflict)
        let lines = desk.screen.map { $0.split(separator: " ").joined(separator: " ") }
        #expect(lines[1] == "a › k: yours, and the value in the file")
        #expect(lines.contains { $0.contains("Yours") && $0.contains("In the file now") })
        #expect(desk.text.contains("When you started"))
        #expect(["12", "77", "1"].allSatisfy { value in lines[3].contains(value) })
        desk.type("n")
        #expect(desk.state.mode == .pending && desk.body[1].hasPrefix("»"))
        desk.type("⏎t")
        #expect(desk.state.pendingChanges.map(\.key) == ["j"])
        desk.type("w")
        #expect(desk.files == ["a": ["j": 14, "k": 77]])
    }

    @Test("Commands on selected rows stage one change for each row")
    func markedRows() {
        var desk = Desk(
            ["a": ["c": ["x": true], "d": true, "e": true, "f": true]],
            columns: 110,
            keys: "⏎Slj"
        )
        desk.type("mjm")
        desk.type("d")
        #expect(desk.state.pendingChanges.count == 2 && desk.state.pendingChanges[0].key == "c")
        desk.type("Wd")
        #expect(desk.state.pendingChanges.count == 1)
    }

    @Test("A foreign change below a staged change is highlighted only where it is visible")
    func marksBeneath() throws {
        let (alpha, beta): (PropertyListValue, PropertyListValue) = (
            ["n": "alpha", "w": 1], ["n": "beta", "w": 2]
        )
        var desk = Desk(["s": ["arr": [alpha, beta]]], columns: 60, keys: "⏎Sljlj⏎!⏎")
        #expect(desk.state.pendingChanges.count == 1)
        desk.outside("s", "arr", [["n": "new"], alpha, beta])
        let suite = try #require(desk.state.suite)
        let marked = suite.outline.rows.filter { $0.depth == 1 && suite.highlights.contains($0) }.map(\.name)
        #expect(marked == ["0"])
        let staged = suite.outline.rows.filter { $0.depth == 1 && suite.isStaged($0) }.map(\.name)
        #expect(staged == ["1"])
    }

    @Test("A staged deletion is done if another program deletes the key")
    func deletedByOthers() {
        var desk = Desk(["s": ["k": 1, "l": 2]], columns: 100, keys: "⏎Sd")
        desk.outside("s", "k", nil)
        #expect(desk.state.pendingChanges.isEmpty)
    }

    @Test(
        "Both values of a conflict fit into their line in the list of staged changes",
        arguments: [60, 80, 120],
        [BackendKind.files, .cluster]
    )
    func conflictFits(columns: Int, kind: BackendKind) {
        let place = String(repeating: "/usr/share/music", count: 5)
        var desk = Desk(
            ["com.example.Player": ["k": "old", "library.folder": .string(place), "z": 1]],
            columns: columns,
            kind: kind,
            keys: "⏎S⏎new⏎j⏎!⏎"
        )
        desk.outside("com.example.Player", "k", "theirs")
        desk.outside("com.example.Player", "library.folder", .string(place + "?"))
        desk.type("W")
        let word = kind == .files ? "file" : "cluster"
        if columns >= 80 {
            #expect(desk.body[0].hasSuffix("\(word) “theirs”, yours “oldnew”"), "\(desk.body[0])")
        }
        #expect(desk.body[1].contains(#/(file|cluster) “.+”, yours “.+”$/#), "\(desk.body[1])")
        // A difference at the end is visible.
        if columns >= 80 { #expect(desk.body[1].hasSuffix("!”") && desk.body[1].contains("?”")) }
    }

    @Test("A staged change with a conflict is not written until the user decides")
    func overtaken() {
        var desk = Desk(["a": ["k": 1, "l": 1]], keys: "⏎S⏎→2⏎j⏎→2⏎")
        desk.outside("a", "k", 7)
        #expect(desk.text.contains("12"))
        desk.type("Ww")
        #expect(desk.files["a"] == ["k": 7, "l": 12])
        #expect(desk.text.contains("»! a › k"))
        #expect(desk.body[0].hasSuffix("  file 7, yours 12"))
        desk.type("⏎")
        #expect(
            desk.foot == "“k” is now 7. Overwrite it with 12?  y mine  t theirs  n back"
        )
        desk.type("nw⏎y")
        #expect(desk.files["a"]?["k"] == 7)
        desk.type("w")
        #expect(desk.files["a"] == ["k": 12, "l": 12])
    }

    @Test("^C discards a draft, asks if changes are staged, and else quits")
    func interrupting() {
        let interrupt = Key.control("c")
        var desk = Desk(["a": ["k": 1]], keys: "⏎")
        #expect(desk.state.endsOnInterrupt)
        desk.type("⏎2")
        #expect(!desk.state.endsOnInterrupt)
        desk.press(interrupt)
        #expect(desk.state.mode == .keys)
        for keys in ["t", "o", "z", "?", "c"] {
            desk.type(keys)
            #expect(desk.state.mode != .keys && !desk.state.endsOnInterrupt, "\(keys)")
            desk.press(interrupt)
            #expect(desk.state.mode == .keys, "\(keys)")
        }
        desk.type("S⏎2⏎")
        #expect(!desk.state.endsOnInterrupt)
        desk.type("W")
        desk.press(interrupt)
        desk.press(interrupt)
        #expect(
            desk.foot == "1 change is not saved. Quit without it?  y yes  n no  w save and quit"
        )
        #expect(desk.state.endsOnInterrupt)
    }

    @Test("A write that fails or finds another value keeps its changes staged")
    func failing() {
        var desk = Desk(["a": ["k": 1]], keys: "⏎S⏎→2⏎")
        desk.holdsWrites = true
        desk.type("Ww")
        desk.finishWrites(failing: "the disk is full")
        #expect(desk.foot == "Not saved: the disk is full.")
        #expect(desk.state.pendingChanges.map(\.change) == [ValueChange(old: 1, new: 12)])
        desk.type("Ww")
        desk.files["a"]?["k"] = 9
        desk.finishWrites()
        #expect(desk.state.pendingChanges.map(\.isOvertaken) == [true])
        #expect(desk.files["a"] == ["k": 9])
    }

    @Test("Quitting with staged changes asks first, and so does turning staging off")
    func leaving() {
        var desk = Desk(["a": ["k": 1]], keys: "⏎S⏎2⏎q")
        #expect(
            desk.foot == "1 change is not saved. Quit without it?  y yes  n no  w save and quit"
        )
        desk.type("n")
        #expect(!desk.effects.contains(.quit))
        desk.type("S")
        #expect(desk.state.staging.isOn)
        desk.type("qy")
        #expect(desk.effects.last == .quit)
        #expect(desk.writes.isEmpty)
    }

    @Test(
        "At the question before quitting w writes and quits, unless a staged change has a conflict"
    )
    func writingAndLeaving() {
        var desk = Desk(["a": ["k": 1, "l": 1]], columns: 100, keys: "⏎S⏎⌫5⏎j⏎⌫6⏎q")
        #expect(desk.foot.contains("w save and quit") == true)
        #expect(desk.state.unwritten == "2 changes were not saved: a › k, a › l.")
        var other = desk
        desk.type("w")
        #expect(desk.files["a"] == ["k": 5, "l": 6])
        #expect(desk.effects.contains(.quit))
        #expect(desk.state.unwritten == nil)
        other.outside("a", "k", 9)
        other.type("w")
        #expect(other.files["a"] == ["k": 9, "l": 6])
        #expect(!other.effects.contains(.quit))
        #expect(other.state.mode == .pending)
        // Any other question has none of it.
        desk = Desk(["a": ["k": 1]], keys: "dw")
        #expect(desk.foot.contains("write") == false)
        #expect(desk.writes.isEmpty)
    }
}
