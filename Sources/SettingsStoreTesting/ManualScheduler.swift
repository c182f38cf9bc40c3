import SettingsStore
import Synchronization

/// A scheduler whose time a test advances. It runs the work that becomes due on the thread of the test, and only then.
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

    /// Advances the time and runs all work that becomes due, in order. That includes work that is scheduled meanwhile.
    public func advance(by seconds: Double = 0) {
        let end = state.withLock { $0.now + seconds }
        while let work = nextWork(until: end) { work() }
        state.withLock { $0.now = end }
    }

    private func nextWork(until end: Double) -> (@Sendable () -> Void)? {
        state.withLock { state in
            let due = state.entries.indices.filter { state.entries[$0].time <= end }
            // The first one, if several are due at the same time.
            guard let next = due.min(by: { state.entries[$0].time < state.entries[$1].time }) else {
                return nil
            }
            let entry = state.entries.remove(at: next)
            state.now = max(state.now, entry.time)
            return entry.work
        }
    }

    /// The seconds until each waiting piece of work is due, sorted.
    public var waiting: [Double] {
        state.withLock { state in state.entries.map { $0.time - state.now }.sorted() }
    }
}
