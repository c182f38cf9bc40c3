import Synchronization

/// What a suite tells those who observe all of it.
public enum SuiteEvent: Sendable {
    case change(Change)
    /// The suite stands differently with its storage. The number of pending keys alone is not told.
    indirect case status(SuiteStatus)
    /// An attempt to read or to store failed; what happens next the status says. That the suite still can't
    /// be read, for the same reason, is not told again.
    indirect case failed(SettingsError)
}

/// An observer's registration, which ends when nobody holds it any more, or before. It keeps its
/// suite alive.
public final class SuiteObservation: Sendable {
    private struct Registration {
        let suite: SuiteCore
        let observer: Observer
    }

    private let registration: Mutex<Registration?>

    init(_ observer: Observer, of suite: SuiteCore) {
        registration = Mutex(Registration(suite: suite, observer: observer))
    }

    deinit { cancel() }

    /// Ends the observation. A change that is being told on another thread may still arrive.
    public func cancel() {
        // What the observer holds is released here, with no lock held: it may be another observation.
        let ended = registration.withLock { registration in
            defer { registration = nil }
            return registration
        }
        guard let ended else { return }
        ended.observer.end()
        ended.suite.remove(ended.observer)
    }
}

/// Somebody who hears of a suite's changes.
final class Observer: Sendable {
    /// nil observes all keys, and the suite's own state.
    let key: String?
    private let receive: @Sendable (SuiteEvent) -> Void
    private let hasEnded = Atomic(false)

    init(ofKey key: String?, _ receive: @escaping @Sendable (SuiteEvent) -> Void) {
        self.key = key
        self.receive = receive
    }

    func tell(_ event: SuiteEvent) {
        if !hasEnded.load(ordering: .acquiring) { receive(event) }
    }

    func end() { hasEnded.store(true, ordering: .releasing) }
}
