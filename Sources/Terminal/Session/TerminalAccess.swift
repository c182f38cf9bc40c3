import Glibc

/// The descriptors through which the terminal is used.
struct TerminalAccess {
    let reading: Int32
    /// The descriptor for ncurses. It blocks, because ncurses treats everything as written.
    let drawing: Int32
    /// The descriptor for all other output. It does not block (`O_NONBLOCK`), unless ``writingWaits`` is
    /// true.
    let writing: Int32
    let writingWaits: Bool
    /// Whether the system reports a new size by SIGWINCH. Only the controlling terminal of a session does
    /// that.
    let tellsSize: Bool

    /// Opens the terminal of the process.
    ///
    /// This is the controlling terminal, `/dev/tty`. A process might have none, for example after setsid(1)
    /// or in some containers. Then it uses the terminal on its standard input, provided that it writes to a
    /// terminal too. After su(1) that terminal might not be openable by name, so the inherited descriptors
    /// are used.
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
        // No `O_NONBLOCK` here, because the flag would apply to every process that shares the descriptor.
        writing = fcntl(output, F_DUPFD_CLOEXEC, 0)
        (drawing, writingWaits, tellsSize) = (writing, true, false)
        guard reading >= 0, writing >= 0 else { throw .system(call: "dup", errno: errno) }
    }

    /// Opens the terminal at a path. Returns nil and leaves the reason in `errno` if this fails.
    private init?(opening path: String, isOwn: Bool) {
        reading = open(path, O_RDWR | O_CLOEXEC | O_NOCTTY)
        guard reading >= 0 else { return nil }
        // Opened a second time, because ncurses would otherwise share the flag `O_NONBLOCK`.
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
