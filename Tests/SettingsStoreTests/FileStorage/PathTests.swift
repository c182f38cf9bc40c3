import Foundation
import ProgramHarness
import PropertyList
import SettingsStoreTesting
import Testing

@testable import SettingsStore

@Suite("A path names the file that the system would open")
struct PathTests {
    let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        try folder.makeFolder("here")
        try folder.makeFolder("there/inner")
        try folder.link("here/link", to: "../there/inner")
        try folder.write(["place": "there"], to: folder.file("there/s.plist"))
        try folder.write(["place": "here"], to: folder.file("here/s.plist"))
    }

    /// The file that the system itself finds.
    private func identity(_ path: String) -> [UInt64]? {
        var info = stat()
        return stat(path, &info) == 0 ? [UInt64(info.st_dev), UInt64(info.st_ino)] : nil
    }

    @Test(
        "also with “..” behind links, folders and itself",
        arguments: [
            "here/link/../s.plist", "here/../here/s.plist", "here/link/../inner/../s.plist",
            "here/./link/..//s.plist", "here/link/../../here/s.plist",
            "there/inner/../../here/link/../s.plist",
            "there/inner/../s.plist",
        ]
    )
    func parents(_ path: String) throws {
        let expected = try #require(identity(folder.file(path)))
        let suite = SettingsSuite(file: folder.file(path))
        #expect(identity(suite.location) == expected)
        let place = try folder.values(at: folder.file(path))
        #expect(suite.storedValues == place)
        suite.set(1, forKey: "new")
        try suite.synchronize()
        #expect(try folder.values(at: folder.file(path)) == place.merging(["new": 1]) { $1 })
        // The folder of the path is the same one.
        let parent = String(path.dropLast("/s.plist".count))
        let names = try SettingsFolder(path: folder.file(parent)).suiteNames(files: LiveFileSystem())
        #expect(names.map(\.rawValue) == ["s"])
    }

    @Test("“..” and “.” are removed from a path without links")
    func short() {
        #expect(
            SettingsSuite(file: folder.file("here/./../there//s.plist")).location
                == folder.file("there/s.plist")
        )
        #expect(absolutePath("/../..") == "/")
        #expect(absolutePath("/tmp/../tmp/.") == "/tmp")
        #expect(absolutePath(folder.file("here/link/..")) == folder.file("here/link/.."))
        // After a missing component, or one that is no folder, the system finds nothing.
        #expect(absolutePath(folder.file("none/../s.plist")) == folder.file("none/../s.plist"))
        #expect(
            absolutePath(folder.file("here/s.plist/../s.plist")) == folder.file("here/s.plist/../s.plist")
        )
        #expect(SettingsSuite(file: folder.file("here/s.plist/../s.plist")).storedValues.isEmpty)
        #expect(absolutePath("/tmp\0/../x") == "/tmp\0/../x")
    }

    @Test("A process that watches such a path is notified of changes")
    func watched() throws {
        let suite = SettingsSuite(file: folder.file("here/link/../s.plist"))
        let changes = Recorder<PropertyListValue?>()
        let observation = suite.observe("place") { changes.note($0.new) }
        try folder.write(["place": "changed"], to: folder.file("there/s.plist"))
        #expect(eventually { !changes.all.isEmpty })
        #expect(changes.all == ["changed"])
        withExtendedLifetime(observation) {}
    }

    @Test("“~” is the home folder, and without HOME the one in /etc/passwd")
    func home() throws {
        let writer = try builtProgram(named: "StoreWriter")
        let set = [
            "/usr/bin/env", "-i", "HOME=\(folder.path)", writer, "set", "~/here/link/../s.plist", "x", "1",
        ]
        let result = try ProgramHarness.run(set[0], Array(set.dropFirst()))
        #expect(result.ending == .exit(0), "\(result.errors)")
        #expect(try folder.values(at: folder.file("there/s.plist")) == ["place": "there", "x/1": 1])
    }

    @Test(
        "Without a home folder, a path with “~” is refused, and the error says what to do",
        .enabled(if: geteuid() == 0, "needs root, to be a user whom nobody knows")
    )
    func noHome() throws {
        let writer = folder.file("StoreWriter")
        let copy = try ProgramHarness.run("/bin/cp", [try builtProgram(named: "StoreWriter"), writer])
        #expect(copy.ending == .exit(0))
        chmod(folder.path, 0o777)
        let user = ["-i", "/usr/bin/setpriv", "--reuid=54321", "--regid=54321", "--clear-groups", "--"]
        for arguments in [["set", "~/s.plist", "x", "1"], ["set", "~", "x", "1"]] {
            let result = try ProgramHarness.run("/usr/bin/env", user + [writer] + arguments)
            #expect(result.ending == .exit(1))
            #expect(result.errors.contains("HOME is not set"), "\(result.errors)")
        }
        // HOME counts as missing if it has any other value, because that is no absolute path.
        #expect(try folder.names.sorted() == ["StoreWriter", "here", "there"])
    }
}
