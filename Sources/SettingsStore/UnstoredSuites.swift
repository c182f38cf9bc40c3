import Glibc
import Synchronization

/// The suites of this process that have something to store, so that its end can wait for them.
final class UnstoredSuites: Sendable {
    static let shared = UnstoredSuites()

    private let suites = Mutex<[ObjectIdentifier: SuiteCore]>([:])
    /// Those whose declarations are still to be told to others.
    private let unexported = Mutex<[ObjectIdentifier: SuiteCore]>([:])
    /// Those that the end of the process could not store.
    private let failed = Mutex<Set<ObjectIdentifier>>([])

    private init() {
        // Runs when `main` returns and at exit(3); not when a signal ends the process.
        atexit { UnstoredSuites.shared.finish() }
    }

    /// Does what the end of the process has to do. What failed once is not tried again.
    fileprivate func finish() {
        storeAll()
        for suite in unexported.withLock({ Array($0.values) }) { suite.exportDeclarations() }
    }

    func insert(_ suite: SuiteCore) {
        suites.withLock { $0[ObjectIdentifier(suite)] = suite }
    }

    func remove(_ suite: SuiteCore) {
        _ = suites.withLock { $0.removeValue(forKey: ObjectIdentifier(suite)) }
    }

    func insertUnexported(_ suite: SuiteCore) {
        unexported.withLock { $0[ObjectIdentifier(suite)] = suite }
    }

    func removeUnexported(_ suite: SuiteCore) {
        _ = unexported.withLock { $0.removeValue(forKey: ObjectIdentifier(suite)) }
    }

    /// Stores what can be. What can't stays pending in both halves of the process.
    func storeBeforeFork() {
        for suite in suites.withLock({ Array($0.values) }) { suite.storeBeforeFork() }
    }

    /// Nobody comes to be one of them, or ceases to, until ``letGo()``.
    func hold() { suites.hold() }

    func letGo() { suites.letGo() }

    /// In the child of a process that forked while it held them.
    func startAnew() {
        letGo()
        for suite in suites.withLock({ Array($0.values) }) { suite.haveForked() }
    }

    /// Observers may set more while they are told of what others stored, so it takes several rounds;
    /// those that never stop setting can't hold up the end for good.
    private func storeAll() {
        let deadline = monotonicTime() + 5
        var rounds = 0
        while rounds < 16 {
            rounds += 1
            let failed = failed.withLock(\.self)
            let left = suites.withLock { $0.filter { !failed.contains($0.key) } }
            if left.isEmpty { return }
            for (id, suite) in left {
                do throws(SettingsError) {
                    try suite.synchronize(isEnd: true)
                    if suite.hasHandovers { giveUp(id) }
                } catch {
                    // A server that starts takes a second or two.
                    if error.isOutage, !suite.isPendingKept, monotonicTime() < deadline {
                        rounds -= 1
                        usleep(100_000)
                        continue
                    }
                    giveUp(id)
                    tell(error, of: suite)
                }
            }
        }
    }

    private func giveUp(_ id: ObjectIdentifier) { failed.withLock { _ = $0.insert(id) } }

    private func tell(_ error: SettingsError, of suite: SuiteCore) {
        var text = "\(error)"
        if error.isOutage || suite.isPendingKept {
            text += " (\(suite.location): \(suite.pendingKeys.joined(separator: ", ")))"
            if suite.isPendingKept { text += ". The next start goes on with them" }
        }
        text = "Settings were not stored: \(printable(text))\n"
        _ = text.withCString { write(STDERR_FILENO, $0, strlen($0)) }
    }
}

extension SettingsSuite {
    /// Stores what all suites of the process have to store, for whoever has something to do behind that at the
    /// end of the process, in whatever order the system calls those that have asked for it.
    package static func storeAllAtTheEnd() { UnstoredSuites.shared.finish() }
}

/// The text without what a terminal would act upon: paths and keys come from elsewhere.
private func printable(_ text: String) -> String {
    String(
        String.UnicodeScalarView(
            text.unicodeScalars.map { $0.properties.generalCategory == .control ? "?" : $0 }
        )
    )
}
