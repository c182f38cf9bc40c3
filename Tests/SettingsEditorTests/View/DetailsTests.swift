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

    @Test(
        "A date is shown in local time, once in UTC if that differs, and with its distance from now",
        arguments: [
            (0, -3.0 * 86_400, "2026-03-11 15:09:26 UTC 3 days ago"),
            (3600, 0, "2026-03-14 16:09:26 +01 2026-03-14 15:09:26 UTC now"),
            (0, 7200, "2026-03-14 17:09:26 UTC in 2 hours"),
            (0, -90, "2026-03-14 15:07:56 UTC 90 seconds ago"),
            (0, -795_193_766, "2001-01-01 00:00:00 UTC 25 years ago"),
        ]
    )
    func dates(zone: Int, distance: Double, words: String) {
        let date = Date(timeIntervalSinceReferenceDate: 795_193_766 + distance)
        let desk = Desk(["s": ["k": .date(date)]], columns: 140, rows: 40, zone: zone, keys: "⏎")
        #expect(desk.detailWords.hasSuffix("Value \(words)"), "\(desk.detailWords)")
    }

    @Test("Inside a key the changes are those of the row, of its members, and of what contains it")
    func changesOfRow() {
        let value: PropertyListValue = ["a": ["x": 1, "y": 2], "b": 1, "c": 1]
        var desk = Desk(["s": ["k": value]], columns: 160, rows: 40, keys: "⏎ljljj")
        #expect(desk.outline == ["k", "  a", "    x", "    [y]", "  b", "  c"])
        desk.outside("s", "k", ["a": ["x": 1, "y": 2], "b": 5, "c": 5])
        #expect(!desk.detailWords.contains("Changes to this row"), "\(desk.detailWords)")
        desk.outside("s", "k", ["a": ["x": 1, "y": 8], "b": 6, "c": 5])
        func changes() -> String {
            let words = desk.detailWords
            guard let start = words.range(of: "Changes to this row") else { return "" }
            let end = words.range(of: " State") ?? words.range(of: " Value")
            return String(words[start.upperBound..<(end?.lowerBound ?? words.endIndex)])
        }
        #expect(changes() == " 15:09:26 changed by another program 2 → 8")
        desk.type("kk")
        #expect(changes() == " 15:09:26 changed by another program /y 2 → 8")
        desk.type("jjj")
        #expect(
            changes()
                == " 15:09:26 changed by another program 5 → 6 15:09:26 changed by another program 1 → 5"
        )
        // The value that contains the row is replaced as a whole.
        desk.outside("s", "k", ["a": 0, "b": 6, "c": 5])
        desk.outside("s", "k", value)
        desk.type("gz9jjj")
        #expect(desk.selectedKey == "y", "\(desk.outline)")
        #expect(changes().hasPrefix(" 15:09:26 changed by another program k/a: 0 → {2 keys}"), "\(changes())")
    }

    @Test("Inside a key the staged change is that of the row")
    func stagedChangeOfRow() {
        var desk = Desk(["s": ["k": ["a": 1, "b": 1]]], columns: 160, rows: 40, keys: "⏎ljS⏎7⏎")
        #expect(desk.outline == ["k", "  [a]", "  b"])
        #expect(desk.detailWords.contains("stored 1 → to be saved 7"), "\(desk.detailWords)")
        desk.type("j")
        #expect(!desk.detailWords.contains("stored"), "\(desk.detailWords)")
        desk.type("k")
        #expect(desk.detailWords.contains("stored 1 → to be saved 7"))
    }

    @Test(
        "Of a change in many places the row says how many, if it is not known whether the row is one of them"
    )
    func manyChanges() {
        let old = (0..<100).map { PropertyListValue.integer(PropertyListInteger($0)) }
        let new = (0..<100).map { PropertyListValue.integer(PropertyListInteger($0 + 1000)) }
        var desk = Desk(["s": ["k": .array(old)]], columns: 160, rows: 40, keys: "⏎lj")
        desk.outside("s", "k", .array(new))
        #expect(desk.detailWords.contains("changed by another program 0 → 1000"), "\(desk.detailWords)")
        desk.type("G")
        #expect(desk.detailWords.contains("changed by another program k: 100 places"), "\(desk.detailWords)")
    }

    @Test(
        "The details say in words how a value is stored that looks like another one",
        arguments: [
            (json(#"{"a":1}"#), "JSON text, stored as data."), (json("5"), "JSON text, stored as data."),
            ("[1, 2]", "JSON text, stored as a string."),
            (
                .data(Data("<plist version=\"1.0\"><array><true/></array></plist>".utf8)),
                "A property list, stored as data."
            ),
            (["a": 1], nil), ("text", nil), (.data(Data([0xFF])), nil),
        ] as [(PropertyListValue, String?)]
    )
    func storedForm(value: PropertyListValue, words: String?) {
        var desk = Desk(["s": ["k": value]], columns: 140, rows: 40, keys: "⏎")
        desk.idle()
        #expect(desk.details.contains { $0 == " \(words ?? "")" } || words == nil, "\(desk.detailWords)")
        #expect(desk.detailWords.contains("stored as") == (words != nil))
        desk.type("lj")
        // The members are part of that text.
        if desk.selectedKey != "k" { #expect(!desk.detailWords.contains("stored as")) }
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
        #expect(desk.heads.hasPrefix(" DETAILS OF “queue”"))
        #expect(desk.heads.hasSuffix(" array"))
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
        #expect(desk.heads.hasPrefix(" DETAILS OF “k”"))
        #expect(desk.foot == "Read-only: started with --read-only")
        #expect(desk.writes.isEmpty)
    }

    @Test("That a declared array has no value is said once in the details, and once in its row")
    func unset() {
        let schema = SuiteSchema(["list": SettingDeclaration(.array(of: .string()), help: "Some words.")])
        let desk = Desk(["a": [:]], columns: 140, rows: 40, schemas: ["a": schema], keys: "⏎")
        #expect(desk.detailWords == "list array not set About Some words. State ○ Nothing is stored.")
        let narrow = Desk(["a": [:]], columns: 50, rows: 12, schemas: ["a": schema], keys: "⏎")
        #expect(narrow.status == "/list  array  not set  — Some words.")
    }

    @Test(
        "A collapsed container shows its children as far as they fit, or else their number",
        arguments: [
            (30, "[rock, jazz, folk]"), (17, "[rock, jazz, …+1]"), (13, "[rock, …+2]"), (12, "[rock, …+2]"),
            (11, "[rock, …+2]"), (10, "[3 items]"), (5, "[…+3]"), (4, "+3"), (1, "+3"),
        ]
    )
    func preview(columns: Int, text: String) {
        let node = ValueNode(.array(["rock", "jazz", "folk"]))
        #expect(node.preview(ValueFormat(date: nil, zone: { _ in 0 }), columns: columns, .unicode) == text)
    }

    @Test("A value that will be deleted is struck out until it is saved, also inside other values")
    func deletions() {
        var desk = Desk(
            ["a": ["k": 1, "list": ["x", "y", ["m": 5, "n": 6]]]],
            columns: 200,
            rows: 40,
            keys: "⏎Sd"
        )
        /// The style of a text in a row of the keys.
        func style(_ text: String, _ line: Int) -> Style? {
            guard let area = Layout(desk.state, desk.size).rows else { return nil }
            let cells = view(desk.state, size: desk.size).row(area.row + line).dropFirst(area.column)
            let shown = cells.map(\.text).joined()
            guard let place = shown.range(of: text) else { return nil }
            return cells[cells.startIndex + shown.distance(from: shown.startIndex, to: place.lowerBound)]
                .style
        }
        #expect(style("k ", 0) == .deleted)
        #expect(style("1 ", 0) == .deleted)
        #expect(style("will be deleted", 0) == .staged)
        // Two elements, and a member of a third one.
        desk.type("⏎jdjljd")
        #expect(desk.outline == ["k", "list", "  0", "  1", "    [n]"])
        #expect(desk.body[1].contains("[2 items]  − “x”  will be deleted"), "\(desk.body[1])")
        #expect(style("− “x”", 1) == .deleted)
        #expect(desk.body[3].contains("{1 key}  − m: 5  will be deleted"), "\(desk.body[3])")
        desk.type("hhhh")
        #expect(desk.body[1].contains("− “x”, m: 5  will be deleted"), "\(desk.body[1])")
        #expect(desk.detailWords.contains("− /0 “x” will be deleted"))
        #expect(desk.detailWords.contains("− /2/m 5 will be deleted"))
        desk.type("uuu")
        #expect(!desk.text.contains("will be deleted"))
    }

    @Test("The line with the error of an unreadable file is in the details, with a caret below the error")
    func badLine() {
        let text = "<plist>\n<dict>\n\t\t<key>a\u{1B}</kex>\n</dict>\n"
        let unreadable = SuiteStatus(content: .unreadable("line 3, column 12: expected </key>"))
        var desk = Desk(["a": [:]], columns: 80, rows: 24, statuses: ["a": unreadable])
        desk.act(.badLine("a", BadLine(Array(text.utf8), line: 3, column: 10)))
        #expect(desk.details[1] == " 3 │ <key>a␛</kex>")
        #expect(desk.details[2] == "   │        ^")
        // The line may have a secret.
        desk.act(.declared("a", SuiteSchema(["s": SettingDeclaration(.string(), isSecret: true)])))
        #expect(desk.details[1] == " Hidden, because the suite has secrets.")
        desk.act(.status("a", SuiteStatus(content: .stored)))
        #expect(!desk.text.contains("Hidden"))
    }

    @Test("A long line is cut around the error", arguments: [20, 60, 200])
    func longBadLine(columns: Int) {
        let text = String(repeating: "<x/>", count: 100_000) + "ERR" + String(repeating: "日本", count: 9000)
        let unreadable = SuiteStatus(content: .unreadable("line 1"))
        var desk = Desk(["a": [:]], columns: columns, rows: 12, statuses: ["a": unreadable])
        desk.act(.badLine("a", BadLine(Array(text.utf8), line: 1, column: 400_001)))
        desk.type("i")
        let lines = desk.screen
        guard let row = lines.firstIndex(where: { $0.contains("ERR") }) else {
            Issue.record("\(desk.text)")
            return
        }
        #expect(lines[row].contains("1 │ …"))
        let caret = lines[row + 1].distance(
            from: lines[row + 1].startIndex,
            to: lines[row + 1].firstIndex(of: "^") ?? lines[row + 1].endIndex
        )
        let error = lines[row].range(of: "ERR").map {
            lines[row].distance(from: lines[row].startIndex, to: $0.lowerBound)
        }
        #expect(caret == error)
    }

    @Test("A line is found by number, within the file and without its line break")
    func badLines() {
        func parts(_ text: String, _ line: Int, _ column: Int) -> [String]? {
            BadLine(Array(text.utf8), line: line, column: column).map { [$0.before, $0.after] }
        }
        #expect(parts("ab\ncd\r\nef", 2, 2) == ["c", "d"])
        #expect(parts("ab\ncd\r\nef", 3, 3) == ["ef", ""])
        #expect(parts("ab\ncd", 1, 3) == ["ab", ""])
        #expect(parts("ab\ncd", 1, 4) == nil)
        #expect(parts("ab\ncd", 3, 1) == nil)
        #expect(parts("", 1, 1) == ["", ""])
        #expect(BadLine([0xFF, 0xFE, 0x61, 0], line: 1, column: 1) == nil)
        #expect(BadLine([0x61, 0xFF, 0x62], line: 1, column: 2)?.after == "\u{FFFD}b")
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

    @Test("A name that the JSON file has several times is marked")
    func repeated() {
        var desk = Desk(["s": ["a": 1, "b": 2]], columns: 120, rows: 40, keys: "⏎g")
        let members = [RepeatedMember(line: 3, value: "first"), RepeatedMember(line: 7, value: 2)]
        desk.act(.comments("s", [:], repeated: [[.key("b")]: members]))
        #expect(!desk.body[0].contains("!") && desk.body[1].contains("!"))
        desk.type("j")
        #expect(
            desk.detailWords.contains(
                "The file has this name several times here. The last one counts, in line 7. Line 3 has “first”."
            )
        )
    }
}
