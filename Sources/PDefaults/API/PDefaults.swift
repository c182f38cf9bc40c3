import SettingsStore
import Synchronization

/// A property that is stored in a suite of settings.
///
/// ```swift
/// @PDefaults("user.name") var name = "Pitt"
///
/// let subscription = $name.sink { print("Name: \($0)") }  // Name: Pitt
/// name = "François"                                        // Name: François
/// ```
///
/// The property reads its value on first access, and from then on has it in memory. Changes by this process and foreign
/// changes update the value and are sent to `$name`. Foreign changes arrive from the first subscription on, or else
/// from 0.1 s after the first access on.
///
/// The initial value is the default. It shows while no value is stored, and is never written.
///
/// Any thread may use the property if `Value` is `Sendable`. Copies of the wrapper are the same property.
///
/// Reads are fastest if the property is a member of a structure that a `let` holds. A member of a class takes twice as
/// long, since another thread could replace it during the read.
@propertyWrapper
public struct PDefaults<Value> {
    @usableFromInline let declared: PropertyReference<Value>

    init(_ declaration: PropertyConfiguration<Value>) { declared = PropertyReference(declaration) }

    /// Declares a property without a key, of any type. It is published like the others, and only lives in memory.
    // This initializer is not in an extension, because the compiler would not find it there for an optional without an
    // initial value.
    public init(wrappedValue: Value, behavior: PDefaultsBehavior = .didSet) {
        self.init(
            PropertyConfiguration(
                place: nil,
                defaultValue: wrappedValue,
                behavior: behavior,
                followsOthers: true
            )
        )
    }

    /// The property that the current task uses.
    var reference: PropertyReference<Value> {
        if !declared.shortcut.isClosed.load(ordering: .relaxed) { return declared }
        return MockStore.current?.reference(for: declared) ?? declared
    }

    private var property: Property<Value> { reference.property }

    /// The value of the highest layer that has the key (<doc:Layers>), else the default.
    ///
    /// A set notifies the sinks of this process before it returns, and stores the value soon after. If a delivery is
    /// under way, the set returns at once, and that delivery goes on with the new value. Setting `nil` removes the
    /// stored value. A value that can't be encoded, that the declaration does not accept, or whose key is locked changes
    /// nothing and is reported to ``PDefaultsConfiguration/onError``.
    public var wrappedValue: Value {
        @inlinable get {
            if !declared.shortcut.isClosed.load(ordering: .relaxed) {
                declared.tracker.access()
                if let value = declared.snapshot.value { return value }
            }
            return firstValue
        }
        nonmutating set { property.set(newValue) }
    }

    /// The value without the shortcut: on first access, while another thread reads or sets it, and where
    /// ``ReadShortcut`` is closed.
    @usableFromInline var firstValue: Value {
        let property = property
        property.tracker.access()
        return property.current.of(Value.self).value
    }

    /// The publisher of the values: each new subscriber receives the current value, and then every change, in order.
    ///
    /// A subscription that is made on the main thread receives on the main queue. Any other subscription receives on
    /// the thread that delivers. See ``publisher(delivery:)`` for another choice.
    public var projectedValue: AnyPublisher<Value, Never> { publisher(delivery: .automatic) }

    /// The publisher of the values, like `$name`, with a choice of the thread.
    public func publisher(delivery: PDefaultsDelivery) -> AnyPublisher<Value, Never> {
        AnyPublisher(PropertyPublisher(reference: reference, delivery: delivery) { $0.value })
    }

    /// The publisher of the values with their state and origin.
    public func updates(
        delivery: PDefaultsDelivery = .automatic
    ) -> AnyPublisher<PDefaultsUpdate<Value>, Never> {
        AnyPublisher(PropertyPublisher(reference: reference, delivery: delivery) { $0.content })
    }

    /// The value that shows, with its state and origin.
    public var current: PDefaultsUpdate<Value> { property.current.of(Value.self).content }

    /// The value of the highest layer that has the key, else the default.
    ///
    /// - Throws: why the stored value is not of the property's type, or why the declaration does not accept it.
    public func get() throws(PDefaultsError) -> Value {
        let current = property.current.of(Value.self)
        switch current.state {
        case .undecodable(let error), .invalid(let error): throw error
        case .stored, .argument, .default: return current.value
        }
    }

    /// Sets the value.
    ///
    /// - Throws: why the value can't be encoded or stored in the suite's file, which values the declaration accepts, or
    ///   which file locks the key. Nothing has changed then.
    public func set(_ value: Value) throws(PDefaultsError) {
        try property.setOrThrow(value, asksStorage: true)
    }

    /// Removes the stored value, so that the property shows and publishes its default.
    public func reset() { property.reset() }

    /// Whether the property ignores its suite. It then starts from its default, and lives in memory.
    ///
    /// Subscribers stay. When this changes, they receive the value that shows then.
    public var mock: Bool {
        get { property.isMocked }
        nonmutating set { property.setMocked(newValue) }
    }
}

extension PDefaults: Sendable where Value: Sendable {
    /// The values of `$name` as an asynchronous sequence.
    public var values: PDefaultsValues<Value> { PDefaultsValues(reference: reference) }

    /// Calls the body with the current value and with every change, until the result is released.
    ///
    /// The body runs on the thread that set the value, or on a thread of the library for foreign changes. Use this if
    /// your program never runs the main queue. The body is `@Sendable`, so that the compiler refuses code of the main
    /// actor there.
    public func onUpdate(_ body: @escaping @Sendable (PDefaultsUpdate<Value>) -> Void) -> AnyCancellable {
        PropertyPublisher(reference: reference, delivery: nil) { $0.content }.sink(receiveValue: body)
    }
}

/// When a new value shows: before or after the sinks of the property receive it.
public enum PDefaultsBehavior: Sendable, Hashable {
    /// The value shows before the property's own sinks run, as with `CurrentValueSubject`.
    case didSet
    /// The value shows after the property's own sinks have run, as with `@Published`.
    case willSet
}

/// The thread on which a subscription receives.
public enum PDefaultsDelivery: Sendable, Hashable {
    /// The main queue if the subscription is made on the main thread, else the thread that delivers.
    case automatic
    /// The main queue. Values that the main thread sets are received before the set returns.
    case mainQueue
}
