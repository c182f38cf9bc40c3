import PropertyList
import TerminalCanvas
import Testing

@testable import SettingsEditor

@Suite("Keys typed ahead of a search")
struct EventQueueTests {
    /// A suite of 3,000 keys, of which no key finds the last ones at once.
    private func desk(_ keys: String) -> Desk {
        var values: [String: PropertyListValue] = [:]
        for number in 10_000..<13_000 { values["k\(number)"] = .string("value \(number)") }
        return Desk(["a": values, "b": ["other": 1]], columns: 100, keys: "⏎" + keys)
    }

    @Test(
        "Keys typed after Enter act on the match, and on no other row",
        arguments: [
            "/value 12990⏎d", "/value 12990⏎jkd", "/12990⏎d", "/value 1299⏎nnNNd", "&value 12990⏎d",
            "&12990⏎Gd",
            "fk12990⏎d", "Fvalue 12990⏎d", "/value 12990⏎Nnd",
        ]
    )
    func deleting(keys: String) {
        var desk = desk(keys)
        #expect(!desk.text.contains("k10000”"))
        desk.idle()
        #expect(desk.foot == "Deleted “k12990”. Press u to undo.")
        #expect(desk.files["a"]?.count == 2999)
        #expect(desk.files["a"]?["k12990"] == nil)
    }

    @Test(
        "Keys typed after a search that finds nothing act on the row that was selected before",
        arguments: ["/nowhere⏎d", "/value 12990⏎/nowhere⏎d", "/zzz⏎d", "/nowhere⏎nd"]
    )
    func failing(keys: String) {
        var desk = desk("")
        desk.typeAtOnce(keys)
        desk.idle()
        let key = keys.contains("12990") ? "k12990" : "k10000"
        #expect(desk.foot == "Deleted “\(key)”. Press u to undo.")
        #expect(desk.files["a"]?.count == 2999)
    }

    @Test(
        "Keys for a suite wait until the suite is read",
        arguments: [
            ("jdy", ["a"]), ("jDq⏎k", ["a", "b", "b copyq"]), ("jrqq⏎k", ["a", "bqq"]), ("jkdy", ["b"]),
            ("j:delete⏎y", ["a"]), ("j:duplicate⏎q⏎k", ["a", "b", "b copyq"]),
        ]
    )
    func suites(keys: String, suites: [String]) {
        var desk = Desk(["a": ["k": 1], "b": ["l": 2]], columns: 100)
        desk.holdsLoads = true
        desk.typeAtOnce(keys)
        desk.finishLoads()
        desk.idle()
        #expect(desk.files.keys.sorted() == suites)
        #expect(!desk.effects.contains(.quit))
    }

    @Test(
        "Keys typed after deleting a suite act on the suite that follows, as they do when typed slowly",
        arguments: ["julanew⏎⏎v⏎", "julda", "jujdy", "uRjdy"]
    )
    func behindRemoval(keys: String) {
        var ends: [[String: [String: PropertyListValue]]] = []
        for isQuick in [false, true] {
            var desk = Desk(["a": ["k": 1], "b": ["l": 2], "c": ["m": 3]], columns: 100, keys: "gjk")
            desk.type("D⏎k")
            #expect(desk.files["a copy"] != nil)
            if isQuick {
                desk.holdsWrites = true
                desk.typeAtOnce(keys)
                while !desk.waiting.isEmpty { desk.finishWrites() }
            } else {
                for key in keys { desk.type(String(key)) }
            }
            ends.append(desk.files)
        }
        #expect(ends[0] == ends[1])
    }

    @Test("While a search runs the last line says so, and Esc ends the search and drops the keys that wait")
    func escape() {
        var desk = desk("/nowhere⏎d")
        #expect(desk.state.modal != nil)
        #expect(desk.foot.hasSuffix("…") == true)
        desk.type("⎋")
        #expect(desk.state.modal == nil)
        #expect(!desk.state.hasWork)
        #expect(desk.selectedKey == "k10000")
        desk.type("/value 12990⏎")
        desk.idle()
        desk.type("Nd")
        #expect(desk.foot == "Searching… Press Esc to stop.")
        desk.type("⎋")
        desk.idle()
        #expect(desk.state.mode == .keys)
        #expect(desk.selectedKey == "k12990")
        #expect(desk.writes.isEmpty)
    }

    @Test(
        "Keys for the rows of an unread suite wait until the rows are read, and Esc drops the keys",
        arguments: [
            ("j⇥jjd", "k3"), ("j⇥/value 7⏎d", "k7"), ("fk8⏎d", "k8"), ("j⇥3jd", "k4"), ("j⇥jjhjlGd", "k9"),
            ("j⇥jd⎋jd", "k2"),
        ]
    )
    func reading(keys: String, key: String) {
        for isAtOnce in [true, false] {
            var values: [String: PropertyListValue] = [:]
            for number in 1...9 { values["k\(number)"] = .string("value \(number)") }
            var desk = Desk(["a": ["other": 1], "b": values], columns: 100)
            desk.holdsLoads = true
            if isAtOnce { desk.typeAtOnce(keys) } else { desk.type(keys) }
            #expect(desk.state.mode != .question)
            desk.finishLoads()
            desk.idle()
            #expect(desk.foot == "Deleted “\(key)”. Press u to undo.", "\(keys): \(desk.text)")
        }
    }

    @Test("While a suite is being read the user can go elsewhere")
    func leaving() {
        var desk = Desk(["a": ["x": 1], "b": ["y": 1]], columns: 100)
        desk.holdsLoads = true
        desk.type("j⇥")
        desk.type("⇥")
        #expect(desk.state.mode == .suites)
        desk.type("⇥?")
        #expect(desk.state.mode == .help)
        desk.type("qdH")
        #expect(desk.state.mode == .keys)
        desk.type("⎋:")
        #expect(desk.state.mode == .palette)
    }

    @Test("Letters of a search pattern and a new screen size do not wait")
    func letters() {
        var desk = desk("/nowhere")
        #expect(desk.text.contains("nowhere"))
        desk.type("⏎")
        desk.send(.resize(Size(columns: 60, rows: 10)))
        #expect(desk.state.display.size == Size(columns: 60, rows: 10))
        desk.idle()
        #expect(desk.text.contains("Not found: “nowhere”"), "\(desk.text)")
    }

    @Test("Keys typed after a move wait until the value has moved, and Esc drops the keys")
    func behindMoves() {
        for drops in [false, true] {
            var desk = Desk(
                ["a": ["alpha": 1, "arr": [1], "bb": 2], "s": ["q": 1]],
                columns: 100,
                keys: "⏎"
            )
            desk.holdsWrites = true
            desk.typeAtOnce("M⏎d")
            #expect(desk.waiting.map(\.suite) == ["s"])
            desk.finishWrites()
            #expect(desk.waiting.map(\.suite) == ["a"])
            if drops { desk.type("⎋") }
            while !desk.waiting.isEmpty { desk.finishWrites() }
            #expect(desk.files["s"] == ["alpha": 1, "q": 1])
            #expect(desk.files["a"] == (drops ? ["arr": [1], "bb": 2] : ["bb": 2]))
        }
    }

    @Test("Undo and redo of a change with several writes wait until all writes are stored")
    func undoBehindRenames() {
        var desk = Desk(["a": ["k": 1], "b": ["k": 2]], columns: 100)
        desk.holdsWrites = true
        func finish(_ desk: inout Desk) { while !desk.waiting.isEmpty { desk.finishWrites() } }
        desk.typeAtOnce("r2⏎u")
        finish(&desk)
        #expect(desk.files == ["a": ["k": 1], "b": ["k": 2]])
        desk.press(.control("r"))
        desk.typeAtOnce("u")
        desk.press(.control("r"))
        finish(&desk)
        #expect(desk.files == ["a2": ["k": 1], "b": ["k": 2]])
        desk.typeAtOnce("u⏎")
        desk.press(.control("r"))
        finish(&desk)
        #expect(desk.files == ["a2": ["k": 1], "b": ["k": 2]])
    }

    @Test("The history opens after the preceding change is stored")
    func historyBehindWrites() {
        var desk = Desk(["a": ["k": 1]], columns: 100, keys: "⏎")
        desk.holdsWrites = true
        desk.typeAtOnce("⏎→2⏎H")
        #expect(desk.state.mode != .history)
        desk.finishWrites()
        #expect(desk.state.mode == .history)
        #expect(desk.text.contains("1 → 12"))
    }

    @Test("A pasted line end is dropped in a name or a pattern, and kept in a value")
    func pastedLineEnds() {
        var desk = Desk(["a": ["k": "x", "new": 1]], columns: 100, keys: "⏎r")
        desk.press(.control("u"))
        desk.act(.paste("name\r"))
        desk.type("⏎")
        #expect(desk.files["a"]?["name"] == "x")
        desk.type("/")
        desk.act(.paste("new\r\n"))
        desk.type("⏎")
        #expect(desk.selectedKey == "new")
        desk.type("k⏎")
        desk.act(.paste("y\r"))
        desk.type("⏎")
        #expect(desk.files["a"]?["name"] == "xy\n")
    }
}
