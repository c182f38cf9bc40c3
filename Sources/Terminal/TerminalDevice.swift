import CNcurses
import Glibc
import Synchronization

/// The terminal that ncurses works on, taken for as long as this is open: one at a time, since there is one
/// ncurses in a process.
final class TerminalDevice {
    /// Whether the locale's encoding is UTF-8.
    let hasUnicode: Bool
    let access: TerminalAccess
    /// Reads what is typed.
    var descriptor: Int32 { access.reading }
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

        let access = try TerminalAccess(for: program)
        undo.append { access.close() }
        var settings = termios()
        guard tcgetattr(access.reading, &settings) == 0 else {
            throw .noTerminal(program: program, reason: String(cString: strerror(errno)))
        }
        let stream = try Self.stream(of: access.reading, "r")
        undo.append { fclose(stream) }
        let output = try Self.stream(of: access.drawing, "w")
        undo.append { fclose(output) }

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

        self.access = access
        self.signalDescriptor = signalDescriptor
        self.settings = settings
        self.stream = stream
        self.output = output
        self.curses = curses
        self.modes = modes
        frames = FrameOutput(descriptor: fileno(output), terminal: access.drawing)
        undo = []
    }

    /// Keys come as they are typed from now on, and a crash gives the terminal back.
    func begin() {
        var settings = settings
        cncurses_guard(descriptor, access.writing, &settings, Self.wantsBacktrace)
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
        frames.close()
        access.close()
        Self.isInUse.store(false, ordering: .relaxed)
    }

    /// One of its own, so that each can be closed.
    private static func stream(
        of descriptor: Int32,
        _ mode: String
    ) throws(TerminalError) -> UnsafeMutablePointer<FILE> {
        let copy = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
        guard copy >= 0, let stream = fdopen(copy, mode) else { throw .system(call: "dup", errno: errno) }
        return stream
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
