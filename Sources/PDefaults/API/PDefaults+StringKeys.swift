import SettingsStore

// The initializers of PDefaults+Initializers.swift and PDefaults+Disambiguation.swift once more, for a key in a
// `String`: a program that was written for another wrapper has `let key = "user.name"` and writes `@PDefaults(key)`.
// The compiler also takes these for `@PDefaults("user.name")`, since a literal is a `String` by default.
//
// A generic parameter for both types would save this file. But then `@PDefaults(.userName)` would not compile, since
// the compiler has to know the type in which it looks for the static member.

// MARK: - PropertyListConvertible

extension PDefaults where Value: PropertyListConvertible {
    /// Declares the property with its key in a `String`.
    public init(
        wrappedValue: Value,
        _ key: String,
        _ traits: SettingTrait<Value>...,
        suite: SettingsSuite = .standard,
        behavior: PDefaultsBehavior = .didSet,
        register: Bool? = nil,
        followsOthers: Bool = true
    ) {
        self.init(
            wrappedValue,
            SettingsKey(key),
            traits,
            suite,
            NativeCoding(),
            behavior,
            register,
            followsOthers
        )
    }

    /// Declares the property with its key in a `String`.
    public init(
        _ key: String,
        _ traits: SettingTrait<Value>...,
        defaultValue: Value,
        suite: SettingsSuite = .standard,
        behavior: PDefaultsBehavior = .didSet,
        register: Bool? = nil,
        followsOthers: Bool = true
    ) {
        self.init(
            defaultValue,
            SettingsKey(key),
            traits,
            suite,
            NativeCoding(),
            behavior,
            register,
            followsOthers
        )
    }
}

extension PDefaults where Value: PropertyListConvertible & ExpressibleByNilLiteral {
    /// Declares the property with its key in a `String`.
    public init(
        _ key: String,
        _ traits: SettingTrait<Value>...,
        suite: SettingsSuite = .standard,
        behavior: PDefaultsBehavior = .didSet,
        followsOthers: Bool = true
    ) {
        self.init(nil, SettingsKey(key), traits, suite, NativeCoding(), behavior, false, followsOthers)
    }
}

// MARK: - Raw values

extension PDefaults where Value: RawRepresentable, Value.RawValue: PropertyListConvertible {
    /// Declares the property with its key in a `String`.
    public init(
        wrappedValue: Value,
        _ key: String,
        _ traits: SettingTrait<Value>...,
        suite: SettingsSuite = .standard,
        behavior: PDefaultsBehavior = .didSet,
        register: Bool? = nil,
        followsOthers: Bool = true
    ) {
        self.init(
            wrappedValue,
            SettingsKey(key),
            traits,
            suite,
            RawValueCoding(),
            behavior,
            register,
            followsOthers
        )
    }

    /// Declares the property with its key in a `String`.
    public init(
        _ key: String,
        _ traits: SettingTrait<Value>...,
        defaultValue: Value,
        suite: SettingsSuite = .standard,
        behavior: PDefaultsBehavior = .didSet,
        register: Bool? = nil,
        followsOthers: Bool = true
    ) {
        self.init(
            defaultValue,
            SettingsKey(key),
            traits,
            suite,
            RawValueCoding(),
            behavior,
            register,
            followsOthers
        )
    }
}

extension PDefaults {
    /// Declares the property with its key in a `String`.
    public init<Wrapped: RawRepresentable>(
        wrappedValue: Wrapped?,
        _ key: String,
        _ traits: SettingTrait<Value>...,
        suite: SettingsSuite = .standard,
        behavior: PDefaultsBehavior = .didSet,
        register: Bool? = nil,
        followsOthers: Bool = true
    ) where Value == Wrapped?, Wrapped.RawValue: PropertyListConvertible {
        self.init(
            wrappedValue,
            SettingsKey(key),
            traits,
            suite,
            OptionalCoding(base: RawValueCoding()),
            behavior,
            register,
            followsOthers
        )
    }

    /// Declares the property with its key in a `String`.
    public init<Wrapped: RawRepresentable>(
        _ key: String,
        _ traits: SettingTrait<Value>...,
        defaultValue: Wrapped?,
        suite: SettingsSuite = .standard,
        behavior: PDefaultsBehavior = .didSet,
        register: Bool? = nil,
        followsOthers: Bool = true
    ) where Value == Wrapped?, Wrapped.RawValue: PropertyListConvertible {
        self.init(
            defaultValue,
            SettingsKey(key),
            traits,
            suite,
            OptionalCoding(base: RawValueCoding()),
            behavior,
            register,
            followsOthers
        )
    }

    /// Declares the property with its key in a `String`.
    public init<Wrapped: RawRepresentable>(
        _ key: String,
        _ traits: SettingTrait<Value>...,
        suite: SettingsSuite = .standard,
        behavior: PDefaultsBehavior = .didSet,
        followsOthers: Bool = true
    ) where Value == Wrapped?, Wrapped.RawValue: PropertyListConvertible {
        self.init(
            nil,
            SettingsKey(key),
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
    /// Declares the property with its key in a `String`.
    @_disfavoredOverload
    public init(
        wrappedValue: Value,
        _ key: String,
        _ traits: SettingTrait<Value>...,
        suite: SettingsSuite = .standard,
        behavior: PDefaultsBehavior = .didSet,
        register: Bool? = nil,
        followsOthers: Bool = true
    ) {
        self.init(
            wrappedValue,
            SettingsKey(key),
            traits,
            suite,
            Self.codingOfCodable,
            behavior,
            register,
            followsOthers
        )
    }

    /// Declares the property with its key in a `String`.
    @_disfavoredOverload
    public init(
        _ key: String,
        _ traits: SettingTrait<Value>...,
        defaultValue: Value,
        suite: SettingsSuite = .standard,
        behavior: PDefaultsBehavior = .didSet,
        register: Bool? = nil,
        followsOthers: Bool = true
    ) {
        self.init(
            defaultValue,
            SettingsKey(key),
            traits,
            suite,
            Self.codingOfCodable,
            behavior,
            register,
            followsOthers
        )
    }
}

extension PDefaults where Value: Codable & ExpressibleByNilLiteral {
    /// Declares the property with its key in a `String`.
    @_disfavoredOverload
    public init(
        _ key: String,
        _ traits: SettingTrait<Value>...,
        suite: SettingsSuite = .standard,
        behavior: PDefaultsBehavior = .didSet,
        followsOthers: Bool = true
    ) {
        self.init(nil, SettingsKey(key), traits, suite, Self.codingOfCodable, behavior, false, followsOthers)
    }
}

// MARK: - PropertyListConvertible with a raw value

extension PDefaults
where Value: PropertyListConvertible & RawRepresentable, Value.RawValue: PropertyListConvertible {
    /// Declares the property with its key in a `String`.
    public init(
        wrappedValue: Value,
        _ key: String,
        _ traits: SettingTrait<Value>...,
        suite: SettingsSuite = .standard,
        behavior: PDefaultsBehavior = .didSet,
        register: Bool? = nil,
        followsOthers: Bool = true
    ) {
        self.init(
            wrappedValue,
            SettingsKey(key),
            traits,
            suite,
            NativeCoding(),
            behavior,
            register,
            followsOthers
        )
    }

    /// Declares the property with its key in a `String`.
    public init(
        _ key: String,
        _ traits: SettingTrait<Value>...,
        defaultValue: Value,
        suite: SettingsSuite = .standard,
        behavior: PDefaultsBehavior = .didSet,
        register: Bool? = nil,
        followsOthers: Bool = true
    ) {
        self.init(
            defaultValue,
            SettingsKey(key),
            traits,
            suite,
            NativeCoding(),
            behavior,
            register,
            followsOthers
        )
    }
}

extension PDefaults {
    /// Declares the property with its key in a `String`.
    public init<Wrapped: RawRepresentable & PropertyListConvertible>(
        wrappedValue: Wrapped?,
        _ key: String,
        _ traits: SettingTrait<Value>...,
        suite: SettingsSuite = .standard,
        behavior: PDefaultsBehavior = .didSet,
        register: Bool? = nil,
        followsOthers: Bool = true
    ) where Value == Wrapped?, Wrapped.RawValue: PropertyListConvertible {
        self.init(
            wrappedValue,
            SettingsKey(key),
            traits,
            suite,
            NativeCoding(),
            behavior,
            register,
            followsOthers
        )
    }

    /// Declares the property with its key in a `String`.
    public init<Wrapped: RawRepresentable & PropertyListConvertible>(
        _ key: String,
        _ traits: SettingTrait<Value>...,
        defaultValue: Wrapped?,
        suite: SettingsSuite = .standard,
        behavior: PDefaultsBehavior = .didSet,
        register: Bool? = nil,
        followsOthers: Bool = true
    ) where Value == Wrapped?, Wrapped.RawValue: PropertyListConvertible {
        self.init(
            defaultValue,
            SettingsKey(key),
            traits,
            suite,
            NativeCoding(),
            behavior,
            register,
            followsOthers
        )
    }

    /// Declares the property with its key in a `String`.
    public init<Wrapped: RawRepresentable & PropertyListConvertible>(
        _ key: String,
        _ traits: SettingTrait<Value>...,
        suite: SettingsSuite = .standard,
        behavior: PDefaultsBehavior = .didSet,
        followsOthers: Bool = true
    ) where Value == Wrapped?, Wrapped.RawValue: PropertyListConvertible {
        self.init(nil, SettingsKey(key), traits, suite, NativeCoding(), behavior, false, followsOthers)
    }
}

// MARK: - Optionals of optionals

extension PDefaults {
    /// Declares the property with its key in a `String`.
    public init<Wrapped: RawRepresentable>(
        wrappedValue: Wrapped??,
        _ key: String,
        _ traits: SettingTrait<Value>...,
        suite: SettingsSuite = .standard,
        behavior: PDefaultsBehavior = .didSet,
        register: Bool? = nil,
        followsOthers: Bool = true
    ) where Value == Wrapped??, Wrapped.RawValue: PropertyListConvertible {
        let coding = OptionalCoding(base: OptionalCoding(base: RawValueCoding<Wrapped>()))
        self.init(wrappedValue, SettingsKey(key), traits, suite, coding, behavior, register, followsOthers)
    }

    /// Declares the property with its key in a `String`.
    public init<Wrapped: RawRepresentable>(
        _ key: String,
        _ traits: SettingTrait<Value>...,
        suite: SettingsSuite = .standard,
        behavior: PDefaultsBehavior = .didSet,
        followsOthers: Bool = true
    ) where Value == Wrapped??, Wrapped.RawValue: PropertyListConvertible {
        let coding = OptionalCoding(base: OptionalCoding(base: RawValueCoding<Wrapped>()))
        self.init(nil, SettingsKey(key), traits, suite, coding, behavior, false, followsOthers)
    }
}
