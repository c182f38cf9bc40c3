/// Tracks a program that changes a file in place and keeps it open.
///
/// Problem: such a file causes an event for each change, and an event for the end only when the program closes it. So a
/// watching process would read a half-written file again and again, or miss the last change. Approach: a timer runs from
/// the first change until a second after the last one, and says when to read. Without it, a program that writes often
/// would cost a reading for each write, and changes by a program that never closes its file would be missed.
struct InPlaceWriteTracker {
    /// Seconds from one ``pass()`` to the next.
    static let interval = 0.1
    private static let second = 10

    /// Whether the file was changed within the last second and has not been closed since: it may be half-written.
    private(set) var isGoingOn = false
    private var isTimed = false
    private var hasNews = false
    /// Intervals in a row with changes, and without any.
    private var busy = 0
    private var quiet = 0

    /// Notes that the file has been changed.
    ///
    /// - Returns: Whether the caller has to start the timer.
    mutating func goOn() -> Bool {
        isGoingOn = true
        hasNews = true
        defer { isTimed = true }
        return !isTimed
    }

    /// Notes that the program has closed the file.
    mutating func end() { isGoingOn = false }

    /// Notes that an interval has passed. The file is to be read after an interval without a change, once a second if
    /// there is no such interval, and at the end.
    mutating func pass() -> (mustRead: Bool, goesOn: Bool) {
        guard isGoingOn else {
            self = InPlaceWriteTracker()
            return (false, false)
        }
        if hasNews {
            hasNews = false
            quiet = 0
            busy += 1
            return (busy % Self.second == 0, true)
        }
        busy = 0
        quiet += 1
        if quiet < Self.second { return (quiet == 1, true) }
        self = InPlaceWriteTracker()
        return (true, false)
    }
}
