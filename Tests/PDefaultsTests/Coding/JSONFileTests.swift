import Foundation
import PDefaults
import ProgramHarness
import Testing

@Suite("Properties in a JSON file")
struct JSONFileTests {
    private struct Window: Codable, Equatable {
        var width = 80
        var title: String?
    }

    private enum Theme: String, CaseIterable { case light, dark }

    private let folder: TemporaryFolder
    private let suite: SettingsSuite

    init() throws {
        folder = try TemporaryFolder()
        suite = SettingsSuite(file: folder.path + "/config.json")
    }

    private var text: String {
        get throws { String(decoding: try Data(contentsOf: URL(filePath: suite.location)), as: UTF8.self) }
    }

    private func write(_ text: String) throws { try Data(text.utf8).write(to: URL(filePath: suite.location)) }

    @Test("A Codable value is an object, a date a text, data Base64, and the rest looks as in Swift")
    func forms() throws {
        @PDefaults("window", suite: suite) var window = Window()
        @PDefaults("date", suite: suite) var date = Date(timeIntervalSince1970: 0)
        @PDefaults("data", suite: suite) var data = Data()
        @PDefaults("theme", suite: suite) var theme = Theme.light
        @PDefaults("list", suite: suite) var list: [Int?] = []
        @PDefaults("dates", suite: suite) var dates: [Date] = []
        @PDefaults("url", suite: suite) var url = URL(string: "https://example.org")
        window.width = 120
        date = Date(timeIntervalSince1970: 1_714_558_830)
        data = Data("hi".utf8)
        theme = .dark
        list = [1, nil]
        dates = [Date(timeIntervalSince1970: 0)]
        url = URL(string: "https://example.org/a")
        try suite.synchronize()
        let stored = try text
        for member in [
            #""data": "aGk=""#, #""date": "2024-05-01T10:20:30Z""#,
            "\"dates\": [\n    \"1970-01-01T00:00:00Z\"\n  ]",
            "\"list\": [\n    1,\n    null\n  ]", #""theme": "dark""#, #""url": "https://example.org/a""#,
            "\"window\": {\n    \"width\": 120\n  }",
        ] {
            #expect(stored.contains("\n  \(member)"), "\(stored)")
        }
        // Another process reads the same values.
        let there = SettingsSuite(FileStorage(path: suite.location))
        @PDefaults("window", suite: there) var otherWindow = Window()
        @PDefaults("date", suite: there) var otherDate = Date(timeIntervalSince1970: 0)
        @PDefaults("data", suite: there) var otherData = Data()
        @PDefaults("list", suite: there) var otherList: [Int?] = []
        @PDefaults("dates", suite: there) var otherDates: [Date] = []
        #expect(otherWindow == window && otherDate == date && otherData == data)
        #expect(otherList == list && otherDates == dates)
    }

    @Test("What a person writes is read: numbers of any spelling, null, and objects with comments")
    func byHand() throws {
        try write(
            """
            {
              // by hand
              "size": 1.4e1, "ratio": 2, "name": null, "window": {"width": 90, /* wide */ "title": "x",},
            }
            """
        )
        @PDefaults("size", suite: suite) var size = 1
        @PDefaults("ratio", suite: suite) var ratio = 0.5
        @PDefaults("name", suite: suite) var name: String?
        @PDefaults("window", suite: suite) var window = Window()
        #expect(size == 14 && ratio == 2 && name == nil)
        #expect(window == Window(width: 90, title: "x"))
        window.width = 91
        name = nil
        try suite.synchronize()
        #expect(
            try text == """
                {
                  // by hand
                  "size": 1.4e1, "ratio": 2, "window": {"width": 91, /* wide */ "title": "x",},
                }
                """
        )
    }

    @Test("-0 is 0 for an Int and -0.0 for a Double, and its spelling stays")
    func minusZero() throws {
        try write("{\"whole\": -0, \"real\": -0, \"other\": 1}")
        @PDefaults("whole", suite: suite) var whole = 1
        @PDefaults("real", suite: suite) var real = 1.0
        @PDefaults("other", suite: suite) var other = 1
        #expect(whole == 0 && real == 0 && real.sign == .minus)
        other = 2
        try suite.synchronize()
        #expect(try text == "{\"whole\": -0, \"real\": -0, \"other\": 2}")
    }

    @Test("Only an optional property allows null in its schema, and keeps its limits")
    func declaredNull() throws {
        try write("{}")
        @PDefaults("size", .range(1...5), suite: suite) var size: Int?
        @PDefaults("count", suite: suite) var count = 1
        _ = (size, count)
        let declared = suite.declared.declarations
        for (key, value, isAllowed) in [
            ("size", .null, true), ("size", 3, true), ("size", 6, false), ("count", .null, false),
        ] as [(String, PropertyListValue, Bool)] {
            #expect((declared[key]?.problem(with: value) == nil) == isAllowed, "\(key) \(value)")
        }
    }

    @Test("A change that a person makes in a text editor is published")
    func published() async throws {
        try write(#"{"volume": 5}"#)
        @PDefaults("volume", suite: suite) var volume = 1
        let record = Record<Int>()
        let subscription = $volume.sink { record.add($0) }
        await record.wait { $0 == [5] }
        try write("{\n  \"volume\": 7 // louder\n}\n")
        await record.wait { $0 == [5, 7] }
        withExtendedLifetime(subscription) {}
    }

    @Test("The suite's own methods have the same forms")
    func methods() throws {
        suite.set(encoding: Window(width: 5, title: nil), forKey: "window")
        suite.set(Date(timeIntervalSince1970: 0), forKey: "date")
        suite.set(Data("hi".utf8), forKey: "data")
        #expect(suite.value(forKey: "window") == ["width": 5])
        #expect(suite.decodable(forKey: "window") == Window(width: 5))
        #expect(suite.convertible(forKey: "date") == Date(timeIntervalSince1970: 0))
        #expect(suite.data(forKey: "data") == Data("hi".utf8))
    }

    @Test("A value that JSON can't hold throws, and nothing changes")
    func refused() throws {
        let property = PDefaults(wrappedValue: 1.0, "ratio", suite: suite)
        #expect(throws: PDefaultsError.self) { try property.set(.infinity) }
        #expect(try property.get() == 1)
    }
}
