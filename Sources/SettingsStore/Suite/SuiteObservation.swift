import Synchronization

/// An observer's registration. It ends when its last reference is released, or when it is cancelled. It keeps its
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

    /// Ends the observation. A change that another thread is delivering may still arrive.
    public func cancel() {
        // The observer is released here, with no lock held: it may hold another observation.
        let ended = registration.withLock { registration in
            defer { registration = nil }
            return registration
        }
        guard let ended else { return }
        ended.observer.end()
        ended.suite.remove(ended.observer)
    }
}

/// An observer of a suite.
final class Observer: Sendable {
    /// nil: all keys, the status and failures.
    let key: String?
    private let receive: @Sendable (SuiteEvent) -> Void
    private let hasEnded = Atomic(false)

    init(ofKey key: String?, _ receive: @escaping @Sendable (SuiteEvent) -> Void) {
        self.key = key
        self.receive = receive
    }

    func notify(_ event: SuiteEvent) {
        if !hasEnded.load(ordering: .acquiring) { receive(event) }
    }

    func end() { hasEnded.store(true, ordering: .releasing) }
}
