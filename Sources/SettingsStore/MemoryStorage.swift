import PropertyList
import Synchronization

/// A suite that lives as long as somebody holds its place: for tests and previews.
///
/// Two storages on the same place behave like two processes on the same file.
public struct MemoryStorage: SuiteStorage {
    /// What several storages can share.
    public final class Place: Sendable {
        fileprivate struct State {
            var values: [String: PropertyListValue]?
            var version = 0
            var watchers: [ObjectIdentifier: Watcher] = [:]
        }

        /// Held while a storage updates, as a file's lock would be.
        fileprivate let turn = Mutex(())
        fileprivate let state: Mutex<State>

        /// - Parameter values: what is there from the start; nil is a suite that nobody has written.
        public init(_ values: [String: PropertyListValue]? = nil) {
            state = Mutex(State(values: values))
        }

        /// What is kept now.
        public var values: [String: PropertyListValue]? { state.withLock(\.values) }
    }

    fileprivate final class Watcher: Sendable {
        let hint: @Sendable () -> Void
        let place: Place

        init(_ place: Place, _ hint: @escaping @Sendable () -> Void) {
            self.place = place
            self.hint = hint
        }
    }

    /// Gives its watcher up when nobody holds the watch any more.
    private final class WatchHolder: Sendable {
        let watcher: Watcher

        init(_ watcher: Watcher) { self.watcher = watcher }

        deinit {
            let key = ObjectIdentifier(watcher)
            watcher.place.state.withLock { $0.watchers[key] = nil }
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
        let watchers: [Watcher] = place.turn.withLock { _ in
            let write = decide(read())
            if write.isNone { return [] }
            let (current, watchers) = place.state.withLock { state in
                var values = state.values ?? [:]
                for (key, value) in write.changes { values[key] = value }
                switch write.whole {
                case .made: state.values = values
                case .removed: state.values = values.isEmpty ? nil : values
                // To remove what was never there makes nothing.
                case .stays: if state.values != nil || !values.isEmpty { state.values = values }
                }
                state.version += 1
                return (state.version, Array(state.watchers.values))
            }
            version = current
            return watchers
        }
        for watcher in watchers { watcher.hint() }
    }

    public mutating func recover(with write: StorageWrite) -> String? { nil }

    public func refusal(of value: PropertyListValue, forKey key: String) -> SettingsError? { nil }

    public func readOnlyReason() -> String? { nil }

    public func watch(_ hint: @escaping @Sendable () -> Void) -> StorageWatch {
        let watcher = Watcher(place, hint)
        place.state.withLock { $0.watchers[ObjectIdentifier(watcher)] = watcher }
        return StorageWatch(heldBy: WatchHolder(watcher)) { _ in .events }
    }
}
