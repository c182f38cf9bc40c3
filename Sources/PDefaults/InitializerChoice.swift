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

// MARK: - Neither

extension PDefaults {
    @available(
        *,
        unavailable,
        message:
            "This type can't be stored: make it Codable to keep it as JSON, give it a raw value, or conform it to PropertyListConvertible. Without a key, a property of any type lives in memory alone."
    )
    public init(
        wrappedValue: Value,
        _ key: SettingsKey,
        _ traits: SettingTrait<Value>...,
        suite: SettingsSuite = .standard,
        behavior: PDefaultsBehavior = .didSet,
        register: Bool = true,
        followsOthers: Bool = true
    ) { fatalError("unavailable") }

    @available(
        *,
        unavailable,
        message:
            "This type can't be stored: make it Codable to keep it as JSON, give it a raw value, or conform it to PropertyListConvertible. Without a key, a property of any type lives in memory alone."
    )
    public init(
        _ key: SettingsKey,
        _ traits: SettingTrait<Value>...,
        defaultValue: Value,
        suite: SettingsSuite = .standard,
        behavior: PDefaultsBehavior = .didSet,
        register: Bool = true,
        followsOthers: Bool = true
    ) { fatalError("unavailable") }

    @available(
        *,
        unavailable,
        message:
            "Give the property a value to start from, or make it an optional of a type that can be stored: one that is Codable, has a raw value, or conforms to PropertyListConvertible."
    )
    public init(
        _ key: SettingsKey,
        _ traits: SettingTrait<Value>...,
        suite: SettingsSuite = .standard,
        behavior: PDefaultsBehavior = .didSet,
        followsOthers: Bool = true
    ) { fatalError("unavailable") }
}

// MARK: - Values of mixed kinds

extension PDefaults where Value == [String: Any] {
    @available(*, unavailable, message: "Write [String: PropertyListValue] for values of mixed kinds.")
    public init(
        wrappedValue: Value,
        _ key: SettingsKey,
        _ traits: SettingTrait<Value>...,
        suite: SettingsSuite = .standard,
        behavior: PDefaultsBehavior = .didSet,
        register: Bool = true,
        followsOthers: Bool = true
    ) { fatalError("unavailable") }
}

extension PDefaults where Value == [Any] {
    @available(*, unavailable, message: "Write [PropertyListValue] for values of mixed kinds.")
    public init(
        wrappedValue: Value,
        _ key: SettingsKey,
        _ traits: SettingTrait<Value>...,
        suite: SettingsSuite = .standard,
        behavior: PDefaultsBehavior = .didSet,
        register: Bool = true,
        followsOthers: Bool = true
    ) { fatalError("unavailable") }
}
