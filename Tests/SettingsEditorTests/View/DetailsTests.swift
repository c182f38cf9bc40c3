import Foundation
import PropertyList
import SettingsStore
import TerminalCanvas
import Testing

@testable import SettingsEditor

@Suite("Details of the selected row")
struct DetailsTests {
    private static let schema = SuiteSchema([
        "crossfade": SettingDeclaration(
            .integer(Bounds(0, 12)),
            defaultValue: 4,
            help: "Seconds between two pieces.",
            deprecation: "use fade"
        ),
        "quality": SettingDeclaration(
            .integer(Bounds(1, 3)),
            cases: [
                SettingCase(1, title: "Low"), SettingCase(2, title: "Medium"), SettingCase(3, title: "High"),
            ],
            defaultValue: 2,
            help: "Quality of playback."
        ),
        "token": SettingDeclaration(.string(), isSecret: true),
    ])

    private func desk(_ columns: Int, _ rows: Int, keys: String) -> Desk {
        var desk = Desk(
            [
                "a": [
                    "icon": .data(Data([0xFF, 0x41])), "position": 3.0, "quality": 2, "token": "hunter2",
                    "queue": ["Clair de lune", "Vltava", ["title": "Peer Gynt", "year": 1875]],
                    "text": "one\ntwo",
                ]
            ],
            columns: columns,
            rows: rows,
            schemas: ["a": Self.schema]
        )
        desk.type("⏎g" + keys)
        return desk
    }

    @Test("A declared setting shows its help, its allowed values, and the staged change")
    func declared() {
        var desk = desk(100, 30, keys: "jjjS⏎3")
        #expect(desk.selectedKey == "quality")
        #expect(desk.body[3].contains("3 High  (default 2 Medium)"))
        #expect(desk.details[0].hasPrefix("─ quality ── integer ── staged ─"))
        #expect(
            desk.details[1...4].map { $0.trimmingPrefix(" ") } == [
                "Quality of playback.", "  1 Low   2 Medium (default)   ‹3 High›",
                "stored 2   →  to be saved 3",
                "± Not saved yet. Press W to save your changes.",
            ]
        )
        desk.type("gj")
        #expect(desk.body[0].contains("4  (default, deprecated)"))
    }

    @Test("A change of another program is told with its time and the old value")
    func changed() {
        var desk = desk(100, 30, keys: "jj")
        desk.outside("a", "position", 2.0)
        #expect(desk.detailWords.contains("15:09:26 changed by another program 3.0 → 2.0"))
        #expect(desk.detailWords.contains("● Another program changed it a moment ago: was 3.0."))
        desk.wait(10)
        #expect(!desk.detailWords.contains("a moment ago"))
        #expect(desk.detailWords.contains("15:09:26 changed by another program 3.0 → 2.0"))
    }

    @Test("The whole value is shown: containers as indented JSON, texts with their lines, data as bytes")
    func values() {
        let queue = desk(140, 40, keys: "jjjj")
        #expect(
            queue.details.map { String($0.dropFirst()) }.prefix(11) == [
                "queue   array", "Value", "[", "  \"Clair de lune\",", "  \"Vltava\",", "  {",
                "    \"title\": \"Peer Gynt\",", "    \"year\": 1875", "  }", "]", "",
            ]
        )
        let text = desk(140, 40, keys: "jjjjj")
        #expect(
            text.details.prefix(4).map { String($0.dropFirst()) } == ["text   string", "Value", "one", "two"]
        )
        let icon = desk(140, 40, keys: "j")
        #expect(icon.detailWords == "icon data Value 2 bytes ff 41 .A")
    }

    @Test("A secret stays hidden until v shows it")
    func secret() {
        var desk = desk(140, 40, keys: "G")
        #expect(!desk.text.contains("hunter2"))
        #expect(desk.detailWords.contains("A secret. Press v to show it."))
        desk.type("v")
        #expect(desk.detailWords.contains("hunter2"))
    }

    @Test("On a small screen i shows the details, which scroll, and i closes them")
    func wholeScreen() {
        var desk = desk(40, 10, keys: "jjjj")
        #expect(desk.details == [])
        desk.type("i")
        #expect(desk.heads == " DETAILS")
        #expect(desk.body.first?.hasPrefix(" Value") == true)
        #expect(desk.body.contains { $0.hasPrefix("   \"Vltava\",") })
        desk.type("G")
        #expect(desk.body.contains { $0.hasPrefix(" ]") })
        desk.type("i")
        #expect(desk.state.modal == nil)
        #expect(desk.selectedKey == "queue")
    }

    @Test("Enter on a value that cannot be changed shows its details where they have no pane")
    func readOnly() {
        let desk = Desk(
            ["a": ["k": "v"]],
            columns: 60,
            rows: 12,
            readOnly: "started with --read-only",
            keys: "⏎⏎"
        )
        #expect(desk.heads == " DETAILS")
        #expect(desk.foot == "Read-only: started with --read-only")
        #expect(desk.writes.isEmpty)
    }

    @Test("A huge value costs no more than the lines that are shown")
    func huge() {
        let elements = (0..<200_000).map { PropertyListValue.integer(PropertyListInteger($0)) }
        let desk = Desk(["a": ["k": .array(elements)]], columns: 140, rows: 40, keys: "⏎")
        #expect(desk.details.count < 40)
        #expect(desk.details.last?.contains("… i shows all") == true)
        #expect(Details(desk.state, columns: 80, limit: 2000, hasTitles: false).lines.count == 2000)
    }

    @Test(
        "The keys stay on the last line at every size, below a message and beside the details",
        arguments: [(20, 5), (40, 10), (80, 24), (100, 30), (200, 50)],
        [Glyphs.unicode, .ascii]
    )
    func keysStay(size: (columns: Int, rows: Int), glyphs: Glyphs) {
        var desk = Desk(["a": ["k": 1]], columns: size.columns, rows: size.rows, glyphs: glyphs, keys: "⏎")
        let keys = desk.screen[size.rows - 1]
        #expect(keys.hasPrefix("Enter edit"))
        desk.outside("a", "k", 2)
        #expect(desk.message.hasPrefix("k changed by anoth"))
        #expect(desk.screen[size.rows - 1] == keys)
    }
}
