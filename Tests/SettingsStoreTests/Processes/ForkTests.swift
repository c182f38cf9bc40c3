import Foundation
import ProgramHarness
import PropertyList
import SettingsStore
import SettingsStoreTesting
import Testing

private let childrenMayStartThreads: ConditionTrait = .enabled(
    if: ProcessInfo.processInfo.environment["PDEFAULTS_SANITIZER"] != "thread",
    "the thread sanitizer ends a child that starts threads"
)

@Suite("Processes that fork, or that start with closed descriptors")
struct ForkTests {
    private let folder: TemporaryFolder
    private let writer: String

    init() throws {
        folder = try TemporaryFolder()
        writer = try builtProgram(named: "StoreWriter")
    }

    private func wait(_ what: String, until holds: () throws -> Bool) throws {
        let deadline = ContinuousClock.now + .seconds(60)
        while try !holds() {
            guard ContinuousClock.now < deadline else { throw HarnessError("\(what): never") }
            usleep(1_000)
        }
    }

    @Test(
        "A daemon stores its settings and gets foreign changes, with or without synchronize() before",
        childrenMayStartThreads,
        arguments: [0, 1, 5, 20, 100],
        [true, false]
    )
    func daemon(_ sets: Int, isSynchronized: Bool) throws {
        let result = try run(writer, ["daemon", folder.suitePath, "\(sets)", isSynchronized ? "1" : "0"])
        #expect(result.ending == .exit(0))
        try wait("the daemon's set") { (try? folder.values())?["after"] == true }
        if isSynchronized {
            #expect(try folder.values()["before"] == .integer(PropertyListInteger(sets)))
        }
        let suite = SettingsSuite(file: folder.suitePath)
        try suite.replace(["other": "said"], expecting: [:])
        try wait("what it heard") { try folder.values()["over"] == true }
        #expect(try folder.values()["heard"] == "said")
    }

    @Test(
        "A child has its parent's locks, keeps them if their file becomes unreadable, and follows the file",
        childrenMayStartThreads
    )
    func locks() throws {
        for name in ["etc/pdefaults/mandatory", "home/.config"] { try folder.makeFolder(name) }
        let lock = folder.file("etc/pdefaults/mandatory/app.plist")
        try folder.write(["locked": 1], to: lock)
        chmod(lock, 0o644)
        try folder.write(["locked": 0, "free": 0], to: folder.file("home/.config/app.plist"))
        let result = try run(writer, ["fork-locks", folder.path])
        #expect(result.errors == "")
        #expect(
            result.output.split(separator: "\n") == [
                "inherited: locked is 1, locked by \(lock)",
                "refused: locked is 1, locked by \(lock)",
                "unreadable: locked is 1, locked by \(lock)",
                "unreadable: the last values of the mandatory file still count",
                "removed: locked is 0, not locked",
                "set: locked is 2, not locked",
                "locked again: locked is 3, locked by \(lock)",
            ]
        )
        #expect(try folder.values(at: folder.file("home/.config/app.plist")) == ["locked": 2, "free": 1])
    }

    @Test("Nothing is written inside fork, and the parent stores a pending value")
    func unstored() throws {
        let result = try run(writer, ["fork-unstored", folder.suitePath])
        #expect(result.errors == "")
        #expect(result.output.split(separator: "\n").sorted() == ["child: not stored", "parent: not stored"])
        #expect(try folder.values() == ["a": 1])
    }

    @Test(
        "While another process has the folder locked, fork returns and the child reports once how many values it dropped",
        childrenMayStartThreads
    )
    func locked() throws {
        let other = folder.file("other.plist")
        try folder.write(["a": 0], to: other)
        let holder = open(folder.path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        #expect(flock(holder, LOCK_EX) == 0)
        let program = try RunningProgram(writer, ["fork-locked", folder.suitePath, other, "2"])
        try wait("the end of the child") { try program.output.contains("parent: ") || program.hasEnded }
        #expect(try folder.names == ["other.plist"])
        #expect(try folder.values(at: other) == ["a": 0])
        #expect(
            try program.output.split(separator: "\n") == [
                """
                child: \(other), \(folder.suitePath): 5 settings were not stored before the process forked, and \
                only the parent stores them. Call synchronize() before fork(2) or daemon(3)
                """,
                "child: 0 values",
                "child: 1 values",
                "child: 0 pending",
                "parent: 3 values, 3 pending",
            ]
        )
        close(holder)
        let result = try program.end()
        #expect(result.ending == .exit(0))
        #expect(result.errors == "")
        #expect(try folder.values() == ["a": 1, "b": 1, "c": 1])
        #expect(try folder.values(at: other) == ["a": 1, "b": 1])
    }

    @Test(
        "A child that calls exit(3) ends and stores its own settings, whatever the parent's threads were doing",
        childrenMayStartThreads
    )
    func exit() throws {
        let result = try run(
            writer,
            ["fork-while-setting", folder.suitePath, "\(isLong ? 5_000 : 60)"],
            within: .seconds(600)
        )
        #expect(result.errors == "")
        #expect(result.ending == .exit(0))
    }

    @Test(
        "A process that ends during a commit right after a fork leaves no lock on the folder",
        childrenMayStartThreads
    )
    func inCommit() throws {
        _ = try run(writer, ["fork-in-commit", folder.suitePath, "100"])
        try wait("the last child's set") { (try? folder.values())?["last"] == true }
    }

    @Test(
        "Children do their work at once, and keep no process from writing in the folder",
        childrenMayStartThreads
    )
    func children() throws {
        let result = try run(writer, ["fork", folder.suitePath, "40"], within: .seconds(300))
        #expect(result.errors == "")
        #expect(result.output == "stored\n")
        #expect(try folder.values() == ["count": 40, "other": true])
    }

    @Test(
        "A child's sets are stored, whatever the parent's threads were about to do",
        childrenMayStartThreads
    )
    func stored() throws {
        let result = try run(
            writer,
            ["children", folder.suitePath, "\(isLong ? 5_000 : 120)"],
            within: .seconds(600)
        )
        #expect(result.errors == "")
        #expect(result.ending == .exit(0))
    }

    @Test(
        "Output goes into no file if the standard descriptors were closed",
        arguments: ["1>&- 2>&-", "0<&- 2>&-", "0<&- 1>&- 2>&-", "0<&-", "1>&-", "2>&-"]
    )
    func closedDescriptors(_ closing: String) throws {
        let result = try run(
            "/bin/bash",
            ["-c", "exec \"$0\" \"$@\" \(closing)", writer, "print", folder.suitePath, "100"]
        )
        #expect(result.ending == .exit(0))
        #expect(try folder.values() == ["count": 100])
    }
}
