/// A watch on a suite or on a list of suites. It ends when the last copy of this value is released.
///
/// Its notifications arrive on a thread of the watch, with no lock held, so they may call everything, for example
/// ``SettingsSuite/synchronize()``. One that is being delivered while the watch ends may still arrive.
public struct StorageWatch: Sendable {
    private let state: @Sendable () -> SuiteStatus.Watching

    /// - Parameters:
    ///   - holder: ends the watch when it is released.
    ///   - state: returns how foreign changes are noticed at present, without waiting for anything.
    public init<Holder: AnyObject & Sendable>(
        heldBy holder: Holder,
        _ state: @escaping @Sendable (Holder) -> SuiteStatus.Watching
    ) {
        self.state = { state(holder) }
    }

    /// Several watches as one.
    package init(all watches: [StorageWatch]) {
        state = { watches.lazy.map(\.watching).first { $0 != .events } ?? .events }
    }

    /// How foreign changes are noticed at present.
    public var watching: SuiteStatus.Watching { state() }
}
