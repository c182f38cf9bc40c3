import Foundation
import PropertyList
import SettingsStore
import TerminalCanvas
import Testing

@testable import SettingsEditor

/// One screen with everything that has a look of its own, at every size and in every theme.
///
/// The folder `Screens` has the expected screens. The environment variable `PDEFAULTS_SCREENS=write` makes the tests
/// write them again; read the difference before you commit it.
@Suite("Whole screens")
struct ScreensTests {
    private static let schema = SuiteSchema([
        "quality": SettingDeclaration(
            .integer(),
            cases: [
                SettingCase(1, title: "Low"), SettingCase(2, title: "Medium"), SettingCase(3, title: "High"),
            ],
            defaultValue: 2,
            title: "Quality",
            help: "Quality of playback."
        ),
        "theme": SettingDeclaration(.string(), defaultValue: "system"),
    ])

    /// An editor with a staged value and a staged deletion, a change of another program and an unreadable suite. The
    /// pointer is on the staged value.
    private func desk(_ size: Size) -> Desk {
        var desk = Desk(
            [
                "com.example.Player": [
                    "icon": .data(Data([0xFF, 0x41])),
                    "played": .date(Date(timeIntervalSinceReferenceDate: 0)),
                    "position": 3.0, "quality": 2, "queue": ["Vltava", "Peer Gynt", "Boléro"],
                    "shuffle": true, "theme": "dark", "volume": 60,
                ],
                "org.example.Broken": [:],
            ],
            columns: size.columns,
            rows: size.rows,
            statuses: [
                "org.example.Broken": SuiteStatus(content: .unreadable("line 3, column 9: expected <"))
            ],
            schemas: ["com.example.Player": Self.schema],
            keys: "⏎SGd/quality⏎⎋⏎3"
        )
        desk.outside("com.example.Player", "position", 2.0)
        return desk
    }

    private static let letters: [Style: Character] = [
        .plain: " ", .title: "T", .heading: "H", .columnHead: "C", .faint: "f", .type: "t", .key: "K",
        .string: "s", .number: "n", .boolean: "b", .date: "d", .data: "x", .container: "c", .changed: "!",
        .staged: "+", .deleted: "-", .problem: "E", .field: "F", .found: "*", .selected: "S",
        .selectedElsewhere: "e",
    ]

    /// A letter for the style of each cell that has text or is part of a bar.
    private func styles(_ grid: Grid) -> [String] {
        let bars: [Style] = [.title, .selected, .selectedElsewhere, .field]
        return (0..<grid.size.rows).map { row in
            let line = grid.row(row).map { cell in
                cell.text == " " && !bars.contains(cell.style) ? " " : Self.letters[cell.style] ?? "?"
            }
            return String(line.reversed().drop { $0 == " " }.reversed())
        }
    }

    private func expect(_ text: String, in file: String) throws {
        let url = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("Screens/\(file).txt")
        if ProcessInfo.processInfo.environment["PDEFAULTS_SCREENS"] == "write" {
            try text.write(to: url, atomically: true, encoding: .utf8)
        }
        #expect(try String(contentsOf: url, encoding: .utf8) == text)
    }

    @Test(
        "The text and the styles of the screen are as drawn in its file",
        arguments: [(20, 5), (40, 10), (80, 24), (100, 30), (200, 50)]
    )
    func sizes(columns: Int, rows: Int) throws {
        let desk = desk(Size(columns: columns, rows: rows))
        let grid = view(desk.state, size: desk.size)
        let lines = desk.screen + ["", "The styles of the cells:", ""] + styles(grid)
        try expect(lines.joined(separator: "\n") + "\n", in: "\(columns)x\(rows)")
    }

    @Test("The looks of these styles are as listed, for each theme and for terminals with fewer colours")
    func themes() throws {
        let themes: [(Theme, colors: Int)] =
            ThemeChoice.allCases.compactMap(\.theme).map { ($0, 256) } + [
                (.dark, 16), (.dark, 8), (.light, 8), (.standard, 256),
            ]
        let lines = themes.map { theme, colors in
            let looks = Style.allCases.map { style in
                "    \(style): ".padding(toLength: 24, withPad: " ", startingAt: 0)
                    + name(theme.look(of: style, colors: colors))
            }
            return (["\(theme.name), \(colors) colours"] + looks).joined(separator: "\n")
        }
        try expect(lines.joined(separator: "\n\n") + "\n", in: "themes")
    }

    private func name(_ look: Look) -> String {
        func name(_ color: Color) -> String {
            if case .palette(let number) = color { "\(number)" } else { "standard" }
        }
        let attributes: [(Look.Attributes, String)] = [
            (.bold, "bold"), (.dim, "dim"), (.underline, "underlined"), (.strikeout, "struck out"),
        ]
        let words = attributes.filter { look.attributes.contains($0.0) }.map(\.1)
        return (["\(name(look.foreground)) on \(name(look.background))"] + words).joined(separator: ", ")
    }
}
