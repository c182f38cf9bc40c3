import Foundation
import ProgramHarness

/// A terminal in which a shell runs TerminalProbe and then prints whether the terminal was restored.
struct ProbeTerminal {
    let tmux: Tmux

    /// Starts the probe and waits until it has drawn its whole screen.
    init(
        columns: Int = 60,
        rows: Int = 20,
        environment: [String: String] = [:],
        before: String = ":"
    ) async throws {
        let script = """
            ulimit -c 0; trap : INT QUIT; \(before)
            settings=$(stty -g)
            "$0"; code=$?
            if [ "$settings" = "$(stty -g)" ]; then echo; echo "whole $code"; else echo "broken $code"; fi
            cat -v
            """
        tmux = try Tmux(
            ["sh", "-c", script, try builtProgram(named: "TerminalProbe")],
            columns: columns,
            rows: rows,
            environment: environment
        )
        // Each frame ends with the position of the cursor.
        try await tmux.waitUntil("the whole screen") { tmux in
            try tmux.screen().contains { $0.contains("probe ") }
                && tmux.cursor().map { [$0.column, $0.row] } == [3, 0]
        }
    }

    /// Returns the probe's process.
    func process() throws -> pid_t {
        let words = try tmux.screen().first?.split(separator: " ") ?? []
        guard words.count > 1, let process = pid_t(words[1]) else {
            throw HarnessError("No process number on the screen: \(words)")
        }
        return process
    }

    /// Waits for the end of the probe, and throws if the terminal is not fully restored.
    func expectRestored(code: Int32) async throws {
        try await tmux.waitUntil("the shell's terminal, whole, and code \(code)") { tmux in
            try tmux.screen().contains("whole \(code)")
        }
        let flags = "#{alternate_on}#{keypad_cursor_flag}#{keypad_flag}#{mouse_any_flag}#{cursor_flag}"
        let found = try tmux.value(of: flags)
        guard found == "00001" else { throw HarnessError("\(flags) is \(found)") }
        // The paste would have brackets if bracketed paste was still on.
        try tmux.paste("pasted\n")
        try await tmux.waitUntil("the paste without brackets") { try $0.screen().contains("pasted") }
    }
}
