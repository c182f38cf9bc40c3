import ProgramHarness
import PropertyList
import SettingsStore
import SettingsStoreTesting
import Testing

@Suite("Foreign changes and own sets are merged")
struct MergeTests {
    let place: MemoryStorage.Place
    let scheduler = ManualScheduler()
    let suite: SettingsSuite
    /// Writes the file as another process would.
    let other: SettingsSuite

    init() {
        place = MemoryStorage.Place(["a": 1, "b": 1], scheduler: scheduler)
        suite = SettingsSuite(MemoryStorage(place), scheduler: scheduler)
        other = SettingsSuite(MemoryStorage(place), scheduler: ManualScheduler())
    }

    @Test("A foreign change, addition and removal are adopted, each with one notification")
    func takenOver() throws {
        let changes = Recorder<Change>()
        let observation = suite.observe { if case .change(let change) = $0 { changes.note(change) } }
        other.set(2, forKey: "a")
        other.set(nil, forKey: "b")
        other.set(2, forKey: "c")
        try other.synchronize()
        scheduler.advance()
        #expect(suite.storedValues == ["a": 2, "c": 2])
        #expect(Set(changes.all.map(\.key)) == ["a", "b", "c"])
        #expect(changes.all.count == 3)
        #expect(changes.all.allSatisfy { $0.origin == .otherProcess })
        withExtendedLifetime(observation) {}
    }

    @Test("A pending set or removal of a key stays, and replaces the foreign value")
    func pendingWins() throws {
        let changes = Recorder<PropertyListValue?>()
        let observation = suite.observe("a") { changes.note($0.new) }.observation
        suite.set("mine", forKey: "a")
        suite.set(nil, forKey: "b")
        for key in ["a", "b", "c"] { other.set("theirs", forKey: key) }
        try other.synchronize()
        try suite.synchronize()
        #expect(suite.storedValues == ["a": "mine", "c": "theirs"])
        #expect(place.values == ["a": "mine", "c": "theirs"])
        #expect(changes.all == ["mine"])
        observation.cancel()
    }

    /// A storage that another process changes just before the watch begins.
    private struct LateStorage: SuiteStorage {
        var base: MemoryStorage
        let beforeWatching: @Sendable () -> Void

        var location: String { base.location }
        mutating func read() -> StorageReading { base.read() }
        mutating func update(_ decide: (StorageReading) -> StorageWrite) { base.update(decide) }
        func watch(_ notify: @escaping @Sendable () -> Void) -> StorageWatch {
            beforeWatching()
            return base.watch(notify)
        }
    }

    @Test("A foreign change just before the watch begins is not missed")
    func beforeTheWatch() throws {
        let storage = LateStorage(base: MemoryStorage(place)) { [other] in
            other.set("late", forKey: "a")
            try? other.synchronize()
        }
        let suite = SettingsSuite(storage, scheduler: scheduler)
        #expect(suite.value(forKey: "a") == 1)
        let (initial, observation) = suite.observe("a") { _ in }
        #expect(initial == "late")
        observation.cancel()
    }

    @Test("A suite that is released stores its pending values")
    func lastHandle() {
        let place = MemoryStorage.Place()
        let scheduler = ManualScheduler()
        SettingsSuite(MemoryStorage(place), scheduler: scheduler).set(1, forKey: "a")
        scheduler.advance()
        #expect(place.values == ["a": 1])
    }

    @Test("A registered default counts without a stored value, is never stored, and the first one stays")
    func registration() throws {
        #expect(suite.register(["a": 0, "x": 0]) == [])
        #expect(suite.register(["x": 1, "y": 2, "a": 0]) == ["x"])
        #expect(suite.value(forKey: "a") == 1)
        #expect(suite.value(forKey: "x") == 0)
        #expect(suite.storedValue(forKey: "x") == nil)
        #expect(suite.registeredValues == ["a": 0, "x": 0, "y": 2])
        suite.set(nil, forKey: "a")
        try suite.synchronize()
        #expect(suite.value(forKey: "a") == 0)
        #expect(place.values == ["b": 1])
    }
}

@Suite("Several keys are replaced on a condition")
struct ReplaceTests {
    let place = MemoryStorage.Place(["a": 1])
    let suite: SettingsSuite
    let other: SettingsSuite

    init() {
        suite = SettingsSuite(MemoryStorage(place), scheduler: ManualScheduler())
        other = SettingsSuite(MemoryStorage(place), scheduler: ManualScheduler())
        _ = suite.storedValues
    }

    @Test("The keys are replaced and observers notified if all values are as expected")
    func takesPlace() throws {
        let changes = Recorder<Change>()
        let observation = suite.observe("a") { changes.note($0) }.observation
        let writer = WriterID()
        try suite.replace(
            ["a": nil, "b": 2],
            expecting: ["a": 1, "b": nil],
            origin: .migration(by: writer)
        )
        #expect(place.values == ["b": 2])
        #expect(suite.storedValues == ["b": 2])
        #expect(changes.all.map(\.origin) == [.migration(by: writer)])
        observation.cancel()
    }

    @Test("A foreign change that was not read yet is a conflict with the stored value")
    func conflict() throws {
        other.set(2, forKey: "a")
        try other.synchronize()
        #expect(throws: SettingsError.conflict(current: ["a": 2])) {
            try suite.replace(["a": 3, "b": 3], expecting: ["a": 1, "b": nil])
        }
        #expect(place.values == ["a": 2])
        #expect(suite.storedValues == ["a": 2])
    }

    @Test("Pending values are stored with it, even after a conflict")
    func pending() throws {
        suite.set(1, forKey: "set before")
        #expect(throws: SettingsError.conflict(current: ["gone": nil])) {
            try suite.replace(["a": 3], expecting: ["gone": 1])
        }
        #expect(place.values == ["a": 1, "set before": 1])
        #expect(suite.status.pendingKeys == 0)
    }

    @Test("The condition compares the pending value of a key, and the new value replaces it")
    func pendingOfSameKey() throws {
        suite.set(2, forKey: "a")
        try suite.replace(["a": 3], expecting: ["a": 2])
        #expect(place.values == ["a": 3])
        #expect(suite.value(forKey: "a") == 3)
        #expect(suite.status.pendingKeys == 0)
    }
}

@Suite("Names of suites")
struct SuiteNameTests {
    @Test(
        "A name that would leave the folder or is no file name is refused",
        arguments: [
            ("", "is empty"), ("a/b", "“/”"), ("/abs", "“/”"), ("../x", "“/”"), ("..", "starts with"),
            (".", "starts with"), (".hidden", "starts with"), ("a\0b", "NUL"),
            (String(repeating: "x", count: 250), "has 250 bytes; at most 249 fit into a file name"),
            (String(repeating: "é", count: 125), "has 250 bytes"),
        ]
    )
    func refused(_ name: String, _ problem: String) throws {
        let error = #expect(throws: SuiteNameError.self) { try SuiteName(name) }
        #expect(error?.description.contains(problem) == true)
        #expect(throws: SuiteNameError.self) { try SettingsSuite(named: name) }
    }

    @Test(
        "Every other name is accepted, and found again by its file name",
        arguments: [
            "a", "com.example.app", "with space", "ünïcode", "名前", "a..b", "-rf", "x.plist", "\u{600}",
            "new\nline", String(repeating: "x", count: 249),
        ]
    )
    func taken(_ name: String) throws {
        let suiteName = try SuiteName(name)
        #expect(suiteName.fileName == name + ".plist")
        #expect(SuiteName(fileName: suiteName.fileName) == suiteName)
    }

    @Test("Files with other names are no suites", arguments: [".plist", "a.txt", "a", ".a.plist", "a.PLIST"])
    func noSuite(_ fileName: String) { #expect(SuiteName(fileName: fileName) == nil) }

    @Test("Two Unicode spellings of one letter are two files, two names and two suites")
    func spellings() throws {
        let composed = try SuiteName("caf\u{E9}")
        let decomposed = try SuiteName("cafe\u{301}")
        #expect(composed != decomposed)
        let folder = try TemporaryFolder()
        let first = SettingsSuite(composed, in: SettingsFolder(path: folder.path))
        let second = SettingsSuite(decomposed, in: SettingsFolder(path: folder.path))
        #expect(first != second)
        first.set(1, forKey: "a")
        try first.synchronize()
        #expect(second.value(forKey: "a") == nil)
    }
}
