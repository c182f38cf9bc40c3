import Foundation
import ProgramHarness
import PropertyList
import SettingsStore
import SettingsStoreTesting
import Testing

/// Runs the second process as a user with few rights: as `nobody` if root runs the tests, otherwise as the same user.
private struct PlainUser {
    static let changesUser = geteuid() == 0
    static let setpriv = "/usr/bin/setpriv"
    static let canRun = !changesUser || access(setpriv, X_OK) == 0 && isTemporaryFolderOpen

    let writer: String

    /// The program is copied into the folder, which every user may enter. The folder of the build might be private.
    init(in folder: TemporaryFolder) throws {
        writer = folder.file("StoreWriter")
        // A separate process copies the program. If this process did, a child of another test might hold the copy
        // open for writing, and the copy could not be run then ("Text file busy").
        let copy = try ProgramHarness.run("/bin/cp", [try builtProgram(named: "StoreWriter"), writer])
        #expect(copy.ending == .exit(0), "\(copy.errors)")
        chmod(folder.path, 0o755)
        chmod(writer, 0o755)
    }

    func run(_ arguments: [String]) throws -> ProgramResult {
        guard Self.changesUser else { return try ProgramHarness.run(writer, arguments) }
        let user = ["--reuid=65534", "--regid=65534", "--clear-groups", "--"]
        return try ProgramHarness.run(Self.setpriv, user + [writer] + arguments)
    }

    /// Makes a file or folder the user's own.
    func give(_ path: String) { if Self.changesUser { chown(path, 65_534, 65_534) } }
}

@Suite(
    "A user's rights are kept to",
    .enabled(if: PlainUser.canRun, "needs setpriv(1) to run something as another user")
)
struct PermissionTests {
    let folder: TemporaryFolder
    private let user: PlainUser
    let path: String

    init() throws {
        folder = try TemporaryFolder()
        user = try PlainUser(in: folder)
        try folder.makeFolder("sub")
        path = folder.file("sub/suite.plist")
        try folder.write(["a": 1], to: path)
        user.give(folder.file("sub"))
        user.give(path)
    }

    private func expectRefusal(_ words: String) throws {
        let result = try user.run(["set", path, "x", "1"])
        #expect(result.ending == .exit(1))
        #expect(result.errors.contains(words), "\(result.errors)")
        #expect(result.errors.contains(path))
        #expect(try folder.values(at: path) == ["a": 1])
    }

    @Test("The user's own files can be written")
    func own() throws {
        let result = try user.run(["set", path, "x", "1"])
        #expect(result.ending == .exit(0), "\(result.errors)")
        #expect(try folder.values(at: path) == ["a": 1, "x/1": 1])
    }

    @Test("A read-only file is not replaced, even if its folder would allow it")
    func readOnlyFile() throws {
        chmod(path, 0o444)
        try expectRefusal("the file is yours, but read-only; run chmod u+w to change that")
        var info = stat()
        lstat(path, &info)
        #expect(info.st_mode & 0o777 == 0o444)
    }

    @Test("The error for another user's read-only file names the reason", .enabled(if: PlainUser.changesUser))
    func othersReadOnlyFile() throws {
        chown(path, 0, 0)
        chmod(path, 0o644)
        try expectRefusal("you have no permission to write the file")
    }

    @Test(
        "The error for an immutable file names the reason",
        .enabled(if: canMakeImmutable, "needs root, and a file system that has the mark")
    )
    func immutableFile() throws {
        #expect(changeAttribute("+i", path))
        defer { _ = changeAttribute("-i", path) }
        try expectRefusal("the file is marked as immutable; root can remove that mark with chattr -i")
    }

    @Test("A write in a read-only folder fails")
    func readOnlyFolder() throws {
        chmod(folder.file("sub"), 0o555)
        defer { chmod(folder.file("sub"), 0o755) }
        try expectRefusal(
            "suite.plist: the folder \(folder.file("sub")) is yours, but read-only"
        )
    }

    @Test(
        "A write never changes the owner of another user's file, even if everyone may write it",
        .enabled(if: PlainUser.changesUser, "needs root")
    )
    func othersFile() throws {
        chown(path, 0, 0)
        chmod(path, 0o666)
        try expectRefusal(
            "another user owns the file, and a write would change its owner"
        )
        let known = try user.run(["rights", path])
        #expect(known.output.hasPrefix("another user owns the file"), "\(known.output) \(known.errors)")
    }

    @Test(
        "A write never changes the group of a file, and root can write every file",
        .enabled(if: PlainUser.changesUser, "needs root")
    )
    func othersGroup() throws {
        chown(path, 65_534, 0)
        chmod(path, 0o660)
        try expectRefusal("the file has a group that you are not in")
        #expect(makeSuite(path).status.readOnlyReason == nil)
    }

    @Test("A file that may not be read is not treated as empty, and not replaced")
    func unreadable() throws {
        chmod(path, 0o200)
        let result = try user.run(["set", path, "x", "1"])
        #expect(result.ending == .exit(1))
        #expect(result.errors.contains("Permission denied"), "\(result.errors)")
        chmod(path, 0o600)
        #expect(try folder.values(at: path) == ["a": 1])
    }
}

private func changeAttribute(_ change: String, _ path: String) -> Bool {
    (try? run("/usr/bin/chattr", [change, path]).ending) == .exit(0)
}

private let canMakeImmutable: Bool = {
    guard let folder = try? TemporaryFolder(), (try? folder.write([:])) != nil else { return false }
    return changeAttribute("+i", folder.suitePath) && changeAttribute("-i", folder.suitePath)
}()
