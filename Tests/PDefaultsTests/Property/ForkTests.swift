import Foundation
import PDefaults
import ProgramHarness
import Testing

@Suite("Properties in a forked child")
struct ForkTests {
    @Test(
        "A child can set, read, publish and exit at any time of its parent's threads",
        .enabled(
            if: ProcessInfo.processInfo.environment["PDEFAULTS_SANITIZER"] != "thread",
            "the thread sanitizer ends a child that starts threads"
        )
    )
    func children() throws {
        let folder = try TemporaryFolder()
        let program = try builtProgram(named: "PropertyProgram")
        let result = try run(program, ["fork", folder.file("suite.plist"), "200"], within: .seconds(600))
        #expect(result.output == "")
        #expect(result.errors == "")
        #expect(result.ending == .exit(0))
    }
}
