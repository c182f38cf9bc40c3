import Glibc
import Synchronization

/// The suites of this process that have something to store, so that its end can wait for them.
final class UnstoredSuites: Sendable {
    static let shared = UnstoredSuites()

    private let suites = Mutex<[ObjectIdentifier: SuiteCore]>([:])

    private init() {
        // Runs when `main` returns and at exit(3); not when a signal ends the process.
        atexit { UnstoredSuites.shared.storeAll() }
    }

    func insert(_ suite: SuiteCore) {
        suites.withLock { $0[ObjectIdentifier(suite)] = suite }
    }

    func remove(_ suite: SuiteCore) {
        _ = suites.withLock { $0.removeValue(forKey: ObjectIdentifier(suite)) }
    }

    private func storeAll() {
        for suite in suites.withLock({ Array($0.values) }) {
            do {
                try suite.synchronize()
            } catch {
                let text = "Settings were not stored: \(error)\n"
                _ = text.withCString { write(STDERR_FILENO, $0, strlen($0)) }
            }
        }
    }
}
