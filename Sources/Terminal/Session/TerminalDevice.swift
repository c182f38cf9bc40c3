import CNcurses
import Glibc
import Synchronization

/// Owns the terminal and ncurses from opening to closing.
///
/// A process has only one ncurses, so only one device can be open at a time.
final class TerminalDevice {
    /// Whether the locale's encoding is UTF-8.
    let hasUnicode: Bool
    let access: TerminalAccess
    /// The descriptor for input.
    var descriptor: Int32 { access.reading }
    /// A descriptor that is readable after a signal.
    let signalDescriptor: Int32
    let modes: TerminalModes
    let frames: FrameOutput
    private let curses: OpaquePointer
    private let stream: UnsafeMutablePointer<FILE>
    /// The stream that ncurses writes to.
    private let output: UnsafeMutablePointer<FILE>
    /// The terminal's settings before it was opened.
    private let settings: termios

    private static let isInUse = Atomic(false)

    /// Opens the terminal and starts ncurses.
    ///
    /// - Parameter program: The name of the program, for the error that there is no terminal.
    init(for program: String) throws(TerminalError) {
        guard !Self.isInUse.exchange(true, ordering: .relaxed) else { throw .alreadyOpen }
        var undo: [() -> Void] = [{ Self.isInUse.store(false, ordering: .relaxed) }]
        defer { for step in undo.reversed() { step() } }

        // Only the encoding is set, because other code in this process reads and writes numbers.
        setlocale(LC_CTYPE, "")
        // A variable that names UTF-8 counts even if the system lacks that locale, which often happens over
        // ssh.
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

        // Before newterm(3), which installs its own signal handlers if there are none.
        let signalDescriptor = cncurses_watch_signals()
        guard signalDescriptor >= 0 else { throw .system(call: "pipe2", errno: errno) }
        undo.append { cncurses_unwatch_signals() }

        let type = variable("TERM") ?? ""
        // Use the real size of the terminal and ignore LINES and COLUMNS.
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

    /// Switches to single-key input, and restores the terminal after a crash from now on.
    func begin() {
        var settings = settings
        cncurses_guard(descriptor, access.writing, &settings)
        cncurses_set_input_mode(descriptor)
    }

    /// Restores the terminal's settings and closes everything. May be called only once.
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

    /// Opens a stream on a copy of the descriptor, so that each stream can be closed separately.
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
}
