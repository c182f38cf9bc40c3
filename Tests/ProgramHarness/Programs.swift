import CLinux
import Foundation

/// The path of a program of this package, which stands beside the tests that run.
///
/// `name` is its product's name, or its target's where no product is declared. The test target has to
/// name that target among its dependencies, so that it is built.
public func builtProgram(named name: String) throws -> String {
    // Links in the path have to be gone before its last component is.
    let tests = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
    let path = tests.deletingLastPathComponent().appendingPathComponent(name).path
    guard access(path, X_OK) == 0 else {
        throw HarnessError("There is no program “\(name)” beside \(tests.path): is its target a dependency?")
    }
    return path
}

/// Why a test could not be carried out or did not see what it waited for.
public struct HarnessError: Error, CustomStringConvertible {
    public let description: String

    public init(_ description: String) { self.description = description }
}

/// How a program ended and what it said.
public struct ProgramResult: Sendable {
    public enum Ending: Sendable, Hashable {
        case exit(Int32)
        case signal(Int32)
    }

    public let ending: Ending
    public let output: String
    public let errors: String
}

/// Runs a program without a terminal, in a session of its own, and waits for its end.
///
/// - Parameters:
///   - environment: all of it; nil hands on that of the tests.
///   - input: what it reads from its standard input.
/// - Throws: ``HarnessError`` when it can't be started, or hasn't ended in time and was killed.
public func run(
    _ program: String,
    _ arguments: [String] = [],
    environment: [String: String]? = nil,
    input: String = "",
    within limit: Duration = .seconds(60)
) throws -> ProgramResult {
    try RunningProgram(program, arguments, environment: environment, input: input).end(within: limit)
}

/// A program that runs without a terminal, in a session of its own. It is killed when nobody holds
/// this any more.
public final class RunningProgram {
    private let name: String
    private let process: pid_t
    private let streams: [TransientFile]
    private var status: Int32?

    /// - Parameters:
    ///   - environment: all of it; nil hands on that of the tests.
    ///   - input: what it reads from its standard input.
    /// - Throws: ``HarnessError`` when it can't be started.
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
        // What is left behind (a terminal's server) must not keep locks, pipes and files of others: a script that
        // is still open for writing can't be run. Nor those that another thread opens just now.
        clinux_close_from(&actions, 3)
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        // The threads that tests run on block signals, which a program would inherit.
        var signals = sigset_t()
        sigemptyset(&signals)
        posix_spawnattr_setsigmask(&attributes, &signals)
        sigfillset(&signals)
        posix_spawnattr_setsigdefault(&attributes, &signals)
        // POSIX_SPAWN_SETSID, a macro that Swift does not see: no controlling terminal.
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

    /// Its process's number.
    public var id: Int32 { process }

    /// What it has written to its standard output so far.
    public var output: String { get throws { try streams[1].content() } }

    /// What it has written to its standard error so far.
    public var errors: String { get throws { try streams[2].content() } }

    /// Whether it has ended.
    public var hasEnded: Bool {
        if status != nil { return true }
        var ending: Int32 = 0
        guard waitpid(process, &ending, WNOHANG) != 0 else { return false }
        status = ending
        return true
    }

    public func send(_ signal: Int32) { if status == nil { kill(process, signal) } }

    /// Waits for its end.
    ///
    /// - Throws: ``HarnessError`` when it hasn't ended in time and was killed.
    public func end(within limit: Duration = .seconds(60)) throws -> ProgramResult {
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

/// A nameless file: unlike a pipe it neither fills up nor stays open in a program that was
/// left behind.
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

    /// Read without moving the place at which the program writes, which is shared with it.
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
