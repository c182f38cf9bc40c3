/// Runs work later, on other threads: the only clock of the store.
public protocol WorkScheduler: Sendable {
    /// Runs the work soon, once.
    func run(_ work: @escaping @Sendable () -> Void)
    /// Runs the work when so many seconds have passed, once.
    func run(after seconds: Double, _ work: @escaping @Sendable () -> Void)
}

/// Threads of the store's own, so that a disk that hangs holds up nobody else's work.
public struct LiveWorkScheduler: WorkScheduler {
    public init() {}

    public func run(_ work: @escaping @Sendable () -> Void) { WorkThreads.shared.run(work) }

    public func run(after seconds: Double, _ work: @escaping @Sendable () -> Void) {
        WorkThreads.shared.run(work, at: monotonicTime() + seconds)
    }
}
