#if Cluster
import PropertyList
import SettingsStore

/// What the cluster's stream has brought for one suite and its storage has not yet taken.
final class SuiteFeed: Sendable {
    struct Event: Sendable {
        let key: String
        /// The value's bytes; nil where the key was removed.
        let bytes: [UInt8]?
        let revision: Int64
    }

    enum News: Sendable {
        /// What has changed since the storage last took or read: all of it.
        case events([Event])
        /// Something may have been missed, or nothing is watched: all has to be read.
        case unknown
    }

    private struct State {
        var hints: [ObjectIdentifier: @Sendable () -> Void] = [:]
        var events: [Event] = []
        var mustRead = true
        /// Somebody makes the suite, and has not finished.
        var isUnfinished = false
        /// Somebody waits to look again.
        var isWaiting = false
    }

    /// More than this is read anew.
    private static let limit = 10_000

    let suite: SuiteName
    private let state = Mutex(State())

    init(_ suite: SuiteName) { self.suite = suite }

    /// - Returns: whether this is the first.
    func add(_ hint: @escaping @Sendable () -> Void, for holder: AnyObject) -> Bool {
        state.withLock { state in
            defer { state.hints[ObjectIdentifier(holder)] = hint }
            if state.hints.isEmpty { state.mustRead = true }
            return state.hints.isEmpty
        }
    }

    /// - Returns: whether it was the last.
    func remove(_ holder: ObjectIdentifier) -> Bool {
        state.withLock { state in
            state.hints[holder] = nil
            return state.hints.isEmpty
        }
    }

    /// - Parameter isUnfinished: whether somebody is making the suite from now on, or no longer; nil where the
    ///   stream has nothing new to say of that.
    func put(_ events: [Event], isUnfinished: Bool? = nil) {
        let hints = state.withLock { state -> [@Sendable () -> Void] in
            // All is read once it is there.
            if state.isUnfinished || isUnfinished != nil { (state.events, state.mustRead) = ([], true) }
            if let isUnfinished {
                state.isUnfinished = isUnfinished
            } else if state.isUnfinished {
                return []
            }
            if state.mustRead { return Array(state.hints.values) }
            state.events += events
            if state.events.count > Self.limit {
                state.events = []
                state.mustRead = true
            }
            return Array(state.hints.values)
        }
        for hint in hints { hint() }
    }

    /// Has everything be read again.
    func miss() {
        state.withLock { $0.mustRead = true }
        hint()
    }

    func hint() { for hint in state.withLock({ Array($0.hints.values) }) { hint() } }

    func take() -> News {
        state.withLock { state in
            defer { state.events = [] }
            return state.mustRead || state.hints.isEmpty ? .unknown : .events(state.events)
        }
    }

    /// The cluster is about to be asked. What comes from here on follows the answer or is part of it.
    ///
    /// - Returns: whether all has to be read, and whether somebody was making the suite.
    func beginReading() -> (mustReadAll: Bool, wasUnfinished: Bool) {
        state.withLock { state in
            state.events = []
            defer { (state.mustRead, state.isUnfinished) = (false, false) }
            return (state.mustRead, state.isUnfinished)
        }
    }

    /// What was read is a part of what somebody makes.
    func foundUnfinished() { state.withLock { ($0.mustRead, $0.isUnfinished) = (true, true) } }

    /// - Returns: whether nobody else waits to look again.
    func beginWaiting() -> Bool {
        state.withLock { state in
            defer { state.isWaiting = true }
            return !state.isWaiting
        }
    }

    func endWaiting() { state.withLock { $0.isWaiting = false } }

    /// It could not be read.
    func readingFailed() { state.withLock { $0.mustRead = true } }
}
#endif
