import ProgramHarness
import PropertyList
import SettingsStore
import SettingsStoreTesting
import Testing

/// A suite that is not kept in a file, as on a cluster.
private struct RemoteStorage: SuiteStorage, HasLayers {
    var storage: MemoryStorage
    let layeredSuite: LayeredSuite

    var location: String { "remote:app" }

    mutating func read() throws(SettingsError) -> StorageReading { storage.read() }

    mutating func update(_ decide: (StorageReading) -> StorageWrite) throws(SettingsError) {
        storage.update(decide)
    }

    func watch(_ notify: @escaping @Sendable () -> Void) -> StorageWatch { storage.watch(notify) }
}

@Suite("A suite on another machine has the locks of this one")
struct RemoteLayerTests {
    let folders: LayerFolders

    init() throws {
        folders = try LayerFolders()
        for (_, path) in LayerFolders.files { try folders.write(["key": 1, path: 1], to: path) }
    }

    private func makeStorage() throws -> sending RemoteStorage {
        var suite = LayeredSuite.remote(try SuiteName("app"))
        suite.places = folders.places
        let place = MemoryStorage.Place(["key": 2, "own": 2])
        return RemoteStorage(storage: MemoryStorage(place), layeredSuite: suite)
    }

    @Test("Its values come after the locks, and it has no other files")
    func values() throws {
        let suite = SettingsSuite(try makeStorage(), scheduler: ManualScheduler())
        suite.register(["key": 3, "registered": 3])
        #expect(suite.value(forKey: "key") == 1)
        #expect(suite.value(forKey: "own") == 2)
        #expect(suite.value(forKey: "registered") == 3)
        #expect(suite.sources(forKey: "key").map(\.layer) == [.mandatory, .user, .registered])
        #expect(suite.sources(forKey: "key")[1].location == "remote:app")
    }

    @Test("A locked key is not set")
    func locks() throws {
        let suite = SettingsSuite(try makeStorage(), scheduler: ManualScheduler())
        let refusal = SettingsError.locked(key: "key", by: folders.path(LayerFolders.mandatory))
        #expect(throws: refusal) { try suite.replace(["key": 4], expecting: [:]) }
        suite.set(4, forKey: "key")
        #expect(suite.storedValue(forKey: "key") == 2)
        var alone = try makeStorage()
        #expect(throws: refusal) { try alone.updateAlone { _, _ in StorageWrite(changes: ["key": 4]) } }
        suite.set(nil, forKey: "key")
        #expect(suite.storedValue(forKey: "key") == nil && suite.value(forKey: "key") == 1)
    }
}
