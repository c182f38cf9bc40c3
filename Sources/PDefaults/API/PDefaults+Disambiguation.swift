import SettingsStore

// The initializers here settle which way of storing a value the compiler chooses if a type allows two.

// MARK: - PropertyListConvertible with a raw value

// Without these, a declaration with such a type would be ambiguous.

extension PDefaults
where Value: PropertyListConvertible & RawRepresentable, Value.RawValue: PropertyListConvertible {
    /// Declares a property that is stored in its type's own form (``PropertyListConvertible``).
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

extension PDefaults {
    /// Declares an optional property that is stored in its type's own form (``PropertyListConvertible``).
    public init<Wrapped: RawRepresentable & PropertyListConvertible>(
        wrappedValue: Wrapped?,
        _ key: SettingsKey,
        _ traits: SettingTrait<Value>...,
        suite: SettingsSuite = .standard,
        behavior: PDefaultsBehavior = .didSet,
        register: Bool? = nil,
        followsOthers: Bool = true
    ) where Value == Wrapped?, Wrapped.RawValue: PropertyListConvertible {
        self.init(wrappedValue, key, traits, suite, NativeCoding(), behavior, register, followsOthers)
    }

    public init<Wrapped: RawRepresentable & PropertyListConvertible>(
        _ key: SettingsKey,
        _ traits: SettingTrait<Value>...,
        defaultValue: Wrapped? = nil,
        suite: SettingsSuite = .standard,
        behavior: PDefaultsBehavior = .didSet,
        register: Bool? = nil,
        followsOthers: Bool = true
    ) where Value == Wrapped?, Wrapped.RawValue: PropertyListConvertible {
        self.init(defaultValue, key, traits, suite, NativeCoding(), behavior, register, followsOthers)
    }
}

// MARK: - Optionals of optionals

extension PDefaults {
    /// Declares an optional of an optional that is stored as its raw value. A nil inside means nil.
    public init<Wrapped: RawRepresentable>(
        wrappedValue: Wrapped??,
        _ key: SettingsKey,
        _ traits: SettingTrait<Value>...,
        suite: SettingsSuite = .standard,
        behavior: PDefaultsBehavior = .didSet,
        register: Bool? = nil,
        followsOthers: Bool = true
    ) where Value == Wrapped??, Wrapped.RawValue: PropertyListConvertible {
        let coding = OptionalCoding(base: OptionalCoding(base: RawValueCoding<Wrapped>()))
        self.init(wrappedValue, key, traits, suite, coding, behavior, register, followsOthers)
    }

    /// Declares an optional of an optional that is stored as its raw value and has the default nil.
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
