// Tests and previews need suites that leave nothing behind. This storage keeps a suite in memory, and behaves like a
// file otherwise. Without it, every test would have to make and remove files.

import PropertyList

/// A suite in memory, for tests and previews. It exists as long as its ``Place`` does.
///
/// Two storages on the same place behave like two processes on the same file.
public struct MemoryStorage: SuiteStorage {
    /// The values that several storages share.
    public final class Place: Sendable {
        fileprivate struct State {
            var values: [String: PropertyListValue]?
            var version = 0
            var watchers: [ObjectIdentifier: @Sendable () -> Void] = [:]
            var isNotificationScheduled = false

            /// Returns whether the caller has to schedule a notification.
            mutating func beginNotification() -> Bool {
                if watchers.isEmpty || isNotificationScheduled { return false }
                isNotificationScheduled = true
                return true
            }
        }

        /// Held while a storage updates, like a file's lock.
        fileprivate let updateLock = Mutex(())
        fileprivate let state: Mutex<State>
        fileprivate let scheduler: any WorkScheduler

        /// - Parameters:
        ///   - values: the initial values; nil if the suite does not exist yet.
        ///   - scheduler: runs the notifications of watches.
        public init(
            _ values: [String: PropertyListValue]? = nil,
            scheduler: any WorkScheduler = LiveWorkScheduler()
        ) {
            let values = values?.mapValues(\.withOwnData)
            state = Mutex(State(values: values))
            self.scheduler = scheduler
        }

        fileprivate func notifyWatchers() {
            let watchers = state.withLock { state in
                state.isNotificationScheduled = false
                return Array(state.watchers.values)
            }
            for notify in watchers { notify() }
        }

        /// The stored values; nil if the suite does not exist.
        public var values: [String: PropertyListValue]? { state.withLock(\.values) }
    }

    /// Removes its watcher when the last copy of the watch is released.
    private final class WatchHolder: Sendable {
        let place: Place

        init(_ place: Place) { self.place = place }

        deinit {
            let key = ObjectIdentifier(self)
            // The watcher is released after the lock, with all that it holds.
            _ = place.state.withLock { $0.watchers.removeValue(forKey: key) }
        }
    }

    public let location: String
    private let place: Place
    private var version: Int?

    public init(_ place: Place = Place(), location: String = "memory") {
        self.place = place
        self.location = location
    }

    public mutating func read() -> StorageReading {
        let (values, current) = place.state.withLock { ($0.values, $0.version) }
        defer { version = current }
        return StorageReading(
            current == version ? .none : .all(PropertyListEntries(values ?? [:])),
            exists: values != nil
        )
    }

    public mutating func update(_ decide: (StorageReading) -> StorageWrite) {
        let mustNotify = place.updateLock.withLock { _ in
            let write = decide(read())
            if write.isNone { return false }
            let (current, mustNotify) = place.state.withLock { state in
                var values = state.values ?? [:]
                for (key, value) in write.changes { values[key] = value }
                switch write.suiteAction {
                case .create: state.values = values
                case .remove: state.values = values.isEmpty ? nil : values
                // The removal of a missing key does not create the suite.
                case .keep: if state.values != nil || !values.isEmpty { state.values = values }
                }
                state.version += 1
                return (state.version, state.beginNotification())
            }
            version = current
            return mustNotify
        }
        if mustNotify { place.scheduler.run { [place] in place.notifyWatchers() } }
    }

    public func watch(_ notify: @escaping @Sendable () -> Void) -> StorageWatch {
        let holder = WatchHolder(place)
        place.state.withLock { $0.watchers[ObjectIdentifier(holder)] = notify }
        return StorageWatch(heldBy: holder) { _ in .events }
    }
}
