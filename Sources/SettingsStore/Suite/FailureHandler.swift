// Some failures happen when no caller is there to be thrown them. The program's handler gets those. It may use the
// suite, so it is never called under a lock: a failure that is found under one waits in a queue, which a thread of the
// store or the exit of the process hands to the handler. Without the queue, a handler that synchronizes the suite would
// wait for itself.

import Glibc

enum FailureHandler {
    private struct State {
        /// A function that is stored directly in a `Mutex` would be wrapped in another one at each reading.
        var handler: (@Sendable (String, SettingsError) -> Void)?
        /// Failures that the handler has not got yet, the oldest first.
        var queue: [(location: String, error: SettingsError)] = []
        /// Threads that are calling the handler with failures of the queue.
        var reporting: [pthread_t] = []
    }

    private static let state = Mutex(State())

    /// For callers that hold no lock.
    static func report(_ location: String, _ error: SettingsError) { handler?(location, error) }

    /// For callers that may hold a lock.
    static func reportLater(_ location: String, _ error: SettingsError) {
        // If the process exits before the thread begins, the exit reports the queue.
        ExitFlush.register()
        let isFirst = state.withLock { state in
            state.queue.append((location, error))
            return state.queue.count == 1
        }
        if isFirst { LiveWorkScheduler().run { _ = reportQueue() } }
    }

    /// - Returns: whether there was anything to report.
    private static func reportQueue() -> Bool {
        let thread = pthread_self()
        let queue = state.withLock { state in
            defer { state.queue = [] }
            if !state.queue.isEmpty { state.reporting.append(thread) }
            return state.queue
        }
        if queue.isEmpty { return false }
        for (location, error) in queue { report(location, error) }
        state.withLock { state in
            if let index = state.reporting.firstIndex(of: thread) { state.reporting.remove(at: index) }
        }
        return true
    }

    /// Seconds that the exit waits for a handler that another thread has called.
    private static let exitTimeout = 2.0
    private static let microsecondsBetweenChecks: UInt32 = 1000

    /// Reports the queue at the exit of the process. A handler that is running on another thread has some time to
    /// finish. If it runs on this thread, it has called exit(3), and the exit does not wait for it.
    ///
    /// - Returns: whether there was anything to report.
    static func reportAtExit() -> Bool {
        let deadline = monotonicTime() + exitTimeout
        let thread = pthread_self()
        while state.withLock({ $0.reporting.contains { $0 != thread } }), monotonicTime() < deadline {
            usleep(microsecondsBetweenChecks)
        }
        return reportQueue()
    }

    static var handler: (@Sendable (String, SettingsError) -> Void)? {
        get { state.withLock { $0.handler } }
        set {
            // The old handler is released after the lock, with all that it holds.
            let old = state.withLock { state in
                defer { state.handler = newValue }
                return state.handler
            }
            withExtendedLifetime(old) {}
        }
    }
}

extension SettingsSuite {
    /// The function that is called when a suite of this process could not be read, or could not be stored in the
    /// background. It is called once, until reading or storing succeeds or fails for another reason. `location` is the
    /// path or URL of the suite. The call is made on any thread, with no lock held, so the function may use the suite.
    /// The latest moment is the exit of the process.
    ///
    /// Values that were set stay in memory, and the store retries. The library PDefaults sets a handler that calls
    /// `PDefaultsConfiguration.onError`, if the program has set none.
    public static var onFailure: (@Sendable (_ location: String, _ error: SettingsError) -> Void)? {
        get { FailureHandler.handler }
        set { FailureHandler.handler = newValue }
    }

    /// Reports a failure that a storage has found, later and on another thread. The caller may hold locks.
    package static func reportLater(_ error: SettingsError, at location: String) {
        FailureHandler.reportLater(location, error)
    }
}
