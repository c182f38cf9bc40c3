import PropertyList

/// Bounds how long one write waits for unlocked writers. It never waits with the folder's lock.
///
/// Problem: a program that has the file open for writing may be in the middle of it, and may stay there for hours.
/// Approach: a write waits for the file's writers, 25 ms each time, and begins anew if they change the file; after a
/// tenth of a second or twelve rounds it goes first. Without the wait, half-written files would fail many writes;
/// without the bounds, a program that keeps the file open would hold up every write.
struct WriterPatience {
    /// Seconds for which one wait lasts at most.
    private static let waitLimit = 0.025
    /// Seconds for which all waits together last at most.
    private var secondsLeft = 0.15
    /// Nanoseconds for which a write gives way: it begins anew if an unlocked writer has changed the file before it was
    /// replaced.
    private static let givingWay: Int64 = 100_000_000
    /// Rounds for which a write gives way.
    private static let roundsGivingWay = 12
    /// Rounds in which the replaced file is examined for late writes. A program that writes without a pause might have
    /// one in each.
    private static let roundsWithLateWrites = 16
    private static let roundLimit = 24

    private let start: Timestamp
    private(set) var round = 0
    /// Whether unlocked writers go first.
    private(set) var givesWay = true
    /// The late changes of unlocked writers, which were merged and written again.
    var late: [String: PropertyListValue?] = [:]
    /// Whether a write has waited for a writer in vain.
    private var isOver = false
    /// How often an unreadable or missing file may be read once more.
    private var retriesLeft = 3
    private var isRetrying = false

    init(since start: Timestamp) { self.start = start }

    var waitsForWriters: Bool { givesWay && !isOver }
    var looksForLateWrites: Bool { round < Self.roundsWithLateWrites }

    /// - Returns: Whether the write may be tried once more.
    mutating func beginRound(at now: Timestamp) -> Bool {
        round += 1
        let isLate = abs(now.nanoseconds - start.nanoseconds) > Self.givingWay
        givesWay = round <= Self.roundsGivingWay && !isLate
        return round < Self.roundLimit
    }

    /// Whether an unreadable or missing file is to be read once more.
    var mayRetry: Bool { retriesLeft > 0 && secondsLeft > 0 }

    /// Such a file can't be written in any case, so the next wait for its writers lasts longer.
    mutating func retry() {
        retriesLeft -= 1
        isRetrying = true
    }

    /// Waits until the condition holds.
    mutating func wait(_ files: any FileSystem, until isMet: () -> Bool) {
        let limit = isRetrying ? secondsLeft : min(secondsLeft, Self.waitLimit)
        isRetrying = false
        var waited = 0.0
        while !isMet() {
            if waited >= limit {
                isOver = true
                return
            }
            // Most writers are done at once.
            let pause = waited < 0.001 ? 0.000_1 : 0.001
            files.pause(pause)
            waited += pause
            secondsLeft -= pause
        }
    }
}
