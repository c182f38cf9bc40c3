#if Configuration
import PropertyList
import SettingsStore

/// The tasks that wait for changes of a suite.
///
/// A notification says "look again" and carries no value. The task looks when it runs, so it always sees the latest
/// value, and a slow task gets one notification for many changes.
final class Watchers: Sendable {
    private struct Watcher {
        /// nil: notified of every change.
        let key: String?
        let notification: AsyncStream<Void>.Continuation
    }

    private let all = Mutex<[WriterID: Watcher]>([:])

    /// - Parameter key: the key to watch, with dots between its components; nil for all keys.
    func add(_ key: String?) -> (id: WriterID, notifications: AsyncStream<Void>) {
        let (stream, notification) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
        let id = WriterID()
        all.withLock { $0[id] = Watcher(key: key, notification: notification) }
        return (id, stream)
    }

    func remove(_ id: WriterID) { _ = all.withLock { $0.removeValue(forKey: id) } }

    /// Notifies those that watch the key of the suite, or anything in its dictionary; nil: all.
    func notify(of changed: String?) {
        let watchers = all.withLock { all in
            all.values.filter { watcher in
                guard let changed, let key = watcher.key else { return true }
                return key == changed || key.hasPrefix(changed + ".")
            }
        }
        // A task may run at once, so no lock is held here.
        for watcher in watchers { watcher.notification.yield() }
    }
}

/// The current value, and then each value that differs from the previous one.
struct Updates<Element: Sendable>: AsyncSequence, Sendable {
    typealias Failure = Never

    let notifications: AsyncStream<Void>
    let look: @Sendable () -> Element
    let isSame: @Sendable (Element, Element) -> Bool

    func makeAsyncIterator() -> Iterator {
        Iterator(updates: self, notifications: notifications.makeAsyncIterator())
    }

    struct Iterator: AsyncIteratorProtocol {
        typealias Failure = Never

        let updates: Updates
        var notifications: AsyncStream<Void>.Iterator
        var last: Element?

        mutating func next(isolation actor: isolated (any Actor)?) async -> Element? {
            while true {
                if last != nil, await notifications.next(isolation: actor) == nil { return nil }
                let element = updates.look()
                if let last, updates.isSame(last, element) { continue }
                last = element
                return element
            }
        }
    }
}
#endif
