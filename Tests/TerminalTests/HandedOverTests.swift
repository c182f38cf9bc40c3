import Glibc
import ProgramHarness
import Testing

@Suite("A terminal that cannot be opened by its name, as after su(1)", .timeLimit(.minutes(60)))
struct HandedOverTests {
    /// Only root can become a user who does not own the terminal.
    static let canTry = geteuid() == 0 && access("/usr/bin/setpriv", X_OK) == 0

    @Test("The inherited terminal is used and restored", .enabled(if: canTry, "needs root and setpriv(1)"))
    func otherUser() throws {
        let terminal = try PseudoTerminal(
            [
                "/usr/bin/setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", "/usr/bin/setsid",
                "-w",
                builtProgram(named: "TerminalProbe"),
            ],
            environment: ["TERM": "xterm-256color", "LC_ALL": "C.UTF-8", "PATH": "/usr/bin:/bin"]
        )
        try terminal.waitUntil("the first screen") { $0.contains("probe ") }
        terminal.send("x")
        try terminal.waitUntil("the key") { $0.contains(#"key character("x")"#) }
        terminal.send("q")
        #expect(try terminal.waitForEnd() == 0)
        #expect(terminal.output.contains("\u{1B}[?1049l"))
        #expect(terminal.output.contains("left by q"))
    }

    @Test("Without a controlling terminal, a new size is noticed at the next key")
    func otherSession() async throws {
        let tmux = try Tmux(
            [
                "sh", "-c", "setsid -w \"$0\"; echo \"left $?\"; cat",
                try builtProgram(named: "TerminalProbe"),
            ],
            columns: 60,
            rows: 20
        )
        try await tmux.waitFor("60x20")
        try tmux.resize(columns: 50, rows: 15)
        try await tmux.waitUntil("the new size") { tmux in
            try tmux.type("x")
            return try tmux.screen().first?.contains("50x15") == true
        }
        try tmux.type("q")
        try await tmux.waitFor("left 0")
    }
}
