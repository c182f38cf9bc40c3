/// What a suite tells those who observe all of it.
public enum SuiteEvent: Sendable {
    case change(Change)
    /// The suite stands differently with its storage. The number of pending keys alone is not told.
    case status(SuiteStatus)
    /// An attempt to read or to store failed; what happens next the status says.
    case failed(SettingsError)
}

/// An observer's registration, which ends when nobody holds it any more, or before.
public final class Observation: Sendable {
    private let end: @Sendable () -> Void

    init(_ end: @escaping @Sendable () -> Void) { self.end = end }

    deinit { end() }

    /// Ends the observation. A change that is being told on another thread may still arrive.
    public func cancel() { end() }
}
