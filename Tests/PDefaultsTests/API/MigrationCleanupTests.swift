import Foundation
import PDefaults
import ProgramHarness
import Synchronization
import Testing

@Suite("Cleanup after a migration to another suite", .timeLimit(.minutes(60)))
struct MigrationCleanupTests {
    @Test(
        "synchronize() of either suite waits until the value and the mark are removed",
        arguments: [0, 1]
    )
    func waits(_ which: Int) throws {
        let places = [MemoryStorage.Place(["count": 5.0]), MemoryStorage.Place()]
        let suites = places.map { SettingsSuite(MemoryStorage($0), scheduler: NoScheduler()) }
        @PDefaults("count", suite: suites[0]) var count = 1.0
        @PDefaults("index", suite: suites[1]) var index = 0
        _count.migrate(to: _index) { Int($0) - 1 }
        #expect(places[0].values == ["count": 5.0] && places[1].values == nil)
        try suites[which].synchronize()
        #expect(places[0].values == [:] && places[1].values == ["index": 4])
        #expect(suites[1].storedValues == ["index": 4])
    }

    @Test("The end of the process waits for the cleanup")
    func endOfProcess() async throws {
        let program = try builtProgram(named: "PropertyProgram")
        for _ in 0..<8 {
            try await withFolder { folder in
                let path = folder.path
                try SettingsSuite(FileStorage(path: path + "/from.plist")).write(5.0, forKey: "count")
                let result = try run(program, ["migrate", path])
                #expect(result.output == "1.0 4\n")
                #expect(SettingsSuite(FileStorage(path: path + "/from.plist")).storedValues.isEmpty)
                #expect(SettingsSuite(FileStorage(path: path + "/to.plist")).storedValues == ["index": 4])
            }
        }
    }

    @Test("The source keeps its value only as long as the target can't be stored")
    func targetFails() async throws {
        try await withFolder { folder in
            let place = MemoryStorage.Place(["count": 5.0])
            let from = SettingsSuite(MemoryStorage(place), scheduler: NoScheduler())
            let to = SettingsSuite(FileStorage(path: folder.path + "/to.plist"), scheduler: NoScheduler())
            try blockWrites(in: folder.path)
            @PDefaults("count", suite: from) var count = 1.0
            @PDefaults("index", suite: to) var index = 0
            _count.migrate(to: _index) { Int($0) - 1 }
            for suite in [from, to, from] {
                #expect(throws: SettingsError.self) { try suite.synchronize() }
                #expect(place.values == ["count": 5.0])
            }
            #expect(count == 1 && index == 4)
            try unblockWrites(in: folder.path)
            try from.synchronize()
            #expect(place.values == [:])
            #expect(SettingsSuite(FileStorage(path: to.location)).storedValues == ["index": 4])
        }
    }

    @Test("The source keeps its value if the target's unreachable service refuses the new one")
    func targetTakesBack() throws {
        let (from, to) = (MemoryStorage.Place(["count": 5.0]), MemoryStorage.Place())
        let isReachable = Mutex(false)
        let suite = SettingsSuite(
            RefusingStorage(MemoryStorage(to)) { isReachable.withLock { $0 } },
            scheduler: NoScheduler()
        )
        let source = SettingsSuite(MemoryStorage(from), scheduler: NoScheduler())
        @PDefaults("count", suite: source) var count = 1.0
        @PDefaults("index", suite: suite) var index = 0
        _count.migrate(to: _index) { Int($0) - 1 }
        #expect(throws: SettingsError.self) { try suite.synchronize() }
        #expect(index == 0)
        isReachable.withLock { $0 = true }
        try suite.synchronize()
        try source.synchronize()
        try suite.synchronize()
        #expect(from.values == ["count": 5.0] && to.values == nil)
        withExtendedLifetime(count) {}
    }

    @Test("A source that can't be written keeps its value, and only its own synchronize() throws")
    func sourceFails() async throws {
        try await withFolder { folder in
            let from = SettingsSuite(FileStorage(path: folder.path + "/from.plist"), scheduler: NoScheduler())
            try from.write(5.0, forKey: "count")
            try blockWrites(in: folder.path)
            let place = MemoryStorage.Place()
            let to = SettingsSuite(MemoryStorage(place), scheduler: NoScheduler())
            @PDefaults("count", suite: from) var count = 1.0
            @PDefaults("index", suite: to) var index = 0
            _count.migrate(to: _index) { Int($0) - 1 }
            try to.synchronize()
            #expect(place.values?.keys.sorted() == ["PDefaults.migration.index", "index"])
            #expect(throws: SettingsError.self) { try from.synchronize() }
            try unblockWrites(in: folder.path)
            try from.synchronize()
            #expect(place.values == ["index": 4])
            #expect(SettingsSuite(FileStorage(path: from.location)).storedValues.isEmpty)
            withExtendedLifetime((count, index)) {}
        }
    }
}

/// Storage in memory that can be made unreachable, and then refuses every write.
private struct RefusingStorage: SuiteStorage {
    private var storage: MemoryStorage
    private let isReachable: @Sendable () -> Bool

    init(_ storage: MemoryStorage, _ isReachable: @escaping @Sendable () -> Bool) {
        self.storage = storage
        self.isReachable = isReachable
    }

    var location: String { storage.location }
    var traits: StorageTraits {
        var traits = StorageTraits()
        traits.refusesWhileUnreachable = true
        return traits
    }

    mutating func read() throws(SettingsError) -> StorageReading { storage.read() }

    mutating func update(_ decide: (StorageReading) -> StorageWrite) throws(SettingsError) {
        if isReachable() { return storage.update(decide) }
        _ = decide(storage.read())
        throw .unreachable(path: location, reason: "it is switched off")
    }

    func watch(_ hint: @escaping @Sendable () -> Void) -> StorageWatch { storage.watch(hint) }
}
