import SettingsStore

// MARK: - A form of its own and a raw value

// Without these, a type that has both would leave the compiler without a choice.

extension PDefaults
where Value: PropertyListConvertible & RawRepresentable, Value.RawValue: PropertyListConvertible {
    /// A property that is kept in the form that its type gives itself.
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

extension PDefaults {
    /// An optional property that is kept in the form that its type gives itself.
    public init<Wrapped: RawRepresentable & PropertyListConvertible>(
        wrappedValue: Wrapped?,
        _ key: SettingsKey,
        _ traits: SettingTrait<Value>...,
        suite: SettingsSuite = .standard,
        behavior: PDefaultsBehavior = .didSet,
        register: Bool = true,
        followsOthers: Bool = true
    ) where Value == Wrapped?, Wrapped.RawValue: PropertyListConvertible {
        self.init(wrappedValue, key, traits, suite, NativeCoding(), behavior, register, followsOthers)
    }

    public init<Wrapped: RawRepresentable & PropertyListConvertible>(
        _ key: SettingsKey,
        _ traits: SettingTrait<Value>...,
        defaultValue: Wrapped?,
        suite: SettingsSuite = .standard,
        behavior: PDefaultsBehavior = .didSet,
        register: Bool = true,
        followsOthers: Bool = true
    ) where Value == Wrapped?, Wrapped.RawValue: PropertyListConvertible {
        self.init(defaultValue, key, traits, suite, NativeCoding(), behavior, register, followsOthers)
    }

    /// An optional property that is kept in the form that its type gives itself.
    public init<Wrapped: RawRepresentable & PropertyListConvertible>(
        _ key: SettingsKey,
        _ traits: SettingTrait<Value>...,
        suite: SettingsSuite = .standard,
        behavior: PDefaultsBehavior = .didSet,
        followsOthers: Bool = true
    ) where Value == Wrapped?, Wrapped.RawValue: PropertyListConvertible {
        self.init(nil, key, traits, suite, NativeCoding(), behavior, false, followsOthers)
    }
}

// MARK: - Optionals of optionals

extension PDefaults {
    /// An optional of an optional that is kept as its raw value. A nil inside is nil.
    public init<Wrapped: RawRepresentable>(
        wrappedValue: Wrapped??,
        _ key: SettingsKey,
        _ traits: SettingTrait<Value>...,
        suite: SettingsSuite = .standard,
        behavior: PDefaultsBehavior = .didSet,
        register: Bool = true,
        followsOthers: Bool = true
    ) where Value == Wrapped??, Wrapped.RawValue: PropertyListConvertible {
        let coding = OptionalCoding(base: OptionalCoding(base: RawValueCoding<Wrapped>()))
        self.init(wrappedValue, key, traits, suite, coding, behavior, register, followsOthers)
    }

    /// The same, whose default is nil.
    public init<Wrapped: RawRepresentable>(
        _ key: SettingsKey,
        _ traits: SettingTrait<Value>...,
        suite: SettingsSuite = .standard,
        behavior: PDefaultsBehavior = .didSet,
        followsOthers: Bool = true
    ) where Value == Wrapped??, Wrapped.RawValue: PropertyListConvertible {
        let coding = OptionalCoding(base: OptionalCoding(base: RawValueCoding<Wrapped>()))
        self.init(nil, key, traits, suite, coding, behavior, false, followsOthers)
    }
}
