/// The suites that somebody of this process holds, so that one place has one state.
final class SharedSuites: Sendable {
    static let shared = SharedSuites()

    private struct WeakCore {
        weak var core: SuiteCore?
    }

    private struct State {
        /// By the bytes of their places: equal strings can name different files.
        var cores: [[UInt8]: WeakCore] = [:]
        /// At how many those go that nobody holds any more.
        var limit = 16
    }

    private let state = Mutex(State())

    func core(_ place: String, _ makeStorage: () -> sending any SuiteStorage) -> SuiteCore {
        state.withLock { state in
            let key = Array(place.utf8)
            if let core = state.cores[key]?.core { return core }
            let core = SuiteCore(makeStorage(), scheduler: LiveWorkScheduler())
            if state.cores.count >= state.limit {
                state.cores = state.cores.filter { $0.value.core != nil }
                state.limit = max(16, 2 * state.cores.count)
            }
            state.cores[key] = WeakCore(core: core)
            return core
        }
    }
}
