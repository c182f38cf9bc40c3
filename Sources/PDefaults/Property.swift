import PropertyList
import SettingsStore

/// One declared property.
///
/// It connects to its suite on first access and is told of changes from then on.
///
/// Unchecked for the same reason as ``PropertyCore``.
final class Property<Value>: PropertyCore, @unchecked Sendable {
    let declaration: Declaration<Value>
    let shown: ShownValue<Value>
    // Kept beside the declaration, since to look up what is of a generic type takes longer than all that
    // a set does with it.
    private let updates = Update<Value>.self
    private let encode: ((Value) throws -> PropertyListValue)?
    private let address: SettingAddress?
    private let isOptional: Bool
    let followed = Locked<FollowedObject?>(nil)
    /// The default as it was declared, where it is an object, which may change.
    let declaredForm: PropertyListValue?

    init(_ declaration: Declaration<Value>, isForTasks: Bool) {
        PDefaultsConfiguration.reportsSuites
        self.declaration = declaration
        encode = declaration.place?.encoder
        address = declaration.place?.address
        isOptional = declaration.isOptional
        declaredForm = declaration.isObservable ? declaration.encodedDefault : nil
        let shown = ShownValue<Value>()
        self.shown = shown
        let initial = Update(declaration.defaultValue, .default, .initial)
        super.init(
            declaration.behavior,
            isObservable: declaration.isObservable,
            PropertyState(
                behavior: declaration.behavior,
                followsOthers: declaration.followsOthers,
                livesInMemory: declaration.place == nil,
                isForTasks: isForTasks,
                initial,
                shown
            )
        )
        if let place = declaration.place { introduce(place, to: place.suite) }
    }

    func update(_ value: Value, _ state: PDefaultsState, _ origin: PDefaultsOrigin) -> Update<Value> {
        updates.init(value, state, origin)
    }

    // MARK: Setting

    /// Sets the value; one that can't be set is reported and changes nothing.
    func set(_ value: Value) {
        do throws(PDefaultsError) { try setOrThrow(value, asksStorage: false) } catch {
            PDefaultsConfiguration.report(error)
        }
    }

    /// - Parameter asksStorage: whether what the suite's file has no place for is known at once, instead of
    ///   being taken back when it is stored.
    /// - Throws: why the value can't be encoded or stored, or is none that the setting takes; nothing has
    ///   changed then.
    func setOrThrow(_ value: Value, asksStorage: Bool) throws(PDefaultsError) {
        let suite = connectedSuite()
        let isNil = isOptional && isNilValue(value)
        guard let address, let encode, let suite else {
            let update = isNil ? defaultUpdate(.thisProperty) : stored(value, .thisProperty)
            return change(to: update) { id in deliver(.update(update, id)) }
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
        address.readable.insert(encoded)
        set(encoded, stored(value, .thisProperty), forKey: address.key, in: suite)
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

    func stored(_ value: Value, _ origin: PDefaultsOrigin) -> Update<Value> {
        update(value, .stored, origin)
    }

    // MARK: What the suite says

    override func connect(isReporting: Bool) { connectToSuite(isReporting) }

    override func object(of update: AnyUpdate) -> AnyObject? { observableObject(update.of(Value.self).value) }

    override func followNewObject() { follow(object(of: state.withLock(\.exposed))) }

    override func convert(_ change: Change) -> AnyUpdate {
        let (suite, place) = (state.withLock(\.connection)?.suite, declaration.place)
        guard let suite, let place else { return defaultUpdate(PDefaultsOrigin(change.origin)) }
        let (update, error) = read(change.new, place, in: suite, PDefaultsOrigin(change.origin))
        if change.origin == .refused, let old = change.old {
            let refusal = suite.refusal(of: old, forKey: place.key)
            PDefaultsConfiguration.report(
                refusal.map { place.address.error(.unencodable, "\($0)") } ?? place.address.takenBack
            )
        }
        // A property whose type was changed in place is not expected to read the new one.
        if let error, update.origin != .migration { PDefaultsConfiguration.report(error) }
        return update
    }
}
