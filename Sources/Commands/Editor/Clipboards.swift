import Dispatch
import Glibc
import Synchronization

/// Copies texts to the clipboard of the desktop with the first installed tool.
///
/// A tool such as `xclip` might take seconds or never end, for example if the display server hangs. So it
/// runs on its own thread with a time limit, and the editor never waits for it.
final class SystemClipboard: Sendable {
    private struct State {
        /// The text to copy next.
        var waiting: String?
        /// The process of the running tool, or 0 if none is running.
        var tool: pid_t = 0
        var isOver = false
    }

    private let state = Mutex(State())
    private let queue = DispatchQueue(label: "SystemClipboard")
    private let work = DispatchGroup()
    private let tools: [[String]]

    /// The time limit for a tool, in seconds.
    private static let patience = 5.0

    init() {
        func isSet(_ name: String) -> Bool { getenv(name).map { $0.pointee != 0 } ?? false }
        var tools: [[String]] = []
        if isSet("WAYLAND_DISPLAY") { tools.append(["wl-copy", "--type", "text/plain;charset=utf-8"]) }
        if isSet("DISPLAY") {
            tools += [["xclip", "-selection", "clipboard", "-in"], ["xsel", "--clipboard", "--input"]]
        }
        self.tools = tools
    }

    /// Whether the system has a clipboard.
    var isThere: Bool { !tools.isEmpty }

    /// Copies a text, unless a newer text replaces it before a tool is free.
    func put(_ text: String) {
        if tools.isEmpty { return }
        state.withLock { $0.waiting = text }
        queue.async(group: work) {
            let text = self.state.withLock { state in
                defer { state.waiting = nil }
                return state.isOver ? nil : state.waiting
            }
            guard let text else { return }
            // Tries the tools in order. A tool that is not installed fails.
            _ = self.tools.first { self.hand(text, to: $0) }
        }
    }

    /// Waits briefly for a text that is being copied, then ends the tool.
    func finish() {
        if work.wait(timeout: .now() + 1) == .success { return }
        state.withLock { state in
            state.isOver = true
            if state.tool > 0 { kill(-state.tool, SIGKILL) }
        }
        _ = work.wait(timeout: .now() + 1)
    }

    /// Runs a tool with the text as its input. Returns whether it succeeded.
    private func hand(_ text: String, to words: [String]) -> Bool {
        // A file instead of a pipe, because a pipe to a tool that does not read would need handling. The file
        // is deleted at once.
        guard let file = try? PrivateFile(named: "copy", holding: Array(text.utf8)) else { return false }
        let input = withExtendedLifetime(file) { open($0.path, O_RDONLY | O_CLOEXEC) }
        guard input >= 0 else { return false }
        defer { close(input) }
        guard let tool = start(words, input: input) else { return false }
        let isOver = state.withLock { state in
            state.tool = tool
            return state.isOver
        }
        if isOver { kill(-tool, SIGKILL) }
        return waitForEnd(of: tool) == 0
    }

    /// Starts the tool in its own session, so that a process that keeps the text outlives the terminal.
    private func start(_ words: [String], input: Int32) -> pid_t? {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO)
        for output in [STDOUT_FILENO, STDERR_FILENO] {
            posix_spawn_file_actions_addopen(&actions, output, "/dev/null", O_WRONLY, 0)
        }
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var signals = sigset_t()
        sigemptyset(&signals)
        posix_spawnattr_setsigmask(&attributes, &signals)
        sigfillset(&signals)
        posix_spawnattr_setsigdefault(&attributes, &signals)
        // POSIX_SPAWN_SETSID, a macro that Swift does not import.
        let newSession: Int32 = 0x80
        let flags = newSession | Int32(POSIX_SPAWN_SETSIGMASK) | Int32(POSIX_SPAWN_SETSIGDEF)
        posix_spawnattr_setflags(&attributes, Int16(flags))
        let pointers = words.map { strdup($0) } + [nil]
        defer { for pointer in pointers { free(pointer) } }
        var tool = pid_t()
        let failure = posix_spawnp(&tool, words[0], &actions, &attributes, pointers, environ)
        return failure == 0 ? tool : nil
    }

    /// Waits for the end of the tool and returns its status as in wait(2). Kills it after the time limit.
    private func waitForEnd(of tool: pid_t) -> Int32 {
        var waited = 0.0
        while true {
            // The lock prevents `finish` from killing another process that has got the same number.
            let status = state.withLock { state -> Int32? in
                var status: Int32 = 0
                guard waitpid(tool, &status, WNOHANG) != 0 else { return nil }
                state.tool = 0
                return status
            }
            if let status { return status }
            if waited >= Self.patience { kill(-tool, SIGKILL) }
            usleep(5000)
            waited += 0.005
        }
    }
}
