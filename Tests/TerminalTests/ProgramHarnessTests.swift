import Foundation
import ProgramHarness
import Testing

@Suite("Running programs in tests", .timeLimit(.minutes(60)))
struct ProgramHarnessTests {
    @Test("A process that stays behind does not delay the test")
    func leftBehind() throws {
        #expect(try run("/bin/sh", ["-c", "exec 0</dev/null; sleep 5 & echo done"]).output == "done\n")
    }

    @Test("A missing program and one that never ends are errors")
    func failures() throws {
        #expect(throws: HarnessError.self) { try run("/nonexistent/program") }
        #expect(throws: HarnessError.self) {
            try run("/bin/sh", ["-c", "while :; do sleep 1; done"], within: .milliseconds(50))
        }
        #expect(throws: HarnessError.self) { try builtProgram(named: "no-such-program") }
    }
}
