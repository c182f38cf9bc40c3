import CNcurses
import Glibc

/// A signal that concerns whoever uses a terminal (signal(7)).
public enum TerminalSignal: Sendable, Hashable, CaseIterable {
    /// SIGINT, SIGTERM, SIGHUP: leave, with the terminal whole.
    case interrupt, terminate, hangUp
    /// SIGTSTP: call ``TerminalSession/suspend()``.
    case stop
    /// SIGWINCH and SIGCONT: ``TerminalSession/readEvents()`` attends to these.
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

    /// Those that have come since the last call.
    static func taken() -> Set<TerminalSignal> {
        let bits = cncurses_take_signals()
        return Set(allCases.filter { bits & (1 << $0.number) != 0 })
    }
}
