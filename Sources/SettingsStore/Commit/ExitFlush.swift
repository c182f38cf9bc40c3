// A program that sets a value and exits must not lose it. So the exit of the process (atexit(3)) stores what is
// pending, and reports failures that were not reported yet. Without it, the last sets before an exit would be lost.

import Glibc
import PropertyList

/// Stores the suites of this process at its exit.
final class ExitFlush: Sendable {
    static let shared = ExitFlush()

    /// Suites with pending writes or unfinished migrations.
    private let unfinished = Mutex<[ObjectIdentifier: SuiteCore]>([:])
    /// Suites whose declared settings are not exported yet.
    private let unexported = Mutex<[ObjectIdentifier: SuiteCore]>([:])
    /// Suites that the exit could not store.
    private let failed = Mutex<Set<ObjectIdentifier>>([])

    /// Observers and failure handlers may set more during the exit. After this many rounds the exit goes on.
    private static let roundLimit = 16
    /// Seconds that the exit retries a service that does not answer. A server takes a second or two to start.
    private static let outageLimit = 5.0
    private static let microsecondsBetweenRetries: UInt32 = 100_000

    private init() {
        // Runs when `main` returns and at exit(3), but not when a signal ends the process.
        atExit { ExitFlush.shared.finish() }
    }

    /// Registers the exit handler, even if nothing has been set yet.
    static func register() { _ = shared }

    /// Does all the work of the exit. A suite that has failed once is not tried again.
    fileprivate func finish() {
        storeAll()
        for suite in unexported.withLock({ Array($0.values) }) { suite.exportDeclarations() }
        for _ in 0..<Self.roundLimit {
            let hasReported = FailureHandler.reportAtExit()
            storeAll()
            if !hasReported { return }
        }
    }

    func insert(_ suite: SuiteCore) { unfinished.withLock { $0[ObjectIdentifier(suite)] = suite } }

    func remove(_ suite: SuiteCore) {
        _ = unfinished.withLock { $0.removeValue(forKey: ObjectIdentifier(suite)) }
    }

    func insertUnexported(_ suite: SuiteCore) {
        unexported.withLock { $0[ObjectIdentifier(suite)] = suite }
    }

    func removeUnexported(_ suite: SuiteCore) {
        _ = unexported.withLock { $0.removeValue(forKey: ObjectIdentifier(suite)) }
    }

    /// Stores everything, in several rounds, because observers may set more when they are notified of foreign changes.
    private func storeAll() {
        let deadline = monotonicTime() + Self.outageLimit
        var rounds = 0
        while rounds < Self.roundLimit {
            rounds += 1
            let failed = failed.withLock(\.self)
            let left = unfinished.withLock { $0.filter { !failed.contains($0.key) } }
            if left.isEmpty { return }
            for (id, suite) in left {
                do throws(SettingsError) {
                    try suite.synchronize(isExit: true)
                    if suite.hasMigrations { giveUp(id) }
                } catch {
                    if error.isOutage, monotonicTime() < deadline {
                        rounds -= 1
                        usleep(Self.microsecondsBetweenRetries)
                        continue
                    }
                    giveUp(id)
                    printFailure(error, of: suite)
                }
            }
        }
    }

    private func giveUp(_ id: ObjectIdentifier) { failed.withLock { _ = $0.insert(id) } }

    private func printFailure(_ error: SettingsError, of suite: SuiteCore) {
        var text = "\(error)"
        if error.isOutage {
            text += " (\(MessageText.path(suite.location)): \(MessageText.names(suite.pendingKeys)))"
        }
        text = "Settings were not stored: \(MessageText.escaped(text))\n"
        _ = text.withCString { write(STDERR_FILENO, $0, strlen($0)) }
    }
}

extension SettingsSuite {
    /// Does the work of the exit now, for a caller whose own exit handler has to run after it. The system calls exit
    /// handlers in the reverse order of their registration.
    package static func storeAllAtTheEnd() { ExitFlush.shared.finish() }
}
