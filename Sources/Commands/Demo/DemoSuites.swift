import FoundationEssentials
import PropertyList
import SettingsStore

/// The sample suites of the demonstration.
///
/// They contain every kind of value in both formats, and files with typical problems.
enum DemoSuites {
    /// Writes the files of the suites into a folder.
    static func write(into folder: SettingsFolder) throws {
        for (name, format, values) in samples {
            let bytes = try PropertyListValue.dictionary(values).encoded(as: format)
            try Data(bytes).write(to: URL(filePath: folder.filePath(of: SuiteName(name))))
        }
        let player = try SuiteName(liveName)
        try folder.suite(player).schemaPlace?.merge(SuiteSchema(DemoDeclarations.player))
        try Data(broken.utf8).write(to: URL(filePath: folder.filePath(of: SuiteName("org.example.Broken"))))
    }

    /// The suite that the second process keeps changing.
    static let liveName = "com.example.Player"

    private static let samples: [(String, PropertyListFormat, [String: PropertyListValue])] = [
        (liveName, .xml, player),
        ("org.example.EveryKind", .xml, everyKind),
        ("org.example.Archive", .binary, archive),
        ("org.example.Codable", .xml, codable),
        ("org.example.Thousand", .xml, thousand),
        ("org.example.世界", .xml, world),
        ("org.example.Empty", .xml, [:]),
    ]

    private static let player: [String: PropertyListValue] = [
        "quality": 3,
        "token": "3f9c-27d1",
        "crossfade": 4,
        "volume": 60,
        "playing": true,
        "position": 0.0,
        "track.title": "Clair de lune",
        "track.number": 3,
        "queue": ["Clair de lune", "Gymnopédie No. 1", "Vltava"],
        "lastPlayed": .date(date("2026-03-14T15:09:26Z")),
        "equalizer": ["bass": 2.5, "middle": 0.0, "treble": -1.5],
        "session": json(
            """
            {
              "user": "Pitt",
              "devices": [
                { "name": "Kitchen", "online": true },
                { "name": "Garden", "online": false }
              ],
              "limits": { "loudness": 85.50, "hours": 8 }
            }
            """
        ),
    ]

    private static let everyKind: [String: PropertyListValue] = [
        "boolean": true,
        "integer": 42,
        "integer.largest": .integer(PropertyListInteger(UInt64.max)),
        "integer.smallest": .integer(PropertyListInteger(Int64.min)),
        "real": 3.14159,
        "real.infinite": .real(.infinity),
        "string": "Hello",
        "string.empty": "",
        "string.lines": "First line\nSecond line\twith a tab",
        "string.long": .string(String(repeating: "The quick brown fox jumps over the lazy dog. ", count: 12)),
        "date": .date(date("2026-01-02T03:04:05Z")),
        "data": .data(Data([0xDE, 0xAD, 0xBE, 0xEF])),
        "array": [1, "two", 3.0, [true, false]],
        "dictionary": ["name": "Pitt", "children": ["first": ["age": 7], "second": ["age": 5]]],
        "empty array": [],
        "empty dictionary": [:],
    ]

    private static let archive: [String: PropertyListValue] = [
        "$archiver": "NSKeyedArchiver",
        "$version": 100_000,
        "$top": ["root": .uid(1)],
        "$objects": ["$null", ["name": .uid(2)], "Pitt"],
        "saved": .date(date("2026-01-02T03:04:05.25Z")),
    ]

    private static let codable: [String: PropertyListValue] = [
        "window": json(#"{"origin":{"x":120,"y":80.0},"size":{"width":1280,"height":800},"zoomed":false}"#),
        "recent": json(#"["/srv/data/report.txt", "/srv/data/notes.txt"]"#),
        "theme": json(#""midnight""#),
        "limit": json("1.50e3"),
        "nothing": json("null"),
    ]

    private static let thousand: [String: PropertyListValue] = Dictionary(
        uniqueKeysWithValues: (0..<1000).map { number in
            let digits = String(number)
            let key = "key" + String(repeating: "0", count: 4 - digits.count) + digits
            let value: PropertyListValue =
                switch number % 4 {
                case 0: .integer(PropertyListInteger(number))
                case 1: .boolean(number % 8 == 1)
                default: .string("Value number \(number) of a thousand")
                }
            return (key, value)
        }
    )

    private static let world: [String: PropertyListValue] = [
        "greeting.czech": "Dobrý den",
        "greeting.chinese": "你好，世界",
        "greeting.japanese": "こんにちは",
        "greeting.arabic": "مرحبا بالعالم",
        "greeting.hindi": "नमस्ते दुनिया",
        "emoji": "👋🌍 👩‍👩‍👧‍👦 🇨🇿",
        "clé": "une clé accentuée",
    ]

    private static let broken = """
        <?xml version="1.0" encoding="UTF-8"?>
        <plist version="1.0">
        <dict>
        \t<key>name</key>
        \t<string>This file was edited by hand</string>
        \t<key>size</key>
        \t<integer>twelve</integer>
        </dict>
        </plist>
        """

    private static func json(_ text: String) -> PropertyListValue { .data(Data(text.utf8)) }

    /// Parses a date of the samples. An invalid one would show as the reference date.
    private static func date(_ text: String) -> Date {
        guard case .date(let date)? = try? PropertyListValue.parse(text, as: .date) else {
            return Date(timeIntervalSinceReferenceDate: 0)
        }
        return date
    }
}
