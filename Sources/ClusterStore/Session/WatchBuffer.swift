// The watch stream delivers changes on the network thread, but a storage reads when its suite asks. The buffer keeps
// the changes of one suite in between; if they are too many or incomplete, it demands a full read instead. Without
// it, each notification would make the suite read all of its keys from a server again.

#if Cluster
import PropertyList
import SettingsStore

/// The changes of one suite that the stream has delivered and the storage has not read yet.
final class WatchBuffer: Sendable {
    struct Change: Sendable {
        let key: String
        /// The value's bytes; nil if the key was removed.
        let bytes: [UInt8]?
        let revision: Int64
    }

    enum Content: Sendable {
        /// All changes since the storage last read.
        case changes([Change])
        /// Changes may be missing, or nothing is watched.
        case mustReadAll
    }

    private struct State {
        var observers: [ObjectIdentifier: @Sendable () -> Void] = [:]
        var changes: [Change] = []
        var mustReadAll = true
        var isRetryScheduled = false
    }

    /// With more changes than this, reading everything again is cheaper.
    private static let changeLimit = 10_000

    let suite: SuiteName
    private let state = Mutex(State())

    init(_ suite: SuiteName) { self.suite = suite }

    // MARK: - Observers

    /// - Returns: whether this is the first observer.
    func add(_ notify: @escaping @Sendable () -> Void, for holder: AnyObject) -> Bool {
        state.withLock { state in
            defer { state.observers[ObjectIdentifier(holder)] = notify }
            if state.observers.isEmpty { state.mustReadAll = true }
            return state.observers.isEmpty
        }
    }

    /// - Returns: whether it was the last observer.
    func remove(_ holder: ObjectIdentifier) -> Bool {
        let (observer, isLast) = state.withLock { state in
            (state.observers.removeValue(forKey: holder), state.observers.isEmpty)
        }
        // The closure is released after the lock, because it may hold objects of the program.
        withExtendedLifetime(observer) {}
        return isLast
    }

    /// Notifies all observers on this thread, without a lock.
    func notify() { for notify in state.withLock({ Array($0.observers.values) }) { notify() } }

    // MARK: - From the stream

    /// Adds changes, and notifies the observers.
    func add(_ changes: [Change]) {
        let observers = state.withLock { state -> [@Sendable () -> Void] in
            if state.mustReadAll { return Array(state.observers.values) }
            state.changes += changes
            if state.changes.count > Self.changeLimit {
                state.changes = []
                state.mustReadAll = true
            }
            return Array(state.observers.values)
        }
        for notify in observers { notify() }
    }

    /// Makes the next reading a full one, and notifies the observers.
    func requireFullRead() {
        readingFailed()
        notify()
    }

    // MARK: - From the storage

    /// Hands over the changes.
    func takeContent() -> Content {
        state.withLock { state in
            defer { state.changes = [] }
            return state.mustReadAll || state.observers.isEmpty ? .mustReadAll : .changes(state.changes)
        }
    }

    /// Prepares for a request. Changes that arrive from here on are newer than the answer, or part of it.
    ///
    /// - Returns: whether everything must be read.
    func beginReading() -> Bool {
        state.withLock { state in
            state.changes = []
            defer { state.mustReadAll = false }
            return state.mustReadAll
        }
    }

    /// Makes the next reading a full one, without a notification.
    func readingFailed() { state.withLock { $0.mustReadAll = true } }

    /// - Returns: false if a retry is scheduled already.
    func beginRetry() -> Bool {
        state.withLock { state in
            defer { state.isRetryScheduled = true }
            return !state.isRetryScheduled
        }
    }

    func endRetry() { state.withLock { $0.isRetryScheduled = false } }
}
#endif
