// Two parts of a program that use the same suite must see each other's values at once. So all suites of one location
// share one core. Without it, they would see each other only through the file.

/// The suites of one kind of location that this process holds. Each location has one core.
package final class SuiteRegistry<Key: Hashable & Sendable>: Sendable {
    private struct WeakCore {
        weak var core: SuiteCore?
    }

    private struct State {
        var cores: [Key: WeakCore] = [:]
        /// At this number of entries, those of released cores are removed.
        var limit = SuiteRegistry.smallestLimit
    }

    private static var smallestLimit: Int { 16 }

    private let state = Mutex(State())

    package init() {}

    /// - Parameter key: identifies the location.
    func core(_ key: Key, _ makeStorage: () -> sending any SuiteStorage) -> SuiteCore {
        let (core, held) = state.withLock { state -> (SuiteCore, [SuiteCore]) in
            if let core = state.cores[key]?.core { return (core, []) }
            let core = SuiteCore(makeStorage(), scheduler: LiveWorkScheduler())
            var held: [SuiteCore] = []
            if state.cores.count >= state.limit {
                held = state.cores.values.compactMap(\.core)
                state.cores = state.cores.filter { $0.value.core != nil }
                state.limit = max(Self.smallestLimit, 2 * state.cores.count)
            }
            state.cores[key] = WeakCore(core: core)
            return (core, held)
        }
        // A core whose last reference is released meanwhile must end after the lock, because the program's objects
        // may end with it.
        withExtendedLifetime(held) {}
        return core
    }
}

/// The suites in files. The key has the bytes of the path, because equal strings can name different files.
enum SharedFiles {
    static let suites = SuiteRegistry<[UInt8]>()
}
