import Foundation
import PropertyList
import TerminalCanvas
import Testing

@testable import SettingsEditor

private let fruit: [String: PropertyListValue] = [
    "Apple": "green", "basket": ["Pear": 1, "plum": ["stone": true]], "cherry": "red",
    "data": json(#"{"pip": "Greengage"}"#), "pear": 2,
]

@Suite("Searching and filtering")
struct SearchTests {
    @Test(
        "/ goes to the first match while the pattern is typed, in names and values, also in collapsed ones",
        arguments: [
            ("/ch", "cherry"), ("/red", "cherry"), ("/pe", "Pear"), ("/stone", "stone"), ("/gage", "pip"),
            ("jjj/app", "Apple"), ("/nothing", "Apple"), ("/", "Apple"), ("/pea⌫⌫lu", "plum"),
        ]
    )
    func search(keys: String, key: String) {
        let desk = Desk(["a": fruit], keys: "⏎" + keys)
        #expect(desk.selectedKey == key)
        #expect(desk.state.mode == .search)
    }

    @Test(
        "Case matters only if the pattern has a capital letter",
        arguments: [("/PE", "Apple"), ("/Pe", "Pear"), ("/GREEN", "Apple")]
    )
    func smartCase(keys: String, key: String) {
        #expect(Desk(["a": fruit], keys: "⏎" + keys).selectedKey == key)
    }

    @Test(
        "Enter stays on the match, n and N continue, also past the ends",
        arguments: [
            ("", "Pear"), ("n", "pear"), ("nn", "Pear"), ("N", "pear"), ("nN", "Pear"), ("NN", "Pear"),
            ("g/⏎", "Pear"), ("3n", "pear"),
        ]
    )
    func nextMatch(keys: String, key: String) {
        #expect(Desk(["a": fruit], keys: "⏎/pear⏎" + keys).selectedKey == key)
    }

    @Test("No row moves while a search or a filter is typed", arguments: ["/", "&"], [6, 10, 24, 40])
    func rowsStay(key: String, rows: Int) {
        let many = Dictionary(
            uniqueKeysWithValues: (100..<200).map { ("k\($0)", PropertyListValue.integer(1)) }
        )
        var desk = Desk(["a": many], rows: rows, keys: "⏎50GG")
        let body = desk.body
        desk.type(key)
        #expect(desk.body == body)
        desk.type("⏎")
        #expect(desk.body == body)
    }

    @Test("Upwards the last match inside a collapsed value comes first")
    func upwards() {
        let desk = Desk(["a": fruit], keys: "⏎G/gree⏎kN")
        #expect(desk.selectedKey == "pip")
        let list = Desk(["a": ["k": [["x": 1], ["x": 1]], "z": 0]], keys: "⏎/x⏎hhGN")
        #expect(list.outline == ["k", "  0", "  1", "    [x]", "z"])
    }

    @Test("Esc goes back, and values that were expanded for a match are collapsed again")
    func goingBack() {
        var desk = Desk(["a": fruit], keys: "⏎jj/stone")
        #expect(desk.outline.count == 8)
        desk.type("⎋")
        #expect(desk.outline == ["Apple", "basket", "[cherry]", "data", "pear"])
        desk.type("/stone⏎⎋")
        #expect(desk.selectedKey == "stone")
    }

    @Test("A pattern without a match is reported, while typing and at the end")
    func notFound() {
        var desk = Desk(["a": fruit], keys: "⏎/xyz")
        #expect(desk.foot == "/xyz" + String(repeating: " ", count: 67) + "not found")
        desk.type("⏎")
        #expect(desk.foot == "Not found: “xyz”")
        desk.type("jn")
        #expect(desk.foot == "Not found: “xyz”")
        #expect(desk.selectedKey == "basket")
    }

    @Test("Data inside a property list in a text is searched, whatever its encoding")
    func insideText() throws {
        let inner = try PropertyListValue.dictionary(["needleK": "a & b"]).encoded(as: .xml)
        let middle = PropertyListValue.dictionary(["d": .data(Data(inner))])
        let outer = try PropertyListValue.dictionary(["e": .data(Data(try middle.encoded(as: .xml)))])
            .encoded(as: .xml)
        let values: [String: PropertyListValue] = [
            "a": "x", "b": .data(Data(outer)), "z": "x",
        ]
        for (keys, key) in [
            ("/needleK⏎", "needleK"), ("/a & b⏎", "needleK"), ("&needleK⏎", "b"), ("Fneedlek⏎", "needleK"),
        ] {
            var desk = Desk(["a": values], keys: "⏎" + keys)
            desk.idle()
            #expect(desk.selectedKey == key, "\(keys)")
        }
    }

    @Test(
        "Dates are matched as they are shown, in the local time zone",
        arguments: [
            ("/2024-05-02⏎", true), ("/08:30⏎", true), ("/+09⏎", true), ("&08:30⏎", true),
            ("F2024-05-02 08⏎", true), ("/2024-05-01⏎", false), ("/23:30⏎", false), ("/UTC⏎", false),
        ]
    )
    func dates(keys: String, isFound: Bool) {
        // 2024-05-01 23:30:00 UTC.
        let date = Date(timeIntervalSince1970: 1_714_606_200)
        var desk = Desk(["a": ["a": 1, "d": .date(date)]], zone: 9 * 3600, keys: "⏎" + keys)
        desk.idle()
        #expect((desk.selectedKey == "d") == isFound)
    }

    @Test(
        "Text inside data is matched if it has at least four characters",
        arguments: [
            ("lain te", true), ("PLAIN", false), ("grüß", true), ("hell", true), ("lo", true), ("zz", false),
            ("00016865", true), ("wxyz", true),
        ]
    )
    func textInData(word: String, isFound: Bool) {
        let values: [String: PropertyListValue] = [
            "a": 1, "t": .data(Data("plain text".utf8)), "u": .data(Data("grüß dich".utf8)),
            "b": .data(Data([0, 1] + Array("hello".utf8) + [0, 0x7A, 0x7A, 1, 0xFF])),
            "long": .data(Data([UInt8](repeating: 0xFE, count: 5000) + Array("wxyz".utf8))),
        ]
        var desk = Desk(["a": values], keys: "⏎g/" + word + "⏎")
        desk.idle()
        #expect((desk.selectedKey != "a") == isFound)
        var filtered = Desk(["a": values], keys: "⏎&" + word + "⏎")
        filtered.idle()
        #expect(filtered.outline.isEmpty != isFound)
    }

    @Test("A long text shows the part with the match while it is highlighted")
    func stretch() {
        let text = String(repeating: "lorem ipsum ", count: 60) + "a needle here" + " and so on, and on"
        let values: [String: PropertyListValue] = [
            "a": 1, "b": .string(text), "c": .string("needle " + text),
        ]
        var desk = Desk(["a": values], keys: "⏎/needle⏎")
        let row = desk.body[1]
        #expect(row.contains("…") && row.contains(" a needle here and") && !row.contains("  lorem"))
        #expect(desk.lineEnd == "match 1 of 2")
        #expect(desk.body[2].contains("needle lorem ipsum"))
        desk.type("⎋")
        #expect(desk.body[1].contains("lorem ipsum lorem"))
        desk.type("&needle⏎")
        #expect(desk.body[0].contains("a needle here"))
        desk.type("&NEEDLE⏎")
        #expect(desk.outline.isEmpty)
    }

    @Test("Continuing past an end is reported")
    func wrapping() {
        var desk = Desk(["a": fruit], keys: "⏎/pear⏎nn")
        #expect(desk.foot == "Continued at the top.")
        desk.type("N")
        #expect(desk.foot == "Continued at the bottom.")
        desk.type("gn")
        #expect(desk.foot.contains("Went") == false)
    }

    @Test(
        "& shows only matching keys and members while it is typed; Enter keeps the filter, Esc removes it",
        arguments: [
            ("&pe", ["[basket]", "pear"]), ("&pear⏎", ["[basket]", "pear"]), ("&gage⏎", ["[data]"]),
            ("&gage⎋", ["[Apple]", "basket", "cherry", "data", "pear"]), ("&xyz", []),
            ("&xyz⎋", ["[Apple]", "basket", "cherry", "data", "pear"]),
            ("&pe⏎&⏎", ["Apple", "[basket]", "cherry", "data", "pear"]),
            ("&pe⏎⎋", ["Apple", "[basket]", "cherry", "data", "pear"]),
            ("&pe⏎&red⎋", ["[basket]", "pear"]),
            ("&pe⏎l", ["[basket]", "  Pear", "pear"]),
        ]
    )
    func filter(keys: String, outline: [String]) {
        #expect(Desk(["a": fruit], keys: "⏎" + keys).outline == outline)
    }

    @Test("A filtered row stays expanded and selected")
    func hidden() {
        let desk = Desk(["a": fruit], keys: "⏎jlj&red⎋")
        #expect(desk.outline == ["Apple", "basket", "  [Pear]", "  plum", "cherry", "data", "pear"])
    }

    @Test("A collapsed row shows the path of the first match inside it")
    func foundInside() {
        var desk = Desk(
            ["a": ["gamma": [1, ["deepKey": 5]], "j": json(#"{"x":{"needle":"deep"}}"#), "z": 1]],
            columns: 130,
            keys: "⏎&deep⏎"
        )
        #expect(desk.outline == ["[gamma]", "j"])
        #expect(desk.body[0].hasSuffix("[1, {…}]  › /1/deepKey 5"))
        #expect(desk.body[1].hasSuffix("{x: {…}}  › /x/needle “deep”"))
        desk.type("l")
        #expect(desk.outline == ["[gamma]", "  1", "j"])
        #expect(desk.body[0].hasSuffix("[2 items]"))
        #expect(desk.body[1].hasSuffix("{deepKey: 5}  › /deepKey 5"))
        desk.outside("a", "gamma", [["deeper": 6]])
        desk.wait(60)
        #expect(desk.body[1].hasSuffix("{deeper: 6}  › /deeper 6"))
        desk.type("h⎋")
        #expect(desk.outline == ["[gamma]", "j", "z"])
        #expect(desk.body[0].hasSuffix("[{…}]"))
    }

    @Test("A filter without a match says so, and a new key that matches appears")
    func filterAndChange() {
        var desk = Desk(["a": fruit], keys: "⏎&kiwi⏎")
        #expect(desk.text.contains("Nothing matches the filter. Press Esc to show all."))
        desk.outside("a", "kiwi", 1)
        desk.outside("a", "melon", 1)
        #expect(desk.outline == ["[kiwi]"])
    }

    @Test("With the focus on the suites, the suites are searched and filtered")
    func suites() {
        let files = ["com.a": fruit, "com.b": [:], "org.c": [:], "org.d": [:]]
        var desk = Desk(files, keys: "/org")
        #expect(desk.selectedSuite == "org.c")
        desk.type("⏎n")
        #expect(desk.selectedSuite == "org.d")
        desk.type("nnN")
        #expect(desk.selectedSuite == "org.c")
        desk.type("/com⎋")
        #expect(desk.selectedSuite == "org.c")
        desk.type("&com.b⏎")
        #expect(desk.selectedSuite == "com.b")
        #expect(!desk.text.contains("org.c"))
        desk.type("⎋")
        #expect(desk.text.contains("org.c"))
        desk.type("&x")
        #expect(desk.text.contains("No suite matches"))
    }
}
