import PropertyList
import SettingsStore

/// One declared property without the type of its value: which value it shows, and its subscriptions. A property shows
/// the value that reading it gives.
///
/// The property holds no lock while it asks a suite, converts a value, or calls code of the program.
///
/// Unchecked, since values may be of a type that isn't `Sendable`; see ``Locked``.
class AnyProperty: @unchecked Sendable {
    let behavior: PDefaultsBehavior
    /// Whether the values are objects that announce their changes.
    private let isObservable: Bool
    let state: Locked<PropertyState>
    let tracker = ObservationTracker()

    init(_ behavior: PDefaultsBehavior, isObservable: Bool, _ state: PropertyState) {
        self.behavior = behavior
        self.isObservable = isObservable
        self.state = Locked(state)
    }

    /// The key and the suite of the declaration; nil for a property that only lives in memory.
    var declaredAddress: SettingAddress? { nil }

    /// The value that the property shows after a change in the suite. The caller shows the value and then reports the
    /// errors, so that a handler of errors finds the new state.
    func convert(
        _ change: Change,
        from connection: SuiteConnection
    ) -> (AnyPropertyUpdate, [PDefaultsError]) {
        fatalError("Property overrides this")
    }

    /// Begins to observe the suite that is wanted now, and shows its value.
    ///
    /// - Parameter isReporting: whether to report a stored value that the property can't read.
    func connect(isReporting: Bool) { fatalError("Property overrides this") }

    /// The value as an object that announces its changes; nil for any other value.
    func object(of update: AnyPropertyUpdate) -> AnyObject? { fatalError("Property overrides this") }

    /// Follows the object that shows.
    func followNewObject() { fatalError("Property overrides this") }

    /// Follows the object that shows, if its type announces changes.
    final func followObject() { if isObservable { followNewObject() } }

    /// The value that shows now, read from the suite the first time.
    final var current: AnyPropertyUpdate {
        if let update = state.withLock({ $0.isConnected ? $0.exposed : nil }) { return update }
        connect(isReporting: true)
        return state.withLock(\.exposed)
    }

    /// The suite in use; nil for a property that only lives in memory.
    final func connectedSuite(isReporting: Bool = true) -> SettingsSuite? {
        let (isConnected, suite) = state.withLock { ($0.isConnected, $0.connection?.suite) }
        if isConnected { return suite }
        connect(isReporting: isReporting)
        return state.withLock(\.connection)?.suite
    }

    /// Sets the value.
    ///
    /// - Parameter send: passes the set to the suite, or publishes it if there is no suite.
    final func change(to update: AnyPropertyUpdate, _ send: (WriterID) -> Void) {
        let id = WriterID()
        let showsNow = behavior == .didSet
        if showsNow { tracker.willChange() }
        state.withLock { $0.expect(update, from: id) }
        if showsNow { tracker.didChange() }
        send(id)
        followObject()
    }

    final func set(
        _ encoded: PropertyListValue?,
        _ update: AnyPropertyUpdate,
        forKey key: String,
        in suite: SettingsSuite
    ) {
        change(to: update) { id in suite.setChecked(encoded, forKey: key, origin: .set(by: id)) }
    }

    final var isMocked: Bool { state.withLock(\.isMocked) }

    final func setMocked(_ isMocked: Bool) {
        state.withLock { $0.isMocked = isMocked }
        reconnect()
    }

    /// Connects to the source that is wanted now, if the property is in use and shows the value of another source.
    final func reconnect() {
        // Another thread may be quicker, and want another source.
        while state.withLock({ $0.mustReconnect }) { connect(isReporting: true) }
    }

    /// Leaves the suite for good.
    final func disconnect() {
        PropertyRegistry.shared.remove(self)
        let observation = state.withLock { state in
            defer { state.observation = nil }
            state.hasEnded = true
            return state.observation
        }
        // The observation ends outside the lock.
        withExtendedLifetime(observation) {}
    }
}
