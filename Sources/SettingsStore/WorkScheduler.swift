import Glibc

/// Runs work later, on other threads: the only clock of the store.
public protocol WorkScheduler: Sendable {
    /// Runs the work soon, once.
    func run(_ work: @escaping @Sendable () -> Void)
    /// The same, for work that may be done by the calling thread as soon as it has time, where it has offered
    /// that. No lock that the work takes may be held till then.
    func runHere(_ work: @escaping @Sendable () -> Void)
    /// Runs the work when so many seconds have passed, once.
    func run(after seconds: Double, _ work: @escaping @Sendable () -> Void)
}

extension WorkScheduler {
    public func runHere(_ work: @escaping @Sendable () -> Void) { run(work) }
}

/// Threads of the store's own, so that a disk that hangs holds up nobody else's work.
public struct LiveWorkScheduler: WorkScheduler {
    public init() {}

    public func run(_ work: @escaping @Sendable () -> Void) { WorkThreads.shared.run(work) }

    public func runHere(_ work: @escaping @Sendable () -> Void) {
        if !OfferedTime.take(work) { run(work) }
    }

    public func run(after seconds: Double, _ work: @escaping @Sendable () -> Void) {
        WorkThreads.shared.run(work, at: monotonicTime() + seconds)
    }
}

/// The time that a thread has for work that comes up while it does something else. It saves waking another.
enum OfferedTime {
    private final class Offer {
        var works: [WorkThreads.Work] = []
    }

    /// The calling thread's offer.
    private static let offer: pthread_key_t = {
        var key = pthread_key_t()
        pthread_key_create(&key, nil)
        return key
    }()

    /// Does something, and returns the work that came up, which the caller has to run.
    static func collect(during body: () -> Void) -> [WorkThreads.Work] {
        let offer = Offer()
        pthread_setspecific(Self.offer, Unmanaged.passUnretained(offer).toOpaque())
        body()
        pthread_setspecific(Self.offer, nil)
        return offer.works
    }

    /// Whether the calling thread has offered its time; then it runs the work later.
    static func take(_ work: @escaping WorkThreads.Work) -> Bool {
        guard let offer = pthread_getspecific(offer) else { return false }
        Unmanaged<Offer>.fromOpaque(offer).takeUnretainedValue().works.append(work)
        return true
    }
}
