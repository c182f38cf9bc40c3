/// The suites that somebody of this process holds, so that one place has one state.
final class SharedSuites: Sendable {
    static let shared = SharedSuites()

    private struct WeakCore {
        weak var core: SuiteCore?
    }

    /// By the bytes of their places: equal strings can name different files.
    private let cores = Mutex<[[UInt8]: WeakCore]>([:])

    func core(_ place: String, _ makeStorage: () -> sending any SuiteStorage) -> SuiteCore {
        cores.withLock { cores in
            let key = Array(place.utf8)
            if let core = cores[key]?.core { return core }
            let core = SuiteCore(makeStorage(), scheduler: LiveWorkScheduler())
            cores = cores.filter { $0.value.core != nil }
            cores[key] = WeakCore(core: core)
            return core
        }
    }
}
