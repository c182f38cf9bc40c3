// A thousand sets should cost a few writes, and a failed write must be retried without filling the thread pool. So at
// most one commit of a suite is scheduled at any time. Without that, each set would occupy a thread while a disk is
// slow.

/// The one scheduled commit of a suite: as soon as possible or, after a failure, as a retry.
struct CommitSchedule {
    enum Turn: Equatable {
        case none
        /// The commit begins as soon as a thread is free.
        case next
        /// The commit begins after a delay, because the last one failed. A retry that was cancelled has an old number.
        case retry(UInt64)
    }

    private var turn = Turn.none
    /// Failed commits since the last one that succeeded.
    private var failures = 0
    private var lastRetry: UInt64 = 0

    /// Seconds until the first retry. Each later one waits twice as long.
    private static let firstRetryInterval = 0.5
    private static let longestRetryInterval = 30.0
    private static let doublingLimit = 6

    /// Returns whether the caller has to schedule a commit. Otherwise one is on the way already.
    mutating func begin() -> Bool {
        guard turn == .none else { return false }
        turn = .next
        return true
    }

    /// Like ``begin()``, also if a retry is scheduled, which is cancelled.
    mutating func beginNow() -> Bool {
        guard turn != .next else { return false }
        turn = .next
        return true
    }

    /// Returns the turn of a retry; nil if a commit is scheduled already.
    mutating func beginRetry() -> (turn: Turn, seconds: Double)? {
        guard turn == .none else { return nil }
        lastRetry += 1
        turn = .retry(lastRetry)
        let doublings = min(failures - 1, Self.doublingLimit)
        return (turn, min(Self.firstRetryInterval * Double(1 << doublings), Self.longestRetryInterval))
    }

    /// Begins a scheduled turn. Returns false if it was cancelled.
    mutating func end(_ waited: Turn) -> Bool {
        guard turn == waited else { return false }
        turn = .none
        return true
    }

    mutating func succeeded() {
        failures = 0
        if case .retry = turn { turn = .none }
    }

    mutating func failed() { failures += 1 }
}
