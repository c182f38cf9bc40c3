import Glibc

/// The reasons why a terminal cannot be used.
public enum TerminalError: Error, Sendable, Hashable {
    /// The process has no terminal. Contains the system's reason.
    case noTerminal(program: String, reason: String)
    /// `TERM` is not set, or the terminfo database does not contain it.
    case unknownTerminal(name: String)
    /// The terminal that `TERM` names cannot move its cursor.
    case unusableTerminal(name: String)
    /// Another session is open. ncurses supports one screen per process.
    case alreadyOpen
    /// The other end of the terminal is closed. No input will come.
    case hangUp
    case system(call: String, errno: Int32)
}

extension TerminalError: CustomStringConvertible {
    /// A message for the user that says what to do.
    public var description: String {
        switch self {
        case .noTerminal(let program, let reason):
            "\(program) needs a terminal; this process has none (/dev/tty: \(reason))."
        case .unknownTerminal(""):
            "Set the environment variable TERM to the kind of terminal, such as xterm-256color."
        case .unknownTerminal(let name):
            """
            This machine does not know the terminal “\(name)” that TERM names. Install its terminfo entry, or set TERM \
            to another terminal, such as xterm-256color.
            """
        case .unusableTerminal(let name):
            "The terminal “\(name)” that TERM names cannot move its cursor. Use another terminal or another TERM."
        case .alreadyOpen: "This process already uses the terminal."
        case .hangUp: "The terminal was closed."
        case .system(let call, let errno): "\(call): \(String(cString: strerror(errno)))"
        }
    }
}
