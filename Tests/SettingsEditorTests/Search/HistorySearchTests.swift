import PropertyList
import SettingsStore
import TerminalCanvas
import Testing

@testable import SettingsEditor

@Suite("Searching the history")
struct HistorySearchTests {
    /// Changes of others, the last one first in the list: `z`, `y`, `b`, `a` and a suite of its own.
    private func desk(_ keys: String = "", rows: Int = 24) -> Desk {
        var desk = Desk(
            ["one": ["a": "Apple", "b": 1, "token": "x"], "two": ["k": 1]],
            columns: 100,
            rows: rows,
            schemas: ["one": SuiteSchema(["token": SettingDeclaration(.string(), isSecret: true)])],
            keys: "⏎"
        )
        desk.outside("two", "k", 2)
        desk.outside("one", "a", "Pear")
        desk.outside("one", "b", 20)
        desk.outside("one", "y", .string(String(repeating: "lorem ", count: 40) + "needle"))
        desk.outside("one", "token", "pear")
        desk.outside("one", "z", ["inside": "plum"])
        desk.outside("one", "z", ["inside": "Pear"])
        desk.type("H" + keys)
        desk.idle()
        return desk
    }

    /// The text of the selected change.
    private func selected(_ desk: Desk) -> String? {
        desk.screen.first { $0.hasPrefix("»") }?.dropFirst(13).split(separator: " ").prefix(3)
            .joined(separator: " ")
    }

    @Test(
        "/ selects the first change whose suite, path or values match, while the pattern is typed",
        arguments: [
            ("/two", "two › k"), ("/needle", "one › y"), ("/apple", "one › a"), ("/inside", "one › z/inside"),
            ("/plum", "one › z/inside"), ("/20", "one › b"), ("/nowhere", "one › z/inside"),
            ("/PLUM", "one › z/inside"), ("/app⌫⌫⌫20", "one › b"), ("G/two", "two › k"),
            ("G/pear", "two › k"),
        ]
    )
    func typing(keys: String, place: String) {
        let desk = desk(keys)
        #expect(desk.state.mode == .search)
        // One that begins at the last line goes on at the top.
        #expect(selected(desk) == (keys == "G/pear" ? "one › z/inside" : place))
    }

    @Test("A secret is never found")
    func secrets() {
        var desk = desk("/pear⏎")
        var places: [String?] = []
        for _ in 0..<4 {
            places.append(selected(desk))
            desk.type("n")
            desk.idle()
        }
        #expect(places == ["one › z/inside", "one › a", "one › z/inside", "one › a"])
    }

    @Test("Enter stays on the match; n and N continue, also past the ends, and a count repeats them")
    func goingOn() {
        var desk = desk("/o⏎")
        #expect(desk.state.mode == .history)
        desk.type("n")
        desk.idle()
        let second = desk.state.historyScreen?.selected
        desk.type("N")
        desk.idle()
        desk.type("N")
        desk.idle()
        #expect(desk.foot == "Continued at the bottom.")
        #expect(selected(desk) == "two › k")
        desk.type("2n")
        desk.idle()
        #expect(desk.state.historyScreen?.selected == second)
        // However large it is.
        desk.type("999999999n")
        desk.idle()
        #expect(desk.state.mode == .history)
    }

    @Test("Esc goes back to where the search began, and a pattern without a match is reported")
    func leaving() {
        var desk = desk("j/two")
        #expect(selected(desk) == "two › k")
        desk.type("⎋")
        #expect(desk.state.mode == .history)
        #expect(
            desk.state.historyScreen?.selected
                == desk.state.history.journal.entries.last.map { $0.number - 1 }
        )
        desk.type("/nowhere")
        desk.idle()
        #expect(desk.foot.hasSuffix("not found") == true)
        desk.type("⏎")
        #expect(desk.foot == "Not found: “nowhere”")
        desk.type("/⏎")
        desk.idle()
        #expect(desk.foot == "Not found: “nowhere”")
    }

    @Test("Enter after a search waits for the match")
    func typedAhead() {
        var desk = desk()
        desk.typeAtOnce("/apple⏎⏎")
        desk.idle()
        #expect(desk.files["one"]?["a"] == "Apple")
    }

    @Test("Foreign changes leave the search and its match alone")
    func meanwhile() {
        var desk = desk("/two")
        for number in 0..<10 { desk.outside("one", "n\(number)", 1) }
        desk.idle()
        #expect(selected(desk) == "two › k")
        desk.type("⏎")
        #expect(selected(desk) == "two › k")
    }

    @Test(
        "A count repeats a movement in the history, the pending changes and the help",
        arguments: [("3j", 3), ("5j2k", 3), ("2G", 1), ("4g", 3), ("12⎋", 0), ("999j", 6)]
    )
    func counts(keys: String, place: Int) {
        let history = desk(keys)
        #expect(history.state.mode == .history)
        #expect(history.state.history.journal.place(of: history.state.historyScreen?.selected) == place)
        var waiting = Desk(
            ["a": Dictionary(uniqueKeysWithValues: (0..<7).map { ("k\($0)", true) })],
            rows: 30
        )
        waiting.type("⏎S j j j j j j W" + keys)
        guard case .pending(let screen)? = waiting.state.modal else {
            Issue.record("\(waiting.text)")
            return
        }
        #expect(screen.selected == place)
    }

    @Test("In the help a count moves by that many lines")
    func countsInHelp() {
        var one = Desk(["a": [:]], rows: 10, keys: "?jjjj")
        let lines = Array(one.body)
        one.type("⎋?4j")
        #expect(Array(one.body) == lines)
    }
}

@Suite("Keys that do nothing")
struct StrayKeyTests {
    @Test(
        "A key that does nothing says so in every mode, until the next key",
        arguments: [
            ("H", "x", "x does nothing here"), ("HW", "x", "x does nothing here"),
            ("t", "9", "9 does nothing here"), ("o", "x", "Press o, d, u or Esc."),
            ("z", "x", "Press 1–9 or Esc."), ("?", "x", "x does nothing here"),
            ("Hx?", "x", "x does nothing here"),
        ]
    )
    func strays(keys: String, key: String, words: String) {
        var desk = Desk(["a": ["k": 1, "l": 2]], columns: 100, keys: "⏎")
        desk.outside("a", "l", 3)
        desk.type(keys + key)
        #expect(desk.text.contains(words), "\(desk.text)")
        let mode = desk.state.mode
        desk.type("⎋")
        #expect(desk.state.mode != mode)
        #expect(!desk.text.contains(words))
    }

    @Test("If no values are shown below the history, the keys that scroll them say so")
    func nothingToScroll() {
        var desk = Desk(["a": ["k": 1]], columns: 80, rows: 10, keys: "⏎")
        desk.outside("a", "k", 2)
        desk.type("HJ")
        #expect(desk.foot == "The window is too small to show the values below the list.")
        desk.type("⎋")
        desk.press(.tab)
        #expect(desk.foot.contains("values") == false)
        desk.size = Size(columns: 80, rows: 24)
        desk.act(.resized(desk.size))
        desk.files["b"] = [:]
        desk.list()
        desk.type("Hg")
        desk.press(.control("d"))
        #expect(desk.foot == "This line has no values to show.")
    }

    @Test("While text is typed the message names F1", arguments: ["⏎", "a", "/", "&", "f", "F", ":"])
    func typing(keys: String) {
        var desk = Desk(["a": ["k": 1, "l": 2]], columns: 100, keys: "⏎" + keys)
        desk.press(.function(7))
        #expect(desk.text.contains("F7 does nothing here. Press F1 for help."))
        desk.type("1")
        #expect(!desk.text.contains("does nothing here"))
    }

    @Test(
        "? opens the help wherever no text is typed, and keeps what is open",
        arguments: ["H", "d", "t", "o", "z"]
    )
    func help(keys: String) {
        var desk = Desk(["a": ["k": 1, "l": 2]], columns: 100, keys: "⏎")
        desk.outside("a", "l", 3)
        desk.type(keys)
        let mode = desk.state.mode
        desk.type("?")
        #expect(desk.state.mode == .help)
        desk.type("⎋")
        #expect(desk.state.mode == mode)
    }
}
