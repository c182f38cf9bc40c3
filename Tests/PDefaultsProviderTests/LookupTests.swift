#if Configuration
import Configuration
import Foundation
import PDefaultsProvider
import ProgramHarness
@testable import SettingsStore
import Testing

@Suite("Values of a suite for swift-configuration")
struct LookupTests {
    private func provider(_ values: [String: PropertyListValue]) -> PDefaultsProvider {
        PDefaultsProvider(suite: .inMemory(values))
    }

    // MARK: Keys

    @Test("A key with dots wins over a member of a dictionary")
    func longestKey() throws {
        let provider = provider(["http.port": 1, "http": ["port": 2, "host": "a"]])
        #expect(try provider.content("http.port", .int) == .int(1))
        #expect(try provider.content("http.host", .string) == .string("a"))
    }

    @Test("At any depth, the longest key wins")
    func depth() throws {
        let provider = provider([
            "a": ["b": ["c": 1, "d": 2, "e": 3], "b.c": 4],
            "a.b": ["d": 5],
        ])
        #expect(try provider.content("a.b.c", .int) == .int(4))
        #expect(try provider.content("a.b.d", .int) == .int(5))
        #expect(try provider.content("a.b.e", .int) == .int(3))
        #expect(try provider.content("a.b.f", .int) == nil)
    }

    @Test("A key that leads through a value without members is missing")
    func noMembers() throws {
        let provider = provider(["http": "on", "list": [1, 2]])
        #expect(try provider.content("http.port", .int) == nil)
        #expect(try provider.content("list.0", .int) == nil)
    }

    @Test("A component may contain dots and be empty")
    func components() throws {
        let provider = provider(["a.b": ["": 1]])
        #expect(try provider.value(forKey: ["a.b", ""], type: .int).value?.content == .int(1))
        #expect(try provider.value(forKey: [], type: .int).value == nil)
    }

    @Test("A JSON file is read like a property list, with its members, numbers, Base64 and null")
    func json() throws {
        let folder = try TemporaryFolder()
        let text = #"""
            {"http": {"port": 8.08e3, "ratio": 1.50, "key": "AQI="}, "none": null, "ids": [1.0, 2]} // end
            """#
        try folder.write(text, to: "config.json")
        let provider = PDefaultsProvider(suite: SettingsSuite(file: folder.file("config.json")))
        #expect(try provider.content("http.port", .int) == .int(8080))
        #expect(try provider.content("http.ratio", .double) == .double(1.5))
        #expect(try provider.content("http.key", .bytes) == .bytes([1, 2]))
        #expect(try provider.content("ids", .intArray) == .intArray([1, 2]))
        #expect(try provider.content("none", .string) == nil)
        #expect(throws: PDefaultsProviderError.self) {
            try self.provider(["key": "AQI="]).content("key", .bytes)
        }
    }

    // MARK: Types

    @Test("Numbers are read as properties read them")
    func numbers() throws {
        let provider = provider(["one": 1, "real": 2.0, "half": 0.5, "true": true, "list": [1, 2.0]])
        #expect(try provider.content("one", .double) == .double(1))
        #expect(try provider.content("one", .bool) == .bool(true))
        #expect(try provider.content("real", .int) == .int(2))
        #expect(try provider.content("list", .intArray) == .intArray([1, 2]))
        #expect(throws: PDefaultsProviderError.self) { try provider.content("half", .int) }
        #expect(throws: PDefaultsProviderError.self) { try provider.content("true", .int) }
        #expect(throws: PDefaultsProviderError.self) { try provider.content("one", .string) }
    }

    @Test("A date is read as a Date")
    func date() throws {
        let moment = Date(timeIntervalSince1970: 1_700_000_000.75)
        let provider = provider(["date": .date(moment), "list": [.date(moment)]])
        let reader = ConfigReader(provider: provider)
        let whole = Date(timeIntervalSince1970: 1_700_000_000)
        #expect(try reader.requiredString(forKey: "date", as: Date.self) == whole)
        #expect(try reader.requiredStringArray(forKey: "list", as: Date.self) == [whole])
        #expect(try provider.content("date", .string) == .string("2023-11-14T22:13:20Z"))
    }

    @Test(
        "Dates that swift-configuration can't read are errors",
        arguments: [1e300, -1e300, .nan, -7e10, 3e11]
    )
    func strangeDates(seconds: Double) {
        let provider = provider(["date": .date(Date(timeIntervalSince1970: seconds))])
        #expect(throws: PDefaultsProviderError.self) { try provider.content("date", .string) }
    }

    @Test("An unusable value is an error with its location and harms no other value")
    func unusable() throws {
        let suite = SettingsSuite.inMemory([
            "mixed": [1, "secret text", true], "reference": .uid(3), "http": ["port": "secret text"],
            "good": 7,
            "large": .integer(PropertyListInteger(UInt64.max)),
        ])
        let provider = PDefaultsProvider(suite: suite)
        func error(_ key: String, _ type: ConfigType) -> PDefaultsProviderError? {
            do {
                _ = try provider.content(key, type)
                return nil
            } catch { return error as? PDefaultsProviderError }
        }
        let mixed = try #require(error("mixed", .intArray))
        #expect(mixed.key == "mixed" && mixed.location == suite.location)
        #expect(mixed.reason == "element 1 is of the type string and can't be read as int")
        let port = try #require(error("http.port", .int))
        #expect(port.reason == "the value is of the type string and can't be read as int")
        #expect("\(port)".contains(suite.location) && "\(port)".contains("http.port"))
        for error in [mixed, port] { #expect(!"\(error)".contains("secret text")) }
        #expect(error("reference", .int) != nil)
        #expect(error("large", .int) != nil)
        #expect(error("http", .string) != nil)
        #expect(try provider.content("good", .int) == .int(7))
    }

    @Test("A reader with a default returns it instead of an unusable value, and reports the error")
    func reported() throws {
        let log = AccessLog()
        let reader = ConfigReader(provider: provider(["port": "many"]), accessReporter: log)
        #expect(reader.int(forKey: "port", default: 8080) == 8080)
        let result = try #require(log.events.first?.providerResults.first?.result)
        let error = #expect(throws: PDefaultsProviderError.self) { try result.get() }
        #expect(error?.key == "port")
        #expect(throws: PDefaultsProviderError.self) { try reader.requiredInt(forKey: "port") }
    }

    // MARK: Arguments and defaults

    @Test("An argument of the process comes before the stored value, and its text is parsed")
    func arguments() throws {
        let suite = SettingsSuite.inMemory(["volume": 1, "name": "stored"])
        suite.core.adopt(arguments: ["volume": "7", "list": ["1", "2"], "http": ["port": "80"]])
        let provider = PDefaultsProvider(suite: suite)
        #expect(try provider.content("volume", .int) == .int(7))
        #expect(try provider.content("volume", .string) == .string("7"))
        #expect(try provider.content("list", .doubleArray) == .doubleArray([1, 2]))
        #expect(try provider.content("http.port", .int) == .int(80))
        #expect(try provider.content("name", .string) == .string("stored"))
        suite.set(2, forKey: "volume")
        #expect(try provider.content("volume", .int) == .int(2))
    }

    @Test("The text of a stored value is not parsed")
    func storedText() {
        #expect(throws: PDefaultsProviderError.self) { try provider(["volume": "7"]).content("volume", .int) }
    }

    @Test("A default of the suite does not hide the values of later providers")
    func defaults() throws {
        let suite = SettingsSuite.inMemory()
        suite.register(["volume": 1])
        let later = InMemoryProvider(values: ["volume": 2])
        let reader = ConfigReader(providers: [PDefaultsProvider(suite: suite), later])
        #expect(reader.int(forKey: "volume") == 2)
    }

    // MARK: Unreadable suites

    @Test("A suite that was never readable makes every key an error, which names the line")
    func unreadable() throws {
        let folder = try TemporaryFolder()
        try folder.write("<plist>\n<dict>\n<oops", to: "App.plist")
        let provider = PDefaultsProvider(suite: SettingsSuite(file: folder.file("App.plist")))
        let error = #expect(throws: PDefaultsProviderError.self) { try provider.content("volume", .int) }
        #expect(error?.location == folder.file("App.plist"))
        #expect(error?.reason.contains("line 3") == true, "\(String(describing: error))")
        #expect(throws: PDefaultsProviderError.self) { try provider.snapshot().content("volume", .int) }
        #expect(throws: PDefaultsProviderError.self) {
            try ConfigReader(provider: provider).requiredInt(forKey: "volume")
        }
    }

    @Test("If a file becomes unreadable, the last values stay, and a fetch says so")
    func damaged() async throws {
        let folder = try TemporaryFolder()
        let path = folder.file("App.plist")
        try otherProcessStores(1, forKey: "volume", in: path)
        let provider = PDefaultsProvider(suite: SettingsSuite(file: path))
        try Data("oops".utf8).write(to: URL(fileURLWithPath: path), options: .atomic)
        await #expect(throws: PDefaultsProviderError.self) {
            try await provider.fetchValue(forKey: "volume", type: .int)
        }
        #expect(try provider.content("volume", .int) == .int(1))
        #expect(try provider.content("other", .int) == nil)
    }

    @Test("A fetch reads the file again")
    func fetch() async throws {
        let folder = try TemporaryFolder()
        let provider = PDefaultsProvider(suite: SettingsSuite(file: folder.file("App.plist")))
        for number in 1...20 {
            try otherProcessStores(number, forKey: "volume", in: folder.file("App.plist"))
            let result = try await provider.fetchValue(forKey: "volume", type: .int)
            #expect(result.value?.content == .int(number))
        }
    }
}
#endif
