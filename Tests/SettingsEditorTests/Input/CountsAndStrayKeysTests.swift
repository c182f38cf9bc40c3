import PropertyList
import SettingsStore
import TerminalCanvas
import Testing

@testable import SettingsEditor

@Suite("Counts before a movement")
struct CountTests {
    @Test(
        "A count repeats a movement in the history, the pending changes and the help",
        arguments: [("3j", 3), ("5j2k", 3), ("2G", 1), ("4g", 3), ("12⎋", 0), ("999j", 6)]
    )
    func counts(keys: String, place: Int) {
        var history = Desk(["one": ["a": 0]], columns: 100, keys: "⏎")
        for number in 1...7 { history.outside("one", "k\(number)", true) }
        history.type("H" + keys)
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
}
