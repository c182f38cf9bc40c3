import Foundation
import ProgramHarness
import PropertyList
import SettingsStoreTesting
import Testing

@testable import SettingsStore

@Suite("The private name of new files is taken")
struct PrivateNameTests {
    let folder: TemporaryFolder
    private static let setpriv = "/usr/bin/setpriv"
    private static let canChangeUser =
        geteuid() == 0 && access(setpriv, X_OK) == 0 && isTemporaryFolderOpen
    private static let systems: [InterferingFileSystem] = [
        InterferingFileSystem(), InterferingFileSystem(unnamedRefusal: EOPNOTSUPP),
        InterferingFileSystem(linkRefusal: EPERM), InterferingFileSystem(exchanges: false),
    ]

    init() throws {
        folder = try TemporaryFolder()
        try folder.write(["a": 1])
    }

    @Test(
        "A folder with the private name prevents no write and no removal, and stays",
        arguments: [0, 1, 2, 3]
    )
    func folderInTheWay(_ system: Int) throws {
        try folder.makeFolder(".pdefaults.new/more")
        try folder.makeFolder(".pdefaults.new-2")
        let suite = makeSuite(folder.suitePath, files: Self.systems[system])
        suite.set(2, forKey: "a")
        try suite.synchronize()
        #expect(try folder.values() == ["a": 2])
        #expect(try folder.names.sorted() == [".pdefaults.new", ".pdefaults.new-2", "suite.plist"])
        try SchemaFile(besideSuite: folder.suitePath).merge(SuiteSchema())
        try suite.remove(expecting: ["a": 2], origin: .set(by: nil))
        #expect(try folder.names.sorted() == [".pdefaults.new", ".pdefaults.new-2"])
    }

    @Test("A write removes a killed writer's file with the next private name")
    func leftover() throws {
        try folder.makeFolder(".pdefaults.new")
        try folder.write(bytes: [1, 2, 3], to: folder.file(".pdefaults.new-2"))
        let suite = makeSuite(folder.suitePath)
        suite.set(2, forKey: "a")
        try suite.synchronize()
        #expect(try folder.names.sorted() == [".pdefaults.new", "suite.plist"])
    }

    @Test(
        "Another user's file with the private name in a sticky folder prevents no write",
        .enabled(if: canChangeUser, "needs root and setpriv(1)")
    )
    func sticky() throws {
        let place = folder.file("shared")
        try folder.makeFolder("shared")
        chmod(folder.path, 0o755)
        chmod(place, 0o1777)
        let writer = folder.file("StoreWriter")
        let copy = try ProgramHarness.run("/bin/cp", [try builtProgram(named: "StoreWriter"), writer])
        #expect(copy.ending == .exit(0))
        chmod(writer, 0o755)
        // Files of root: a whole one, a half-written one, and one that the user may not even read.
        for (bytes, mode) in [([1, 2, 3], 0o644), ([1, 2, 3], 0o600)] as [([UInt8], mode_t)] {
            try folder.write(bytes: bytes, to: place + "/.pdefaults.new")
            chmod(place + "/.pdefaults.new", mode)
            let user = ["--reuid=65534", "--regid=65534", "--clear-groups", "--"]
            let path = place + "/suite.plist"
            let result = try ProgramHarness.run(Self.setpriv, user + [writer, "set", path, "x", "1"])
            #expect(result.ending == .exit(0), "\(result.errors)")
            #expect(try folder.values(at: path) == ["x/1": 1])
            let names = try FileManager.default.contentsOfDirectory(atPath: place)
            #expect(names.sorted() == [".pdefaults.new", "suite.plist"])
            unlink(path)
        }
    }

    @Test(
        "The error names another user's file in the place of the lock file",
        .enabled(if: canChangeUser, "needs root, and a file system without locks on folders")
    )
    func lockFile() throws {
        try folder.makeFolder(".pdefaults.lock")
        let files = InterferingFileSystem(refusingToLockFolders: EOPNOTSUPP)
        let suite = makeSuite(folder.suitePath, files: files)
        suite.set(2, forKey: "a")
        let error = #expect(throws: SettingsError.self) { try suite.synchronize() }
        #expect(error?.description.contains(folder.file(".pdefaults.lock")) == true)
        #expect(error?.description.contains("Its owner or the folder's can remove it") == true)
        suite.losePendingChanges()
    }
}
