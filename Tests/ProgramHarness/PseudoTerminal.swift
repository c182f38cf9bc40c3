import Foundation

/// A pseudo-terminal that sees every byte that a program sends, and can answer as a terminal would.
public final class PseudoTerminal {
    private let descriptor: Int32
    private let process: pid_t
    /// Everything that the program has sent.
    public private(set) var output = ""
    private var bytes: [UInt8] = []

    // Constants that Swift does not import: TIOCSPTLCK and TIOCGPTN (ioctl_tty(2)), POSIX_SPAWN_SETSID
    // (spawn.h).
    private static let setLock: UInt = 0x4004_5431
    private static let getNumber: UInt = 0x8004_5430
    private static let newSession: Int16 = 0x80

    /// Starts a command with this terminal as its controlling terminal.
    ///
    /// - Parameters:
    ///   - command: The path of the program and its arguments.
    ///   - environment: The whole environment.
    public init(_ command: [String], environment: [String: String]) throws {
        descriptor = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
        var (isLocked, number): (Int32, UInt32) = (0, 0)
        guard descriptor >= 0, ioctl(descriptor, Self.setLock, &isLocked) == 0,
            ioctl(descriptor, Self.getNumber, &number) == 0
        else { throw HarnessError("No terminal could be made: \(String(cString: strerror(errno)))") }
        let name = "/dev/pts/\(number)"
        var size = winsize(ws_row: 24, ws_col: 80, ws_xpixel: 0, ws_ypixel: 0)
        _ = ioctl(descriptor, UInt(TIOCSWINSZ), &size)
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        // The first terminal that a new session opens becomes its controlling terminal. The threads of the
        // tests block signals, so the mask is cleared.
        posix_spawnattr_setflags(&attributes, Self.newSession | Int16(POSIX_SPAWN_SETSIGMASK))
        var noSignals = sigset_t()
        sigemptyset(&noSignals)
        posix_spawnattr_setsigmask(&attributes, &noSignals)
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 0, name, O_RDWR, 0)
        posix_spawn_file_actions_adddup2(&actions, 0, 1)
        posix_spawn_file_actions_adddup2(&actions, 0, 2)
        var words = command.map { strdup($0) } + [nil]
        var variables = environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
        defer { for pointer in words + variables { free(pointer) } }
        var process = pid_t()
        let result = posix_spawn(&process, command[0], &actions, &attributes, &words, &variables)
        guard result == 0 else {
            close(descriptor)
            throw HarnessError("\(command[0]): \(String(cString: strerror(result)))")
        }
        self.process = process
    }

    deinit {
        kill(process, SIGKILL)
        waitpid(process, nil, 0)
        close(descriptor)
    }

    /// Sends text to the program, as keys or as an answer of the terminal.
    public func send(_ text: String) {
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
            guard count > 0 else { return }
            rest = rest.dropFirst(count)
        }
    }

    /// Reads until the condition holds.
    ///
    /// - Throws: ``HarnessError`` with the output if the time is over or the program ends first.
    public func waitUntil(_ what: String, within limit: Duration = waitLimit, _ holds: (String) -> Bool)
        throws
    {
        let deadline = ContinuousClock.now + limit
        while !holds(output) {
            guard ContinuousClock.now < deadline, readSome() else {
                throw HarnessError("Not seen: \(what). What came: \(output.debugDescription)")
            }
        }
    }

    /// Reads until the program ends, and returns its exit code.
    public func waitForEnd() throws -> Int32 {
        let deadline = ContinuousClock.now + waitLimit
        while readSome() {
            guard ContinuousClock.now < deadline else { throw HarnessError("It does not end.") }
        }
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0, errno == EINTR {}
        return status >> 8 & 0xFF
    }

    /// Waits for the end of the program without reading, then reads its output. Returns its exit code.
    public func waitForEndUnread() throws -> Int32 {
        let deadline = ContinuousClock.now + waitLimit
        var status: Int32 = 0
        while waitpid(process, &status, WNOHANG) == 0 {
            guard ContinuousClock.now < deadline else { throw HarnessError("It does not end.") }
            usleep(10_000)
        }
        while readSome() {}
        return status >> 8 & 0xFF
    }

    /// Reads some output. Returns false once the program has ended.
    private func readSome() -> Bool {
        var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        guard poll(&request, 1, 100) > 0 else { return true }
        var piece = [UInt8](repeating: 0, count: 1 << 14)
        let count = read(descriptor, &piece, piece.count)
        if count < 0, errno == EINTR { return true }
        guard count > 0 else { return false }
        bytes += piece[..<count]
        output = String(decoding: bytes, as: UTF8.self)
        return true
    }
}
