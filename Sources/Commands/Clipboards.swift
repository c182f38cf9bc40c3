import Dispatch
import Glibc
import Synchronization

/// The clipboard of the screen that this program runs on, filled by whichever of its tools is there. Nobody
/// waits for them: what they do happens on a thread of its own.
final class SystemClipboard: Sendable {
    private struct State {
        /// What is to be copied next.
        var waiting: String?
        /// The tool that has the text of now; 0 for none.
        var tool: pid_t = 0
        var isOver = false
    }

    private let state = Mutex(State())
    private let queue = DispatchQueue(label: "SystemClipboard")
    private let work = DispatchGroup()
    private let tools: [[String]]

    /// How long a tool may take to take over a text, in seconds.
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

    /// Whether the system has one.
    var isThere: Bool { !tools.isEmpty }

    /// Copies a text, unless there is a newer one by the time that a tool is free.
    func put(_ text: String) {
        if tools.isEmpty { return }
        state.withLock { $0.waiting = text }
        queue.async(group: work) {
            let text = self.state.withLock { state in
                defer { state.waiting = nil }
                return state.isOver ? nil : state.waiting
            }
            guard let text else { return }
            // The first that takes it; those that are not there don't.
            _ = self.tools.first { self.hand(text, to: $0) }
        }
    }

    /// Waits for a text that is on its way, and ends a tool that takes too long.
    func finish() {
        if work.wait(timeout: .now() + 1) == .success { return }
        state.withLock { state in
            state.isOver = true
            if state.tool > 0 { kill(-state.tool, SIGKILL) }
        }
        _ = work.wait(timeout: .now() + 1)
    }

    /// Runs a tool with a text as its input, and says whether it has taken it.
    private func hand(_ text: String, to words: [String]) -> Bool {
        // A file, since a pipe to a tool that reads nothing would have to be guarded against. It goes at once.
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

    /// In a session of its own, so that what goes on to hold the text outlives the terminal.
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
        // POSIX_SPAWN_SETSID, a macro that Swift does not see.
        let newSession: Int32 = 0x80
        let flags = newSession | Int32(POSIX_SPAWN_SETSIGMASK) | Int32(POSIX_SPAWN_SETSIGDEF)
        posix_spawnattr_setflags(&attributes, Int16(flags))
        let pointers = words.map { strdup($0) } + [nil]
        defer { for pointer in pointers { free(pointer) } }
        var tool = pid_t()
        let failure = posix_spawnp(&tool, words[0], &actions, &attributes, pointers, environ)
        return failure == 0 ? tool : nil
    }

    /// The status as wait(2) has it. Where it does not end in time it is ended.
    private func waitForEnd(of tool: pid_t) -> Int32 {
        var waited = 0.0
        while true {
            // Under the lock, so that nobody ends what has its number next.
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
