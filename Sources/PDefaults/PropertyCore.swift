import PropertyList
import SettingsStore

/// One declared property, but for the type of its value: the value it shows, and the delivery of changes
/// to its subscribers.
///
/// No lock is held while a suite is asked, a value is converted, or others' code runs.
///
/// Unchecked, since values may be of a type that isn't `Sendable`; see ``Locked``.
class PropertyCore: @unchecked Sendable {
    let behavior: PDefaultsBehavior
    /// Whether values are objects that tell of their changes.
    private let isObservable: Bool
    let state: Locked<PropertyState>
    let tracker = Tracker()

    init(_ behavior: PDefaultsBehavior, isObservable: Bool, _ state: PropertyState) {
        self.behavior = behavior
        self.isObservable = isObservable
        self.state = Locked(state)
    }

    /// What a change in the suite makes the property show.
    func convert(_ change: Change) -> AnyUpdate { fatalError("for the property to say") }

    /// Begins to observe the suite that is to be used now, and takes over its value.
    ///
    /// - Parameter isReporting: whether it is reported where that is none of the property's.
    func connect(isReporting: Bool) { fatalError("for the property to say") }

    /// The object that a value is, where it tells of its changes.
    func object(of update: AnyUpdate) -> AnyObject? { fatalError("for the property to say") }

    /// Follows the object that shows.
    func followNewObject() { fatalError("for the property to say") }

    /// Follows the object that shows, if it is one that tells of its changes.
    final func followObject() { if isObservable { followNewObject() } }

    /// What shows now, read from the suite the first time.
    final var current: AnyUpdate {
        if let update = state.withLock({ $0.isConnected ? $0.exposed : nil }) { return update }
        connect(isReporting: true)
        return state.withLock(\.exposed)
    }

    /// The suite in use; nil for a property that lives in memory alone.
    final func connectedSuite(isReporting: Bool = true) -> SettingsSuite? {
        let (isConnected, suite) = state.withLock { ($0.isConnected, $0.connection?.suite) }
        if isConnected { return suite }
        connect(isReporting: isReporting)
        return state.withLock(\.connection)?.suite
    }

    /// Shows the value at once, unless it is to show after its delivery, and has it delivered.
    final func change(to update: AnyUpdate, _ send: (WriterID) -> Void) {
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
        _ update: AnyUpdate,
        forKey key: String,
        in suite: SettingsSuite
    ) {
        change(to: update) { id in suite.setChecked(encoded, forKey: key, origin: .set(by: id)) }
    }

    final var isMocked: Bool { state.withLock(\.isMocked) }

    final func setMocked(_ isMocked: Bool) {
        state.withLock { $0.isMocked = isMocked }
        takeNotice()
    }

    /// Goes over to the source that is wanted now, if it is in use and shows another one's value.
    final func takeNotice() {
        // Again where somebody was quicker, who may have wanted another one.
        while state.withLock({ $0.mustReconnect }) { connect(isReporting: true) }
    }

    /// Leaves the suite, for good.
    final func disconnect() {
        UsedProperties.shared.remove(self)
        let observation = state.withLock { state in
            defer { state.observation = nil }
            state.hasEnded = true
            return state.observation
        }
        // It ends outside the lock.
        withExtendedLifetime(observation) {}
    }
}
