import SettingsStore

// One set of initializers for each way of storing a value. The compiler chooses by the type: the type's own form
// (`PropertyListConvertible`) first, then the raw value, JSON last.
//
// Each set has three forms: with the default as the initial value, with the default as an argument, and, for optionals,
// without a default.

extension PDefaults {
    init(
        _ defaultValue: Value,
        _ key: SettingsKey,
        _ traits: [SettingTrait<Value>],
        _ suite: SettingsSuite,
        _ coding: some ValueCoding<Value>,
        _ behavior: PDefaultsBehavior,
        _ register: Bool?,
        _ followsOthers: Bool
    ) {
        let place = PropertyConfiguration<Value>.Place(
            address: SettingAddress(key, in: suite, isSecret: traits.contains(where: \.isSecret)),
            coding: coding.adapted(to: suite),
            registersDefault: register ?? PDefaultsConfiguration.registersDefaults,
            traits: traits,
            oldKeys: traits.isEmpty ? [] : traits.flatMap(\.oldKeys)
        )
        self.init(
            PropertyConfiguration(
                place: place,
                defaultValue: defaultValue,
                behavior: behavior,
                followsOthers: followsOthers
            )
        )
    }
}

// MARK: - PropertyListConvertible

extension PDefaults where Value: PropertyListConvertible {
    /// Declares a property that is stored in a suite.
    ///
    /// - Parameters:
    ///   - wrappedValue: the default, which shows while no value is stored.
    ///   - key: the name of the setting in the suite.
    ///   - traits: the title, help and limits of the setting.
    ///   - suite: the suite that stores the value.
    ///   - behavior: whether a new value shows before or after the property's own sinks run.
    ///   - register: whether code of this process that reads the key through the suite gets the default, see
    ///     ``SettingsSuite/register(_:)``. Nil means ``PDefaultsConfiguration/registersDefaults``.
    ///   - followsOthers: whether the property changes when another property or process sets the key. If false, the
    ///     property starts from the stored value, stores what it is set to, and ignores all other changes.
    public init(
        wrappedValue: Value,
        _ key: SettingsKey,
        _ traits: SettingTrait<Value>...,
        suite: SettingsSuite = .standard,
        behavior: PDefaultsBehavior = .didSet,
        register: Bool? = nil,
        followsOthers: Bool = true
    ) {
        self.init(wrappedValue, key, traits, suite, NativeCoding(), behavior, register, followsOthers)
    }

    public init(
        _ key: SettingsKey,
        _ traits: SettingTrait<Value>...,
        defaultValue: Value,
        suite: SettingsSuite = .standard,
        behavior: PDefaultsBehavior = .didSet,
        register: Bool? = nil,
        followsOthers: Bool = true
    ) {
        self.init(defaultValue, key, traits, suite, NativeCoding(), behavior, register, followsOthers)
    }
}

extension PDefaults where Value: PropertyListConvertible & ExpressibleByNilLiteral {
    /// Declares an optional property with the default nil.
    public init(
        _ key: SettingsKey,
        _ traits: SettingTrait<Value>...,
        suite: SettingsSuite = .standard,
        behavior: PDefaultsBehavior = .didSet,
        followsOthers: Bool = true
    ) {
        self.init(nil, key, traits, suite, NativeCoding(), behavior, false, followsOthers)
    }
}

// MARK: - Raw values

extension PDefaults where Value: RawRepresentable, Value.RawValue: PropertyListConvertible {
    /// Declares a property that is stored as its raw value.
    public init(
        wrappedValue: Value,
        _ key: SettingsKey,
        _ traits: SettingTrait<Value>...,
        suite: SettingsSuite = .standard,
        behavior: PDefaultsBehavior = .didSet,
        register: Bool? = nil,
        followsOthers: Bool = true
    ) {
        self.init(wrappedValue, key, traits, suite, RawValueCoding(), behavior, register, followsOthers)
    }

    public init(
        _ key: SettingsKey,
        _ traits: SettingTrait<Value>...,
        defaultValue: Value,
        suite: SettingsSuite = .standard,
        behavior: PDefaultsBehavior = .didSet,
        register: Bool? = nil,
        followsOthers: Bool = true
    ) {
        self.init(defaultValue, key, traits, suite, RawValueCoding(), behavior, register, followsOthers)
    }
}

extension PDefaults {
    /// Declares an optional property that is stored as its raw value.
    public init<Wrapped: RawRepresentable>(
        wrappedValue: Wrapped?,
        _ key: SettingsKey,
        _ traits: SettingTrait<Value>...,
        suite: SettingsSuite = .standard,
        behavior: PDefaultsBehavior = .didSet,
        register: Bool? = nil,
        followsOthers: Bool = true
    ) where Value == Wrapped?, Wrapped.RawValue: PropertyListConvertible {
        self.init(
            wrappedValue,
            key,
            traits,
            suite,
            OptionalCoding(base: RawValueCoding()),
            behavior,
            register,
            followsOthers
        )
    }

    public init<Wrapped: RawRepresentable>(
        _ key: SettingsKey,
        _ traits: SettingTrait<Value>...,
        defaultValue: Wrapped? = nil,
        suite: SettingsSuite = .standard,
        behavior: PDefaultsBehavior = .didSet,
        register: Bool? = nil,
        followsOthers: Bool = true
    ) where Value == Wrapped?, Wrapped.RawValue: PropertyListConvertible {
        self.init(
            defaultValue,
            key,
            traits,
            suite,
            OptionalCoding(base: RawValueCoding()),
            behavior,
            register,
            followsOthers
        )
    }
}

// MARK: - JSON

extension PDefaults where Value: Codable {
    /// Declares a property that is stored as JSON in `Data`.
    @_disfavoredOverload
    public init(
        wrappedValue: Value,
        _ key: SettingsKey,
        _ traits: SettingTrait<Value>...,
        suite: SettingsSuite = .standard,
        behavior: PDefaultsBehavior = .didSet,
        register: Bool? = nil,
        followsOthers: Bool = true
    ) {
        self.init(wrappedValue, key, traits, suite, Self.codingOfCodable, behavior, register, followsOthers)
    }

    @_disfavoredOverload
    public init(
        _ key: SettingsKey,
        _ traits: SettingTrait<Value>...,
        defaultValue: Value,
        suite: SettingsSuite = .standard,
        behavior: PDefaultsBehavior = .didSet,
        register: Bool? = nil,
        followsOthers: Bool = true
    ) {
        self.init(defaultValue, key, traits, suite, Self.codingOfCodable, behavior, register, followsOthers)
    }
}

extension PDefaults where Value: Codable & ExpressibleByNilLiteral {
    /// Declares an optional property that is stored as JSON in `Data` and has the default nil.
    @_disfavoredOverload
    public init(
        _ key: SettingsKey,
        _ traits: SettingTrait<Value>...,
        suite: SettingsSuite = .standard,
        behavior: PDefaultsBehavior = .didSet,
        followsOthers: Bool = true
    ) {
        self.init(nil, key, traits, suite, Self.codingOfCodable, behavior, false, followsOthers)
    }
}

// MARK: - Only in memory

extension PDefaults where Value: ExpressibleByNilLiteral {
    /// Declares an optional property without a key, of any type. It starts from nil and only lives in memory.
    public init(behavior: PDefaultsBehavior = .didSet) {
        self.init(wrappedValue: nil, behavior: behavior)
    }
}
