/// Who is on the way to store what a suite has pending: one at a time, at once or, after a failure, in a while.
struct CommitTurns {
    enum Turn: Equatable {
        case nobody
        /// It begins as soon as a thread is free.
        case next
        /// It begins after a while, since the last attempt failed. The number tells its turn from
        /// those that something else has made needless.
        case retry(UInt64)
    }

    private var turn = Turn.nobody
    /// Attempts to store that failed since the last one that didn't.
    private var failedAttempts = 0
    private var lastRetry: UInt64 = 0

    /// Whether the caller has to see to it that what was set is stored; else somebody does already.
    mutating func begin() -> Bool {
        guard turn == .nobody else { return false }
        turn = .next
        return true
    }

    /// The same, of what can be stored now and would have been tried again later.
    mutating func beginAtOnce() -> Bool {
        guard turn != .next else { return false }
        turn = .next
        return true
    }

    /// Takes a turn to try again, unless somebody is on the way already: half a second after the
    /// first failure, and ever more rarely, up to once in half a minute.
    mutating func beginRetry() -> (turn: Turn, seconds: Double)? {
        guard turn == .nobody else { return nil }
        lastRetry += 1
        turn = .retry(lastRetry)
        return (turn, min(0.5 * Double(1 << min(failedAttempts - 1, 6)), 30))
    }

    /// Begins a turn that was waited for, and tells whether it is still wanted.
    mutating func end(_ waited: Turn) -> Bool {
        guard turn == waited else { return false }
        turn = .nobody
        return true
    }

    mutating func succeeded() {
        failedAttempts = 0
        if case .retry = turn { turn = .nobody }
    }

    mutating func failed() { failedAttempts += 1 }
}
