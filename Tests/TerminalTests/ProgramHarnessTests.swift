import Foundation
import ProgramHarness
import Testing

@Suite("Running programs in tests", .timeLimit(.minutes(60)))
struct ProgramHarnessTests {
    @Test("Output, errors and exit code of a program are separate")
    func exits() throws {
        let result = try run("/bin/sh", ["-c", "cat; echo bad >&2; exit 3"], input: "in\n")
        #expect(result.output == "in\n")
        #expect(result.errors == "bad\n")
        #expect(result.ending == .exit(3))
    }

    @Test("A signal is distinguished from an exit code")
    func signals() throws {
        #expect(try run("/bin/sh", ["-c", "kill -SEGV $$"]).ending == .signal(SIGSEGV))
    }

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

    @Test("A terminal shows what is typed and pasted, and how its program ended")
    func terminal() async throws {
        let tmux = try Tmux(
            ["/bin/sh", "-c", #"stty size; cat; stty size; exit "$CODE""#],
            columns: 40,
            rows: 10,
            environment: ["CODE": "7"]
        )
        try await tmux.waitFor("10 40")
        try tmux.type("type's ; 漢;")
        try tmux.send("Enter")
        try tmux.paste("paste\n")
        try await tmux.waitFor("paste")
        #expect(try tmux.screen().contains("type's ; 漢;"))
        #expect(try tmux.ending() == nil)
        try tmux.resize(columns: 50, rows: 12)
        try tmux.send("C-d")
        try await tmux.waitUntil("the program's end") { try $0.ending() == .exit(7) }
        try await tmux.waitFor("12 50")
    }
}
