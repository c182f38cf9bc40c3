/// What events tell of somebody who changes a file in place and keeps it open: a clock of its own goes on
/// for as long as that lasts, and for a second after the last change.
struct InPlaceWriting {
    /// Seconds from one ``pass()`` to the next.
    static let interval = 0.1
    private static let second = 10

    /// Whether the file was changed within the last second and has not been closed since: what it holds may
    /// be half of what it is to be.
    private(set) var isGoingOn = false
    private var isTimed = false
    private var hasNews = false
    /// Intervals in a row with changes, and without any.
    private var busy = 0
    private var quiet = 0

    /// The file has been changed.
    ///
    /// - Returns: whether the caller has to start the clock.
    mutating func goOn() -> Bool {
        isGoingOn = true
        hasNews = true
        defer { isTimed = true }
        return !isTimed
    }

    /// Whoever wrote it is done with it.
    mutating func end() { isGoingOn = false }

    /// An interval has passed. It is worth while to look at the file when one went by without a change, once a
    /// second if none ever does, and at the end.
    mutating func pass() -> (isWorthALook: Bool, goesOn: Bool) {
        guard isGoingOn else {
            self = InPlaceWriting()
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
        self = InPlaceWriting()
        return (true, false)
    }
}
