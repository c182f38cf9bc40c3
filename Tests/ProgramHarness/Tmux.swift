import Foundation
import Synchronization

/// A program in a terminal, run by its own tmux server. The server ends with this object.
///
/// The screen can still be read after the program has ended.
public final class Tmux: Sendable {
    /// The server runs in the foreground. As a daemon it would need a genuine `/dev/null`, which some sandboxes
    /// lack, and it would outlive tests that crash.
    private let server: Mutex<RunningProgram>
    private let folder: String
    private var socket: String { folder + "/socket" }

    /// Starts a command.
    ///
    /// - Parameters:
    ///   - command: The program and its arguments.
    ///   - environment: Variables to add to a small environment (`PATH`, `HOME`, `SHELL`, `LC_ALL=C.UTF-8`).
    ///     `TERM` is the kind of terminal, by default `tmux-256color`.
    ///   - workingFolder: The folder in which the command starts.
    public init(
        _ command: [String],
        columns: Int = 80,
        rows: Int = 24,
        environment: [String: String] = [:],
        workingFolder: String = "/"
    ) throws {
        folder =
            FileManager.default.temporaryDirectory
            .appendingPathComponent("tmux-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(
            atPath: folder,
            withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700]
        )
        try Data().write(to: URL(fileURLWithPath: folder + "/configuration"))
        var environment = environment
        let terminal = environment.removeValue(forKey: "TERM") ?? "tmux-256color"
        let options = [
            ["set", "-s", "escape-time", "0", ";"], ["set", "-g", "status", "off", ";"],
            ["set", "-s", "set-clipboard", "on", ";"], ["set", "-g", "remain-on-exit", "on", ";"],
            ["set", "-g", "default-terminal", terminal, ";"],
        ].flatMap { $0 }
        let size = ["-x", String(columns), "-y", String(rows)]
        let variables = environment.sorted { $0.key < $1.key }.flatMap { ["-e", $0.key + "=" + $0.value] }
        let line = "exec " + command.map(shellQuoted).joined(separator: " ")
        server = Mutex(
            try RunningProgram(
                "tmux",
                ["-u", "-D", "-S", folder + "/socket", "-f", folder + "/configuration"],
                environment: Self.environment
            )
        )
        try start(
            options + ["new-session", "-d"] + size + ["-c", workingFolder] + variables + ["--", line]
        )
    }

    /// Runs the first command as soon as the server accepts connections.
    private func start(_ arguments: [String]) throws {
        let deadline = ContinuousClock.now + waitLimit
        while true {
            do {
                try tmux(arguments)
                return
            } catch {
                let (hasEnded, errors) = try server.withLock { ($0.hasEnded, try $0.errors) }
                guard !hasEnded, "\(error)".contains(folder + "/socket"), ContinuousClock.now < deadline
                else {
                    throw HarnessError("\(error) \(errors)")
                }
            }
        }
    }

    deinit {
        _ = try? tmux(["kill-server"])
        try? FileManager.default.removeItem(atPath: folder)
    }

    /// Presses keys by tmux's names: `Up`, `C-c`, `M-x`, `BTab`, `F5`, `Enter`, `a`.
    public func send(_ keys: String...) throws { try tmux(["send-keys", "--"] + keys) }

    /// Types a text, each character as a key.
    public func type(_ text: String) throws { try tmux(["send-keys", "-l", "--", protected(text)]) }

    /// Pastes a text. It gets brackets if the program has requested them.
    public func paste(_ text: String) throws {
        let file = folder + "/paste"
        try Data(text.utf8).write(to: URL(fileURLWithPath: file))
        // -r keeps line feeds.
        try tmux(["load-buffer", file, ";", "paste-buffer", "-p", "-r", "-d"])
    }

    /// Returns the terminal's clipboard, as programs have set it (OSC 52). Throws while it is empty.
    public func clipboard() throws -> String { try tmux(["show-buffer"]) }

    public func resize(columns: Int, rows: Int) throws {
        try tmux(["resize-window", "-x", "\(columns)", "-y", "\(rows)"])
    }

    /// Returns the rows of the screen without trailing spaces.
    public func screen() throws -> [String] { try lines(["capture-pane", "-p"]) }

    /// Returns the rows of the screen with the escape sequences of their styles.
    public func styledScreen() throws -> [String] { try lines(["capture-pane", "-p", "-e"]) }

    /// Returns the position of the cursor, counted from 0, or nil while it is hidden.
    public func cursor() throws -> (column: Int, row: Int)? {
        let numbers = try value(of: "#{cursor_x} #{cursor_y} #{cursor_flag}").split(separator: " ").compactMap
        { Int($0) }
        guard numbers.count == 3, numbers[2] == 1 else { return nil }
        return (numbers[0], numbers[1])
    }

    /// Expands a format of tmux (tmux(1), FORMATS), such as `#{alternate_on}` or `#{pane_pid}`.
    public func value(of format: String) throws -> String {
        try tmux(["display-message", "-p", format]).trimmingCharacters(in: .newlines)
    }

    /// Returns how the program ended, or nil while it runs.
    public func ending() throws -> ProgramResult.Ending? {
        let words = try value(of: "#{pane_dead}|#{pane_dead_status}|#{pane_dead_signal}|#{pid}")
            .split(separator: "|", omittingEmptySubsequences: false).map { Int32($0) }
        guard words.count == 4, words[0] == 1 else { return nil }
        if let signal = words[2] { return .signal(signal) }
        if let code = words[1] { return .exit(code) }
        // tmux 3.3a sometimes misses the end of its child, so it is notified again.
        if let server = words[3] { kill(server, SIGCHLD) }
        return nil
    }

    /// Checks the condition repeatedly until it holds.
    ///
    /// - Throws: ``HarnessError`` with the current screen after the time limit and a minimum number of
    ///   checks. Both must be over, because busy tests can leave this thread hardly any time.
    public func waitUntil(
        _ what: String,
        within limit: Duration = waitLimit,
        _ holds: (Tmux) throws -> Bool
    ) async throws {
        let deadline = ContinuousClock.now + limit
        var looks = 0
        while try !holds(self) {
            looks += 1
            guard ContinuousClock.now < deadline || looks < 100 else {
                let screen = try screen().joined(separator: "\n")
                throw HarnessError("Not seen within \(limit): \(what). On the screen:\n\(screen)")
            }
            try await Task.sleep(for: .milliseconds(15))
        }
    }

    /// Waits until a text is on the screen.
    public func waitFor(_ text: String, within limit: Duration = waitLimit) async throws {
        try await waitUntil("“\(text)”", within: limit) { tmux in
            try tmux.screen().contains { $0.contains(text) }
        }
    }

    private func lines(_ command: [String]) throws -> [String] {
        var lines = try tmux(command).split(separator: "\n", omittingEmptySubsequences: false).map(
            String.init
        )
        if lines.last == "" { lines.removeLast() }
        return lines
    }

    private static let environment: [String: String] = {
        let variables = ProcessInfo.processInfo.environment
        return [
            "PATH": variables["PATH"] ?? "/usr/bin:/bin", "HOME": variables["HOME"] ?? "/",
            "SHELL": "/bin/sh", "LC_ALL": "C.UTF-8", "TERM": "xterm",
        ]
    }()

    @discardableResult
    private func tmux(_ arguments: [String]) throws -> String {
        let result = try run("tmux", ["-u", "-N", "-S", socket] + arguments, environment: Self.environment)
        guard result.ending == .exit(0) else {
            throw HarnessError("tmux \(arguments.joined(separator: " ")): \(result.errors)\(result.ending)")
        }
        return result.output
    }
}

/// Quotes a word for the shell.
public func shellQuoted(_ word: String) -> String {
    "'" + word.replacingOccurrences(of: "'", with: "'\\''") + "'"
}

/// tmux would treat a semicolon at the end of a word as its own separator.
private func protected(_ text: String) -> String {
    text.hasSuffix(";") ? text.dropLast() + "\\;" : text
}
