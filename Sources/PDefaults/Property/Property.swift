import PropertyList
import SettingsStore

/// One declared property.
///
/// The property connects to its suite on first access, and receives the suite's changes from then on.
///
/// Unchecked for the same reason as ``AnyProperty``.
final class Property<Value>: AnyProperty, @unchecked Sendable {
    let declaration: PropertyConfiguration<Value>
    let snapshot: ValueSnapshot<Value>
    // Copies of what the declaration has: to look up a generic type's member takes longer than the rest of a set.
    private let updates = PropertyUpdate<Value>.self
    private let encode: ((Value) throws -> PropertyListValue)?
    private let address: SettingAddress?
    private let isOptional: Bool
    override var declaredAddress: SettingAddress? { address }
    let followed = Locked<FollowedObject?>(nil)
    /// The encoded default if it is an object, which may change; else nil.
    let declaredForm: PropertyListValue?

    init(_ declaration: PropertyConfiguration<Value>, isForTasks: Bool) {
        PDefaultsConfiguration.reportsSuites
        self.declaration = declaration
        encode = declaration.place?.encoder
        address = declaration.place?.address
        isOptional = declaration.isOptional
        declaredForm = declaration.isObservable ? declaration.encodedDefault : nil
        let snapshot = ValueSnapshot<Value>()
        self.snapshot = snapshot
        let initial = PropertyUpdate(declaration.defaultValue, .default, .initial, .declared)
        super.init(
            declaration.behavior,
            isObservable: declaration.isObservable,
            PropertyState(
                behavior: declaration.behavior,
                followsOthers: declaration.followsOthers,
                livesInMemory: declaration.place == nil,
                isForTasks: isForTasks,
                initial,
                snapshot
            )
        )
        if let place = declaration.place { introduce(place, to: place.suite) }
    }

    func update(
        _ value: Value,
        _ state: PDefaultsState,
        _ origin: PDefaultsOrigin,
        _ layer: SettingsLayer
    ) -> PropertyUpdate<Value> {
        updates.init(value, state, origin, layer)
    }

    // MARK: Setting

    /// Sets the value. A value that can't be set is reported and changes nothing.
    func set(_ value: Value) {
        do throws(PDefaultsError) { try setOrThrow(value, asksStorage: false) } catch {
            PDefaultsConfiguration.report(error)
        }
    }

    /// - Parameter asksStorage: whether to refuse a value that the suite's file can't contain. Otherwise the suite
    ///   refuses it when it writes the file, and the property shows the previous value again.
    /// - Throws: why the value can't be encoded or stored, or which values the setting accepts. Nothing has changed
    ///   then.
    func setOrThrow(_ value: Value, asksStorage: Bool) throws(PDefaultsError) {
        let suite = connectedSuite()
        let isNil = isOptional && isNilValue(value)
        guard let address, let encode, let suite else {
            let update = isNil ? defaultUpdate(in: nil, .thisProperty) : stored(value, .thisProperty)
            return change(to: update) { id in publish(update, from: id) }
        }
        if isNil { return set(nil, defaultUpdate(in: suite, .thisProperty), forKey: address.key, in: suite) }
        let encoded: PropertyListValue
        do {
            encoded = try encode(value)
        } catch {
            throw address.error(.unencodable, sentence(of: error))
        }
        try address.check(encoded, in: suite)
        if asksStorage, let refusal = suite.refusalOfUnusual(encoded, forKey: address.key) {
            throw address.error(.unencodable, "\(refusal)")
        }
        set(encoded, stored(value, .thisProperty), forKey: address.key, in: suite)
    }

    func reset() {
        let suite = connectedSuite()
        let update = defaultUpdate(in: suite, .reset)
        change(to: update) { id in
            if let place = declaration.place, let suite {
                suite.set(nil, forKey: place.key, origin: .reset(by: id))
            } else {
                publish(update, from: id)
            }
        }
    }

    func stored(_ value: Value, _ origin: PDefaultsOrigin) -> PropertyUpdate<Value> {
        update(value, .stored, origin, .user)
    }

    // MARK: Overrides

    override func connect(isReporting: Bool) { connectToSuite(isReporting) }

    override func object(of update: AnyPropertyUpdate) -> AnyObject? {
        observableObject(update.of(Value.self).value)
    }

    override func followNewObject() { follow(object(of: state.withLock(\.exposed))) }

    override func convert(
        _ change: Change,
        from connection: SuiteConnection
    ) -> (AnyPropertyUpdate, [PDefaultsError]) {
        guard let suite = connection.suite, let place = declaration.place else {
            return (defaultUpdate(in: nil, PDefaultsOrigin(change.origin)), [])
        }
        let origin = PDefaultsOrigin(change.origin)
        let new = change.new.map { LayeredValue(value: $0, layer: change.layer) }
        let (update, errors) = readAny(new, place, in: suite, origin)
        // After a change of type in place, the old property can't read the new value, and need not.
        let readErrors = update.origin == .migration ? [] : errors
        guard change.origin == .refused, let old = change.old else { return (update, readErrors) }
        let refusal = suite.refusal(of: old, forKey: place.key)
        let error = refusal.map { place.address.error(.unencodable, "\($0)") } ?? place.address.takenBack
        return (update, [error] + readErrors)
    }
}
