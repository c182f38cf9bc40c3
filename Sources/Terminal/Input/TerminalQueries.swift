import Glibc
import TerminalCanvas

/// Tracks the queries that were sent to the terminal, and what its answers say.
///
/// A terminal can report its background colour and support for synchronized updates, but it might answer late
/// or never. Drawing therefore never waits for an answer. Only closing the session waits briefly, because a
/// late answer would appear as typed text in the shell.
struct TerminalQueries {
    var choice: ThemeChoice
    private(set) var hasSynchronizedUpdates = false
    private var isLight: Bool?
    /// The time of the queries on the monotonic clock, in milliseconds. Nil after they are answered.
    private var asked: Int?
    /// The time that the answers took, in milliseconds. Nil until they arrive.
    private(set) var roundTrip: Int?

    /// The time after which no answer is expected any more, in milliseconds.
    private static let patience = 1000
    /// The longest time that closing waits for answers, in milliseconds.
    private static let longestWait = 200

    init(_ choice: ThemeChoice) {
        self.choice = choice
        isLight = Self.isLight(variable("COLORFGBG"))
    }

    mutating func begin() { asked = Self.now() }

    /// Whether answers might still come.
    var areOpen: Bool { asked.map { Self.now() - $0 < Self.patience } ?? false }

    /// The time that closing should wait for answers, in milliseconds. Nil if no answer is expected.
    var timeToWait: Int32? {
        guard areOpen, let asked else { return nil }
        return Int32(max(1, min(Self.longestWait, Self.patience - (Self.now() - asked))))
    }

    mutating func take(_ reply: TerminalReply) {
        switch reply {
        case .background(let lightness): isLight = lightness > 0.5
        case .synchronizedUpdates(let has): hasSynchronizedUpdates = has
        case .kind:
            roundTrip = asked.map { Self.now() - $0 }
            asked = nil
        }
    }

    var theme: Theme {
        choice.theme ?? isLight.map { $0 ? .light : .dark } ?? .standard
    }

    /// Whether the variable `COLORFGBG` describes a light background.
    ///
    /// The background is the last part, a number in the palette: `15;0`, `0;default;15`. The result is nil if
    /// the variable says nothing.
    static func isLight(_ colors: String?) -> Bool? {
        guard let last = colors?.split(separator: ";").last, let number = Int(last), 0..<16 ~= number else {
            return nil
        }
        return number == 7 || number > 8
    }

    static func now() -> Int {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return time.tv_sec * 1000 + time.tv_nsec / 1_000_000
    }
}
