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

@Suite("Processes that fork, and such as were started with closed descriptors")
struct ForkingTests {
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
        "A daemon stores what it set before and sets after it left its parent, and hears of others' changes",
        childrenMayStartThreads,
        arguments: [0, 1, 5, 20, 100]
    )
    func daemon(_ sets: Int) throws {
        let result = try run(writer, ["daemon", folder.suitePath, "\(sets)"])
        #expect(result.ending == .exit(0))
        try wait("the daemon's set") { try folder.values()["after"] == true }
        #expect(try folder.values()["before"] == .integer(PropertyListInteger(sets)))
        let suite = SettingsSuite(file: folder.suitePath)
        try suite.replace(["other": "said"], expecting: [:])
        try wait("what it heard") { try folder.values()["over"] == true }
        #expect(try folder.values()["heard"] == "said")
    }

    @Test(
        "Children do what they are to at once, and keep nobody from writing in the folder",
        childrenMayStartThreads
    )
    func children() throws {
        let result = try run(writer, ["fork", folder.suitePath, "40"], within: .seconds(300))
        #expect(result.errors == "")
        #expect(result.output == "stored\n")
        #expect(try folder.values() == ["count": 40, "other": true])
    }

    @Test(
        "What a child sets is stored, whatever its parent's threads were about to do",
        childrenMayStartThreads
    )
    func stored() throws {
        let result = try run(
            writer,
            ["children", folder.suitePath, "\(isLong ? 5_000 : 400)"],
            within: .seconds(600)
        )
        #expect(result.errors == "")
        #expect(result.ending == .exit(0))
    }

    @Test(
        "What is printed goes into no file where the standard descriptors were closed",
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
