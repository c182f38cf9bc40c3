import FoundationEssentials

/// The time of the last tick. The state has no other clock.
struct EditorClock: Sendable {
    /// In seconds, since a fixed moment.
    private(set) var now = 0.0
    /// The date of the system's clock, if it is known.
    private(set) var date: Date?

    mutating func tick(_ now: Double, _ date: Date?) {
        self.now = max(now, self.now)
        self.date = date ?? self.date
    }
}
