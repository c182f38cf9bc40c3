import Foundation
import PDefaults
import ProgramHarness
import Testing

@Suite("Properties in a forked child")
struct ForkTests {
    private static let childrenMayStartThreads: ConditionTrait = .enabled(
        if: ProcessInfo.processInfo.environment["PDEFAULTS_SANITIZER"] != "thread",
        "the thread sanitizer ends a child that starts threads"
    )

    @Test(
        "A child can set, read, publish and exit at any time of its parent's threads",
        childrenMayStartThreads
    )
    func children() throws {
        let folder = try TemporaryFolder()
        let program = try builtProgram(named: "PropertyProgram")
        let result = try run(
            program,
            ["fork", folder.file("suite.plist"), isLong ? "400" : "40"],
            within: .seconds(600)
        )
        #expect(result.output == "")
        #expect(result.errors == "")
        #expect(result.ending == .exit(0))
    }

    @Test(
        "A child can deliver to each subscriber that a thread of its parent was delivering to",
        childrenMayStartThreads
    )
    func delivering() throws {
        let program = try builtProgram(named: "PropertyProgram")
        let result = try run(program, ["fork-delivering", isLong ? "2000" : "200"], within: .seconds(600))
        #expect(result.output == "")
        #expect(result.errors == "")
        #expect(result.ending == .exit(0))
    }
}
