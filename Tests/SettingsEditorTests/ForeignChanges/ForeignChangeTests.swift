import PropertyList
import SettingsStore
import TerminalCanvas
import Testing

@testable import SettingsEditor

@Suite("Foreign changes")
struct ForeignChangeTests {
    @Test("A foreign change is shown at once, highlighted for five seconds, and named in a message")
    func marked() {
        var desk = Desk(["a": ["k": "old", "l": 1]], keys: "⏎j")
        desk.wait(100)
        desk.outside("a", "k", "new")
        #expect(desk.body[0].hasSuffix("│ ●  k              new  was “old”"))
        #expect(desk.foot == "k changed by another program: “old” → “new”")
        #expect(desk.state.nextDeadline == 105)
        desk.wait(4.9)
        #expect(desk.body[0].contains("●"))
        desk.wait(0.1)
        #expect(!desk.body.joined().contains("●"))
        #expect(desk.foot.contains("outside") == false)
        #expect(desk.state.nextDeadline == nil)
        #expect(desk.selectedKey == "l")
    }

    @Test("The highlight is a symbol too, also in ASCII, and does not need colour")
    func symbols() {
        var desk = Desk(["a": ["k": [1]]], glyphs: .ascii, keys: "⏎l")
        desk.outside("a", "k", [2])
        #expect(desk.body[0].contains("|>*- k"))
        #expect(desk.body[1].contains("| *    0"))
        #expect(desk.foot == "k/0 changed by another program: 1 -> 2")
        #expect(desk.text.utf8.allSatisfy { $0 < 0x80 })
    }

    @Test("In an expanded value only the changed members are highlighted")
    func leaves() {
        var desk = Desk(["a": ["k": json(#"{"x": 1, "y": [1, 2], "z": 3}"#)]], keys: "⏎ljjl")
        desk.outside("a", "k", json(#"{"x": 1, "y": [1, 5], "z": 3, "new": 4}"#))
        let marked = desk.body.filter { $0.contains("●") }.compactMap {
            $0.split(separator: " ").dropFirst(2).last
        }
        #expect(marked == ["members}", "elements]", "2", "nothing"].map { $0[...] })
        #expect(desk.outline == ["k", "  x", "  [y]", "    0", "    1", "  z", "  new"])
    }

    @Test("Two changes within five seconds are highlighted against the value before the first")
    func twice() {
        var desk = Desk(["a": ["k": ["x": 1, "y": 1]]], keys: "⏎l")
        desk.outside("a", "k", ["x": 2, "y": 1])
        desk.wait(3)
        desk.outside("a", "k", ["x": 2, "y": 2])
        desk.wait(3)
        #expect(desk.body[0...2].allSatisfy { $0.contains("●") })
        desk.wait(2)
        #expect(!desk.body.joined().contains("●"))
    }

    @Test("Other suites are highlighted in the list, and the message names them")
    func otherSuites() {
        var desk = Desk(["a": [:], "b": ["k": 1]])
        desk.outside("b", "k", nil)
        #expect(desk.body[1].contains("● │"))
        #expect(desk.foot == "b: k changed by another program: 1 → nothing")
        desk.type("j")
        #expect(desk.text.contains("No keys yet"))
        desk.wait(5)
        #expect(!desk.body.joined().contains("●"))
    }

    @Test("Many changes at once are reported in one line")
    func many() {
        var desk = Desk(["a": [:]], columns: 100, keys: "⏎")
        let changes = (1...200).map {
            Change(key: "k\($0 + 100)", old: nil, new: 1, origin: .otherProcess, sequence: UInt64($0))
        }
        desk.act(.changed("a", changes))
        #expect(desk.foot == "200 keys changed by another program: k101, k102, k103, k104, k105, …")
        #expect(desk.outline.count == 200)
    }

    @Test("The selection stays on its row while rows are inserted and removed above it")
    func selection() {
        var desk = Desk(["a": ["c": 1, "e": [1, 2], "g": 1]], keys: "⏎jljj")
        #expect(desk.selectedKey == "1")
        desk.outside("a", "a", 1)
        desk.outside("a", "c", nil)
        desk.outside("a", "e", [1, 2, 3])
        #expect(desk.outline == ["a", "e", "  0", "  [1]", "  2", "g"])
        desk.outside("a", "e", [1])
        #expect(desk.outline == ["a", "e", "  [0]", "g"])
        desk.outside("a", "e", nil)
        #expect(desk.outline == ["a", "[g]"])
        desk.outside("a", "g", nil)
        #expect(desk.outline == ["[a]"])
    }

    @Test("A foreign change elsewhere does not disturb a draft")
    func typing() {
        var desk = Desk(["a": ["k": "v", "l": 1]], keys: "⏎⏎xyz")
        desk.outside("a", "b", 1)
        desk.outside("a", "l", 2)
        #expect(desk.body[1].contains("vxyz"))
        desk.type("⏎")
        #expect(desk.files["a"] == ["b": 1, "k": "vxyz", "l": 2])
    }
}

@Suite("A foreign change of the value that is being edited")
struct ConflictTests {
    private func editing(_ old: PropertyListValue, keys: String = "", becomes new: PropertyListValue?) -> Desk
    {
        var desk = Desk(["a": ["k": old, "z": 1]], keys: "⏎⏎\(keys)")
        desk.outside("a", "k", new)
        return desk
    }

    @Test("The draft stays, a message names the value in the file, and Enter asks")
    func asking() {
        var desk = editing(8080, keys: "→⌫1", becomes: 9000)
        #expect(desk.body[0].hasSuffix("8081"))
        #expect(desk.status == "Another program stored 9000.")
        desk.type("⏎")
        #expect(desk.writes.isEmpty)
        #expect(
            desk.foot
                == "Another program stored 9000. Overwrite it with 8081?  y mine  t theirs  n back"
        )
        desk.type("n")
        #expect(desk.state.mode == .draft)
        desk.type("⌫2⏎y")
        #expect(desk.files["a"]?["k"] == 8082)
        #expect(desk.writes.map(\.expecting) == [9000])
    }

    @Test(
        "A conflict shows the user's value, the stored value and the old value, below each other on a narrow screen"
    )
    func besideEachOther() {
        var desk = editing(["x": 1], becomes: ["x": 1])
        desk = Desk(["a": ["k": "old text", "z": 1]], columns: 72, rows: 12, keys: "⏎⏎ of mine")
        desk.outside("a", "k", "another text")
        desk.type("⏎")
        #expect(
            Array(desk.body[0...2]) == [
                " k: yours, and the value in the file",
                "─ Yours ───────────────│─ In the file now ─────│─ When you started ────",
                "▌“old text of mine”    │▌“another text”        │▌“old text”",
            ]
        )
        desk.size = Size(columns: 40, rows: 13)
        desk.act(.resized(desk.size))
        #expect(desk.text.contains("\nYours:▌“old text of mine”\n"))
        #expect(desk.text.contains("\nFile: ▌“another text”\n"))
        desk.size = Size(columns: 40, rows: 20)
        desk.act(.resized(desk.size))
        #expect(desk.text.contains("\n─ In the file now ──"))
        #expect(desk.text.contains("\n▌“another text”\n"))
        desk.type("t")
        #expect(desk.files["a"]?["k"] == "another text")
        #expect(desk.foot == "Discarded your change.")
        #expect(desk.writes.isEmpty)
    }

    @Test(
        "Even on the smallest screens the user sees the values to choose from",
        arguments: [(20, 5), (30, 8)]
    )
    func smallScreen(columns: Int, rows: Int) {
        var desk = Desk(["a": ["k": "old", "z": 1]], columns: columns, rows: rows, keys: "⏎⏎er")
        desk.outside("a", "k", "theirs")
        desk.type("⏎")
        let first = rows == 5 ? 0 : 1
        #expect(
            Array(desk.screen[first..<first + 3]) == ["Yours:▌“older”", "File: ▌“theirs”", "Was:  ▌“old”"]
        )
        // All that can be answered is told.
        let answers = desk.foot
        #expect(answers.replacing("  ", with: " ").hasSuffix("y mine t theirs n back"))
    }

    @Test("Long values are shown from shortly before their difference")
    func differingLate() {
        let long = String(repeating: "x", count: 3000)
        var desk = Desk(["a": ["k": .string(long + "A")]], columns: 90, rows: 12, keys: "⏎⏎B")
        desk.outside("a", "k", .string(long + "C"))
        desk.type("⏎")
        for (end, size, column) in [("AB", 3002, 0), ("C", 3001, 1), ("A", 3001, 2)] {
            let rows = desk.body[2...3].map { row in
                row.split(separator: "│")[column].split(separator: " ").joined(separator: " ")
            }
            // Twenty characters before the difference are shown: “B” in “AB”, otherwise the letter at the end.
            let before = String(repeating: "x", count: end == "AB" ? 19 : 20)
            #expect(rows == ["▌“…\(before)\(end)”", "▌(\(size) bytes)"])
        }
        #expect(desk.foot.contains("Another program stored “…xxxxxxxxC”."))
        let members = (100..<400).map { "\"k\($0)\":0" }.joined(separator: ",")
        var history = Desk(
            ["a": ["k": json("{\(members),\"z\":{\"p\":1,\"q\":[]}}")]],
            columns: 90,
            keys: "⏎"
        )
        history.outside("a", "k", json("{\(members),\"z\":{\"p\":2,\"q\":[]}}"))
        #expect(history.foot == "k/z/p changed by another program: 1 → 2")
        history.outside("a", "k", json("{\(members),\"z\":{\"p\":3,\"q\":[7]}}"))
        history.type("H")
        #expect(history.body[0].contains(" a › k/z/p "))
        #expect(history.body[0].hasSuffix(" 2 → 3, 1 more"))
        #expect(history.text.contains(" z: "))
        #expect(history.screen.contains { $0.hasPrefix("▌  p: 2 ") && $0.contains("│▌  p: 3") })
    }

    @Test(
        "A key that is removed during its edit keeps its row, and a message names its previous value"
    )
    func goneInPlace() {
        var desk = Desk(["a": ["a": 1, "k": "x", "z": 1]], keys: "⏎j⏎y")
        desk.outside("a", "k", nil)
        #expect(desk.body[1].hasSuffix("xy"))
        #expect(desk.body[2].contains("z              1  "))
        desk = Desk(["a": ["k": "Pitt"]], keys: "⏎")
        desk.holdsWrites = true
        desk.type("⏎!⏎")
        desk.outside("a", "k", "other")
        #expect(desk.body[0].hasSuffix("other  was “Pitt”"))
    }

    @Test("Esc keeps the value in the file")
    func leaving() {
        var desk = editing("a", keys: "bc", becomes: "x")
        desk.type("⎋")
        #expect(desk.writes.isEmpty)
        #expect(desk.body[0].hasSuffix("x  was “a”"))
    }

    @Test("A value that changes during the question is asked about again")
    func again() {
        var desk = editing("a", keys: "bc", becomes: "x")
        desk.type("⏎")
        desk.outside("a", "k", "y")
        // The screen follows the file. Only a value that was shown may be overwritten.
        #expect(
            desk.foot
                == "Another program stored “y”. Overwrite it with “abc”?  y mine  t theirs  n back"
        )
        #expect(desk.text.contains("▌“y”"))
        desk.type("y")
        #expect(desk.writes.isEmpty)
        #expect(
            [desk.message, desk.keyLine] == [
                "It has changed again. Another program stored “y”. Overwrite it with “abc”?",
                "y mine  t theirs  n back",
            ]
        )
    }

    @Test("A long new value leaves room for the old value, if both fit")
    func longValue() {
        let long = "8F14E45F-CEEA-467F-A5B3-0C2D9A6B1E77"
        var desk = Desk(["a": ["k": "short", "l": "no change"]], keys: "⏎")
        desk.outside("a", "k", .string(long))
        #expect(desk.body[0].contains("8F14E45F") && desk.body[0].contains("…  was “sho"))
        desk.wait(6)
        #expect(desk.body[0].hasSuffix("8F14E45F-CEEA-467F-A5B3-0C…"))
        desk.outside("a", "k", "short")
        #expect(desk.body[0].contains("short  was “8F14E45F"))
    }

    @Test("A value that changed back asks nothing")
    func back() {
        var desk = editing("a", keys: "b", becomes: "x")
        desk.outside("a", "k", "a")
        desk.type("⏎")
        #expect(desk.files["a"]?["k"] == "ab")
    }

    @Test("A foreign change of another member of the key asks nothing")
    func beside() {
        var desk = Desk(["a": ["k": ["x": 1, "y": 1]]], keys: "⏎lj⏎→2")
        desk.outside("a", "k", ["x": 1, "y": 7, "z": 0])
        desk.type("⏎")
        #expect(desk.files["a"]?["k"] == ["x": 12, "y": 7, "z": 0])
    }

    @Test("A value whose path was removed is reported, and can be restored")
    func gone() {
        var desk = editing("a", keys: "b", becomes: nil)
        #expect(desk.body[1].contains("ab") || desk.body[0].contains("ab"))
        #expect(desk.status == "Another program deleted it.")
        desk.type("⏎")
        #expect(
            desk.foot == "Another program deleted “k”. Restore it with “ab”?  y mine  t theirs  n back"
        )
        desk.type("y")
        #expect(desk.files["a"] == ["k": "ab", "z": 1])
        #expect(desk.writes.map(\.expecting) == [nil])
        #expect(desk.selectedKey == "k")
    }

    @Test(
        "If a path cannot be restored, the message has the reason and the old value, and Esc discards the draft",
        arguments: [
            (
                ["x": "no list"],
                "“x” is now a string, “no list”, and cannot contain it; when you started it was 3."
            ),
            (["y": 1], "“x”, which contained it, was deleted; when you started it was 3."),
        ] as [(PropertyListValue, String)]
    )
    func goneForGood(_ new: PropertyListValue, _ told: String) {
        var desk = Desk(["a": ["k": ["x": [1, 2, 3]]]], columns: 120, keys: "⏎ljljjj⏎0")
        desk.outside("a", "k", new)
        desk.type("⏎")
        #expect(desk.writes.isEmpty)
        #expect(desk.foot == told)
        #expect(desk.state.mode == .draft)
        desk.type("⎋")
        #expect(desk.state.mode == .keys)
    }

    @Test("A foreign change of the type is named")
    func type() {
        var desk = editing(1, keys: "→2", becomes: "one")
        #expect(desk.status == "Another program stored a string, “one”.")
        desk.type("⏎")
        #expect(
            [desk.message, desk.keyLine] == [
                "Another program stored a string, “one”. Overwrite it with 12?", "y mine  t theirs  n back",
            ]
        )
        desk.type("y")
        #expect(desk.files["a"]?["k"] == 12)
    }

    @Test("A value inside JSON whose data became a dictionary is refused with the reason")
    func notJSONAnyMore() {
        var desk = Desk(["a": ["k": json(#"{"x":1}"#)]], keys: "⏎lj⏎→2")
        desk.outside("a", "k", ["x": 5])
        desk.type("⏎y")
        #expect(desk.writes.isEmpty)
        #expect(desk.foot == "a JSON text can only be put inside data that holds JSON.")
    }

    @Test("A write that finds another value opens its draft again and names the value in the file")
    func conflict() {
        var desk = Desk(["a": ["k": "old", "z": 1]], keys: "⏎")
        desk.holdsWrites = true
        desk.type("⏎er⏎")
        desk.files["a"]?["k"] = "theirs"
        desk.finishWrites()
        #expect(desk.state.mode == .conflict)
        #expect(
            [desk.message, desk.keyLine] == [
                "Another program stored “theirs”. Overwrite it with “older”?", "y mine  t theirs  n back",
            ]
        )
        desk.holdsWrites = false
        var left = desk
        left.type("t")
        #expect(left.body[0].contains("●"))
        #expect(left.body[0].hasSuffix("theirs  was “old”"))
        #expect(left.files["a"]?["k"] == "theirs")
        desk.type("y")
        #expect(desk.files["a"]?["k"] == "older")
    }

    @Test("While another text is typed, the message waits and keeps the refused text")
    func conflictLater() {
        var desk = Desk(["a": ["k": "old", "z": 1]], keys: "⏎")
        desk.holdsWrites = true
        desk.type("⏎er⏎j⏎→2")
        desk.files["a"]?["k"] = "theirs"
        desk.finishWrites()
        #expect(desk.state.modal?.line?.text == "12")
        desk.type("⎋")
        #expect(desk.foot == "Not written: “k” is now “theirs”. You typed: “older”")
        desk.type("k")
        #expect(desk.foot.contains("typed") == false)
    }

    @Test("A key that another program added meanwhile is not overwritten without a question")
    func addedMeanwhile() {
        var desk = Desk(["a": ["z": 1]], keys: "⏎")
        desk.holdsWrites = true
        desk.type("ak⏎⏎mine⏎")
        desk.files["a"]?["k"] = "theirs"
        desk.finishWrites()
        #expect(
            [desk.message, desk.keyLine] == [
                "Another program stored “theirs”. Overwrite it with “mine”?", "y mine  t theirs  n back",
            ]
        )
        desk.holdsWrites = false
        desk.type("y")
        #expect(desk.files["a"]?["k"] == "mine")
    }

    @Test("An element whose array was replaced is inserted again, over nothing")
    func elementMeanwhile() {
        var desk = Desk(["a": ["k": [1, 2]]], keys: "⏎l")
        desk.holdsWrites = true
        desk.type("j" + "ai⏎9⏎")
        desk.files["a"]?["k"] = [1, 2, 3]
        desk.finishWrites()
        desk.holdsWrites = false
        desk.type("⏎")
        #expect(desk.files["a"]?["k"] == [1, 9, 2, 3])
    }

    @Test("A foreign change shows at once, even during a write")
    func overtaken() {
        var desk = Desk(["a": ["k": 1]], keys: "⏎")
        desk.holdsWrites = true
        desk.type("⏎→2⏎")
        #expect(desk.body[0].hasSuffix("12"))
        desk.outside("a", "k", 5)
        #expect(desk.body[0].contains("     5  was "))
        desk.finishWrites()
        #expect(desk.files["a"]?["k"] == 5)
        desk.type("t")
        #expect(desk.body[0].contains("     5  was "))
    }

    @Test("If the editor's write came first, the later foreign change stays")
    func overtakenAfterwards() {
        var desk = Desk(["a": ["k": 1]], keys: "⏎")
        desk.holdsWrites = true
        desk.type("⏎2⏎")
        let id = desk.writes[0].id
        desk.act(.changed("a", [Change(key: "k", old: 1, new: 12, origin: .set(by: nil), sequence: 1)]))
        desk.act(.changed("a", [Change(key: "k", old: 12, new: 5, origin: .otherProcess, sequence: 2)]))
        desk.act(.wrote(id, .done))
        #expect(desk.body[0].contains("     5  was "))
    }
}
