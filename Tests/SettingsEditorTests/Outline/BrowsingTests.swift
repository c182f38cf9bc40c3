import PropertyList
import TerminalCanvas
import Testing

@testable import SettingsEditor

private let app: [String: PropertyListValue] = [
    "colour": "red",
    "profile": json(#"{"name": "Pitt", "emails": ["a@b", "c@d"], "none": null}"#),
    "sizes": [1, 2, ["deep": true]],
    "window": ["width": 80, "height": 24],
]

@Suite("Browsing")
struct BrowsingTests {
    @Test("The suites have the focus first, and the selected suite's keys are read at once")
    func start() {
        let desk = Desk(["a": [:], "b": [:]])
        #expect(desk.state.display.focus == .suites)
        #expect(desk.effects == [.load("a")])
    }

    @Test(
        "Arrows, hjkl, pages, Home, End, g and G move in the list of suites",
        arguments: [
            ("↓", "01"), ("j", "01"), ("↓↓↑", "01"), ("jjk", "01"), ("↑", "00"), ("↘", "29"), ("G", "29"),
            ("G↖", "00"), ("Gg", "00"), ("⇟", "06"), ("⇟⇟⇞", "06"), ("G⇟", "29"), ("⇞", "00"),
        ]
    )
    func movingInSuites(keys: String, suite: String) {
        let names = (0..<30).map { ($0 < 10 ? "0" : "") + String($0) }
        let desk = Desk(Dictionary(uniqueKeysWithValues: names.map { ($0, [:]) }), rows: 11, keys: keys)
        #expect(desk.selectedSuite == suite)
    }

    @Test(
        "The same keys move in the list of keys",
        arguments: [
            ("↓", "01"), ("j", "01"), ("jjk", "01"), ("↘", "29"), ("G", "29"), ("Gg", "00"), ("G↖", "00"),
            ("⇟", "06"), ("⇟⇟⇞", "06"),
        ]
    )
    func movingInKeys(keys: String, key: String) {
        let names = (0..<30).map { ($0 < 10 ? "0" : "") + String($0) }
        let values = Dictionary(uniqueKeysWithValues: names.map { ($0, 1 as PropertyListValue) })
        let desk = Desk(["a": values], rows: 11, keys: "⏎" + keys)
        #expect(desk.selectedKey == key)
        #expect(desk.text.contains("»   " + key))
    }

    @Test("A suite is read when it is selected for the first time")
    func loading() {
        let desk = Desk(["a": [:], "b": [:], "c": [:]], keys: "jjkk")
        #expect(desk.effects == [.load("a"), .load("b"), .load("c")])
    }

    @Test(
        "Tab switches panes; Enter, the right arrow and l go to the keys; the left arrow and h come back",
        arguments: [
            ("⇥", Pane.keys), ("⇥⇥", .suites), ("⏎", .keys), ("→", .keys), ("l", .keys), ("l←", .suites),
            ("lh", .suites), ("", .suites),
        ]
    )
    func panes(keys: String, focus: Pane) {
        #expect(Desk(["a": app], keys: keys).state.display.focus == focus)
    }

    @Test(
        "Arrays, dictionaries and JSON in data expand as a tree, at any depth",
        arguments: [
            ("", ["[colour]", "profile", "sizes", "window"]),
            (
                "j⏎",
                ["colour", "[profile]", "  name", "  emails", "  none", "sizes", "window"]
            ),
            (
                "j→jj→→",
                ["colour", "profile", "  name", "  emails", "    [0]", "    1", "  none", "sizes", "window"]
            ),
            ("jjllGk", ["colour", "profile", "sizes", "  0", "  1", "  [2]", "window"]),
            ("jjlljj⏎j", ["colour", "profile", "sizes", "  0", "  1", "  2", "    [deep]", "window"]),
            ("G⏎", ["colour", "profile", "sizes", "[window]", "  height", "  width"]),
            ("G⏎⏎", ["colour", "profile", "sizes", "[window]"]),
        ]
    )
    func opening(keys: String, outline: [String]) {
        #expect(Desk(["a": app], keys: "⏎" + keys).outline == outline)
    }

    @Test(
        "Left collapses a value, then goes to its container",
        arguments: [
            ("jl←", ["colour", "[profile]", "sizes", "window"]),
            ("jljjj←", ["colour", "[profile]", "  name", "  emails", "  none", "sizes", "window"]),
            ("jljjjhh", ["colour", "[profile]", "sizes", "window"]),
        ]
    )
    func closing(keys: String, outline: [String]) {
        #expect(Desk(["a": app], keys: "⏎" + keys).outline == outline)
    }

    @Test("Collapsing and expanding a container keeps its members expanded")
    func openInside() {
        var desk = Desk(["a": app], keys: "⏎jljjl")
        let outline = desk.outline
        desk.type("hhh")
        #expect(desk.outline == ["colour", "[profile]", "sizes", "window"])
        desk.type("ljj")
        #expect(desk.outline.count == 7)
        desk.type("l")
        #expect(desk.outline == outline)
    }

    @Test("Each suite keeps its selection and its expanded values")
    func selections() {
        var desk = Desk(["a": app, "b": app], keys: "⏎jl⇥j⏎jj")
        #expect(desk.outline == ["colour", "profile", "[sizes]", "window"])
        desk.type("⇥k")
        #expect(desk.outline == ["colour", "[profile]", "  name", "  emails", "  none", "sizes", "window"])
    }

    @Test("The selected row is always visible, also after a resize")
    func scrolling() {
        let values = Dictionary(
            uniqueKeysWithValues: (100..<200).map { ("k\($0)", true as PropertyListValue) }
        )
        var desk = Desk(["a": values], columns: 40, rows: 11, keys: "⏎")
        for keys in ["G", "kkk", "⇞⇞", "g", "⇟", "jjjjjjjj", "kkkkkkkkkk"] {
            desk.type(keys)
            #expect(desk.text.contains("»   \(desk.selectedKey!)"))
        }
        desk.type("G")
        desk.size = Size(columns: 30, rows: 5)
        desk.act(.resized(desk.size))
        #expect(desk.text.contains("»   k199"))
    }

    @Test("Rows too deep to be indented show their depth as a number")
    func depth() {
        var value: PropertyListValue = 5
        for _ in 0..<12 { value = ["n": value] }
        let desk = Desk(["a": ["k": value]], keys: "⏎z9")
        let rows = desk.screen.map { $0.drop { $0 != "│" }.dropFirst() }
        #expect(rows[3].hasPrefix("    ▾ n   "))
        #expect(rows[9].hasPrefix("  8        ▾ n"))
        #expect(rows[10].hasPrefix("  9        ▸ n"))
    }

    @Test(
        "JSON members that share a name can be expanded, edited, renamed and deleted one by one, and other bytes stay"
    )
    func twins() {
        let text = #"{"x": [1.50], "x" : 2, "y": 3,"x":"z"}"#
        var desk = Desk(["a": ["k": json(text)]], columns: 100, keys: "⏎ljl")
        #expect(
            desk.outline == ["k", "  x", "    [0]", "  x", "  x", "  y"]
                || desk.outline == ["k", "  [x]", "    0", "  x", "  y", "  x"]
        )
        desk.type("j⏎→5⏎")
        #expect(jsonText(desk.files["a"]?["k"]) == #"{"x": [1.505], "x" : 2, "y": 3,"x":"z"}"#)
        #expect(desk.detailWords.contains("› x › 0 ── number"))
        #expect(desk.detailWords.contains("changed by you 1.50 → 1.505"), "\(desk.detailWords)")
        desk.type("u")
        #expect(jsonText(desk.files["a"]?["k"]) == text)
        desk.type("j⏎→5⏎")
        #expect(jsonText(desk.files["a"]?["k"]) == #"{"x": [1.50], "x" : 25, "y": 3,"x":"z"}"#)
        #expect(desk.selectedKey == "x")
        #expect(desk.text.contains("One of several keys of this name. Programs use the last."))
        desk.type("r!⏎")
        #expect(jsonText(desk.files["a"]?["k"]) == #"{"x": [1.50], "x!" : 25, "y": 3,"x":"z"}"#)
        desk.type("jjd")
        #expect(jsonText(desk.files["a"]?["k"]) == #"{"x": [1.50], "x!" : 25, "y": 3}"#)
        desk.type("uuuu")
        #expect(jsonText(desk.files["a"]?["k"]) == text)
    }

    @Test(
        "Selected members that share a name are deleted together, and foreign members do not move the cursor"
    )
    func markedTwins() {
        var desk = Desk(["a": ["k": json(#"{"x":1,"x":2,"x":3,"y":0}"#)]], columns: 100, keys: "⏎ljmm")
        desk.type("d")
        #expect(jsonText(desk.files["a"]?["k"]) == #"{"x":3,"y":0}"#)
        desk.outside("a", "k", json(#"{"x":3,"x":[1],"y":0}"#))
        #expect(desk.outline.filter { $0.hasSuffix("x") || $0.hasSuffix("[x]") }.count == 2)
    }

    @Test("q quits, ^L redraws, ^Z suspends, and pasted text is never taken for keys")
    func others() {
        var desk = Desk(["a": [:]], keys: "q")
        #expect(desk.effects.last == .quit)
        desk.press(.control("l"))
        #expect(desk.effects.last == .redraw)
        desk.press(.control("z"))
        #expect(desk.effects.last == .suspend)
        let count = desk.effects.count
        desk.send(.paste("q"))
        desk.type("%§")
        desk.press(.alt("q"))
        #expect(desk.effects.count == count)
    }

    @Test("A single suite has no list beside it, and its keys have the focus")
    func single() {
        let desk = Desk(["a": app], single: true, keys: "⇥←")
        #expect(desk.state.display.focus == .keys)
        #expect(desk.body[0].hasPrefix("»   colour"))
        #expect(desk.body.allSatisfy { !$0.contains("│") })
    }
}
