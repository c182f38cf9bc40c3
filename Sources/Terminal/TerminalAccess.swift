import Glibc

/// How a terminal is reached.
struct TerminalAccess {
    /// What is typed.
    let reading: Int32
    /// What ncurses writes to, which takes all for written: it waits for a terminal that takes nothing.
    let drawing: Int32
    /// What all else is written to: it says that it can't (`O_NONBLOCK`), unless ``writingWaits``.
    let writing: Int32
    let writingWaits: Bool
    /// Whether the system tells this process of another size (SIGWINCH), which only a session's own terminal has.
    let tellsSize: Bool

    /// The process's own terminal; where it has none, as behind setsid(1) and in some containers, the one that it
    /// reads from, if it writes to a terminal too. Behind su(1) that may not be opened by its name: then the
    /// descriptors are used that this process was handed.
    init(for program: String) throws(TerminalError) {
        if let access = Self(opening: "/dev/tty", isOwn: true) {
            self = access
            return
        }
        let reason = String(cString: strerror(errno))
        guard isatty(STDIN_FILENO) == 1,
            let output = [STDOUT_FILENO, STDERR_FILENO].first(where: { isatty($0) == 1 })
        else { throw .noTerminal(program: program, reason: reason) }
        if let name = ttyname(STDIN_FILENO), let access = Self(opening: String(cString: name), isOwn: false) {
            self = access
            return
        }
        reading = fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 0)
        // `O_NONBLOCK` would be that of everybody who was handed the same.
        writing = fcntl(output, F_DUPFD_CLOEXEC, 0)
        (drawing, writingWaits, tellsSize) = (writing, true, false)
        guard reading >= 0, writing >= 0 else { throw .system(call: "dup", errno: errno) }
    }

    /// Nil where that can't be, for the reason in `errno`.
    private init?(opening path: String, isOwn: Bool) {
        reading = open(path, O_RDWR | O_CLOEXEC | O_NOCTTY)
        guard reading >= 0 else { return nil }
        // Opened once more, since ncurses would share the flag.
        writing = open(path, O_WRONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK)
        guard writing >= 0 else {
            let reason = errno
            Glibc.close(reading)
            errno = reason
            return nil
        }
        (drawing, writingWaits, tellsSize) = (reading, false, isOwn)
    }

    func close() {
        Glibc.close(reading)
        Glibc.close(writing)
    }
}
