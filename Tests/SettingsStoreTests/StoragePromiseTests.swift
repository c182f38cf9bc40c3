import Glibc
import ProgramHarness
import PropertyList
import SettingsStore
import SettingsStoreTesting
import Testing

@Suite("Storages keep what they promise")
struct StoragePromiseTests {
    @Test("Memory", arguments: StoragePromise.allCases)
    func memory(_ promise: StoragePromise) throws {
        let place = MemoryStorage.Place()
        try promise.check(within: .seconds(20)) { MemoryStorage(place) }
    }

    @Test("A file", arguments: StoragePromise.allCases, [PropertyListFormat.xml, .binary])
    func file(_ promise: StoragePromise, format: PropertyListFormat) throws {
        let folder = try TemporaryFolder()
        try promise.check(within: .seconds(20)) { FileStorage(path: folder.suitePath, newFormat: format) }
        #expect(try folder.names.allSatisfy { $0 == "suite.plist" })
    }

    @Test("A file in folders that nobody has made yet", arguments: StoragePromise.allCases)
    func fileInMissingFolder(_ promise: StoragePromise) throws {
        let folder = try TemporaryFolder()
        try promise.check(within: .seconds(20)) { FileStorage(path: folder.path + "/a/b/suite.plist") }
    }

    @Test("A file behind a link that leads nowhere yet", arguments: StoragePromise.allCases)
    func fileBehindLink(_ promise: StoragePromise) throws {
        let folder = try TemporaryFolder()
        try folder.link("suite.plist", to: "real/target.plist")
        try promise.check(within: .seconds(20)) { FileStorage(path: folder.suitePath) }
        #expect(folder.target(ofLink: "suite.plist") == "real/target.plist")
    }

    @Test(
        "A file on a system that reads and writes a few bytes at a time",
        arguments: StoragePromise.allCases
    )
    func shortCalls(_ promise: StoragePromise) throws {
        let folder = try TemporaryFolder()
        let files = FaultyFileSystem()
        files.inject(.short(7))
        try promise.check(within: .seconds(20)) { FileStorage(path: folder.suitePath, files: files) }
        #expect(eventually { files.openDescriptors.isEmpty })
    }

    @Test("A file on a system that locks no folders", arguments: StoragePromise.allCases)
    func lockFile(_ promise: StoragePromise) throws {
        let folder = try TemporaryFolder()
        let files = InterferingFileSystem(refusingToLockFolders: EOPNOTSUPP)
        try promise.check(within: .seconds(20)) { FileStorage(path: folder.suitePath, files: files) }
    }
}
