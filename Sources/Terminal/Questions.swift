import Glibc
import TerminalCanvas

/// What the terminal was asked, and what is known of it. Nothing ever waits for its answers but the end.
struct Questions {
    /// What the user has chosen.
    var choice: ThemeChoice
    private(set) var hasSynchronizedUpdates = false
    private var isLight: Bool?
    /// When they were asked, in milliseconds; nil once they are answered.
    private var asked: Int?
    /// How long the answers took, in milliseconds; nil before they are there.
    private(set) var roundTrip: Int?

    /// A terminal that has not answered by then does not.
    private static let patience = 1000
    /// No end is held up for longer.
    private static let longestWait = 200

    init(_ choice: ThemeChoice) {
        self.choice = choice
        isLight = Self.isLight(variable("COLORFGBG"))
    }

    mutating func begin() { asked = Self.now() }

    /// Whether answers may still come.
    var areOpen: Bool { asked.map { Self.now() - $0 < Self.patience } ?? false }

    /// How long the end is to wait for them, in milliseconds; nil where there is nothing to wait for.
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
        case .ready: break
        }
    }

    var theme: Theme {
        switch choice {
        case .dark: .dark
        case .light: .light
        case .auto: isLight.map { $0 ? .light : .dark } ?? .standard
        }
    }

    /// What `COLORFGBG` says of the background, by its number in the palette, which stands last: `15;0`,
    /// `0;default;15`.
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
