import PropertyList

/// Bounds how long one write waits for unlocked writers. It never waits with the folder's lock.
///
/// Problem: a program that has the file open for writing may be in the middle of it, and may stay there for hours.
/// Approach: a write waits for the file's writers, 25 ms each time, and begins again if they change the file; after 80 ms
/// or twelve rounds it goes first, and after 100 ms it waits no more. Without the wait, half-written files would fail many
/// writes; without the bounds, a program that keeps the file open would hold up every write.
///
/// Only the waits count, because a slow disk is not a busy writer. A wait counts its pauses. On a busy machine each of them
/// takes longer, and so does the program that is waited for; then a wait lasts up to ten times as long. A wait does not count
/// while the program that has the file open waits for the disk.
struct WriterPatience {
    /// Seconds for which one wait lasts at most.
    private static let waitLimit = 0.025
    /// Seconds for which a write gives way: it begins again if an unlocked writer has changed the file before it was
    /// replaced.
    private static let givingWay = 0.08
    /// Seconds after which the write waits no more.
    private static let timeLimit = 0.1
    private static let firstRounds = 3
    private static let roundsGivingWay = 12
    /// In how many rounds the replaced file is examined for late writes. A program that writes without a pause might
    /// cause one in each round.
    private static let roundsWithLateWrites = 16
    private static let roundLimit = 24

    /// How much longer than its pauses a wait may last.
    private static let mostDelay = 10.0
    /// How many waits of one write do not count because the disk is slow. All of them take ten seconds.
    private static let mostStalls = 400

    private var secondsLeft = Self.timeLimit
    private var round = 0
    /// Whether unlocked writers go first.
    private(set) var givesWay = true
    /// Whether a write has waited for a writer in vain.
    private var isOver = false
    /// Whether the file was unreadable or missing. It can't be written in any case, so the next wait lasts longer.
    private var isRetrying = false
    private var retriesLeft = 12
    private var stallsLeft = Self.mostStalls
    /// The late changes of unlocked writers, which were merged and written again.
    var late: [String: PropertyListValue?] = [:]

    /// Whether a write that does not give way may still wait for a writer that was faster.
    var mayWait: Bool { !isOver && secondsLeft > 0 }
    var waitsForWriters: Bool { givesWay && !isOver }
    /// Looking takes no time, so it does not end with the waits.
    var looksForLateWrites: Bool { round < Self.roundsWithLateWrites }
    /// Whether an unreadable or missing file is to be read once more.
    var mayRetry: Bool { hasTime && retriesLeft > 0 && secondsLeft > 0 }
    private var hasTime: Bool { round <= Self.firstRounds || secondsLeft > 0 }
    private var secondsWaited: Double { Self.timeLimit - secondsLeft }

    /// - Returns: Whether the write may be tried once more.
    mutating func beginRound() -> Bool {
        round += 1
        givesWay =
            round <= Self.firstRounds || round <= Self.roundsGivingWay && secondsWaited < Self.givingWay
        return round < Self.roundLimit
    }

    mutating func retry() {
        retriesLeft -= 1
        isRetrying = true
    }

    /// Waits until the condition holds.
    ///
    /// - Parameter isStalled: Whether the program that is waited for waits for the disk.
    mutating func wait(_ files: any FileSystem, until isMet: () -> Bool, isStalled: () -> Bool) {
        var limit = isRetrying ? secondsLeft : min(secondsLeft, Self.waitLimit)
        isRetrying = false
        var begin = files.now()
        var (paused, waited) = (0.0, 0.0)
        while !isMet() {
            if waited >= limit {
                guard stallsLeft > 0, isStalled() else {
                    isOver = true
                    break
                }
                stallsLeft -= 1
                (limit, begin, paused, waited) = (Self.waitLimit, files.now(), 0, 0)
            }
            // Most writers are done at once.
            let pause = waited < 0.001 ? 0.000_1 : 0.001
            files.pause(pause)
            paused += pause
            waited = max(paused, files.now().seconds(since: begin) / Self.mostDelay)
        }
        secondsLeft -= waited
    }
}
