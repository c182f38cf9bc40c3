import CNcurses
import Glibc
import Synchronization

/// The terminal that ncurses works on, taken for as long as this is open: one at a time, since there is one
/// ncurses in a process.
final class TerminalDevice {
    /// Whether the locale's encoding is UTF-8.
    let hasUnicode: Bool
    /// Reads what is typed.
    let descriptor: Int32
    /// Takes what is written to it, or says that it can't (`O_NONBLOCK`).
    let outputDescriptor: Int32
    /// Readable when a signal has come.
    let signalDescriptor: Int32
    let modes: TerminalModes
    let frames: FrameOutput
    private let curses: OpaquePointer
    private let stream: UnsafeMutablePointer<FILE>
    /// What ncurses writes into.
    private let output: UnsafeMutablePointer<FILE>
    /// As they were found.
    private let settings: termios

    private static let isInUse = Atomic(false)

    /// - Parameter program: Who needs it, for the error that says that there is none.
    init(for program: String) throws(TerminalError) {
        guard !Self.isInUse.exchange(true, ordering: .relaxed) else { throw .alreadyOpen }
        var undo: [() -> Void] = [{ Self.isInUse.store(false, ordering: .relaxed) }]
        defer { for step in undo.reversed() { step() } }

        // The encoding alone: other code of this process reads and writes numbers.
        setlocale(LC_CTYPE, "")
        // What names UTF-8 means it, also where the system has no such locale, as behind ssh often.
        if !cncurses_locale_is_utf8(), Self.namesUTF8 { setlocale(LC_CTYPE, "C.UTF-8") }
        hasUnicode = cncurses_locale_is_utf8()

        let path = Self.path
        let descriptor = open(path, O_RDWR | O_CLOEXEC | O_NOCTTY)
        var settings = termios()
        guard descriptor >= 0, let stream = fdopen(descriptor, "r+") else {
            throw .noTerminal(program: program, reason: String(cString: strerror(errno)))
        }
        undo.append { fclose(stream) }
        let copy = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
        guard copy >= 0, let output = fdopen(copy, "w") else { throw .system(call: "dup", errno: errno) }
        undo.append { fclose(output) }
        guard tcgetattr(descriptor, &settings) == 0 else {
            throw .noTerminal(program: program, reason: String(cString: strerror(errno)))
        }
        // Opened once more, since ncurses, which would share the flag, takes all for written.
        let outputDescriptor = open(path, O_WRONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK)
        guard outputDescriptor >= 0 else { throw .system(call: "open", errno: errno) }
        undo.append { Glibc.close(outputDescriptor) }

        // Before newterm, which installs handlers of its own where it finds none.
        let signalDescriptor = cncurses_watch_signals()
        guard signalDescriptor >= 0 else { throw .system(call: "pipe2", errno: errno) }
        undo.append { cncurses_unwatch_signals() }

        let type = variable("TERM") ?? ""
        // The size that the terminal has, whatever LINES and COLUMNS say.
        use_env(false)
        use_tioctl(true)
        guard !type.isEmpty, let curses = newterm(type, output, stream) else {
            throw .unknownTerminal(name: type)
        }
        undo.append {
            endwin()
            delscreen(curses)
        }
        guard let modes = TerminalModes() else { throw .unusableTerminal(name: type) }

        self.descriptor = descriptor
        self.outputDescriptor = outputDescriptor
        self.signalDescriptor = signalDescriptor
        self.settings = settings
        self.stream = stream
        self.output = output
        self.curses = curses
        self.modes = modes
        frames = FrameOutput(descriptor: copy, terminal: descriptor)
        undo = []
    }

    /// Keys come as they are typed from now on, and a crash gives the terminal back.
    func begin() {
        var settings = settings
        cncurses_guard(descriptor, outputDescriptor, &settings, Self.wantsBacktrace)
        cncurses_set_input_mode(descriptor)
    }

    /// Lets go of it, as it was found, once.
    func close() {
        delscreen(curses)
        var settings = settings
        tcsetattr(descriptor, TCSANOW, &settings)
        cncurses_unguard()
        cncurses_unwatch_signals()
        fclose(output)
        fclose(stream)
        Glibc.close(outputDescriptor)
        frames.close()
        Self.isInUse.store(false, ordering: .relaxed)
    }

    /// The process's own terminal, or where it has none, as behind setsid(1) and in some containers, the one that
    /// it reads from, if it writes to a terminal too.
    private static var path: String {
        let own = "/dev/tty"
        let descriptor = open(own, O_RDWR | O_CLOEXEC | O_NOCTTY)
        if descriptor >= 0 {
            Glibc.close(descriptor)
            return own
        }
        guard isatty(STDIN_FILENO) == 1, isatty(STDOUT_FILENO) == 1, let name = ttyname(STDIN_FILENO) else {
            return own
        }
        return String(cString: name)
    }

    /// Whether the environment asks for UTF-8 (locale(7)).
    private static var namesUTF8: Bool {
        let name = ["LC_ALL", "LC_CTYPE", "LANG"].lazy.compactMap(variable).first { !$0.isEmpty } ?? ""
        let encoding = name.lowercased().split(separator: ".").dropFirst().first ?? ""
        return ["utf-8", "utf8"].contains(encoding.split(separator: "@").first ?? "")
    }

    /// Whether a crash should go on to the runtime's backtracer, which else would ask its question on
    /// whatever terminal there is.
    private static var wantsBacktrace: Bool {
        let wishes = (variable("SWIFT_BACKTRACE") ?? "").split(separator: ",")
        return wishes.contains { ["enable=yes", "enable=on", "enable=true", "enable=tty"].contains($0) }
    }
}
