import Foundation
import PDefaults
import ProgramHarness
import Testing

private enum Look: String, Codable, CaseIterable { case light, dark }
private enum Wind: Int, CaseIterable { case north, west }
private enum Open: String { case one, two }

private struct Numbered: RawRepresentable, CaseIterable {
    static var allCases: [Numbered] { (0..<300).map(Numbered.init(rawValue:)) }

    var rawValue: Int
}

@Suite("Declarations of settings")
struct DeclarationTests {
    let suite = SettingsSuite.inMemory()

    @Test("The suite has the declared type, default, limits, cases, title and help")
    func declared() {
        @PDefaults("volume", .title("Volume"), .help("How loud it is."), .range(0...11), suite: suite)
        var volume = 5
        @PDefaults("level", .range(1...), suite: suite) var level: UInt8?
        @PDefaults("zoom", .range(0.25..<4), defaultValue: 1, suite: suite) var zoom: Double
        @PDefaults("ratio", .range(...1.5), suite: suite) var ratio: Double?
        @PDefaults("since", .range(Date(timeIntervalSince1970: 0)...), suite: suite) var since: Date?
        @PDefaults("name", .length(1...20), suite: suite) var name = "Pitt"
        @PDefaults("look", suite: suite) var look = Look.light
        @PDefaults("wind", suite: suite) var wind: Wind?
        @PDefaults("choice", .cases(.one, .two), suite: suite) var choice = Open.one
        @PDefaults("size", .cases(10, 20, 50), suite: suite) var size: Int = 10
        @PDefaults("token", .title("Token"), .secret, suite: suite) var token = "hunter2"
        @PDefaults("password", .secret, suite: suite) var password: String?
        @PDefaults("old", .deprecated("Use “look”."), suite: suite) var old = true
        @PDefaults("window", .formerly("frame"), suite: suite) var window = Point(x: 1, y: 2)
        @PDefaults("maybe", .help("JSON"), suite: suite) var maybe: Point?
        @PDefaults("place", suite: suite) var place = CGPoint.zero
        @PDefaults("id", suite: suite) var id: UUID?
        @PDefaults("home", suite: suite) var home: URL?
        @PDefaults("ports", suite: suite) var ports: [String: UInt16] = ["web": 80]
        @PDefaults("any", suite: suite) var any: [String: PropertyListValue] = [:]
        var expected: [String: SettingDeclaration] = [
            "volume": SettingDeclaration(
                .integer(Bounds(0, 11)),
                defaultValue: 5,
                title: "Volume",
                help: "How loud it is."
            ),
            "level": SettingDeclaration(.integer(Bounds(1, 255))),
            "zoom": SettingDeclaration(.real(Bounds(0.25, 4, excludesUpper: true)), defaultValue: 1.0),
            "since": SettingDeclaration(.date(Bounds(Date(timeIntervalSince1970: 0), nil))),
            "name": SettingDeclaration(
                .string(StringShape(length: Bounds(1, 20))),
                defaultValue: "Pitt"
            ),
            "look": SettingDeclaration(
                .string(),
                cases: [SettingCase("light"), SettingCase("dark")],
                defaultValue: "light"
            ),
            "choice": SettingDeclaration(
                .string(),
                cases: [SettingCase("one"), SettingCase("two")],
                defaultValue: "one"
            ),
            "token": SettingDeclaration(
                .string(),
                defaultValue: "hunter2",
                title: "Token",
                isSecret: true
            ),
            "old": SettingDeclaration(.boolean, defaultValue: true, deprecation: "Use “look”."),
            "window": SettingDeclaration(
                .json,
                defaultValue: .data(Data(#"{"x":1,"y":2}"#.utf8)),
                oldKeys: ["frame"]
            ),
            "place": SettingDeclaration(
                .record(["x": .init(.real()), "y": .init(.real())]),
                defaultValue: ["x": 0.0, "y": 0.0]
            ),
            "id": SettingDeclaration(.string(StringShape(format: .uuid))),
            "home": SettingDeclaration(.string(StringShape(format: .uri))),
            "ports": SettingDeclaration(
                .dictionary(of: .integer(Bounds(0, 65535))),
                defaultValue: ["web": 80]
            ),
            "any": SettingDeclaration(.dictionary(of: .anything), defaultValue: [:]),
        ]
        let whole = Bounds(PropertyListInteger(Int64.min), PropertyListInteger(Int64.max))
        expected["ratio"] = SettingDeclaration(.real(Bounds(nil, 1.5)))
        expected["password"] = SettingDeclaration(.string(), isSecret: true)
        expected["maybe"] = SettingDeclaration(.json, help: "JSON")
        expected["wind"] = SettingDeclaration(
            .integer(whole),
            cases: [SettingCase(0, title: "north"), SettingCase(1, title: "west")]
        )
        expected["size"] = SettingDeclaration(
            .integer(whole),
            cases: [SettingCase(10), SettingCase(20), SettingCase(50)],
            defaultValue: 10
        )
        let declared = suite.declared.declarations
        for (key, declaration) in expected { #expect(declared[key] == declaration, "\(key)") }
        #expect(declared.count == expected.count)
        #expect(suite.storedValues.isEmpty)
    }

    @Test("The first use of a property writes the schema file, and a mocked process writes none")
    func exported() async throws {
        try await withFolder { folder in
            let path = folder.path + "/app.plist"
            let program = try builtProgram(named: "PropertyProgram")
            #expect(try run(program, ["declare", path]).output == "5\n")
            let schema = try SettingsSuite(file: path).readSchema()
            #expect(Set(schema.declarations.keys) == ["volume", "zoom", "isLoud", "name", "tags", "window"])
            #expect(schema.declarations["volume"]?.limitsText == "0 to 11")
            #expect(!FileManager.default.fileExists(atPath: path))
        }
        try await withFolder { folder in
            let scheduler = ImmediateScheduler()
            let suite = SettingsSuite(FileStorage(path: folder.path + "/app.plist"), scheduler: scheduler)
            PDefaultsConfiguration.withMock {
                @PDefaults("volume", .range(0...11), suite: suite) var volume = 5
                volume = 7
                #expect(throws: PDefaultsError.self) { try _volume.set(12) }
            }
            @PDefaults("volume", .range(0...11), suite: suite) var volume = 5
            _volume.mock = true
            volume = 7
            let whileMocked = try FileManager.default.contentsOfDirectory(atPath: folder.path)
            #expect(whileMocked == [])
            _volume.mock = false
            #expect(volume == 5)
            let after = try FileManager.default.contentsOfDirectory(atPath: folder.path)
            #expect(after == ["app.schema.json"])
        }
    }
}

/// A scheduler that runs work at once.
private struct ImmediateScheduler: WorkScheduler {
    func run(_ work: @escaping @Sendable () -> Void) { work() }
    func run(after seconds: Double, _ work: @escaping @Sendable () -> Void) { work() }
}

@Suite("Values outside of the declared limits")
struct ValidationTests {
    let suite = SettingsSuite.inMemory()
    /// A key for this test alone, so that its errors can be recognised.
    let key = "\(UUID())"

    private func next(_ errors: AsyncStream<PDefaultsError>) async -> PDefaultsError? {
        for await error in errors where error.key == key { return error }
        return nil
    }

    @Test("An invalid value is not set, and the error is reported or thrown")
    func property() async throws {
        let errors = PDefaultsConfiguration.errors
        @PDefaults(key, .range(0...11), suite: suite) var volume = 5
        let record = Record<Int>()
        let subscription = $volume.sink { record.add($0) }
        volume = 7
        volume = 12
        #expect(volume == 7 && suite.storedValue(forKey: key) == 7)
        #expect(record.entries == [5, 7])
        let error = try #require(await next(errors))
        #expect(error.problem == .invalid)
        #expect(error.reason == "12 is above 11, the largest that is allowed")
        #expect(throws: error) { try _volume.set(12) }
        withExtendedLifetime(subscription) {}
    }

    @Test("Another property on the key and the suite's methods can't set an invalid value either")
    func verbs() async {
        @PDefaults(key, .range(0...11), suite: suite) var volume = 5
        @PDefaults(key, suite: suite) var plain = 5
        let errors = PDefaultsConfiguration.errors
        plain = 12
        #expect(await next(errors)?.problem == .invalid)
        suite.set(12 as Any, forKey: key)
        #expect(await next(errors)?.problem == .invalid)
        suite.set("loud", forKey: key)
        #expect(await next(errors)?.problem == .invalid)
        #expect(suite.storedValues.isEmpty && volume == 5)
        suite.set(11 as Any, forKey: key)
        #expect(volume == 11 && plain == 11)
    }

    @Test("An invalid value of another process shows the default, has its reason, and is reported once")
    func foreign() async throws {
        let errors = PDefaultsConfiguration.errors
        let processes = TwoProcesses()
        @PDefaults(key, .range(0...11), suite: processes.here) var volume = 5
        let record = Record<PDefaultsState>()
        let subscription = _volume.onUpdate { record.add($0.state) }
        try processes.there.write(12, forKey: key)
        try processes.here.synchronize()
        #expect(volume == 5 && volume == 5)
        let error = try #require(await next(errors))
        #expect(error.problem == .invalidStored(12))
        await record.wait { $0.count == 2 }
        #expect(_volume.current.state == .invalid(error))
        #expect(throws: error) { try _volume.get() }
        #expect(processes.place.values == [key: 12])
        try processes.there.write(9, forKey: key)
        try processes.here.synchronize()
        await record.wait { $0.count == 3 }
        #expect(volume == 9)
        #expect(record.entries == [.default, .invalid(error), .stored])
        try processes.there.write(-1, forKey: key)
        try processes.here.synchronize()
        // If the error of the previous value were reported twice, it would come first.
        #expect(await next(errors)?.problem == .invalidStored(-1))
        withExtendedLifetime(subscription) {}
    }

    @Test("The cases of an optional have the titles of the wrapped type")
    func optionalCases() {
        @PDefaults("size", .cases(10, 20), suite: suite) var size: Int?
        @PDefaults("look", .cases(.light), suite: suite) var look: Look?
        #expect(suite.declared.declarations["size"]?.cases == [SettingCase(10), SettingCase(20)])
        #expect(suite.declared.declarations["look"]?.cases == [SettingCase("light")])
        withExtendedLifetime((size, look)) {}
    }

    @Test(
        "A second declaration of a key adds its traits, and a value must be within both ranges",
        .timeLimit(.minutes(60))
    )
    func severalDeclarations() async {
        let errors = PDefaultsConfiguration.errors
        @PDefaults(key, suite: suite) var plain = 1
        @PDefaults(key, .range(0...3), suite: suite) var narrow = 1
        @PDefaults(key, .title("Wide"), .range(0...30), suite: suite) var wide = 1
        #expect(suite.declared.declarations[key]?.title == "Wide")
        plain = 20
        #expect(await next(errors)?.problem == .invalid)
        wide = 20
        #expect(await next(errors)?.problem == .invalid)
        #expect(plain == 1 && narrow == 1 && wide == 1)
    }

    @Test("A declaration lists no cases if there are too many to choose from")
    func manyCases() {
        @PDefaults("many", suite: suite) var many = Numbered(rawValue: 1)
        @PDefaults("few", suite: suite) var few = Look.light
        #expect(suite.declared.declarations["many"]?.cases == [])
        #expect(suite.declared.declarations["few"]?.cases.count == 2)
        withExtendedLifetime((many, few)) {}
    }

    @Test("An invalid default shows and is reported")
    func ownDefault() async {
        let errors = PDefaultsConfiguration.errors
        @PDefaults(key, .range(0...11), suite: suite) var volume = 50
        #expect(volume == 50)
        #expect(await next(errors)?.problem == .invalidDefault)
    }

    @Test("The error of an invalid secret does not quote the value")
    func secret() async {
        let errors = PDefaultsConfiguration.errors
        @PDefaults(key, .length(8...), .secret, suite: suite) var token: String?
        token = "hunter2"
        let error = await next(errors)
        #expect(error.map { "\($0)" }?.contains("hunter2") == false && token == nil)
    }

    @Test(
        "No error of a secret contains a stored value, its JSON or a default",
        arguments: [false, true]
    )
    func secrets(_ isSaidElsewhere: Bool) async throws {
        let errors = PDefaultsConfiguration.errors
        // A second declaration of the key may make it a secret.
        func property<Value: Codable & Sendable>(_ start: Value) -> PDefaults<Value> {
            if !isSaidElsewhere { return PDefaults(wrappedValue: start, key, .secret, suite: suite) }
            _ = PDefaults(wrappedValue: start, key, .secret, suite: suite)
            return PDefaults(wrappedValue: start, key, suite: suite)
        }
        func check(_ error: PDefaultsError?, _ problem: PDefaultsError.Problem) {
            #expect(error?.problem == problem)
            #expect(error.map { "\($0) \(String(reflecting: $0))" }?.contains("hunter2") == false)
        }
        let json = property(Point(x: 0, y: 0))
        suite.setChecked(.data(Data(#"{"x": "hunter2"}"#.utf8)), forKey: key, origin: .set(by: nil))
        check(#expect(throws: PDefaultsError.self) { try json.get() }, .undecodable(stored: nil))
        check(await next(errors), .undecodable(stored: nil))
        if case .undecodable(let error) = json.current.state { check(error, .undecodable(stored: nil)) }
        let theme = property(Theme.light)
        suite.setChecked("hunter2", forKey: key, origin: .set(by: nil))
        check(#expect(throws: PDefaultsError.self) { try theme.get() }, .undecodable(stored: nil))
        withExtendedLifetime((json, theme)) {}
    }

    @Test("No error of a secret contains two defaults or a value that is too long", .timeLimit(.minutes(60)))
    func secretDefaults() async throws {
        let errors = PDefaultsConfiguration.errors
        @PDefaults(key, .secret, .length(...7), suite: suite, register: true) var one = "hunter1"
        @PDefaults(key, .secret, suite: suite, register: true) var two = "hunter2"
        let other = await next(errors)
        #expect(other?.problem == .otherDefault(registered: nil, declared: nil))
        suite.setChecked("hunter22", forKey: key, origin: .set(by: nil))
        let error = #expect(throws: PDefaultsError.self) { try _one.get() }
        #expect(error?.problem == .invalidStored(nil))
        #expect([other, error].allSatisfy { "\($0 as Any)".contains("hunter") == false })
        withExtendedLifetime((one, two)) {}
    }

    @Test("An invalid value does not migrate")
    func migration() {
        @PDefaults("old", suite: suite) var old = 1
        @PDefaults("new", .range(0...11), suite: suite) var new = 5
        old = 12
        guard case .failed = _old.migrate(to: _new) else {
            Issue.record("migrated")
            return
        }
        #expect(suite.storedValues == ["old": 12])
    }
}

@Suite("Values of old keys")
struct OldKeyTests {
    let processes = TwoProcesses()

    @Test("The first use of a property moves the value of an old key, and stores it")
    func takenOver() {
        let suite = SettingsSuite(MemoryStorage(processes.place), scheduler: NoScheduler())
        suite.set(7, forKey: "sound")
        @PDefaults("volume", .formerly("loudness", "sound"), suite: suite) var volume = 5
        #expect(volume == 7)
        #expect(processes.place.values == ["volume": 7])
        #expect(_volume.current.state == .stored)
    }

    @Test("The value of an old key stays if another process has set a newer one")
    func quicker() throws {
        let processes = TwoProcesses()
        try processes.there.write("old", forKey: "theme")
        #expect(processes.here.storedValue(forKey: "theme") == "old")
        try processes.there.write("newer", forKey: "look")
        @PDefaults("look", .formerly("theme"), suite: processes.here) var look = "default"
        #expect(look == "newer")
        #expect(processes.place.values == ["look": "newer", "theme": "old"])
    }

    @Test("The value of an old key stays if the present key has one")
    func newer() {
        processes.here.set(["sound": 7, "volume": 9])
        @PDefaults("volume", .formerly("sound"), suite: processes.here) var volume = 5
        #expect(volume == 9)
        #expect(processes.here.storedValue(forKey: "sound") == 7)
    }

    @Test(
        "The value of an old key stays if it can't be read or is invalid",
        arguments: ["loud", 12] as [PropertyListValue]
    )
    func unreadable(_ value: PropertyListValue) {
        processes.here.set(value, forKey: "sound")
        @PDefaults("volume", .formerly("sound"), .range(0...11), suite: processes.here) var volume = 5
        #expect(volume == 5)
        #expect(processes.here.storedValues == ["sound": value])
    }

    @Test("The value of an old key shows if it can't be moved")
    func readOnly() async throws {
        try await withFolder { folder in
            try FileManager.default.createDirectory(
                atPath: folder.path + "/app.schema.json",
                withIntermediateDirectories: false
            )
            let path = folder.path + "/app.plist"
            let bytes = try PropertyListValue.dictionary(["sound": 7]).encoded(as: .xml)
            try Data(bytes).write(to: URL(fileURLWithPath: path))
            try blockWrites(in: folder.path)
            let suite = SettingsSuite(file: path)
            @PDefaults("volume", .formerly("sound"), suite: suite) var volume = 5
            #expect(volume == 7)
            #expect(suite.storedValues == ["sound": 7])
        }
    }
}
