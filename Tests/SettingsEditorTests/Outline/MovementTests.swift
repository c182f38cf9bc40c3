import PropertyList
import TerminalCanvas
import Testing

@testable import SettingsEditor

private let numbered = Dictionary(
    uniqueKeysWithValues: (100..<200).map { ("k\($0)", true as PropertyListValue) }
)

private let nested: [String: PropertyListValue] = [
    "a": 1,
    "b": ["x": ["p": 1, "q": 2], "y": [1, 2]],
    "c": json(#"{"m": {"n": [0]}, "o": 1}"#),
    "d": 2,
]

@Suite("Moving far")
struct MovementTests {
    @Test(
        "A number before a movement repeats it, and before G and g it is a row number",
        arguments: [
            ("5j", "k105"), ("12j3k", "k109"), ("10↓", "k110"), ("20G", "k119"), ("20g", "k119"),
            ("7↘", "k106"),
            ("5jj", "k106"), ("999G", "k199"), ("99999999999999999999j", "k199"), ("0j", "k101"),
            ("2⇟", "k112"),
            ("5⎋j", "k101"), ("5hlj", "k101"),
        ]
    )
    func counts(keys: String, key: String) {
        #expect(Desk(["a": numbered], rows: 11, keys: "⏎" + keys).selectedKey == key)
    }

    @Test("The number is visible while it is typed, and works in the list of suites too")
    func count() {
        var desk = Desk(["a": [:], "b": [:], "c": [:], "d": [:]], keys: "12")
        #expect(desk.foot.hasSuffix(" 12") == true)
        desk.type("⎋")
        #expect(desk.foot.hasSuffix("12") == false)
        desk.type("2j")
        #expect(desk.selectedSuite == "c")
    }

    @Test("^D and ^U move by half a screen")
    func halfPages() {
        var desk = Desk(["a": numbered], rows: 14, keys: "⏎")
        desk.press(.control("d"))
        #expect(desk.selectedKey == "k105")
        desk.type("3")
        desk.press(.control("d"))
        #expect(desk.selectedKey == "k120")
        desk.press(.control("u"))
        #expect(desk.selectedKey == "k115")
    }

    @Test(
        "z and a number expand all values to a level and collapse the rest",
        arguments: [
            ("z1", ["[a]", "b", "c", "d"]),
            ("z2", ["[a]", "b", "  x", "  y", "c", "  m", "  o", "d"]),
            (
                "z3",
                [
                    "[a]", "b", "  x", "    p", "    q", "  y", "    0", "    1", "c", "  m", "    n", "  o",
                    "d",
                ]
            ),
            ("z3z1", ["[a]", "b", "c", "d"]),
            ("z3Gkkkz2", ["a", "b", "  x", "  y", "c", "  [m]", "  o", "d"]),
            ("z3Gkz2", ["a", "b", "  x", "  y", "c", "  m", "  [o]", "d"]),
            ("jjlz⎋", ["a", "b", "[c]", "  m", "  o", "d"]),
        ]
    )
    func levels(keys: String, outline: [String]) {
        #expect(Desk(["a": nested], keys: "⏎" + keys).outline == outline)
    }

    @Test("A filter shows values expanded to the level")
    func levelsAndFilter() {
        let desk = Desk(["a": nested], keys: "⏎z2&c⏎⎋")
        #expect(desk.outline == ["a", "b", "  x", "  y", "[c]", "  m", "  o", "d"])
    }

    @Test("Three rows above and below the selection stay visible, if they fit")
    func margin() {
        var desk = Desk(["a": numbered], columns: 40, rows: 14, keys: "⏎9j")
        #expect(desk.screen.contains { $0.contains("k112") })
        desk.type("20j10k")
        #expect(desk.screen.contains { $0.contains("k116") })
        desk.size = Size(columns: 40, rows: 4)
        desk.act(.resized(desk.size))
        #expect(desk.screen.contains { $0.contains("k119") })
    }

    @Test(
        "Foreign rows inserted above the selection do not move it on the screen",
        arguments: [1, 2, 5, 9, 10]
    )
    func held(line: Int) {
        var desk = Desk(["a": numbered, "b": [:]], columns: 40, rows: 14, keys: "⏎")
        desk.type("\(line)g")
        func height() -> Int? { desk.screen.firstIndex { $0.contains("»") } }
        let before = height()
        let key = desk.selectedKey
        for number in 0..<5 {
            desk.outside("a", "a\(number)", 1)
            desk.wait(1)
            #expect(height() == before)
        }
        // Opening and closing a screen keeps the row at its height.
        desk.type("H⎋?⎋")
        #expect(height() == before)
        #expect(desk.selectedKey == key)
        desk.type("jk")
        #expect(desk.body[0...2].allSatisfy { !$0.contains("»") })
        for number in 0..<5 { desk.outside("a", "a\(number)", nil) }
        #expect(desk.selectedKey == key)
    }

    @Test("The same holds for suites that other programs create")
    func heldSuite() {
        let names = (10..<40).map { ("m\($0)", [:] as [String: PropertyListValue]) }
        var desk = Desk(Dictionary(uniqueKeysWithValues: names), columns: 40, rows: 14, keys: "20G")
        func height() -> Int? { desk.screen.firstIndex { $0.contains("»") } }
        let before = height()
        for number in 0..<3 {
            desk.files["a\(number)"] = [:]
            desk.list()
            #expect(height() == before)
        }
        #expect(desk.selectedSuite == "m29")
        desk.type("g")
        desk.files["Z"] = [:]
        desk.list()
        #expect(height() == 2)
        #expect(desk.selectedSuite == "a0")
    }

    @Test("A row keeps its place on the screen when it is expanded or collapsed")
    func place() {
        var values = numbered
        values["k150"] = [1, 2, 3]
        var desk = Desk(["a": values], columns: 40, rows: 14, keys: "⏎51G3k3j")
        func height() -> Int? { desk.screen.firstIndex { $0.contains("»") } }
        let before = height()
        desk.type("l")
        #expect(height() == before)
        desk.type("h")
        #expect(height() == before)
    }
}
