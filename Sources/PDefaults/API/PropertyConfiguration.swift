import PropertyList
import SettingsStore

/// The declaration of a property: its key, its default and its options.
struct PropertyConfiguration<Value> {
    /// Nil for a property that only lives in memory.
    let place: Place?
    let defaultValue: Value
    let behavior: PDefaultsBehavior
    /// Whether the property shows what others set, or only what was stored at first and what it set itself.
    let followsOthers: Bool
    /// Whether the type is an optional. Nil means that no value is stored.
    let isOptional = Value.self is any OptionalValue.Type
    /// Whether the values are objects that announce their changes.
    let isObservable = unwrapped(Value.self) is any ObservableObject.Type

    /// The key of the property in its suite, and how its values are stored there.
    struct Place {
        let address: SettingAddress
        let coding: any ValueCoding<Value>
        /// Whether code that reads the key through the suite gets the default.
        let registersDefault: Bool
        let traits: [SettingTrait<Value>]
        /// The keys that the setting had before.
        let oldKeys: [String]

        var encoder: (Value) throws -> PropertyListValue { Self.encoder(of: coding) }

        private static func encoder<Coding: ValueCoding<Value>>(
            of coding: Coding
        ) -> (Value) throws -> PropertyListValue {
            { try coding.encode($0) }
        }

        var key: String { address.key }
        var suite: SettingsSuite { address.suite }
    }
}

extension PropertyConfiguration {
    /// The configuration for another suite, with a default that no other property changes.
    func replacingSuite(with other: (SettingsSuite) -> SettingsSuite, defaultValue: Value)
        -> PropertyConfiguration
    {
        guard let place else { return self }
        let suite = other(place.suite)
        let there = Place(
            address: place.address.replacingSuite(with: suite),
            coding: place.coding.adapted(to: suite),
            registersDefault: place.registersDefault,
            traits: place.traits,
            oldKeys: place.oldKeys
        )
        return PropertyConfiguration(
            place: there,
            defaultValue: defaultValue,
            behavior: behavior,
            followsOthers: followsOthers
        )
    }

    /// The default in its stored form; nil if it is nil or has no such form.
    var encodedDefault: PropertyListValue? {
        place.flatMap { try? encode(defaultValue, $0) }
    }

    /// The value in its stored form; nil if the value is nil.
    func encode(_ value: Value, _ place: Place) throws(PDefaultsError) -> PropertyListValue? {
        if isOptional, isNilValue(value) { return nil }
        do {
            return try place.coding.encode(value)
        } catch {
            throw place.address.error(.unencodable, sentence(of: error))
        }
    }
}

extension PropertyConfiguration.Place {
    /// The setting for the suite's schema.
    func setting(default defaultValue: PropertyListValue?) -> SettingDeclaration {
        var setting = SettingDeclaration(coding.shape, cases: coding.cases, defaultValue: defaultValue)
        for trait in traits { trait.apply(&setting, coding) }
        // A JSON file may have null for a property without a value.
        if suite.storesJSON, Value.self is any OptionalValue.Type, setting.shape != .anything {
            setting.shape = .optional(setting.shape)
        }
        return setting
    }

    /// - Throws: why the argument of the process is not a value of the type, or why the setting can't have the value.
    func decode(argument: PropertyListValue, in suite: SettingsSuite) throws(PDefaultsError) -> Value {
        try decode(coding.shape.value(ofArgument: argument) ?? argument, in: suite)
    }

    /// - Throws: why the stored value is not of the type, or why the setting can't have the value.
    func decode(_ stored: PropertyListValue, in suite: SettingsSuite) throws(PDefaultsError) -> Value {
        let value: Value
        do {
            value = try coding.decode(stored)
        } catch {
            throw address.error(.undecodable(stored: stored), sentence(of: error))
        }
        guard suite.limitsProblem(with: stored, forKey: key) != nil else { return value }
        // A value can have several stored forms. The limits are for the form in which this property stores it.
        guard let own = try? coding.encode(value),
            let problem = suite.limitsProblem(with: own, forKey: key)
        else { return value }
        throw address.error(.invalidStored(stored), problem)
    }
}

/// How the values of one type are stored.
protocol ValueCoding<Value>: Sendable {
    associatedtype Value

    /// The shape of the stored form.
    var shape: ValueShape { get }
    /// The coding without what a JSON file needs.
    var forPropertyLists: any ValueCoding<Value> { get }
    /// All values of the type, if the type lists them; else empty.
    var cases: [SettingCase] { get }

    /// The stored form of a value that isn't nil.
    func encode(_ value: Value) throws -> PropertyListValue
    func decode(_ stored: PropertyListValue) throws -> Value
}

/// Why a value could not be converted: a sentence.
struct ConversionError: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}
