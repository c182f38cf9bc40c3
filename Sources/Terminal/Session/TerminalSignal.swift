import CNcurses
import Glibc

/// A signal that concerns a program on a terminal (signal(7)).
public enum TerminalSignal: Sendable, Hashable, CaseIterable {
    /// SIGINT, SIGTERM and SIGHUP: close the session and exit.
    case interrupt, terminate, hangUp
    /// SIGTSTP: call ``TerminalSession/suspend()``.
    case stop
    /// SIGWINCH and SIGCONT: handled by ``TerminalSession/readEvents()``.
    case windowChange, goOn

    var number: Int32 {
        switch self {
        case .interrupt: SIGINT
        case .terminate: SIGTERM
        case .hangUp: SIGHUP
        case .stop: SIGTSTP
        case .windowChange: SIGWINCH
        case .goOn: SIGCONT
        }
    }

    /// The signals that arrived since the previous call.
    static func taken() -> Set<TerminalSignal> {
        let bits = cncurses_take_signals()
        return Set(allCases.filter { bits & (1 << $0.number) != 0 })
    }
}
