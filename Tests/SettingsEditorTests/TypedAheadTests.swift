import PropertyList
import TerminalCanvas
import Testing

@testable import SettingsEditor

@Suite("What is typed ahead of a search")
struct TypedAheadTests {
    /// A suite of 3,000 keys, of which no key finds the last ones at once.
    private func desk(_ keys: String) -> Desk {
        var values: [String: PropertyListValue] = [:]
        for number in 10_000..<13_000 { values["k\(number)"] = .string("value \(number)") }
        return Desk(["a": values, "b": ["other": 1]], columns: 100, keys: "⏎" + keys)
    }

    @Test(
        "Keys behind Enter act on what is found, and on no other row",
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
        #expect(desk.screen.last?.hasPrefix("Delete “k12990”, “value 12990”?") == true)
        desk.type("y")
        desk.idle()
        #expect(desk.files["a"]?.count == 2999)
        #expect(desk.files["a"]?["k12990"] == nil)
    }

    @Test(
        "Where nothing is found, the keys behind Enter do nothing, and that is said",
        arguments: [
            ("/nosuch⏎dy", "Not found: “nosuch” The 2 keys typed behind it do nothing."),
            ("/nosuch⏎⏎7⏎", "Not found: “nosuch” The 3 keys typed behind it do nothing."),
            ("/value 10⏎jn/nosuch⏎d", "Not found: “nosuch” The key typed behind it does nothing."),
            ("ndy", "Nothing was searched for yet; / searches. The 2 keys typed behind it do nothing."),
            ("&nosuch⏎ax", "The 2 keys typed behind it do nothing."),
        ]
    )
    func nothingFound(keys: String, message: String) {
        for isLong in [false, true] {
            var desk =
                isLong ? desk("") : Desk(["a": ["aa": 1, "name": "value 10"]], columns: 100, keys: "⏎")
            desk.typeAtOnce(keys)
            desk.idle()
            #expect(desk.screen.last == message || desk.screen[21...].joined().contains(message))
            #expect(desk.writes.isEmpty)
            #expect(desk.state.mode == .keys)
            // What is typed once that is seen is about what is there.
            desk.type("⎋d")
            #expect(desk.state.mode == .question)
        }
    }

    @Test(
        "Keys about a suite wait until it is read, so that none of them is taken for another",
        arguments: [
            ("jdy", ["a"]), ("jDq⏎k", ["a", "b", "b copyq"]), ("jrqq⏎k", ["a", "bqq"]), ("jkdy", ["b"]),
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
        "Keys behind what takes a suite away are about the one that follows, as they are when they come slowly",
        arguments: ["julanew⏎1v⏎", "julda", "jujdy", "uRjdy"]
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

    @Test("Where the list refuses what asks for something, the answer typed behind is no command")
    func refusedSuites() {
        for keys in ["dy", "rqq⏎", "Dq⏎", "aq⏎q"] {
            var desk = Desk(["a": ["k": 1]], columns: 100, readOnly: "it is")
            desk.typeAtOnce(keys)
            desk.idle()
            #expect(!desk.effects.contains(.quit))
            #expect(desk.text.contains("Read-only: it is"))
            #expect(desk.text.contains("typed behind it do"))
        }
    }

    @Test("While it goes on the last line says so; Esc ends it, and with it what was typed behind")
    func escape() {
        var desk = desk("/nowhere⏎d")
        #expect(desk.state.input != nil)
        #expect(desk.screen.last?.hasSuffix("…") == true)
        desk.type("⎋")
        #expect(desk.state.input == nil)
        #expect(!desk.state.hasWork)
        #expect(desk.selectedKey == "k10000")
        desk.type("/value 12990⏎")
        desk.idle()
        desk.type("Nd")
        #expect(desk.screen.last == "Searching… Esc ends it.")
        desk.type("⎋")
        desk.idle()
        #expect(desk.state.mode == .keys)
        #expect(desk.selectedKey == "k12990")
        #expect(desk.writes.isEmpty)
    }

    @Test(
        "Keys for the rows of a suite that is still being read wait for these; Esc drops them",
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
            #expect(desk.screen.last?.hasPrefix("Delete “\(key)”") == true, "\(keys): \(desk.text)")
        }
    }

    @Test("While a suite is read one can go elsewhere")
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

    @Test("Letters of what is searched for do not wait, and a new size does not either")
    func letters() {
        var desk = desk("/nowhere")
        #expect(desk.text.contains("nowhere"))
        desk.type("⏎")
        desk.send(.resize(Size(columns: 60, rows: 10)))
        #expect(desk.state.size == Size(columns: 60, rows: 10))
        desk.idle()
        #expect(desk.text.contains("Not found: “nowhere”"), "\(desk.text)")
    }

    @Test("Keys behind a move wait until what was moved has gone, and Esc drops them")
    func behindMoves() {
        for drops in [false, true] {
            var desk = Desk(
                ["a": ["alpha": 1, "arr": [1], "bb": 2], "s": ["q": 1]],
                columns: 100,
                keys: "⏎"
            )
            desk.holdsWrites = true
            desk.typeAtOnce("M⏎dy")
            #expect(desk.waiting.map(\.suite) == ["s"])
            desk.finishWrites()
            #expect(desk.waiting.map(\.suite) == ["a"])
            if drops { desk.type("⎋") }
            while !desk.waiting.isEmpty { desk.finishWrites() }
            #expect(desk.files["s"] == ["alpha": 1, "q": 1])
            #expect(desk.files["a"] == (drops ? ["arr": [1], "bb": 2] : ["bb": 2]))
        }
    }

    @Test("What takes several writes is taken back, and done again, once all of it is stored")
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

    @Test("The history that is wanted behind a change waits for it")
    func historyBehindWrites() {
        var desk = Desk(["a": ["k": 1]], columns: 100, keys: "⏎")
        desk.holdsWrites = true
        desk.typeAtOnce("⏎2⏎H")
        #expect(desk.state.mode != .history)
        desk.finishWrites()
        #expect(desk.state.mode == .history)
        #expect(desk.text.contains("1 → 12"))
    }

    @Test("The line end behind what is pasted into a name or a pattern is left out, and stays in a value")
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
