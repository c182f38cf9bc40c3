import PropertyList
import SettingsStore
import TerminalCanvas
import Testing

@testable import SettingsEditor

@Suite("The history")
struct HistoryTests {
    /// A change of one's own, one of another's, and one's own over it.
    private func desk(columns: Int = 80, rows: Int = 24) -> Desk {
        var desk = Desk(["a": ["k": 1, "l": "x"]], columns: columns, rows: rows, keys: "⏎⏎→2⏎")
        desk.wait(4)
        desk.outside("a", "l", "theirs")
        desk.wait(60)
        desk.type("j⏎!⏎H")
        return desk
    }

    @Test("The history lists own and foreign changes, the newest first, with old and new value")
    func list() {
        let desk = desk(columns: 70)
        #expect(
            Array(desk.body[0...2]) == [
                "»  15:10:30  a › l                     “theirs” → “theirs!”",
                " ● 15:09:30  a › l                     “x” → “theirs”",
                "   15:09:26  a › k                     1 → 12",
            ]
        )
        #expect(desk.body.contains { $0.hasPrefix("─ Before ──") })
        #expect(desk.body.contains("▌“theirs”                         │▌“theirs!”"))
        #expect(desk.foot.hasPrefix("Enter restore  Esc") == true)
    }

    @Test("Enter restores the old value of a key in a new write that can be undone")
    func goingBack() {
        var desk = desk()
        desk.type("jj⏎")
        #expect(desk.files["a"]?["k"] == 1)
        #expect(desk.writes.last?.changes["k"] == ValueChange(old: 12, new: 1))
        #expect(desk.foot == "“k” is 1 again.")
        #expect(desk.state.mode == .history)
        desk.type("u")
        #expect(desk.files["a"]?["k"] == 12)
    }

    @Test(
        "Undo, redo and restore of JSON bring back the exact text",
        arguments: [
            (#"{ "b" : 1.50e2,\#n\#t"a":[1.0 , -0],"s":"\u0041/\/" }"#, "jlj⏎5⏎"),
            (#"{ "b" : 1.50e2,\#n\#t"a":[1.0 , -0],"s":"\u0041/\/" }"#, "jljjjljd"),
            (#"{"z":1,  "a" : 2 , "m":3}"#, "jljjd"),
            (#"{"z":1,  "a" : 2 , "m":3}"#, "jljjr!⏎"),
            (#"{"z":1,  "a" : 2 , "m":3}"#, "jljjt1"),
            (#"[ 1,2 ,3]"#, "jAo⏎"),
        ]
    )
    func spellings(text: String, keys: String) {
        for value in [json(text), .string(text)] {
            var desk = Desk(["a": ["i": 0, "j": value]], columns: 100, keys: "⏎" + keys)
            let edited = desk.files["a"]?["j"]
            #expect(edited != value)
            desk.type("u")
            #expect(desk.files["a"]?["j"] == value)
            desk.press(.control("r"))
            #expect(desk.files["a"]?["j"] == edited)
            desk.type("HG⏎")
            #expect(desk.files["a"]?["j"] == value)
        }
    }

    @Test("If the key has another value now, the editor asks first")
    func goingFurtherBack() {
        var desk = desk()
        desk.type("j⏎")
        #expect(desk.foot == "“l” is now “theirs!”. Restore “x”?  y yes  n no")
        desk.type("n")
        #expect(desk.state.mode == .history)
        desk.type("⏎")
        desk.outside("a", "l", "once more")
        desk.type("y")
        #expect(desk.files["a"]?["l"] == "once more")
        #expect(desk.foot == "“l” has changed again.")
        desk.type("⏎y")
        #expect(desk.files["a"]?["l"] == "x")
        #expect(desk.writes.last?.changes["l"] == ValueChange(old: "once more", new: "x"))
    }

    @Test("Enter restores only the changed member, and keeps later foreign changes")
    func goingBackBesideOthers() {
        var desk = Desk(
            ["s": ["j": json(#"{"a":55, "d":0.10}"#), "k": ["x": 1, "y": 2]]],
            columns: 100,
            keys: "⏎ljj⏎→9⏎jljj⏎→5⏎"
        )
        #expect(desk.files["s"] == ["j": json(#"{"a":55, "d":0.109}"#), "k": ["x": 1, "y": 25]])
        desk.outside("s", "j", json(#"{"a":66, "d":0.109}"#))
        desk.outside("s", "k", ["x": 7, "y": 25, "z": 8])
        desk.type("HG⏎")
        #expect(jsonText(desk.files["s"]?["j"]) == #"{"a":66, "d":0.10}"#)
        #expect(desk.foot == "“j/d” is 0.10 again.")
        desk.type("⏎")
        #expect(desk.foot == "“j/d” is already 0.10.")
        desk.type("k⏎")
        #expect(desk.files["s"]?["k"] == ["x": 7, "y": 2, "z": 8])
        desk.type("u")
        #expect(desk.files["s"]?["k"] == ["x": 7, "y": 25, "z": 8])
    }

    @Test("The entry of a deleted suite restores all of it, the entry of a key only the key")
    func goingBackToSuites() {
        var desk = Desk(["a": ["k": 1, "l": "x"], "b": ["z": 1]], columns: 100, keys: "dy")
        #expect(desk.files["a"] == nil)
        // Others' doings and one's own since are no hindrance.
        desk.outside("b", "z", 2)
        desk.type("H")
        desk.select("the suite is gone")
        desk.type("⏎")
        #expect(desk.files["a"] == ["k": 1, "l": "x"])
        #expect(desk.foot == "“a” exists again.")
        desk = Desk(["a": ["k": 1, "l": "x"], "b": ["z": 1]], columns: 100, keys: "dyH")
        desk.select("a › l")
        desk.type("⏎")
        #expect(desk.files["a"] == ["l": "x"])
        #expect(desk.foot == "“l” is “x” again.")
    }

    @Test("A suite is deleted from the entry of its creation, after a question")
    func goingBackFromSuites() {
        var desk = Desk(["a": ["k": 1]], columns: 100, keys: "D⏎H")
        desk.select("a new suite")
        desk.type("⏎")
        #expect(desk.foot.contains("Delete the suite “a copy” with its 1 key?") == true)
        desk.type("y")
        #expect(desk.files == ["a": ["k": 1]])
    }

    @Test("If the member has another value now, the question names it, and no other member is restored")
    func askingAboutPlaces() {
        var desk = Desk(["s": ["k": ["x": 1, "y": 2]]], columns: 100, keys: "⏎ljj⏎5⏎")
        desk.outside("s", "k", ["x": 7, "y": 8])
        desk.type("HG⏎")
        #expect(desk.foot == "“k/y” is now 8. Restore 2?  y yes  n no")
        // A foreign change elsewhere in the value is no reason to ask again.
        desk.outside("s", "k", ["x": 70, "y": 8])
        var other = desk
        other.outside("s", "k", ["x": 70, "y": 9])
        other.type("y")
        #expect(other.foot == "“k” has changed again.")
        #expect(other.files["s"]?["k"] == ["x": 70, "y": 9])
        desk.type("y")
        #expect(desk.files["s"]?["k"] == ["x": 70, "y": 2])
    }

    @Test("An array whose elements cannot be followed is restored as a whole if the user says so")
    func askingAboutArrays() {
        var desk = Desk(["s": ["k": [1, 2, 3]]], columns: 100, keys: "⏎lj⏎00⏎")
        desk.outside("s", "k", [2, 3, 9])
        desk.type("HG⏎")
        #expect(desk.foot.contains("Restore all of “k”?") == true)
        desk.type("n")
        #expect(desk.files["s"]?["k"] == [2, 3, 9])
        desk.type("⏎y")
        #expect(desk.files["s"]?["k"] == [1, 2, 3])
    }

    @Test("Restoring removes an added key, and brings back a deleted key")
    func addedAndDeleted() {
        var desk = Desk(["a": ["k": [1, 2]]], keys: "⏎dyan⏎a⏎H")
        #expect(desk.text.contains("nothing → [0 items]"))
        desk.type("⏎")
        #expect(desk.files["a"] == [:])
        desk.type("jj⏎")
        #expect(desk.files["a"] == ["k": [1, 2]])
    }

    @Test("The selection stays on its entry when new entries arrive")
    func staying() {
        var newest = desk()
        newest.outside("a", "k", 5)
        newest.type("⏎")
        #expect(newest.files["a"] == ["k": 5, "l": "theirs"])
        var desk = desk(rows: 8)
        desk.type("j")
        desk.outside("a", "k", 5)
        desk.outside("a", "k", 6)
        #expect(desk.text.contains("»● 15:09:30"))
        desk.type("G")
        #expect(desk.text.contains("»  15:09:26"))
        desk.type("⎋")
        #expect(desk.state.mode == .keys)
    }

    @Test("Without a change there is no history, and in a read-only suite nothing is restored")
    func nothing() {
        var desk = Desk(["a": ["k": 1]], readOnly: "it is", keys: "⏎H")
        #expect(desk.foot == "Nothing has changed since the editor was opened.")
        desk.outside("a", "k", 2)
        desk.type("H⏎")
        #expect(desk.foot == "Read-only: it is")
        #expect(desk.writes.isEmpty)
    }
}

extension Desk {
    /// Goes down to the line that says this.
    fileprivate mutating func select(_ text: String) {
        for _ in 0..<20 where screen.first(where: { $0.hasPrefix("»") })?.contains(text) != true { type("j") }
    }
}
