import SettingsStore

// One set of initializers for each way of keeping a value; the compiler chooses by the type. A type
// that has a form of its own is kept in it, though it may have a raw value or be `Codable`; one with
// a raw value is kept as that; JSON comes last.
//
// Each set has three forms: with the default as the initial value, with the default as an argument,
// and, for optionals, without one.

extension PDefaults {
    init(
        _ defaultValue: Value,
        _ key: SettingsKey,
        _ traits: [SettingTrait<Value>],
        _ suite: SettingsSuite,
        _ coding: some ValueCoding<Value>,
        _ behavior: PDefaultsBehavior,
        _ registersDefault: Bool,
        _ followsOthers: Bool
    ) {
        let place = Declaration<Value>.Place(
            address: SettingAddress(key.rawValue, in: suite, isSecret: traits.contains(where: \.isSecret)),
            coding: coding,
            registersDefault: registersDefault,
            traits: traits,
            oldKeys: traits.isEmpty ? [] : traits.flatMap(\.oldKeys)
        )
        self.init(
            Declaration(
                place: place,
                defaultValue: defaultValue,
                behavior: behavior,
                followsOthers: followsOthers
            )
        )
    }
}

// MARK: - Values in a form of their own

extension PDefaults where Value: PropertyListConvertible {
    /// A property that is kept in a suite.
    ///
    /// - Parameters:
    ///   - wrappedValue: the default, which shows while nothing is stored.
    ///   - key: the name in the suite.
    ///   - traits: what editors show of the setting, and which values it takes.
    ///   - suite: where it is kept.
    ///   - behavior: whether a new value shows before or after the property's own sinks run.
    ///   - register: whether readers of the suite in this process find the default there, see
    ///     ``SettingsSuite/register(_:)``.
    ///   - followsOthers: whether the property changes when another property or process sets the key.
    ///     Without that it starts from what is stored, stores what it is set to, and else keeps to
    ///     itself.
    public init(
        wrappedValue: Value,
        _ key: SettingsKey,
        _ traits: SettingTrait<Value>...,
        suite: SettingsSuite = .standard,
        behavior: PDefaultsBehavior = .didSet,
        register: Bool = true,
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
        register: Bool = true,
        followsOthers: Bool = true
    ) {
        self.init(defaultValue, key, traits, suite, NativeCoding(), behavior, register, followsOthers)
    }
}

extension PDefaults where Value: PropertyListConvertible & ExpressibleByNilLiteral {
    /// An optional property whose default is nil.
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
    /// A property that is kept as its raw value.
    public init(
        wrappedValue: Value,
        _ key: SettingsKey,
        _ traits: SettingTrait<Value>...,
        suite: SettingsSuite = .standard,
        behavior: PDefaultsBehavior = .didSet,
        register: Bool = true,
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
        register: Bool = true,
        followsOthers: Bool = true
    ) {
        self.init(defaultValue, key, traits, suite, RawValueCoding(), behavior, register, followsOthers)
    }
}

extension PDefaults {
    /// An optional property that is kept as its raw value.
    public init<Wrapped: RawRepresentable>(
        wrappedValue: Wrapped?,
        _ key: SettingsKey,
        _ traits: SettingTrait<Value>...,
        suite: SettingsSuite = .standard,
        behavior: PDefaultsBehavior = .didSet,
        register: Bool = true,
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
        defaultValue: Wrapped?,
        suite: SettingsSuite = .standard,
        behavior: PDefaultsBehavior = .didSet,
        register: Bool = true,
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

    /// An optional property that is kept as its raw value, and whose default is nil.
    public init<Wrapped: RawRepresentable>(
        _ key: SettingsKey,
        _ traits: SettingTrait<Value>...,
        suite: SettingsSuite = .standard,
        behavior: PDefaultsBehavior = .didSet,
        followsOthers: Bool = true
    ) where Value == Wrapped?, Wrapped.RawValue: PropertyListConvertible {
        self.init(
            nil,
            key,
            traits,
            suite,
            OptionalCoding(base: RawValueCoding()),
            behavior,
            false,
            followsOthers
        )
    }
}

// MARK: - JSON

extension PDefaults where Value: Codable {
    /// A property that is kept as JSON in `Data`.
    @_disfavoredOverload
    public init(
        wrappedValue: Value,
        _ key: SettingsKey,
        _ traits: SettingTrait<Value>...,
        suite: SettingsSuite = .standard,
        behavior: PDefaultsBehavior = .didSet,
        register: Bool = true,
        followsOthers: Bool = true
    ) {
        self.init(wrappedValue, key, traits, suite, codingOfCodable(), behavior, register, followsOthers)
    }

    @_disfavoredOverload
    public init(
        _ key: SettingsKey,
        _ traits: SettingTrait<Value>...,
        defaultValue: Value,
        suite: SettingsSuite = .standard,
        behavior: PDefaultsBehavior = .didSet,
        register: Bool = true,
        followsOthers: Bool = true
    ) {
        self.init(defaultValue, key, traits, suite, codingOfCodable(), behavior, register, followsOthers)
    }
}

extension PDefaults where Value: Codable & ExpressibleByNilLiteral {
    /// An optional property that is kept as JSON in `Data`, and whose default is nil.
    @_disfavoredOverload
    public init(
        _ key: SettingsKey,
        _ traits: SettingTrait<Value>...,
        suite: SettingsSuite = .standard,
        behavior: PDefaultsBehavior = .didSet,
        followsOthers: Bool = true
    ) {
        self.init(nil, key, traits, suite, codingOfCodable(), behavior, false, followsOthers)
    }
}

// MARK: - In memory alone

extension PDefaults where Value: ExpressibleByNilLiteral {
    /// A property without a key that starts from nil: of any type, published like the others, and kept
    /// nowhere.
    public init(behavior: PDefaultsBehavior = .didSet) {
        self.init(wrappedValue: nil, behavior: behavior)
    }
}
