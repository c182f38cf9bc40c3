import PropertyList
import SettingsStore

/// One declared property: the value it shows, and the delivery of changes to its subscribers.
///
/// It connects to its suite on first access and is told of changes from then on. No lock is held
/// while a suite is asked, a value is converted, or others' code runs.
///
/// Unchecked, since the default may be of a type that isn't `Sendable`; see ``Locked``.
final class Property<Value>: @unchecked Sendable {
    let declaration: Declaration<Value>
    let state: Locked<State>
    let shown = ShownValue<Value>()
    let tracker = Tracker()
    let followed = Locked<FollowedObject?>(nil)
    /// The default as it was declared, where it is an object, which may change.
    let declaredForm: PropertyListValue?

    init(_ declaration: Declaration<Value>, isForTasks: Bool) {
        PDefaultsConfiguration.reportsSuites
        self.declaration = declaration
        declaredForm = declaration.isObservable ? declaration.encodedDefault : nil
        state = Locked(State(declaration, isForTasks: isForTasks, shown))
        if let place = declaration.place { registerDefault(of: place, in: place.suite) }
    }

    /// What shows now, read from the suite the first time.
    var current: PDefaultsUpdate<Value> {
        if let update = state.withLock({ $0.isConnected ? $0.exposed : nil }) { return update }
        connect()
        return state.withLock(\.exposed)
    }

    var isMocked: Bool { state.withLock(\.isMocked) }

    func setMocked(_ isMocked: Bool) {
        let mustConnect = state.withLock { state in
            state.isMocked = isMocked
            return state.connection != nil && !state.isConnected
        }
        if mustConnect { connect() }
    }
}

// MARK: - Setting

extension Property {
    /// Sets the value; one that can't be encoded is reported and changes nothing.
    func set(_ value: Value) {
        do throws(PDefaultsError) { try setOrThrow(value) } catch { PDefaultsConfiguration.report(error) }
    }

    /// - Throws: why the value can't be encoded; nothing has changed then.
    func setOrThrow(_ value: Value) throws(PDefaultsError) {
        let suite = connectedSuite()
        guard let place = declaration.place, let suite else {
            let isNil = declaration.isOptional && isNilValue(value)
            let update = isNil ? defaultUpdate(.thisProperty) : stored(value, .thisProperty)
            return change(to: update) { id in deliver(.update(update, id)) }
        }
        let encoded = try declaration.encode(value, place)
        let update =
            encoded == nil ? defaultUpdate(in: suite, .thisProperty) : stored(value, .thisProperty)
        change(to: update) { id in suite.set(encoded, forKey: place.key, origin: .set(by: id)) }
    }

    func reset() {
        let suite = connectedSuite()
        let update = defaultUpdate(in: suite, .reset)
        change(to: update) { id in
            if let place = declaration.place, let suite {
                suite.set(nil, forKey: place.key, origin: .reset(by: id))
            } else {
                deliver(.update(update, id))
            }
        }
    }

    func stored(_ value: Value, _ origin: PDefaultsOrigin) -> PDefaultsUpdate<Value> {
        PDefaultsUpdate(value: value, state: .stored, origin: origin)
    }

    /// Shows the value at once, unless it is to show after its delivery, and has it delivered.
    func change(to update: PDefaultsUpdate<Value>, _ send: (WriterID) -> Void) {
        let id = WriterID()
        let showsNow = declaration.behavior == .didSet
        if showsNow { tracker.willChange() }
        state.withLock { $0.expect(update, from: id) }
        if showsNow { tracker.didChange() }
        send(id)
        followObject()
    }
}
