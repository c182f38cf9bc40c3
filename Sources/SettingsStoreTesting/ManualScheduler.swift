import SettingsStore
import Synchronization

/// A scheduler whose time stands still until a test moves it, and which runs work only then, on the
/// test's own thread.
public final class ManualScheduler: WorkScheduler {
    private struct Entry {
        let time: Double
        let work: @Sendable () -> Void
    }

    private struct State {
        var now = 0.0
        var entries: [Entry] = []
    }

    private let state = Mutex(State())

    public init() {}

    public func run(_ work: @escaping @Sendable () -> Void) { run(after: 0, work) }

    public func run(after seconds: Double, _ work: @escaping @Sendable () -> Void) {
        state.withLock { $0.entries.append(Entry(time: $0.now + seconds, work: work)) }
    }

    /// Moves the time on and runs all that becomes due, in its order, what that brings about included.
    public func advance(by seconds: Double = 0) {
        let end = state.withLock { $0.now + seconds }
        while let work = nextWork(until: end) { work() }
        state.withLock { $0.now = end }
    }

    private func nextWork(until end: Double) -> (@Sendable () -> Void)? {
        state.withLock { state in
            let due = state.entries.indices.filter { state.entries[$0].time <= end }
            // The first of those that are due at the same time.
            guard let next = due.min(by: { state.entries[$0].time < state.entries[$1].time }) else {
                return nil
            }
            let entry = state.entries.remove(at: next)
            state.now = max(state.now, entry.time)
            return entry.work
        }
    }

    /// How far away, in seconds, the work is that waits, in order.
    public var waiting: [Double] {
        state.withLock { state in state.entries.map { $0.time - state.now }.sorted() }
    }
}
