import Glibc

/// Why there is no terminal to draw on, or no longer.
public enum TerminalError: Error, Sendable, Hashable {
    /// The process has none; with the reason that the system gave.
    case noTerminal(program: String, reason: String)
    /// `TERM` is not set, or names a terminal that is not in the terminfo database.
    case unknownTerminal(name: String)
    /// The terminal that `TERM` names can't place its cursor.
    case unusableTerminal(name: String)
    /// ncurses has one screen a process.
    case alreadyOpen
    /// The other end has gone: nobody will read or type any more.
    case hangUp
    case system(call: String, errno: Int32)
}

extension TerminalError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .noTerminal(let program, let reason):
            "\(program) needs a terminal; this process has none (/dev/tty: \(reason))."
        case .unknownTerminal(""):
            "The environment variable TERM is not set; it names the kind of terminal, such as xterm-256color."
        case .unknownTerminal(let name):
            """
            The terminal “\(name)” that TERM names is not known on this machine; install its terminfo entry \
            or set TERM to one that is, such as xterm-256color.
            """
        case .unusableTerminal(let name):
            "The terminal “\(name)” that TERM names can't place its cursor, so nothing can be drawn on it."
        case .alreadyOpen: "The terminal is in use by this process already."
        case .hangUp: "The terminal has gone."
        case .system(let call, let errno): "\(call): \(String(cString: strerror(errno)))"
        }
    }
}
