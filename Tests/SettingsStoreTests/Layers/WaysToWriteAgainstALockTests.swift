import Foundation
import Glibc
import ProgramHarness
import PropertyList
import SettingsStore
import SettingsStoreTesting
import Testing

// Each module with ways to write a suite has such a table: the store (this one), properties (PDefaultsTests), commands
// (ProgramTests), the editor (SettingsEditorTests), and commands on a cluster (ClusterStoreTests). A new way to write
// belongs in the table of its module.

/// A way of the store to write a key of a suite.
struct WayToWrite: CustomTestStringConvertible, Sendable {
    let testDescription: String
    /// Writes 2 under `locked` and 2 under `free`, or 2 under `locked` alone.
    let write: @Sendable (LayerFolders, SettingsSuite) throws -> Void

    init(_ name: String, _ write: @escaping @Sendable (LayerFolders, SettingsSuite) throws -> Void) {
        testDescription = name
        self.write = write
    }
}

@Suite("No program sets a locked key")
struct WaysToWriteAgainstALockTests {
    let folders: LayerFolders

    init() throws {
        folders = try LayerFolders()
        try folders.write(["locked": 1], to: LayerFolders.mandatory)
        try folders.write(["locked": 0, "old": 2], to: LayerFolders.user)
    }

    /// All of them. A removal is allowed, so it is tested below.
    static let ways = [
        WayToWrite("set") { $1.set(2, forKey: "locked") },
        WayToWrite("set several") { $1.set(["locked": 2, "free": 2]) },
        WayToWrite("replace") { try $1.replace(["locked": 2, "free": 2], expecting: ["locked": 0]) },
        WayToWrite("replace without a condition") { try $1.replace(["locked": 2], expecting: [:]) },
        WayToWrite("move from an old key") { _ = $1.move(2, from: "old", to: "locked") },
        WayToWrite("one-shot update") { folders, _ in
            var storage = folders.storage()
            try storage.updateAlone { _, _ in StorageWrite(changes: ["locked": 2, "free": 2]) }
        },
        WayToWrite("one-shot update through a link") { folders, _ in
            try folders.folder.link("home/link.plist", to: folders.path())
            var storage = folders.storage("home/link.plist")
            try storage.updateAlone { _, _ in StorageWrite(changes: ["locked": 2]) }
        },
        WayToWrite("create") { folders, suite in
            _ = try suite.remove(expecting: ["locked": 0, "old": 2], origin: .set(by: nil))
            defer { try? folders.write(["locked": 0, "old": 2], to: LayerFolders.user) }
            _ = try suite.make(["locked": 2, "free": 2], like: nil, origin: .set(by: nil))
        },
        WayToWrite("set through a link") { folders, _ in
            try folders.folder.link("home/link.plist", to: folders.path())
            let link = folders.suite("home/link.plist")
            link.set(2, forKey: "locked")
            try link.synchronize()
        },
        WayToWrite("recover") { folders, suite in
            suite.set(2, forKey: "locked")
            try folders.folder.write("broken", to: LayerFolders.user)
            _ = try suite.recover()
        },
    ]

    @Test("is refused, names the file, and changes nothing", arguments: ways)
    func refused(_ way: WayToWrite) throws {
        let suite = folders.suite()
        #expect(suite.value(forKey: "locked") == 1)
        let changes = Recorder<Change>()
        let observation = suite.observe("locked") { changes.note($0) }.observation
        do {
            try way.write(folders, suite)
        } catch let error as SettingsError {
            #expect(error == .locked(key: "locked", by: folders.path(LayerFolders.mandatory)))
        }
        try suite.synchronize()
        #expect(suite.value(forKey: "locked") == 1)
        #expect(try folders.folder.values(at: folders.path()) == ["locked": 0, "old": 2])
        #expect(changes.all.allSatisfy { $0.new == 1 })
        withExtendedLifetime(observation) {}
    }

    @Test("A refused set is reported with the path of the file")
    func reported() throws {
        let suite = folders.suite()
        let lock = folders.path(LayerFolders.mandatory)
        #expect(suite.refusal(of: 2, forKey: "locked") == .locked(key: "locked", by: lock))
        #expect(suite.refusal(of: 2, forKey: "free") == nil)
        #expect("\(SettingsError.locked(key: "locked", by: lock))" == "“locked” is locked by \(lock)")
    }

    @Test("The user's hidden value can be removed, and programs see no difference")
    func removal() throws {
        let suite = folders.suite()
        suite.set(nil, forKey: "locked")
        try suite.synchronize()
        #expect(suite.value(forKey: "locked") == 1)
        #expect(try folders.folder.values(at: folders.path()) == ["old": 2])
    }

    @Test("The user's value returns when the lock is gone")
    func unlocked() throws {
        let suite = folders.suite()
        let changes = Recorder<Change>()
        let (initial, observation) = suite.observe("locked") { changes.note($0) }
        #expect(initial == 1)
        try folders.folder.remove(LayerFolders.mandatory)
        suite.refresh()
        #expect(changes.all.map(\.new) == [0])
        #expect(changes.all.map(\.layer) == [.user])
        suite.set(2, forKey: "locked")
        try suite.synchronize()
        #expect(try folders.folder.values(at: folders.path()) == ["locked": 2, "old": 2])
        withExtendedLifetime(observation) {}
    }
}
