import Dispatch

/// Runs work later, on other threads: the only clock of the store.
public protocol WorkScheduler: Sendable {
    /// Runs the work soon, once.
    func run(_ work: @escaping @Sendable () -> Void)
    /// Runs the work when so many seconds have passed, once.
    func run(after seconds: Double, _ work: @escaping @Sendable () -> Void)
}

/// Threads of the store's own, so that a disk that hangs holds up nobody else's work.
public struct LiveWorkScheduler: WorkScheduler {
    private static let queue = DispatchQueue(
        label: "SettingsStore",
        qos: .userInitiated,
        attributes: .concurrent
    )

    public init() {}

    public func run(_ work: @escaping @Sendable () -> Void) { Self.queue.async(execute: work) }

    public func run(after seconds: Double, _ work: @escaping @Sendable () -> Void) {
        Self.queue.asyncAfter(deadline: .now() + seconds, execute: work)
    }
}
