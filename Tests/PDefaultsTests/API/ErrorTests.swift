import Foundation
import PDefaults
import ProgramHarness
import Testing

@Suite("Errors are reported and lose no value", .timeLimit(.minutes(60)))
struct ErrorTests {
    let suite = SettingsSuite.inMemory()

    /// A key for this test alone, so that its errors can be recognised.
    let key = "\(UUID())"

    private func next(_ errors: AsyncStream<PDefaultsError>) async -> PDefaultsError? {
        for await error in errors where error.key == key { return error }
        return nil
    }

    @Test("The description of an error is one line without control characters, and shortens long keys")
    func safe() throws {
        let folder = try TemporaryFolder()
        let path = folder.file("\u{1B}[2J\u{202E}\u{2028}\u{9B}.plist")
        let key = "\u{2066}\u{200F}\u{61C}\u{2029}\u{85}" + String(repeating: "k", count: 5_000)
        try Data(PropertyListValue.dictionary([key: "many"]).encoded(as: .binary)).write(
            to: URL(fileURLWithPath: path)
        )
        let result = try run(try builtProgram(named: "PropertyProgram"), ["overwrite", path, key, "1"])
        #expect(result.errors.contains("\\u{1B}[2J\\u{202E}\\u{2028}\\u{9B}.plist: key “\\u{2066}\\u{200F}"))
        #expect(!result.errors.contains(String(repeating: "k", count: 80)))
        let bad: Set<Unicode.Scalar> = [
            "\u{1B}", "\u{202E}", "\u{2028}", "\u{9B}", "\u{2066}", "\u{200F}", "\u{61C}", "\u{2029}",
            "\u{85}",
        ]
        #expect(bad.isDisjoint(with: result.errors.unicodeScalars))
    }

    @Test("A value that can't be encoded leaves stored value and property unchanged")
    func unencodable() async {
        let errors = PDefaultsConfiguration.errors
        @PDefaults(key, suite: suite) var speed = Speed(value: 1)
        let record = Record<Double>()
        let subscription = $speed.sink { record.add($0.value) }
        speed = Speed(value: 2)
        speed = Speed(value: .nan)
        #expect(speed.value == 2)
        #expect(suite.storedValue(forKey: key) == .data(Data(#"{"value":2}"#.utf8)))
        #expect(record.entries == [1, 2])
        #expect(await next(errors)?.problem == .unencodable)
        #expect(throws: PDefaultsError.self) { try _speed.set(Speed(value: .infinity)) }
        withExtendedLifetime(subscription) {}
    }

    @Test("The error handler is called as directly after many errors as after the first")
    func manyErrors() async {
        let errors = PDefaultsConfiguration.errors
        // A function that is wrapped in another one at each report would run out of stack.
        for _ in 0..<300_000 {
            _ = PDefaultsConfiguration.onError
            _ = SettingsSuite.onFailure
        }
        @PDefaults(key, suite: suite) var speed = Speed(value: 1)
        speed = Speed(value: .nan)
        #expect(await next(errors)?.problem == .unencodable)
    }

    @Test("An array with a nil inside is refused if its type is not Codable")
    func nilInList() {
        @PDefaults("list", suite: suite) var list: [Uncodable?] = []
        #expect(throws: PDefaultsError.self) { try _list.set([Uncodable(), nil]) }
        #expect(suite.storedValues.isEmpty && list.isEmpty)
    }

    @Test("A value that can't be decoded shows the default, is reported, and stays stored")
    func undecodable() async throws {
        let errors = PDefaultsConfiguration.errors
        suite.set("many", forKey: key)
        @PDefaults(key, suite: suite) var count = 3
        #expect(count == 3)
        #expect(suite.storedValue(forKey: key) == "many")
        let error = try #require(await next(errors))
        #expect(error.problem == .undecodable(stored: "many"))
        #expect(_count.current.state == .undecodable(error))
        #expect(throws: error) { try _count.get() }
        suite.set(4, forKey: key)
        #expect(count == 4)
        #expect(_count.current.state == .stored)
        _count.reset()
        #expect(_count.current.state == .default)
    }

    @Test("A throwing set throws if the file can't contain the value, and changes nothing")
    func refusedAtOnce() async throws {
        try await withFolder { folder in
            let suite = try SettingsSuite(named: "refusing", in: folder)
            @PDefaults("title", suite: suite) var title = "old"
            @PDefaults("titles", suite: suite) var titles = ["a": ["b"]]
            @PDefaults("since", suite: suite) var since: Date?
            try _title.set("stored")
            try suite.synchronize()
            for text in ["a\u{1}b", "\u{FFFE}", String(repeating: "x", count: 2000) + "\u{1}"] {
                let error = #expect(throws: PDefaultsError.self) { try _title.set(text) }
                #expect(error?.problem == .unencodable)
                #expect(error?.reason.contains("XML forbids the character U+") == true)
            }
            #expect(throws: PDefaultsError.self) { try _titles.set(["a": ["\u{1}"]]) }
            #expect(throws: PDefaultsError.self) { try _titles.set(["\u{1}": []]) }
            #expect(throws: PDefaultsError.self) {
                try _since.set(Date(timeIntervalSinceReferenceDate: 1e300))
            }
            #expect(suite.storedValues == ["title": "stored"] && title == "stored")
            try _since.set(Date(timeIntervalSinceReferenceDate: 0))
            try _title.set("\u{FF21}" + String(repeating: "x", count: 2000))
            try suite.synchronize()
            #expect(suite.storedValues.count == 2)
        }
    }

    @Test("The error of unreadable JSON names the path inside the JSON")
    func placeInJSON() throws {
        suite.set(.data(Data(#"{"x":1,"y":"two"}"#.utf8)), forKey: "point")
        let point = PDefaults(wrappedValue: Point(x: 0, y: 0), "point", suite: suite)
        let error = #expect(throws: PDefaultsError.self) { try point.get() }
        #expect(error?.reason.hasSuffix(" at y") == true)
    }

    @Test("A property registers no default unless it says so")
    func unregistered() {
        @PDefaults("n", suite: suite) var n = 1
        #expect(n == 1)
        #expect(suite.value(forKey: "n") == nil)
    }

    @Test("A value that the file can't contain is refused, and the previous one is published")
    func refusedByFile() async throws {
        try await withFolder { folder in
            let suite = try SettingsSuite(named: "refusing", in: folder)
            let errors = PDefaultsConfiguration.errors
            @PDefaults(key, suite: suite) var title = "old"
            title = "stored"
            try suite.synchronize()
            let record = Record<PDefaultsOrigin>()
            let subscription = _title.onUpdate { record.add($0.origin) }
            title = "\u{1B}[2J"
            await record.wait { $0.last == .refused }
            #expect(title == "stored")
            #expect(record.entries == [.thisProperty, .thisProperty, .refused])
            #expect(await next(errors)?.problem == .unencodable)
            withExtendedLifetime(subscription) {}
        }
    }

    @Test(
        "A value that an unreachable suite refuses is not reported as one without a form, secret or not",
        arguments: [false, true],
        [
            SettingsError.unreachable(path: "nowhere", reason: "Connection refused"),
            .notWritable(path: "nowhere", reason: "permission denied"),
        ]
    )
    func takenBack(isSecret: Bool, outage: SettingsError) async {
        let suite = SettingsSuite(UnreachableStorage(outage: outage))
        let errors = PDefaultsConfiguration.errors
        let reason = "its suite refused it, and reports the reason"
        if isSecret {
            @PDefaults(key, .secret, suite: suite) var token = "old"
            token = "new"
            #expect(await next(errors)?.reason == reason)
            #expect(token == "old")
        } else {
            @PDefaults(key, suite: suite) var name = "old"
            name = "new"
            #expect(await next(errors)?.reason == reason)
            #expect(name == "old")
        }
    }

    @Test("The handler of errors finds the previous value after a refusal")
    func takenBackBeforeReport() async {
        // In a process of its own, because the handler is that of the whole process.
        await #expect(processExitsWith: .success) {
            let outage = SettingsError.unreachable(path: "nowhere", reason: "Connection refused")
            let suite = SettingsSuite(UnreachableStorage(outage: outage))
            let property = PDefaults(wrappedValue: "old", "name", suite: suite)
            let found = Record<String>()
            PDefaultsConfiguration.onError = { error in
                if error.key == "name" { found.add(property.wrappedValue) }
            }
            property.wrappedValue = "new"
            await found.wait { !$0.isEmpty }
            #expect(found.entries == ["old"])
        }
    }
}

/// Storage that can't be reached, and refuses what is set.
private struct UnreachableStorage: SuiteStorage {
    let location = "nowhere"
    let outage: SettingsError

    var traits: StorageTraits {
        var traits = StorageTraits()
        traits.refusesWhileUnreachable = true
        return traits
    }

    mutating func read() throws(SettingsError) -> StorageReading {
        StorageReading(.none, exists: true, outage: outage)
    }

    mutating func update(_ decide: (StorageReading) -> StorageWrite) throws(SettingsError) { throw outage }

    func watch(_ hint: @escaping @Sendable () -> Void) -> StorageWatch {
        StorageWatch(heldBy: Record<Int>()) { _ in .events }
    }
}

private struct Uncodable: PropertyListConvertible {
    init() {}

    func propertyListForm() -> Int { 1 }

    init?(propertyListForm form: Int) {}
}

private struct Speed: Codable {
    var value: Double
}

@Suite("Suites that can't be read or written")
struct SuiteFailureTests {
    @Test(
        "The failure is reported, and pending values stay in memory until they can be stored",
        .timeLimit(.minutes(60))
    )
    func unreadable() async throws {
        let folder = try TemporaryFolder()
        let file = URL(fileURLWithPath: folder.file("app.plist"))
        try Data("no property list".utf8).write(to: file)
        let suite = SettingsSuite(file: file.path)
        let errors = PDefaultsConfiguration.errors
        @PDefaults("name", suite: suite) var name = "Pitt"
        #expect(name == "Pitt")
        var report: PDefaultsError?
        for await error in errors where error.location == suite.location {
            report = error
            break
        }
        guard case .suite(.unreadable) = report?.problem else {
            Issue.record("reported: \(String(describing: report))")
            return
        }
        name = "François"
        #expect(name == "François")
        #expect(try Data(contentsOf: file) == Data("no property list".utf8))
        try FileManager.default.removeItem(at: file)
        try suite.synchronize()
        #expect(try String(contentsOf: file, encoding: .utf8).contains("François"))
    }
}
