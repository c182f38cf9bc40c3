import PropertyList
import SettingsStore
import TerminalCanvas
import Testing

@testable import SettingsEditor

@Suite("Adding and deleting")
struct AddingTests {
    @Test("Only the path is before a name that is being typed")
    func typedName() {
        var desk = Desk(["s": ["k": 1]], columns: 60, keys: "⏎axy")
        #expect(desk.text.contains("xy"))
        #expect(!desk.text.contains("\"\""))
        desk.type("⎋D")
        #expect(!desk.text.contains("\"\""))
    }

    @Test(
        "A new key gets a name, a type and a value, and is selected",
        arguments: [
            ("s⏎text⏎", "text"), ("⏎text⏎", "text"), ("j⏎-5⏎", -5), ("r⏎35e-1⏎", 3.5), ("b⏎⏎", false),
            ("b⏎ ⏎", true), ("b⏎true⏎", true),
            ("d⏎2001-01-01⏎", .date(.init(timeIntervalSinceReferenceDate: 0))),
            ("dd⏎ ff 00⏎", .data(.init([255, 0]))),
            ("a⏎", []), ("ddd⏎", [:]), ("J⏎⏎", json("{}")), ("J⏎⌫⌫[1]⏎", json("[1]")), ("↘⏎⏎", json("{}")),
        ] as [(String, PropertyListValue)]
    )
    func adding(keys: String, value: PropertyListValue) {
        let desk = Desk(["a": ["m": 1, "z": 1]], keys: "⏎an⏎" + keys)
        #expect(desk.files["a"] == ["m": 1, "n": value, "z": 1])
        #expect(desk.outline == ["m", "[n]", "z"])
        #expect(desk.writes.map(\.expecting) == [nil])
    }

    @Test("A adds the last element of an array; a beside an element comes after that element")
    func elements() {
        var desk = Desk(["a": ["k": [10, 20]]], keys: "⏎Ai⏎30⏎")
        #expect(desk.files["a"]?["k"] == [10, 20, 30])
        #expect(desk.outline == ["k", "  0", "  1", "  [2]"])
        desk.type("kkai⏎15⏎")
        #expect(desk.files["a"]?["k"] == [10, 15, 20, 30])
        #expect(desk.outline == ["k", "  0", "  [1]", "  2", "  3"])
    }

    @Test(
        "a always adds beside the row, even if it is expanded; A always adds inside, even if it is collapsed"
    )
    func entries() {
        var desk = Desk(["a": ["k": ["x": 1]]], keys: "⏎⏎al⏎⏎8⏎")
        #expect(desk.files["a"] == ["k": ["x": 1], "l": "8"])
        desk.type("g⏎Ay⏎i⏎2⏎")
        #expect(desk.files["a"]?["k"] == ["x": 1, "y": 2])
        #expect(desk.outline == ["k", "  x", "  [y]", "l"])
        desk.type("aw⏎a⏎")
        #expect(desk.files["a"]?["k"] == ["w": [], "x": 1, "y": 2])
    }

    @Test(
        "In JSON the types are JSON's, and the text around the new member is unchanged",
        arguments: [
            ("⏎v⏎", #"{"a": 1, "n": "v"}"#), ("n⏎1.50⏎", #"{"a": 1, "n": 1.50}"#),
            ("b⏎⏎", #"{"a": 1, "n": false}"#),
            ("nn⏎", #"{"a": 1, "n": null}"#), ("o⏎", #"{"a": 1, "n": {}}"#), ("a⏎", #"{"a": 1, "n": []}"#),
        ]
    )
    func addingToJSON(keys: String, text: String) {
        let desk = Desk(["a": ["k": json(#"{"a": 1}"#)]], keys: "⏎An⏎" + keys)
        #expect(jsonText(desk.files["a"]?["k"]) == text)
        #expect(desk.outline == ["k", "  a", "  [n]"])
    }

    @Test(
        "A name that exists, or an empty one, is refused in its box with the reason",
        arguments: [("k⏎", "“k” already exists."), ("⏎", "Type a name.")]
    )
    func names(keys: String, reason: String) {
        var desk = Desk(["a": ["k": 1]], keys: "⏎a" + keys)
        #expect(desk.foot == reason)
        #expect(desk.typed != nil)
        desk.type("2⎋")
        #expect(desk.writes.isEmpty)
        #expect(desk.state.modal == nil)
    }

    @Test("A on a value without elements is refused with the way out")
    func nothingInside() {
        let desk = Desk(["a": ["k": 1]], keys: "⏎A")
        #expect(desk.foot == "“k” is an integer and has no elements. Press a to add beside it.")
    }

    @Test("A new array or dictionary is open, and A fills it", arguments: [("a", "A⏎x⏎"), ("ddd", "Am⏎⏎x⏎")])
    func newContainer(type: String, keys: String) {
        var desk = Desk(["a": ["a": 1, "z": 1]], columns: 100, keys: "⏎an⏎\(type)⏎")
        #expect(desk.foot.hasPrefix("Added “n”. Press A to add") == true)
        desk.type(keys)
        #expect(desk.text.contains("▾ n"))
        #expect(desk.files["a"]?["n"] == (type == "a" ? ["x"] : ["m": "x"]))
        #expect(desk.outline == ["a", "n", type == "a" ? "  [0]" : "  [m]", "z"])
    }

    @Test("The row of a new value is where the value will be")
    func draftRow() {
        func row(_ name: String, _ keys: String) -> Int? {
            let desk = Desk(["s": ["b": [1, 2], "d": ["p": 1, "r": 1], "z": 1]], columns: 100, keys: keys)
            return desk.body.firstIndex { $0.contains(name) && $0.contains("»") }.map { $0 + 1 }
        }
        // b, 0, 1, d, p, r, z are the rows 1 to 7.
        #expect(row("2", "⏎z9gAi⏎") == 4)
        #expect(row("1", "⏎z9gjai⏎") == 3)
        #expect(row("q", "⏎z9gjjjAq⏎i⏎") == 6)
        #expect(row("y", "⏎z9gay⏎i⏎") == 7)
        #expect(row("zz", "⏎z9gazz⏎i⏎") == 8)
    }

    @Test("Esc at any step changes nothing", arguments: ["a⎋", "an⎋", "an⏎⎋", "an⏎⏎⎋", "an⏎⏎x⎋"])
    func leaving(keys: String) {
        let desk = Desk(["a": ["k": 1]], keys: "⏎" + keys)
        #expect(desk.writes.isEmpty)
        #expect(desk.outline == ["[k]"])
        #expect(desk.state.mode == .keys)
    }

    @Test(
        "In the suites pane a asks for a suite's name, then for its first key, and the first write creates the file"
    )
    func suite() {
        var desk = Desk(["b": [:], "d": [:]], keys: "ac⏎")
        #expect(desk.effects.last == .load("c"))
        #expect(desk.text.contains("c"))
        desk.type("first⏎i⏎1⏎")
        #expect(desk.files["c"] == ["first": 1])
        desk.list()
        #expect(desk.state.suiteList.suites.map(\.id) == ["b", "c", "d"])
        #expect(desk.selectedSuite == "c")
    }

    @Test(
        "A suite name that no file can have is refused in its box with the reason",
        arguments: [
            ("x/y", "The suite name “x/y” contains “/”."),
            ("b", "A suite “b” already exists."),
            (".x", "The suite name “.x” starts with “.”."), ("", "The suite name “” is empty."),
        ]
    )
    func suiteNames(name: String, reason: String) {
        let desk = Desk(["b": [:]], keys: "a\(name)⏎")
        #expect(desk.foot == reason)
        #expect(desk.typed == name)
        #expect(desk.state.mode == .naming)
    }

    @Test("d deletes without a question, and says that u brings the value back")
    func deleting() {
        var desk = Desk(["a": ["k": 1, "l": "x", "m": 2]], keys: "⏎jd")
        #expect(desk.foot == "Deleted “l”. Press u to undo.")
        #expect(desk.files["a"] == ["k": 1, "m": 2])
        #expect(desk.outline == ["k", "[m]"])
        desk.type("u")
        #expect(desk.files["a"] == ["k": 1, "l": "x", "m": 2])
    }

    @Test("Members and elements are deleted from their container")
    func deletingInside() {
        var desk = Desk(
            ["a": ["d": ["x": 1, "y": 2], "j": json(#"{"p": 1, "q": [ ]}"#), "l": [1, 2, 3]]],
            keys: "⏎ljd"
        )
        #expect(desk.files["a"]?["d"] == ["y": 2])
        #expect(desk.outline == ["d", "  [y]", "j", "l"])
        desk.type("jlj⌦")
        #expect(jsonText(desk.files["a"]?["j"]) == #"{"q": [ ]}"#)
        desk.type("Gljjd")
        #expect(desk.files["a"]?["l"] == [1, 3])
    }

    @Test("u undoes changes one by one")
    func undo() {
        var desk = Desk(["a": ["b": true, "k": "v", "z": 1]], keys: "⏎ j⏎w⏎jdan⏎a⏎")
        #expect(desk.files["a"] == ["b": false, "k": "vw", "n": []])
        desk.type("u")
        #expect(desk.files["a"] == ["b": false, "k": "vw"])
        #expect(desk.foot == "Undone: “n” is gone again.")
        desk.type("u")
        #expect(desk.files["a"] == ["b": false, "k": "vw", "z": 1])
        #expect(desk.foot == "Undone: “z” is 1 again.")
        desk.type("uu")
        #expect(desk.files["a"] == ["b": true, "k": "v", "z": 1])
        desk.type("u")
        #expect(desk.foot == "Nothing to undo.")
    }

    @Test(
        "Undoing a change inside a value names its path and selects it",
        arguments: [
            (["b": [1, 2, 3]], "⏎⏎jAi⏎5⏎", "k/b/3", "gone", "b"),
            (json(#"{"b":[1,2,3]}"#), "⏎⏎jljd", "k/b/0", "1", "0"),
            (json(#"{"b":[1,2,3],"c":[]}"#), "⏎⏎jljj⏎→7⏎", "k/b/1", "2", "1"),
            (["x/y": ["on": true], "z": 1], "⏎⏎jlj ", "k/x~1y/on", "true", "on"),
            (json(#"{"b":1,"b":2}"#), "⏎e→←⌫3⏎", "k/b (2)", "2", "k"),
        ] as [(PropertyListValue, String, String, String, String)]
    )
    func undoInside(value: PropertyListValue, keys: String, place: String, holding: String, row: String) {
        var desk = Desk(["a": ["k": value]], keys: keys)
        #expect(desk.files["a"] != ["k": value])
        desk.type("u")
        #expect(desk.files["a"] == ["k": value])
        #expect(desk.foot == "Undone: “\(place)” is \(holding) again.")
        #expect(desk.selectedKey == row)
    }

    @Test("^R redoes what was undone, until the user makes another change")
    func redo() {
        var desk = Desk(["a": ["b": true, "k": "v"]], keys: "⏎ j⏎w⏎uu")
        let redo = Key.control("r")
        #expect(desk.files["a"] == ["b": true, "k": "v"])
        desk.press(redo)
        #expect(desk.files["a"] == ["b": false, "k": "v"])
        #expect(desk.foot == "Redone: “b” is false again.")
        #expect(desk.selectedKey == "b")
        desk.press(redo)
        #expect(desk.files["a"] == ["b": false, "k": "vw"])
        desk.press(redo)
        #expect(desk.foot == "Nothing to redo.")
        desk.type("u")
        desk.type("k ")
        desk.press(redo)
        #expect(desk.files["a"] == ["b": true, "k": "v"])
        #expect(desk.foot == "Nothing to redo.")
        #expect(desk.writes.count == 8)
    }

    @Test("A change is not redone over a foreign change")
    func redoChanged() {
        var desk = Desk(["a": ["k": 1]], keys: "⏎⏎2⏎u")
        desk.outside("a", "k", 7)
        desk.press(.control("r"))
        #expect(desk.files["a"] == ["k": 7])
        #expect(desk.foot == "Not redone: “k” has changed since: 1 → 7.")
        // It is kept for when that is gone again.
        desk.outside("a", "k", 1)
        desk.press(.control("r"))
        #expect(desk.files["a"] == ["k": 2])
    }

    @Test("A change is not undone over a foreign change")
    func undoChanged() {
        var desk = Desk(["a": ["k": 1]], columns: 110, keys: "⏎⏎2⏎")
        desk.outside("a", "k", 7)
        desk.type("u")
        #expect(desk.files["a"] == ["k": 7])
        let refusal = "Not undone: “k” has changed since: 2 → 7. Press H to restore it anyway."
        #expect(desk.foot == refusal)
        desk.type("u")
        #expect(desk.foot == refusal)
        desk.outside("a", "k", 2)
        desk.type("u")
        #expect(desk.files["a"] == ["k": 1])
    }

    @Test("A refused write leaves the cursor on its row and keeps the typed name")
    func refused() {
        func desk(_ keys: String, _ key: String, _ value: PropertyListValue) -> Desk {
            var desk = Desk(
                ["a": ["aa": 1, "arr": [1, 2, 3, 4], "n": 5, "z": 6]],
                columns: 110,
                keys: "⏎jljjj"
            )
            desk.holdsWrites = true
            desk.type(keys)
            desk.files["a"]?[key] = value
            desk.finishWrites()
            return desk
        }
        var refused = desk("Gkd", "n", 6)
        #expect(refused.selectedKey == "n")
        #expect(refused.foot == "Not written: “n” is now 6.")
        refused = desk("<", "arr", [1, 2, 3, 5])
        #expect(refused.selectedKey == "2")
        #expect(refused.foot == "Not written: “arr/3” has changed since: 4 → 5.")
        refused = desk("d", "arr", [0, 1, 2, 3, 4])
        #expect(refused.selectedKey == "3")
        refused = desk("Gkrx⏎", "n", 6)
        #expect(refused.state.mode == .naming)
        #expect(refused.text.contains("nx") && refused.text.contains("Not written: “n” is now 6."))
        refused.holdsWrites = false
        refused.type("⏎")
        #expect(refused.files["a"]?["nx"] == 6)
        refused = desk("GkD⏎", "n copy", 9)
        #expect(refused.state.mode == .naming)
        refused.type("2⏎")
        #expect(refused.writes.last?.changes["n copy2"]?.new == 5)
        // If the user has moved on meanwhile, the selection stays.
        refused = desk("Gkdg", "n", 6)
        #expect(refused.selectedKey == "aa")
    }

    @Test(
        "Undo and redo of one member keep foreign changes of other members"
    )
    func undoneBesideOthers() {
        let documents = ["5", "66", "7.50"].map { a in
            ["0.10", "0.109"].map { d in "{ \"a\" : \(a),\n\t\"b\":[1.0 , -0],   \"d\":\(d) }" }
        }
        for wrap in [json, PropertyListValue.string] as [(String) -> PropertyListValue] {
            var desk = Desk(["s": ["j": wrap(documents[0][0])]], columns: 100, keys: "⏎ljjj⏎→9⏎")
            #expect(desk.files["s"]?["j"] == wrap(documents[0][1]))
            desk.outside("s", "j", wrap(documents[1][1]))
            desk.type("u")
            #expect(desk.files["s"]?["j"] == wrap(documents[1][0]))
            #expect(desk.foot == "Undone: “j/d” is 0.10 again.")
            desk.outside("s", "j", wrap(documents[2][0]))
            desk.press(.control("r"))
            #expect(desk.files["s"]?["j"] == wrap(documents[2][1]))
            desk.outside("s", "j", wrap(documents[2][1].replacing("0.109", with: "8")))
            desk.type("u")
            #expect(
                desk.foot
                    == "Not undone: “j/d” has changed since: 0.109 → 8. Press H to restore it anyway."
            )
            desk.outside("s", "j", wrap(documents[2][0]))
            let writes = desk.writes.count
            desk.type("u")
            #expect(desk.foot == "Undone: “j/d” is 0.10 again.")
            #expect(desk.writes.count == writes)
            #expect(desk.files["s"]?["j"] == wrap(documents[2][0]))
        }
    }

    @Test("An element is undone at its current index, and foreign changes of the array stay")
    func undoneInArray() {
        var desk = Desk(["s": ["k": [1, 2, 3]]], columns: 100, keys: "⏎lj⏎→00⏎")
        #expect(desk.files["s"]?["k"] == [100, 2, 3])
        desk.outside("s", "k", [7, 100, 2, 3, 9])
        desk.type("u")
        #expect(desk.files["s"]?["k"] == [7, 1, 2, 3, 9])
        #expect(desk.foot == "Undone: “k/1” is 1 again.")
        desk.press(.control("r"))
        #expect(desk.files["s"]?["k"] == [7, 100, 2, 3, 9])
        // If the element itself has changed, it might be another one.
        desk.outside("s", "k", [7, 101, 2, 3, 9])
        desk.type("u")
        #expect(desk.files["s"]?["k"] == [7, 101, 2, 3, 9])
        #expect(desk.foot.hasPrefix("Not undone: “k/0” has changed since") == true)
    }

    @Test("The history also restores an element and keeps foreign changes of the array")
    func historyInArray() {
        var desk = Desk(["s": ["k": [10, 20, 30]]], columns: 100, keys: "⏎ljd")
        desk.outside("s", "k", [20, 30, 40])
        desk.type("Hj⏎")
        #expect(desk.files["s"]?["k"] == [10, 20, 30, 40])
    }

    @Test("Cancelling a new suite before its first key changes nothing, and a message says so")
    func suiteGivenUp() {
        for keys in ["⎋", "k⏎⎋", "k⏎⏎⎋"] {
            var desk = Desk(["a": ["k": 1], "b": ["kb": 1]], columns: 100, keys: "aaa⏎" + keys)
            #expect(desk.selectedSuite == "a")
            #expect(desk.state.suiteList.suites.map(\.id) == ["a", "b"])
            #expect(desk.state.mode == .suites)
            #expect(desk.foot == "“aa” was not created, because it has no key.")
            desk.type("d")
            #expect(desk.text.contains("Delete the suite “a”"))
        }
    }

    @Test("An undo that finds another value in the file, or fails, says so and keeps that value")
    func undoFails() {
        var desk = Desk(["a": ["k": 1]], keys: "⏎⏎2⏎")
        desk.holdsWrites = true
        desk.type("u")
        desk.finishWrites(failing: "no room")
        #expect(desk.foot == "Not undone: no room.")
        // The same key tries again.
        desk.type("u")
        desk.files["a"] = ["k": 9]
        desk.finishWrites()
        #expect(desk.foot == "Not undone: “k” is now 9.")
        #expect(desk.body[0].hasSuffix("9  was 2"))
        desk.outside("a", "k", 2)
        desk.type("u")
        desk.finishWrites()
        #expect(desk.files["a"] == ["k": 1])
    }
}
