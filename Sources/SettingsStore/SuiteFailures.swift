import Synchronization

/// Failures to read or to store that happened when no caller was there to be thrown them.
enum SuiteFailures {
    /// A function by itself in a `Mutex` would be wrapped in another one each time it is read.
    private struct Handler {
        var call: (@Sendable (String, SettingsError) -> Void)?
    }

    private static let handler = Mutex(Handler())

    static func report(_ location: String, _ error: SettingsError) { current?(location, error) }

    static var current: (@Sendable (String, SettingsError) -> Void)? {
        get { handler.withLock { $0 }.call }
        set { handler.withLock { $0.call = newValue } }
    }
}

extension SettingsSuite {
    /// Is told where a suite of this process is kept and why it could not be read, or stored in the
    /// background: once, until that succeeds or fails otherwise. Called on any thread, without a lock.
    ///
    /// What was set stays in memory and is tried again. The library PDefaults sets this, where nobody
    /// has, to report to `PDefaultsConfiguration.onError`.
    public static var onFailure: (@Sendable (_ location: String, _ error: SettingsError) -> Void)? {
        get { SuiteFailures.current }
        set { SuiteFailures.current = newValue }
    }
}
