import SettingsStore

// Initializers for declarations that can't work. The compiler shows their messages, which say what to write instead.

extension PDefaults {
    @available(
        *,
        unavailable,
        message:
            "This type can't be stored. Make it Codable to keep it as JSON, give it a raw value, or conform it to PropertyListConvertible. In a list, set or dictionary, a raw value is not enough, and values of mixed kinds are PropertyListValue instead of Any. Without a key, a property of any type lives in memory alone."
    )
    @_disfavoredOverload
    public init(
        wrappedValue: Value,
        _ key: SettingsKey,
        _ traits: SettingTrait<Value>...,
        suite: SettingsSuite = .standard,
        behavior: PDefaultsBehavior = .didSet,
        register: Bool? = nil,
        followsOthers: Bool = true
    ) { fatalError("unavailable") }

    @available(
        *,
        unavailable,
        message:
            "This type can't be stored. Make it Codable to keep it as JSON, give it a raw value, or conform it to PropertyListConvertible. In a list, set or dictionary, a raw value is not enough, and values of mixed kinds are PropertyListValue instead of Any. Without a key, a property of any type lives in memory alone."
    )
    @_disfavoredOverload
    public init(
        _ key: SettingsKey,
        _ traits: SettingTrait<Value>...,
        defaultValue: Value,
        suite: SettingsSuite = .standard,
        behavior: PDefaultsBehavior = .didSet,
        register: Bool? = nil,
        followsOthers: Bool = true
    ) { fatalError("unavailable") }

    @available(
        *,
        unavailable,
        message:
            "Give the property a value to start from, or make it an optional of a type that can be stored: one that is Codable, has a raw value, or conforms to PropertyListConvertible."
    )
    @_disfavoredOverload
    public init(
        _ key: SettingsKey,
        _ traits: SettingTrait<Value>...,
        suite: SettingsSuite = .standard,
        behavior: PDefaultsBehavior = .didSet,
        followsOthers: Bool = true
    ) { fatalError("unavailable") }

    @available(
        *,
        unavailable,
        message:
            "This type can't be stored. Make it Codable to keep it as JSON, give it a raw value, or conform it to PropertyListConvertible. In a list, set or dictionary, a raw value is not enough, and values of mixed kinds are PropertyListValue instead of Any. Without a key, a property of any type lives in memory alone."
    )
    public init<Wrapped>(
        _ key: SettingsKey,
        _ traits: SettingTrait<Value>...,
        suite: SettingsSuite = .standard,
        behavior: PDefaultsBehavior = .didSet,
        followsOthers: Bool = true
    ) where Value == Wrapped? { fatalError("unavailable") }
}
