import Glibc

/// Runs work later, on other threads. It is the only clock of the store, so that tests can replace it.
public protocol WorkScheduler: Sendable {
    /// Runs the work soon, once.
    func run(_ work: @escaping @Sendable () -> Void)
    /// Runs the work soon, once, on the calling thread if that has offered to run work (`InlineWork`).
    ///
    /// Such a thread runs the work after it has released its locks, so the work may take them.
    func runHere(_ work: @escaping @Sendable () -> Void)
    /// Runs the work after this many seconds, once.
    func run(after seconds: Double, _ work: @escaping @Sendable () -> Void)
}

extension WorkScheduler {
    public func runHere(_ work: @escaping @Sendable () -> Void) { run(work) }
}

/// Runs work on the store's own threads, so that a disk that hangs delays no other work of the program.
public struct LiveWorkScheduler: WorkScheduler {
    public init() {}

    public func run(_ work: @escaping @Sendable () -> Void) { ThreadPool.shared.run(work) }

    public func runHere(_ work: @escaping @Sendable () -> Void) {
        if !InlineWork.take(work) { run(work) }
    }

    public func run(after seconds: Double, _ work: @escaping @Sendable () -> Void) {
        ThreadPool.shared.run(work, at: monotonicTime() + seconds)
    }
}

/// Runs work on the thread that created it, after that thread has finished its current call.
///
/// Problem: waking another thread takes longer than reading a small file. Approach: the thread that reports a foreign
/// change collects the work that the report creates, and runs it itself. Without it, each foreign change would wait for
/// one more thread on its way to the observers.
enum InlineWork {
    private final class Offer {
        var works: [ThreadPool.Work] = []
    }

    /// The offer of the calling thread.
    private static let offer: pthread_key_t = {
        var key = pthread_key_t()
        pthread_key_create(&key, nil)
        return key
    }()

    /// Runs the body, and returns the work that was created meanwhile. The caller has to run it.
    static func collect(during body: () -> Void) -> [ThreadPool.Work] {
        let offer = Offer()
        pthread_setspecific(Self.offer, Unmanaged.passUnretained(offer).toOpaque())
        body()
        pthread_setspecific(Self.offer, nil)
        return offer.works
    }

    /// Returns whether the calling thread runs the work later, because it has offered that.
    static func take(_ work: @escaping ThreadPool.Work) -> Bool {
        guard let offer = pthread_getspecific(offer) else { return false }
        Unmanaged<Offer>.fromOpaque(offer).takeUnretainedValue().works.append(work)
        return true
    }
}
