import PropertyList
import SettingsStore
import TerminalCanvas
import Testing

@testable import SettingsEditor

@Suite("Filtering inside expanded values")
struct FilterInsideTests {
    private let values: [String: PropertyListValue] = [
        "Apple": "green",
        "basket": ["Pear": 1, "nuts": ["hazel": "brown", "pecan": "red"], "plum": true],
        "json": json(#"{"a": 1, "names": [{"first": "Pia", "last": "Red"}, {"first": "Jo"}], "z": "red"}"#),
        "red things": ["car": 1, "rose": ["thorn": 2]],
    ]

    @Test(
        "Matching rows, their containers, and all rows inside a row whose name matches are shown",
        arguments: [
            // Opened first, then filtered.
            (
                "z9&red⏎",
                [
                    "basket", "  nuts", "    pecan", "json", "  names", "    0", "      last", "  z",
                    "red things",
                    "  car", "  rose", "    thorn",
                ]
            ),
            ("z9&first⏎", ["json", "  names", "    0", "      first", "    1", "      first"]),
            ("z9&pia⏎", ["json", "  names", "    0", "      first"]),
            ("z9&nuts⏎", ["basket", "  nuts", "    hazel", "    pecan"]),
            ("z9&green⏎", ["Apple"]),
            ("z9&nothing⏎", []),
            // Filtered first, then opened.
            (
                "&red⏎z9",
                [
                    "basket", "  nuts", "    pecan", "json", "  names", "    0", "      last", "  z",
                    "red things",
                    "  car", "  rose", "    thorn",
                ]
            ),
            ("&pia⏎⏎", ["json", "  names"]), ("&pia⏎⏎j⏎j⏎", ["json", "  names", "    0", "      first"]),
            ("&pia⏎⏎j⏎j⏎g⏎", ["json"]), ("&pia⏎⏎j⏎j⏎g⏎⏎", ["json", "  names", "    0", "      first"]),
            ("&pia⏎z9z1", ["json"]),
            // And all is there again.
            (
                "&pia⏎⏎j⏎⎋",
                [
                    "Apple", "basket", "json", "  a", "  names", "    0", "    1", "  z", "red things",
                ]
            ),
        ]
    )
    func rows(keys: String, outline: [String]) {
        var desk = Desk(["a": values], keys: "⏎" + keys)
        desk.idle()
        #expect(desk.outline.map { $0.filter { !"[]".contains($0) } } == outline)
    }

    @Test("A collapsed row shows the match inside it")
    func foundInside() {
        let desk = Desk(["a": values], columns: 120, keys: "⏎&pia⏎⏎j⏎")
        #expect(desk.body[2].hasSuffix("› /first “Pia”"), "\(desk.text)")
    }

    @Test(
        "Rows appear and disappear as foreign changes make them match or not, and the cursor stays on its row"
    )
    func changes() {
        var desk = Desk(["a": ["d": ["one": "x", "three": "x", "two": "y"]]], keys: "⏎&x⏎⏎jj")
        #expect(desk.outline == ["d", "  one", "  [three]"])
        desk.outside("a", "d", ["one": "x", "three": "x", "two": "x"])
        #expect(desk.outline == ["d", "  one", "  [three]", "  two"])
        desk.outside("a", "d", ["one": "y", "three": "x", "two": "x"])
        #expect(desk.outline == ["d", "  [three]", "  two"])
        desk.outside("a", "d", ["one": "y", "three": "y", "two": "x"])
        #expect(desk.outline == ["d", "  [three]", "  two"])
        desk.type("j")
        #expect(desk.outline == ["d", "  [two]"])
        desk.outside("a", "d", ["one": "y", "three": "y", "two": "y"])
        desk.type("k")
        // There is nothing left in it, but the cursor is there.
        #expect(desk.outline == ["[d]"])
        desk.outside("a", "other", "x")
        desk.type("j")
        #expect(desk.outline == ["[other]"])
    }

    @Test("A row that the user's change makes fail the filter stays until the cursor leaves, and says so")
    func leaving() {
        var desk = Desk(
            ["a": ["aa": "alpha", "bb": "alpha", "cc": "alpha", "dd": ["x": "alpha"]]],
            columns: 120,
            keys: "⏎&alpha⏎j⏎"
        )
        for _ in 0..<5 { desk.type("⌫") }
        desk.type("gone⏎")
        #expect(desk.outline == ["aa", "[bb]", "cc", "dd"])
        #expect(desk.body[1].hasSuffix("gone  no longer matches"), "\(desk.text)")
        desk.type("⏎!⏎")
        #expect(desk.files["a"]?["bb"] == "gone!")
        desk.type("j")
        #expect(desk.outline == ["aa", "[cc]", "dd"])
        desk.outside("a", "cc", "beta")
        #expect(desk.outline == ["aa", "[cc]", "dd"])
        desk.outside("a", "cc", "alphabet")
        #expect(!desk.text.contains("no longer"))
        desk.type("j⏎j⏎")
        for _ in 0..<5 { desk.type("⌫") }
        desk.type("beta⏎")
        #expect(desk.outline == ["aa", "cc", "dd", "  [x]"])
        #expect(desk.body[3].hasSuffix("no longer matches"))
        desk.type("⎋")
        #expect(!desk.text.contains("no longer"))
        desk.type("&beta⏎")
        #expect(desk.outline == ["dd", "  [x]"])
    }

    @Test("After a suite is read again the cursor stays on its row, which says if it no longer matches")
    func readAgain() {
        func load(_ values: [String: PropertyListValue], _ desk: inout Desk) {
            desk.files["a"] = values
            desk.act(.loaded("a", values: PropertyListEntries(values), SuiteStatus(content: .stored)))
            desk.idle()
        }
        var desk = Desk(
            ["a": ["aa": "alpha", "bb": ["x": "alpha", "y": "alpha"], "cc": "alpha"]],
            columns: 120
        )
        desk.type("⏎&alpha⏎j⏎j")
        #expect(desk.outline == ["aa", "bb", "  [x]", "  y", "cc"])
        load(["aa": "alpha", "bb": ["x": "beta", "y": "beta"], "cc": "alpha"], &desk)
        #expect(desk.outline == ["aa", "bb", "  [x]", "cc"])
        #expect(desk.body[2].hasSuffix("beta  no longer matches"), "\(desk.text)")
        load(["aa": "alpha", "bb": ["x": "alphabet", "y": "beta"], "cc": "alpha"], &desk)
        #expect(desk.outline == ["aa", "bb", "  [x]", "cc"])
        #expect(!desk.text.contains("no longer"))
        load(["aa": "alpha", "bb": ["x": "beta"], "cc": "alpha"], &desk)
        desk.type("j")
        #expect(desk.outline == ["aa", "[cc]"])
        load(["aa": "alpha", "cc": "beta"], &desk)
        #expect(desk.outline == ["aa", "[cc]"])
        load(["aa": "alpha"], &desk)
        #expect(desk.outline == ["[aa]"])
        load(["aa": "beta"], &desk)
        load(["aa": "beta", "bb": "alpha"], &desk)
        #expect(desk.outline == ["[aa]", "bb"])
        desk.type("j")
        #expect(desk.outline == ["[bb]"])
    }

    @Test("A draft stays on its row if a foreign change makes the row fail the filter")
    func draft() {
        var desk = Desk(["a": ["aa": "alpha", "bb": "alpha", "cc": "alpha"]], keys: "⏎&alpha⏎j⏎!")
        desk.outside("a", "bb", "beta")
        #expect(desk.state.mode == .conflict || desk.state.mode == .draft)
        #expect(desk.outline == ["aa", "[bb]", "cc"])
        desk.outside("a", "bb", nil)
        desk.type("⎋")
        desk.idle()
        #expect(desk.outline == ["aa", "[cc]"])
    }

    @Test(
        "A setting that is reset to its default stays in the list of changed settings until the cursor leaves"
    )
    func reset() {
        var desk = Desk(["a": ["k": ["p": 1], "l": 1, "m": 1]], keys: "⏎oo")
        desk.outside("a", "l", 2)
        desk.outside("a", "m", 2)
        desk.type("g")
        #expect(desk.outline == ["[l]", "m"])
        desk.outside("a", "l", 1)
        desk.type("j")
        desk.idle()
        #expect(desk.selectedKey == "m")
        // Both filters.
        desk.outside("a", "m", "text")
        desk.type("&text⏎")
        #expect(desk.outline == ["[m]"])
        desk.outside("a", "m", "other")
        #expect(desk.outline == ["[m]"])
        #expect(desk.text.contains("no longer matches"))
    }

    @Test("/ and n skip filtered rows and expand collapsed ones")
    func searching() {
        var desk = Desk(["a": values], keys: "⏎&red⏎/a⏎")
        #expect(desk.outline == ["[basket]", "json", "red things"])
        desk.type("n")
        // Neither “hazel” nor “a” is shown.
        #expect(desk.outline == ["basket", "  nuts", "    [pecan]", "json", "red things"])
        desk.type("n")
        #expect(desk.selectedKey == "names")
        desk.type("n")
        #expect(desk.selectedKey == "last")
        desk.type("n")
        #expect(desk.selectedKey == "car")
        desk.type("n")
        #expect(desk.selectedKey == "basket")
        desk.type("N")
        #expect(desk.selectedKey == "car")
        desk.type("⎋⎋fhazel⏎")
        #expect(desk.state.suite?.outline.filter == nil)
    }

    @Test("A new member that does not match is reported")
    func added() {
        var desk = Desk(["a": values], keys: "⏎&pia⏎⏎aq⏎")
        desk.type("⏎7⏎")
        #expect(desk.writes.count == 1)
        #expect(desk.foot == "The filter hides “q”. Press Esc to show all.")
    }

    @Test("The filter for foreign changes shows only changed members, and not those that the user changed")
    func changedByOthers() {
        var desk = Desk(
            ["a": ["d": ["x": 1, "y": ["p": 1, "q": 2], "z": 3], "e": [1, 2, 3], "f": 1]],
            keys: "⏎z9oo"
        )
        #expect(desk.outline == [])
        desk.outside("a", "d", ["x": 1, "y": ["p": 9, "q": 2], "z": 3])
        #expect(desk.outline == ["[d]", "  y", "    p"])
        desk.outside("a", "e", [0, 1, 2, 3])
        #expect(desk.outline == ["[d]", "  y", "    p", "e", "  0"])
        desk.outside("a", "g", ["new": ["all": 1]])
        desk.type("Gz9")
        #expect(desk.outline == ["d", "  y", "    p", "e", "  0", "[g]", "  new", "    all"])
        // A deleted value has no row. Its parent stays shown.
        desk.outside("a", "d", ["x": 1, "y": ["p": 9, "q": 2]])
        #expect(desk.outline.prefix(3) == ["d", "  y", "    p"])
        desk.type("⎋gj")
        #expect(desk.selectedKey == "x")
        desk.type("⏎⌫5⏎oo")
        #expect(desk.files["a"]?["d"] == ["x": 5, "y": ["p": 9, "q": 2]])
        #expect(desk.outline.prefix(3).map { $0.filter { !"[]".contains($0) } } == ["d", "  y", "    p"])
    }

    @Test("The filter for changed defaults shows only the members that differ")
    func changedFromDefault() {
        let schema = SuiteSchema([
            "size": SettingDeclaration(
                .dictionary(of: .anything),
                defaultValue: ["w": 80, "h": 24, "in": ["a": 1, "b": 2]]
            )
        ])
        var desk = Desk(
            ["a": ["size": ["w": 90, "h": 24, "in": ["a": 1, "b": 3]]]],
            schemas: ["a": schema],
            keys: "⏎z9od"
        )
        #expect(desk.outline == ["[size]", "  in", "    b", "  w"])
        desk.outside("a", "size", ["w": 80, "h": 24, "in": ["a": 1, "b": 3]])
        #expect(desk.outline == ["[size]", "  in", "    b"])
    }

    @Test("o and & together show rows that pass both, the title names both, and Esc clears both")
    func both() {
        var desk = Desk(
            ["a": ["d": ["red": 1, "x": "red", "y": 2], "e": "red", "f": ["red": 0, "y": 1]]],
            columns: 120,
            keys: "⏎z9"
        )
        desk.outside("a", "d", ["red": 1, "x": "redder", "y": 3])
        desk.outside("a", "f", ["red": 0, "y": 2])
        desk.type("oo&red⏎")
        #expect(desk.outline == ["[d]", "  x"])
        #expect(desk.title.hasSuffix("› a  [changed by others, &red]"))
        desk.type("⎋")
        #expect(desk.outline == ["[d]", "  red", "  x", "  y", "e", "f", "  red", "  y"])
        desk.type("&red⏎")
        #expect(desk.outline == ["[d]", "  red", "  x", "e", "f", "  red"])
        desk.type("oo")
        #expect(desk.outline == ["[d]", "  x"])
        desk.type("&nothing⏎")
        #expect(desk.text.contains("Nothing matches the filter."))
        // An empty text ends that filter alone.
        desk.type("&⌫⏎")
        #expect(desk.title.hasSuffix("› a  [changed by others]"))
    }

    @Test("A large container is filtered between keys, and so it is when it is expanded")
    func inSteps() {
        let members = (0..<20_000).map { "\"m\($0)\": {\"v\": \($0 % 1000)}" }.joined(separator: ",")
        var desk = Desk(["a": ["big": json("{\(members)}"), "z": 1]], keys: "⏎")
        desk.idle()
        desk.type("⏎&")
        for key in "777" {
            desk.type(String(key))
            #expect(desk.state.hasWork)
        }
        desk.type("⏎")
        desk.idle()
        // Matches in values and matches in names.
        #expect(
            desk.outline.count == 1 + 20
                + Set((0..<20_000).filter { "\($0)".contains("777") && $0 % 1000 != 777 }).count
        )
        desk.type("g⏎⏎")
        #expect(desk.state.hasWork)
        #expect(desk.outline.count == 1)
        desk.idle()
        #expect(desk.outline.count > 20)
        desk.type("j⏎")
        desk.idle()
        #expect(desk.outline[2] == "    v")
    }
}
