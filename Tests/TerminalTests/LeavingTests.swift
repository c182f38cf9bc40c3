import Foundation
import ProgramHarness
import Testing

@Suite("Leaving the terminal", .timeLimit(.minutes(60)))
struct LeavingTests {
    @Test(
        "The terminal is restored after a key ends the program",
        arguments: [
            ("q", 0, "left by q"), ("C-c", 0, "left by Ctrl-C"), ("X", 5, nil), ("T", 128 + SIGILL, nil),
            ("S", 128 + SIGSEGV, nil), ("A", 128 + SIGABRT, nil), ("O", 128 + SIGSEGV, nil),
            ("C-\\", 128 + SIGQUIT, nil),
        ] as [(String, Int32, String?)],
        ["tmux-256color", "vt100"]
    )
    func keys(way: (key: String, code: Int32, words: String?), terminal: String) async throws {
        let probe = try await ProbeTerminal(environment: ["TERM": terminal])
        try probe.tmux.send(way.key)
        try await probe.expectRestored(code: way.code)
        if let words = way.words { #expect(try probe.tmux.screen().contains(words)) }
    }

    @Test(
        "The terminal is restored after a signal ends the program",
        arguments: [
            (SIGTERM, 0, "terminate"), (SIGHUP, 3, "hangUp"), (SIGINT, 0, "interrupt"),
            (SIGSEGV, 128 + SIGSEGV, nil), (SIGQUIT, 128 + SIGQUIT, nil), (SIGILL, 128 + SIGILL, nil),
            (SIGBUS, 128 + SIGBUS, nil), (SIGFPE, 128 + SIGFPE, nil), (SIGTRAP, 128 + SIGTRAP, nil),
        ] as [(Int32, Int32, String?)]
    )
    func signals(signal: Int32, code: Int32, words: String?) async throws {
        let probe = try await ProbeTerminal()
        kill(try probe.process(), signal)
        try await probe.expectRestored(code: code)
        if let words { #expect(try probe.tmux.screen().contains("left by \(words)")) }
    }

    @Test(
        "A closed terminal ends the program, even if it ignores SIGHUP",
        arguments: [":", "trap '' HUP"]
    )
    func hangUp(before: String) async throws {
        let process: pid_t
        do {
            let probe = try await ProbeTerminal(before: before)
            process = try probe.process()
        }
        // The process might remain as a zombie until its new parent waits for it.
        func isRunning() -> Bool {
            let status = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8)
            return status?.contains(") Z ") == false
        }
        let deadline = ContinuousClock.now + waitLimit
        while isRunning(), ContinuousClock.now < deadline {
            try await Task.sleep(for: .milliseconds(10))
        }
        #expect(!isRunning())
    }

    @Test(
        "Suspending returns the terminal to the shell, and continuing takes it again",
        arguments: ["key", "signal"]
    )
    func suspending(way: String) async throws {
        let program = shellQuoted(try builtProgram(named: "TerminalProbe"))
        let tmux = try Tmux(["sh"], columns: 70, rows: 20, environment: ["PS1": "ready> "])
        try await tmux.waitFor("ready>")
        try tmux.type("before=$(stty -g); \(program)")
        try tmux.send("Enter")
        try await tmux.waitFor("e\u{301}           |")
        if way == "key" {
            try tmux.send("C-z")
        } else {
            let words = try tmux.screen()[0].split(separator: " ")
            kill(try #require(pid_t(words[1])), SIGTSTP)
        }
        try await tmux.waitUntil("the shell") { try $0.value(of: "#{alternate_on}") == "0" }
        // The first prompt is still on the screen, followed by the command.
        try await tmux.waitUntil("a new prompt") { try $0.screen().contains("ready>") }
        try tmux.type("[ \"$before\" = \"$(stty -g)\" ] && echo \"who\"le")
        try tmux.send("Enter")
        try await tmux.waitUntil("the shell's own settings") { try $0.screen().contains("whole") }
        try tmux.resize(columns: 60, rows: 15)
        try tmux.type("fg")
        try tmux.send("Enter")
        try await tmux.waitFor("resize 60x15")
        #expect(try tmux.value(of: "#{alternate_on}") == "1")
        try await tmux.waitUntil("the samples") { try $0.screen()[2].hasPrefix("😀          |") }
        try tmux.send("q")
        try await tmux.waitFor("left by q")
        try tmux.type("[ \"$before\" = \"$(stty -g)\" ] && echo \"again who\"le")
        try tmux.send("Enter")
        try await tmux.waitFor("again whole")
    }

    @Test("Another program gets the terminal and its interrupts")
    func otherProgram() async throws {
        let probe = try await ProbeTerminal(columns: 80, rows: 40)
        try probe.tmux.send("!")
        try await probe.tmux.waitFor("other program")
        #expect(try probe.tmux.value(of: "#{alternate_on}") == "0")
        #expect(try probe.tmux.screen().contains { $0.contains(" icanon ") && $0.contains(" echo ") })
        try probe.tmux.send("C-c")
        try await probe.tmux.waitFor("other \(SIGINT)")
        try probe.tmux.send("!")
        // Until then, the terminal shows the words of the first run.
        try await probe.tmux.waitUntil("the other program, the second time") { tmux in
            try tmux.screen().count { $0.contains("other program") } == 2
        }
        try probe.tmux.send("C-\\")
        try await probe.tmux.waitUntil("the end of the other program") {
            try $0.value(of: "#{alternate_on}") == "1"
        }
        try probe.tmux.send("q")
        try await probe.expectRestored(code: 0)
    }

    @Test("A continued program draws its screen again")
    func stopped() async throws {
        let probe = try await ProbeTerminal()
        let process = try probe.process()
        kill(process, SIGSTOP)
        // The output and the settings of another program.
        let terminal = try probe.tmux.value(of: "#{pane_tty}")
        _ = try run("sh", ["-c", "stty sane <\(terminal); printf '\\033[2J\\033[Hspoilt' >\(terminal)"])
        try await probe.tmux.waitFor("spoilt")
        kill(process, SIGCONT)
        try await probe.tmux.waitFor("probe \(process)")
        try probe.tmux.send("x")
        try await probe.tmux.waitFor(#"key character("x")"#)
        try probe.tmux.send("q")
        try await probe.expectRestored(code: 0)
    }
}

@Suite("Starting without a usable terminal")
struct NoTerminalTests {
    @Test("The error says that there is no terminal")
    func noTerminal() throws {
        let result = try run(try builtProgram(named: "TerminalProbe"))
        #expect(result.ending == .exit(1))
        #expect(result.errors.hasPrefix("The probe needs a terminal; "))
        #expect(result.output == "")
    }

    @Test(
        "The error names an unusable TERM",
        arguments: [("nonsense", "“nonsense”"), ("dumb", "“dumb”"), ("", "variable TERM")]
    )
    func unknown(name: String, words: String) async throws {
        let program = shellQuoted(try builtProgram(named: "TerminalProbe"))
        let line =
            "a=$(stty -g); TERM=\(name) \(program); echo code $?; [ \"$a\" = \"$(stty -g)\" ] && echo whole; cat"
        let tmux = try Tmux(["sh", "-c", line], columns: 120)
        try await tmux.waitFor("whole")
        let screen = try tmux.screen()
        #expect(screen.contains("code 1"))
        #expect(screen.contains { $0.contains(words) })
    }
}
