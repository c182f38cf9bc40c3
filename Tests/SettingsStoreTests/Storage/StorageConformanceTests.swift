import Glibc
import ProgramHarness
import PropertyList
import SettingsStore
import SettingsStoreTesting
import Testing

@Suite("Storages keep the rules of every storage")
struct StorageConformanceTests {
    @Test("Memory keeps every rule", arguments: StorageConformance.allCases)
    func memory(_ rule: StorageConformance) throws {
        let place = MemoryStorage.Place()
        try rule.check(within: waitLimit) { MemoryStorage(place) }
    }

    @Test(
        "A file keeps every rule in each format",
        arguments: StorageConformance.allCases,
        [PropertyListFormat.xml, .binary, .json]
    )
    func file(_ rule: StorageConformance, format: PropertyListFormat) throws {
        let folder = try TemporaryFolder()
        let name = format == .json ? "suite.json" : "suite.plist"
        let path = folder.path + "/" + name
        try rule.check(within: waitLimit) { FileStorage(path: path, newFormat: format) }
        #expect(try folder.names.allSatisfy { $0 == name })
    }

    @Test("A file in missing folders keeps every rule", arguments: StorageConformance.allCases)
    func fileInMissingFolder(_ rule: StorageConformance) throws {
        let folder = try TemporaryFolder()
        try rule.check(within: waitLimit) { FileStorage(path: folder.path + "/a/b/suite.plist") }
    }

    @Test("A file behind a dangling symbolic link keeps every rule", arguments: StorageConformance.allCases)
    func fileBehindLink(_ rule: StorageConformance) throws {
        let folder = try TemporaryFolder()
        try folder.link("suite.plist", to: "real/target.plist")
        try rule.check(within: waitLimit) { FileStorage(path: folder.suitePath) }
        #expect(folder.target(ofLink: "suite.plist") == "real/target.plist")
    }

    @Test(
        "A file keeps every rule if the system reads and writes a few bytes at a time",
        arguments: StorageConformance.allCases
    )
    func shortCalls(_ rule: StorageConformance) throws {
        let folder = try TemporaryFolder()
        let files = FaultyFileSystem()
        files.inject(.short(7))
        try rule.check(within: waitLimit) { FileStorage(path: folder.suitePath, files: files) }
        #expect(eventually { files.openDescriptors.isEmpty })
    }

    @Test("A file keeps every rule if folders can't be locked", arguments: StorageConformance.allCases)
    func lockFile(_ rule: StorageConformance) throws {
        let folder = try TemporaryFolder()
        let files = InterferingFileSystem(refusingToLockFolders: EOPNOTSUPP, sleeps: true, stopsClock: false)
        try rule.check(within: waitLimit) { FileStorage(path: folder.suitePath, files: files) }
    }
}
