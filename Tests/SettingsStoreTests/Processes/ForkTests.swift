import Foundation
import ProgramHarness
import PropertyList
import SettingsStore
import SettingsStoreTesting
import Testing

@Suite("Processes that fork, or that start with closed descriptors")
struct ForkTests {
    private let folder: TemporaryFolder
    private let writer: String

    init() throws {
        folder = try TemporaryFolder()
        writer = try builtProgram(named: "StoreWriter")
    }

    private func wait(for what: String, until holds: () throws -> Bool) throws {
        let deadline = ContinuousClock.now + waitLimit
        while try !holds() {
            guard ContinuousClock.now < deadline else { throw HarnessError("\(what): never") }
            usleep(1_000)
        }
    }

    @Test("A child that only ends neither waits for a lock of its parent nor stores what its parent has set")
    func endings() throws {
        let holder = open(folder.path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        #expect(flock(holder, LOCK_EX) == 0)
        let program = try RunningProgram(writer, ["fork", folder.suitePath, "20"])
        try wait(for: "the end of the children") { try program.output == "forked\n" || program.hasEnded }
        // All sets are still pending, because the folder is locked.
        #expect(try folder.names == [])
        close(holder)
        let result = try program.end()
        #expect(result.errors == "")
        #expect(result.ending == .exit(0))
        #expect(try folder.values() == ["one": 1, "two": 2])
    }

    @Test("A child stores its settings if its parent has not used any")
    func daemon() throws {
        let result = try run(writer, ["daemon", folder.suitePath])
        #expect(result.ending == .exit(0))
        try wait(for: "the set") { (try? folder.values()) == ["daemon": true] }
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
