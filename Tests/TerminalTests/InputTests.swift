import ProgramHarness
import Testing

@Suite("Typing into a terminal", .timeLimit(.minutes(60)))
struct InputTests {
    @Test(
        "Every key is reported on every kind of terminal",
        arguments: ["tmux-256color", "xterm", "vt100", "linux"]
    )
    func keys(terminal: String) async throws {
        let probe = try await ProbeTerminal(rows: 40, environment: ["TERM": terminal])
        let keys: [(String, String)] = [
            ("Up", "up"), ("Down", "down"), ("Left", "left"), ("Right", "right"), ("Home", "home"),
            ("End", "end"),
            ("PPage", "pageUp"), ("NPage", "pageDown"), ("IC", "insert"), ("DC", "delete"), ("Tab", "tab"),
            ("BTab", "backTab"), ("Enter", "enter"), ("BSpace", "backspace"), ("F1", "function(1)"),
            ("F4", "function(4)"), ("F5", "function(5)"), ("F12", "function(12)"), ("M-x", #"alt("x")"#),
            ("C-a", #"control("a")"#), ("C-s", #"control("s")"#), ("C-v", #"control("v")"#),
            ("C-Left", "wordLeft"),
            ("é", #"character("é")"#), ("漢", #"character("漢")"#), ("Space", #"character(" ")"#),
            ("Escape", "escape"),
        ]
        for (name, _) in keys { try probe.tmux.send(name) }
        try await probe.tmux.waitUntil("all keys, in order") { tmux in
            let seen = try tmux.screen().compactMap { row in
                row.firstRange(of: "key ").map { String(row[$0.upperBound...]) }
            }
            return seen == keys.map(\.1)
        }
    }

    @Test("A paste is one event, whatever it contains")
    func paste() async throws {
        let probe = try await ProbeTerminal()
        try probe.tmux.paste("q\u{1B}[31mred\u{3}\ttab\nline")
        try await probe.tmux.waitFor(#"paste "q[31mred\ttab\nline""#)
        try probe.tmux.send("q")
        try await probe.expectRestored(code: 0)
    }
}
