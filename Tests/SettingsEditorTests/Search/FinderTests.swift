import PropertyList
import SettingsStore
import TerminalCanvas
import Testing

@testable import SettingsEditor

private let files: [String: [String: PropertyListValue]] = [
    "org.example.Player": ["volume": 60, "track.title": "Clair de lune", "window": ["frame": ["width": 80]]],
    "org.example.Mail": ["signature": "Claire", "windowWidth": 100, "filters": json(#"[{"name": "lune"}]"#)],
    "org.example.Empty": [:],
]

@Suite("Finding in all suites")
struct FinderTests {
    private func names(_ desk: Desk) -> [String] {
        guard case .finding(let finder)? = desk.state.modal else { return [] }
        return finder.hits.map { "\($0.suite.split(separator: ".").last ?? "") \($0.path)" }
    }

    @Test(
        "A few letters find a key in any suite",
        arguments: [
            ("vol", "volume"), ("winwi", "windowWidth"), ("tt", "track.title"), ("mail sig", "signature"),
            ("wW", "windowWidth"), ("fil", "filters"), ("plvol", "volume"), ("mailsig", "signature"),
            ("mail/sig", "signature"),
        ]
    )
    func jump(typed: String, key: String) {
        var desk = Desk(files, keys: "f" + typed)
        #expect(desk.state.mode == .finder)
        desk.type("⏎")
        #expect(desk.selectedKey == key)
        #expect(desk.state.display.focus == .keys)
        #expect(desk.state.mode == .keys)
    }

    @Test("With nothing typed, the keys that changed last come first, then those that were visited last")
    func recent() {
        var desk = Desk(files, keys: "f")
        desk.idle()
        #expect(Set(names(desk).prefix(2)) == ["Mail /filters", "Player /volume"])
        desk.type("tt⏎fsig⏎f")
        desk.idle()
        #expect(names(desk).prefix(2) == ["Mail /signature", "Player /track.title"])
        desk.type("⎋")
        desk.outside("org.example.Mail", "windowWidth", 120)
        desk.type("f")
        desk.idle()
        #expect(names(desk).prefix(3) == ["Mail /windowWidth", "Mail /signature", "Player /track.title"])
        // Typed letters decide alone.
        desk.type("vol")
        desk.idle()
        #expect(names(desk) == ["Player /volume"])
    }

    @Test("The prompt says that names are searched, and the screen says so if no name has the letters")
    func namesOnly() {
        var desk = Desk(["a": ["k": "Clair de lune"]], keys: "fk")
        #expect(desk.prompt.hasPrefix("Go to name: k"))
        #expect(desk.heads.hasPrefix(" GO TO A KEY BY NAME"))
        desk.type("⌫Clair")
        desk.idle()
        #expect(names(desk).isEmpty)
        #expect(desk.body[0] == " No key has a name with these letters. Values are not searched.")
        desk.type("⎋FClair")
        desk.idle()
        #expect(names(desk) == ["a /k"])
    }

    @Test(
        "Declared settings without a stored value are found in suites that were never selected",
        arguments: ["fvol", "Fvolu"]
    )
    func declared(typed: String) {
        let schema = SuiteSchema(["volume": SettingDeclaration(.integer(), defaultValue: 5)])
        var desk = Desk(["a": ["k": 1]], schemas: ["b": schema], keys: typed)
        desk.idle()
        #expect(names(desk) == ["b /volume"])
        desk.type("⏎")
        #expect(desk.selectedSuite == "b" && desk.selectedKey == "volume")
    }

    @Test("They are found in unreadable suites too, and the reason replaces their values")
    func unreadable() {
        let schema = SuiteSchema(["volume": SettingDeclaration(.integer(), defaultValue: 5)])
        let status = SuiteStatus(content: .unreadable("line 7: no key"), watching: .events)
        var desk = Desk(
            ["a": ["k": 1], "b": [:]],
            columns: 100,
            statuses: ["b": status],
            schemas: ["b": schema],
            keys: "fvol"
        )
        // Both before and after the suite was opened.
        for _ in 1...2 {
            desk.idle()
            #expect(names(desk) == ["b /volume"])
            let line = desk.screen.first { $0.hasPrefix("» b ") }
            #expect(line?.contains("! unreadable: line 7: no key") == true)
            desk.type("⏎")
            #expect(desk.selectedSuite == "b" && desk.selectedKey == "volume")
            #expect(desk.text.contains("unreadable: line 7"))
            desk.type("fvol")
        }
    }

    @Test("The best match comes first, and among equal matches the shorter key")
    func order() {
        let desk = Desk(
            ["a": ["mywindow": 1, "window": 1, "windows": 1, "want.indow": 1, "no": 1]],
            keys: "fwindow"
        )
        #expect(names(desk) == ["a /window", "a /windows", "a /want.indow", "a /mywindow"])
    }

    @Test("The finder reads suites once, does not observe them, and keeps nothing when it is closed")
    func reading() {
        var desk = Desk(files, keys: "f")
        #expect(
            desk.effects == [.load("org.example.Empty"), .read(["org.example.Mail", "org.example.Player"])]
        )
        #expect(desk.state.search.library?.count == 2)
        desk.type("vol⎋")
        #expect(desk.state.search.library == nil)
        #expect(desk.selectedSuite == "org.example.Empty")
        #expect(desk.state.display.focus == .suites)
    }

    @Test("A hit in a suite that is still being read is selected after reading")
    func goal() {
        var desk = Desk(files, keys: "fvol⏎")
        #expect(desk.selectedSuite == "org.example.Player")
        #expect(desk.selectedKey == "volume")
        desk.type("⇥k")
        #expect(desk.selectedSuite == "org.example.Mail")
    }

    @Test("Names and values of all suites are searched at any depth, and n continues from there")
    func search() {
        var desk = Desk(files, keys: "Flune")
        #expect(names(desk) == ["Mail /filters/0/name", "Player /track.title"])
        #expect(desk.body[0].contains("name") && desk.body[0].hasSuffix("lune"))
        #expect(desk.foot == "Search all: lune" + String(repeating: " ", count: 58) + "1 of 2")
        desk.type("⏎")
        #expect(desk.outline == ["filters", "  0", "    [name]", "signature", "windowWidth"])
        desk.type("n")
        #expect(desk.foot == "Continued at the top.")
    }

    @Test("Arrow keys select a hit, and a text without a hit is reported")
    func choosing() {
        var desk = Desk(files, keys: "Flune↓⏎")
        #expect(desk.selectedKey == "track.title")
        desk.type("Fnothing of the kind")
        #expect(desk.text.contains("Nothing found."))
        #expect(desk.foot.hasSuffix("not found") == true)
        desk.type("⏎")
        #expect(desk.state.mode == .finder)
        desk.type("⎋")
        #expect(desk.selectedKey == "track.title")
    }

    @Test("A filter that would hide the hit is removed")
    func filters() {
        var desk = Desk(files, keys: "&Empty⏎fvol⏎")
        #expect(desk.state.suiteList.filter == nil)
        desk.type("&track⏎fwindow⏎")
        #expect(desk.selectedKey == "window")
        #expect(desk.outline.count == 3)
    }

    @Test("Keys that other programs add while the finder is open are found in the selected suite")
    func changes() {
        var desk = Desk(["a": ["k": 1]], keys: "fk")
        desk.outside("a", "kk", 2)
        desk.type("k")
        #expect(names(desk) == ["a /kk"])
    }
}

@Suite("Work that is done in slices")
struct SliceTests {
    private static let count = 20000

    private func large(keys: String = "") -> Desk {
        let values = (0..<Self.count).map { ("k\(100_000 + $0)", PropertyListValue.string("value \($0)")) }
        return Desk(["a": Dictionary(uniqueKeysWithValues: values)], single: true, keys: keys)
    }

    /// Does what is left to do, in slices, and counts them.
    private func finish(_ desk: inout Desk) -> Int {
        var slices = 0
        while desk.state.hasWork, slices < 1000 {
            desk.act(.goOn(budget: 1000))
            slices += 1
        }
        return slices
    }

    @Test("A search works in slices, is visible meanwhile, and ends at the match")
    func search() {
        var desk = large(keys: "/value 19999")
        #expect(desk.state.hasWork)
        #expect(desk.selectedKey == "k100000")
        #expect(finish(&desk) > 5)
        #expect(desk.selectedKey == "k119999")
        desk.type("⏎n")
        #expect(finish(&desk) > 5)
        #expect(desk.foot == "Continued at the top.")
    }

    @Test("Keys typed after Enter wait for the match, except Esc")
    func ending() {
        var desk = large(keys: "/value 15000⏎j")
        #expect(desk.state.hasWork)
        #expect(desk.selectedKey == "k100000")
        var other = desk
        #expect(finish(&desk) > 5)
        #expect(desk.selectedKey == "k115001")
        other.type("⎋j")
        #expect(!other.state.hasWork)
        #expect(other.selectedKey == "k100001")
    }

    @Test("A filter shows its matches so far, and the selected row stays at its height on the screen")
    func filter() {
        var desk = large(keys: "10008Gkkkkkkkk")
        let row = desk.body.firstIndex { $0.contains("»") }
        desk.type("&99")
        #expect(desk.state.hasWork)
        #expect(finish(&desk) > 5)
        #expect(desk.body.firstIndex { $0.contains("»") } == row)
        #expect(desk.selectedKey == "k109999")
        let expected = (0..<Self.count).filter { "k\(100_000 + $0) value \($0)".contains("99") }.count
        #expect(desk.state.suite?.outline.rows.count == expected)
        desk.type("⎋")
        #expect(desk.selectedKey == "k109999")
        #expect(desk.state.suite?.outline.rows.count == Self.count)
    }

    @Test("Keys that are added and removed during filtering appear in order")
    func changesWhileFiltering() {
        var desk = large(keys: "10000G&99")
        for key in ["a99", "k10999", "k1199990", "z99"] {
            desk.outside("a", key, 1)
            desk.act(.goOn(budget: 1000))
        }
        desk.outside("a", "k119999", nil)
        desk.outside("a", "k100099", "other")
        _ = finish(&desk)
        let keys = desk.state.suite?.outline.rows.map(\.name) ?? []
        #expect(keys == keys.sorted())
        #expect(Set(keys).isSuperset(of: ["a99", "k10999", "k1199990", "z99", "k100099"]))
        #expect(!keys.contains("k119999"))
    }

    @Test("Expanding to a level works in slices too")
    func levels() {
        let values = (0..<3000).map { ("k\(1000 + $0)", [1, [2]] as PropertyListValue) }
        var desk = Desk(["a": Dictionary(uniqueKeysWithValues: values)], single: true, keys: "2000Gz2")
        #expect(finish(&desk) > 5)
        #expect(desk.state.suite?.outline.rows.count == 9000)
        #expect(desk.selectedKey == "k2999")
        desk.type("z1")
        #expect(!desk.state.hasWork)
        #expect(desk.state.suite?.outline.rows.count == 3000)
    }
}
