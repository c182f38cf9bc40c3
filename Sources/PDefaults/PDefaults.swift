import SettingsStore
import Synchronization

/// A property that is kept in a suite of settings.
///
/// ```swift
/// @PDefaults("user.name") var name = "Pitt"
///
/// let subscription = $name.sink { print("Name: \($0)") }  // Name: Pitt
/// name = "François"                                        // Name: François
/// ```
///
/// The value is read on first access and then stays in memory; changes by this process and by
/// others arrive there and at `$name` (those of other processes from a tenth of a second after the
/// first access on, or from the first subscription). The initial value is the default, which is
/// exposed while nothing is stored and is never written. It may be used from any thread where `Value`
/// is `Sendable`. Copies of the wrapper are the same property.
///
/// It is read quickest as a member of a structure in a constant; a class's could be replaced meanwhile, so that
/// each read has to hold it, which takes as long again.
@propertyWrapper
public struct PDefaults<Value> {
    @usableFromInline let declared: PropertyReference<Value>

    init(_ declaration: Declaration<Value>) { declared = PropertyReference(declaration) }

    /// A property without a key: of any type, published like the others, and kept nowhere.
    // Here and in no extension: elsewhere the compiler doesn't find it for an optional without an initial
    // value.
    public init(wrappedValue: Value, behavior: PDefaultsBehavior = .didSet) {
        self.init(
            Declaration(place: nil, defaultValue: wrappedValue, behavior: behavior, followsOthers: true)
        )
    }

    /// The property as the current task has it.
    var reference: PropertyReference<Value> {
        if !declared.mocking.hasBeenUsed.load(ordering: .relaxed) { return declared }
        return MockStore.current?.reference(for: declared) ?? declared
    }

    private var property: Property<Value> { reference.property }

    /// The stored value, else the default.
    ///
    /// Setting it tells the sinks of this process before it returns, unless another delivery is under
    /// way, which then goes on with it, and stores it soon after. Setting `nil` removes what is
    /// stored. A value that can't be encoded, or that the declaration does not take, changes nothing and
    /// is reported
    /// (``PDefaultsConfiguration/onError``).
    public var wrappedValue: Value {
        @inlinable get {
            if !declared.mocking.hasBeenUsed.load(ordering: .relaxed) {
                declared.tracker.access()
                if let value = declared.shown.value { return value }
            }
            return firstValue
        }
        nonmutating set { property.set(newValue) }
    }

    /// The value where it isn't at hand: on first access, where others are reading or setting it at the
    /// same moment, and in a process that has mocked its properties.
    @usableFromInline var firstValue: Value {
        let property = property
        property.tracker.access()
        return property.current.of(Value.self).value
    }

    /// Sends the current value to each new subscriber, and then every change.
    ///
    /// A subscription made on the main thread receives what other threads and processes changed
    /// through the main dispatch queue; any other on the thread that delivers. See
    /// ``publisher(delivery:)`` for another choice.
    public var projectedValue: AnyPublisher<Value, Never> { publisher(delivery: .automatic) }

    /// The same as `$name`, with values delivered where the caller wants them.
    public func publisher(delivery: PDefaultsDelivery) -> AnyPublisher<Value, Never> {
        AnyPublisher(PropertyValuePublisher(reference: reference, delivery: delivery))
    }

    /// The same values, each with where it came from and what is stored for it.
    public func updates(
        delivery: PDefaultsDelivery = .automatic
    ) -> AnyPublisher<PDefaultsUpdate<Value>, Never> {
        AnyPublisher(PropertyPublisher(reference: reference, delivery: delivery))
    }

    /// The value that shows, with where it came from and what is stored for it.
    public var current: PDefaultsUpdate<Value> { property.current.of(Value.self).content }

    /// The stored value, else the default.
    ///
    /// - Throws: why what is stored is no value of the property's type, or none that it takes.
    public func get() throws(PDefaultsError) -> Value {
        let current = property.current.of(Value.self)
        switch current.state {
        case .undecodable(let error), .invalid(let error): throw error
        case .stored, .argument, .default: return current.value
        }
    }

    /// Sets the value.
    ///
    /// May wait for the disk where the value is large, or holds characters that a property list in XML has
    /// no place for.
    ///
    /// - Throws: why it can't be encoded, or stored in the suite's file, or which values the setting takes;
    ///   nothing has changed then.
    public func set(_ value: Value) throws(PDefaultsError) {
        try property.setOrThrow(value, asksStorage: true)
    }

    /// Removes the stored value, so that the default is exposed and published.
    public func reset() { property.reset() }

    /// Whether this property keeps to itself: in memory, starting from its default, its suite neither
    /// read nor written. Subscribers stay and are told the value that shows when it changes.
    public var mock: Bool {
        get { property.isMocked }
        nonmutating set { property.setMocked(newValue) }
    }
}

extension PDefaults: Sendable where Value: Sendable {
    /// The same values as those of `$name`, for `for await`.
    public var values: PDefaultsValues<Value> { PDefaultsValues(reference: reference) }

    /// Calls the body with what shows now and with every change, on the thread that set the value or, for
    /// changes by other processes, on one of the store, for as long as the result is held.
    ///
    /// For programs that never run the main queue. The body is `@Sendable`, so that the compiler refuses
    /// what belongs to the main actor there.
    public func onUpdate(_ body: @escaping @Sendable (PDefaultsUpdate<Value>) -> Void) -> AnyCancellable {
        PropertyPublisher(reference: reference, delivery: nil).sink(receiveValue: body)
    }
}

/// When a new value becomes visible through the property that published it.
public enum PDefaultsBehavior: Sendable, Hashable {
    /// Before its own sinks run, as with `CurrentValueSubject`.
    case didSet
    /// After its own sinks have run, as with `@Published`.
    case willSet
}

/// On which thread a subscription receives.
public enum PDefaultsDelivery: Sendable, Hashable {
    /// On the main queue where the subscription is made on the main thread, else on the thread that
    /// delivers.
    case automatic
    /// On the main queue; what the main thread sets, at once.
    case mainQueue
}
