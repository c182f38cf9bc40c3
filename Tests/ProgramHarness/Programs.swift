import CLinux
import Foundation

/// Returns the path of a program of this package, which is built beside the tests.
///
/// - Parameter name: The name of the program's product, or of its target if it has no product. The test
///   target must depend on that target, so that it is built.
/// - Throws: ``HarnessError`` if the program does not exist.
public func builtProgram(named name: String) throws -> String {
    // Symbolic links must be resolved before the last component is removed.
    let tests = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
    let path = tests.deletingLastPathComponent().appendingPathComponent(name).path
    guard access(path, X_OK) == 0 else {
        throw HarnessError("There is no program “\(name)” beside \(tests.path): is its target a dependency?")
    }
    return path
}

/// The reason why a test could not run, or did not see what it waited for.
public struct HarnessError: Error, CustomStringConvertible {
    public let description: String

    public init(_ description: String) { self.description = description }
}

/// The ending and the output of a program.
public struct ProgramResult: Sendable {
    public enum Ending: Sendable, Hashable {
        case exit(Int32)
        case signal(Int32)
    }

    public let ending: Ending
    public let output: String
    public let errors: String
}

/// Runs a program in its own session without a terminal, and waits for its end.
///
/// - Parameters:
///   - environment: The whole environment. Nil means that of the tests.
///   - input: The content of standard input.
/// - Throws: ``HarnessError`` if the program cannot be started. Also if it does not end in time; then it is
///   killed.
public func run(
    _ program: String,
    _ arguments: [String] = [],
    environment: [String: String]? = nil,
    input: String = "",
    within limit: Duration = waitLimit
) throws -> ProgramResult {
    try RunningProgram(program, arguments, environment: environment, input: input).end(within: limit)
}

/// A program that runs in its own session without a terminal. It is killed when this object is released.
public final class RunningProgram {
    private let name: String
    private let process: pid_t
    private let streams: [TransientFile]
    private var status: Int32?

    /// Starts the program.
    ///
    /// - Parameters:
    ///   - environment: The whole environment. Nil means that of the tests.
    ///   - input: The content of standard input.
    /// - Throws: ``HarnessError`` if the program cannot be started.
    public init(
        _ program: String,
        _ arguments: [String] = [],
        environment: [String: String]? = nil,
        input: String = ""
    ) throws {
        name = ([program] + arguments).joined(separator: " ")
        streams = [try TransientFile(), try TransientFile(), try TransientFile()]
        try streams[0].fill(with: input)

        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        for (number, stream) in streams.enumerated() {
            posix_spawn_file_actions_adddup2(&actions, stream.descriptor, Int32(number))
        }
        // A process that stays behind, such as a tmux server, must not inherit locks, pipes and files of
        // other tests. For example, a script that is open for writing cannot be run.
        clinux_close_from(&actions, 3)
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        // The threads of the tests block signals, and the program would inherit that.
        var signals = sigset_t()
        sigemptyset(&signals)
        posix_spawnattr_setsigmask(&attributes, &signals)
        sigfillset(&signals)
        posix_spawnattr_setsigdefault(&attributes, &signals)
        // POSIX_SPAWN_SETSID, a macro that Swift does not import. The new session has no controlling
        // terminal.
        let newSession: Int32 = 0x80
        let flags = newSession | Int32(POSIX_SPAWN_SETSIGMASK) | Int32(POSIX_SPAWN_SETSIGDEF)
        posix_spawnattr_setflags(&attributes, Int16(flags))

        var process = pid_t()
        let variables = environment ?? ProcessInfo.processInfo.environment
        let failure = withCStrings([program] + arguments) { argv in
            withCStrings(variables.map { "\($0.key)=\($0.value)" }) { envp in
                posix_spawnp(&process, program, &actions, &attributes, argv, envp)
            }
        }
        self.process = process
        guard failure == 0 else { throw HarnessError("\(program): \(String(cString: strerror(failure)))") }
    }

    deinit {
        guard status == nil, process > 0 else { return }
        kill(process, SIGKILL)
        waitpid(process, nil, 0)
    }

    /// The process identifier.
    public var id: Int32 { process }

    /// The program's standard output so far.
    public var output: String { get throws { try streams[1].content() } }

    /// The program's standard error so far.
    public var errors: String { get throws { try streams[2].content() } }

    /// Whether the program has ended.
    public var hasEnded: Bool {
        if status != nil { return true }
        var ending: Int32 = 0
        guard waitpid(process, &ending, WNOHANG) != 0 else { return false }
        status = ending
        return true
    }

    /// Waits until the standard output contains a text.
    ///
    /// - Throws: ``HarnessError`` with all output if it does not in time.
    public func waitForOutput(_ text: String) throws {
        try waitForOutput("“\(text)”") { $0.contains(text) }
    }

    /// Waits until a condition holds for the standard output.
    ///
    /// - Throws: ``HarnessError`` with all output if it does not in time.
    public func waitForOutput(_ what: String, _ holds: (String) -> Bool) throws {
        let deadline = ContinuousClock.now + waitLimit
        while try !holds(output) {
            guard ContinuousClock.now < deadline else {
                throw HarnessError("\(what) was not printed:\n\(try output)\(try errors)")
            }
            usleep(5_000)
        }
    }

    /// Waits until the standard error contains a text.
    ///
    /// - Throws: ``HarnessError`` with all output if it does not in time.
    public func waitForErrors(_ text: String, within limit: Duration = waitLimit) throws {
        let deadline = ContinuousClock.now + limit
        while try !errors.contains(text) {
            guard ContinuousClock.now < deadline else {
                throw HarnessError("“\(text)” is not among the errors:\n\(try output)\(try errors)")
            }
            usleep(5_000)
        }
    }

    /// Repeats an action until the program prints something, for a program that reacts to the action but does not say
    /// when it is ready for it.
    ///
    /// - Parameter action: Gets the number of the repetition, beginning with 1.
    /// - Throws: ``HarnessError`` if the program prints nothing in time, or the error of the action.
    public func waitForOutput(
        repeating action: (Int) throws -> Void,
        within limit: Duration = waitLimit
    ) throws {
        let deadline = ContinuousClock.now + limit
        var count = 0
        while try output.isEmpty {
            guard ContinuousClock.now < deadline else {
                throw HarnessError("\(name) printed nothing:\n\(try errors)")
            }
            count += 1
            try action(count)
            usleep(50_000)
        }
    }

    public func send(_ signal: Int32) { if status == nil { kill(process, signal) } }

    /// Waits for the end of the program.
    ///
    /// - Throws: ``HarnessError`` if the program does not end in time. Then it is killed.
    public func end(within limit: Duration = waitLimit) throws -> ProgramResult {
        let deadline = ContinuousClock.now + limit
        var status = status ?? 0
        while self.status == nil {
            if waitpid(process, &status, WNOHANG) != 0 {
                self.status = status
            } else if ContinuousClock.now > deadline {
                kill(process, SIGKILL)
                waitpid(process, &status, 0)
                self.status = status
                throw HarnessError("\(name) had not ended after \(limit)")
            } else {
                usleep(1_000)
            }
        }
        return ProgramResult(
            ending: status & 0x7F == 0 ? .exit((status >> 8) & 0xFF) : .signal(status & 0x7F),
            output: try streams[1].content(),
            errors: try streams[2].content()
        )
    }
}

private func withCStrings<Result>(
    _ strings: [String],
    _ body: ([UnsafeMutablePointer<CChar>?]) -> Result
) -> Result {
    let pointers = strings.map { strdup($0) }
    defer { for pointer in pointers { free(pointer) } }
    return body(pointers + [nil])
}

/// A file without a name. Unlike a pipe, it never fills up, and a process that stays behind does not keep it
/// open for the reader.
private final class TransientFile {
    let descriptor: Int32

    init() throws {
        let path = NSTemporaryDirectory() + "/stream-\(UUID().uuidString)"
        descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw HarnessError("\(path): \(String(cString: strerror(errno)))") }
        unlink(path)
    }

    deinit { close(descriptor) }

    func fill(with text: String) throws {
        try FileHandle(fileDescriptor: descriptor).write(contentsOf: Data(text.utf8))
        lseek(descriptor, 0, SEEK_SET)
    }

    /// Reads the content with pread(2), because the program shares the file offset.
    func content() throws -> String {
        var bytes: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = pread(descriptor, &piece, piece.count, off_t(bytes.count))
            if count < 0 { throw HarnessError("pread: \(String(cString: strerror(errno)))") }
            if count == 0 { return String(decoding: bytes, as: UTF8.self) }
            bytes += piece[..<count]
        }
    }
}
