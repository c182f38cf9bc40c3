import PropertyList
import SettingsStore
import TerminalCanvas
import Testing

@testable import SettingsEditor

@Suite("Matches on the screen")
struct FoundTests {
    /// The texts that are marked, row by row.
    private func marked(_ desk: Desk) -> [String] {
        let grid = view(desk.state, size: desk.size)
        return (0..<grid.size.rows).flatMap { row in
            grid.row(row).split { $0.style != .found }.map { $0.map(\.text).joined() }
        }
    }

    private let values: [String: PropertyListValue] = [
        "name": "Names of 漢字 names", "other": "no", "wide": "漢字name", "zero": 0,
    ]

    @Test("The pattern is highlighted everywhere on the screen, until Esc")
    func search() {
        var desk = Desk(["a": values], columns: 100, keys: "⏎/name")
        #expect(marked(desk) == ["name", "Name", "name", "name"])
        desk.type("⏎n")
        #expect(marked(desk) == ["name", "Name", "name", "name"])
        desk.type("⎋")
        #expect(marked(desk) == [])
        desk.type("/字⏎")
        #expect(marked(desk) == ["字", "字"])
        // Case matters where there is a capital.
        desk.type("/Name")
        #expect(marked(desk) == ["Name"])
    }

    @Test("Matches of a filter and of a search in all suites are highlighted too, but never in a secret")
    func filter() {
        let schema = SuiteSchema(["token": SettingDeclaration(.string(), isSecret: true)])
        var desk = Desk(
            ["a": values.merging(["token": "name"]) { $1 }, "b": ["k": "my name"]],
            columns: 100,
            schemas: ["a": schema],
            keys: "⏎&name⏎"
        )
        #expect(marked(desk) == ["name", "Name", "name", "name"])
        desk.type("⎋Fmy name")
        #expect(marked(desk) == ["my name"])
        desk.type("⎋Fname")
        #expect(!desk.screen.contains { $0.contains("token") && $0.contains("name") })
    }

    @Test("The position of the selection is at the end of the message line")
    func position() {
        var many: [String: PropertyListValue] = [:]
        for number in 100..<200 { many["k\(number)"] = 1 }
        var desk = Desk(["a": many, "b": ["k": 1]], keys: "⏎50G")
        #expect(desk.lineEnd == "row 50 of 100")
        desk.type("&k19⏎")
        #expect(desk.lineEnd == "row 1 of 10")
        desk = Desk(["b": ["k": 1]])
        #expect(desk.lineEnd == "suite 1 of 1")
    }

    @Test("Filters of both panes are in the title, and Esc removes them one by one from either pane")
    func bothFilters() {
        var desk = Desk(["a": ["k": 1, "q": 1], "ab": [:], "c": [:]], columns: 100, keys: "&a⏎⏎&q⏎")
        #expect(desk.title.hasSuffix("[&a] › a  [&q]"))
        desk.type("⇥")
        #expect(desk.title.hasSuffix("[&a] › a  [&q]"))
        desk.type("⎋")
        #expect(desk.title.hasSuffix("› a  [&q]"))
        desk.type("⎋")
        #expect(desk.title.hasSuffix("› a"))
        desk.type("&a⏎⇥&q⏎⎋")
        #expect(desk.title.hasSuffix("[&a] › a"))
        desk.type("⎋")
        #expect(!desk.text.contains("[&"))
    }

    @Test("A new key that the filter hides is reported")
    func hidden() {
        let desk = Desk(["a": ["k": 1, "q": 1]], columns: 100, keys: "⏎&q⏎anew⏎i⏎1⏎")
        #expect(desk.files["a"]?.count == 3)
        #expect(desk.outline == ["[q]"])
        #expect(desk.foot == "The filter hides “new”. Press Esc to show all.")
    }

    @Test("A selection that disappears because of a foreign change is reported")
    func marksGone() {
        var desk = Desk(["a": ["l": [1, 2, 3], "m": 1]], columns: 100, keys: "⏎⏎jmm")
        desk.outside("a", "l", [0, 3])
        #expect(desk.foot == "2 selected rows have changed, and left the selection.")
    }

    @Test("A long name shows its beginning and its end")
    func longNames() {
        let names = [
            "com.example.company.application.settings.one", "com.example.company.application.settings.two",
        ]
        let values = Dictionary(uniqueKeysWithValues: names.map { ($0, PropertyListValue.integer(1)) })
        let desk = Desk([names[0]: values, names[1]: [:]], keys: "⏎")
        for name in ["one", "two"] {
            #expect(desk.screen.contains { $0.dropFirst(2).prefix(21).hasSuffix(name) })
            #expect(
                desk.screen.contains { $0.contains("com.ex") && $0.contains("…") && $0.contains(name + " ") }
            )
        }
    }

    @Test("On wide screens names get the width that most of them need, wherever they are in the list")
    func wideNames() {
        let pre = "org.example.application.preferences.window.main."
        let long =
            [pre + "width": 1, pre + "height": 2, "short": ["inner." + pre: 1]] as [String: PropertyListValue]
        let suite = "com.example.company.product.settings.application"
        let desk = Desk([suite: long, "z": ["k": 1]], columns: 200, keys: "⏎")
        for name in long.keys { #expect(desk.screen.contains { $0.contains(" \(name) ") }, "\(name)") }
        #expect(desk.screen.contains { $0.contains(suite + " ") })
        var short = Desk(
            ["b": Dictionary(uniqueKeysWithValues: (10..<99).map { ("k\($0)", 1) })],
            columns: 200,
            keys: "⏎"
        )
        #expect(short.body[0].contains("k10" + String(repeating: " ", count: 12) + "1"))
        // A single long name gets the usual width, and nothing moves when it comes to the screen.
        short.outside("b", "z" + pre, 1)
        let row = "k10" + String(repeating: " ", count: 24) + "1"
        #expect(short.body[0].contains(row))
        short.type("G")
        #expect(short.text.contains("zorg.example.…"))
        short.type("g")
        #expect(short.body[0].contains(row))
    }

    @Test("A JSON text in data has quotation marks, in the row, in the status line and in the history")
    func loneTexts() {
        let values =
            ["n": json("5"), "s": json("\"5\""), "t": json("[\"5\"]"), "u": "5"]
            as [String: PropertyListValue]
        var desk = Desk(["a": values], columns: 100, keys: "⏎")
        #expect(desk.body[0].hasSuffix("n              5"))
        #expect(desk.body[1].hasSuffix("s              \"5\""))
        #expect(desk.body[3].hasSuffix("u              5"))
        desk.type("j")
        #expect(desk.details.contains { $0.hasSuffix(" \"5\"") })
        // While it is edited, the quotation marks are gone.
        desk.type("⏎")
        #expect(desk.body[1].hasSuffix(" 5"))
        desk.type("⎋")
        desk.outside("a", "s", json("6"))
        desk.type("H")
        #expect(desk.body[0].contains("\"5\" → 6"))
        desk.type("⎋/\"5⎋")
    }

    @Test(
        "On a narrow screen the status line shows the end of the path, then the value",
        arguments: [
            ("⏎ll", "…mber name  dictionary…"), ("⏎llll", "…/b  dictionary  {1 …"),
            ("⏎llllll", "…/b/c  string  leaf"),
            ("⏎", "/root  dictionary  …"),
        ]
    )
    func narrowPaths(keys: String, line: String) {
        let desk = Desk(
            ["a": ["root": ["a long member name": ["b": ["c": "leaf"]]]]],
            columns: 20,
            rows: 5,
            keys: keys
        )
        #expect(desk.status.hasPrefix(line.prefix(10)), "\(desk.status)")
    }

    @Test(
        "The title says how many rows are selected, and a selected row that the filter hides is changed only after a question"
    )
    func highlights() {
        var desk = Desk(["a": ["a": true, "b": true, "c": 1]], columns: 100, keys: "⏎mm")
        #expect(desk.title.hasSuffix("2 selected"))
        desk.type("&b⏎ ")
        #expect(desk.writes.isEmpty)
        #expect(
            desk.foot
                == "1 selected row is hidden, so nothing was changed. Press Esc to clear the selection."
        )
        desk.type("=")
        #expect(desk.writes.isEmpty)
        desk.type("⎋⎋gmm ")
        #expect(desk.files["a"] == ["a": false, "b": false, "c": 1])
    }
}
