import OpenCombine
import PropertyList
import SettingsStore

/// What a program says about a property where it declares it.
struct Declaration<Value> {
    /// Where it is kept; nil for a property that lives in memory alone.
    let place: Place?
    let defaultValue: Value
    let behavior: PDefaultsBehavior
    /// Whether it shows what others set, or only what was stored at first and what it set itself.
    let followsOthers: Bool
    /// Whether the type has a nil, which nothing stored stands for.
    let isOptional = Value.self is any OptionalValue.Type
    /// Whether values are objects that tell of their changes.
    let isObservable = unwrapped(Value.self) is any ObservableObject.Type

    struct Place {
        let key: String
        let suite: SettingsSuite
        let coding: any ValueCoding<Value>
        /// Whether readers of the suite are to find the default there.
        let registersDefault: Bool
    }
}

extension Declaration {
    /// The same, kept in another suite, with a default that nobody else changes.
    func replacingSuite(with other: (SettingsSuite) -> SettingsSuite, defaultValue: Value) -> Declaration {
        guard let place else { return self }
        let there = Place(
            key: place.key,
            suite: other(place.suite),
            coding: place.coding,
            registersDefault: place.registersDefault
        )
        return Declaration(
            place: there,
            defaultValue: defaultValue,
            behavior: behavior,
            followsOthers: followsOthers
        )
    }

    /// The default as it is stored; nil where there is none, or it can't be.
    var encodedDefault: PropertyListValue? {
        place.flatMap { try? encode(defaultValue, $0) }
    }

    /// The value as it is stored; nil where nothing stored stands for it.
    func encode(_ value: Value, _ place: Place) throws(PDefaultsError) -> PropertyListValue? {
        if isOptional, isNilValue(value) { return nil }
        do {
            return try place.coding.encode(value)
        } catch {
            throw place.error(.unencodable, sentence(of: error))
        }
    }
}

extension Declaration.Place {
    func error(_ problem: PDefaultsError.Problem, _ reason: String) -> PDefaultsError {
        PDefaultsError(key: key, location: suite.location, problem: problem, reason: reason)
    }
}

/// How the values of one type are kept in a suite.
protocol ValueCoding<Value>: Sendable {
    associatedtype Value

    /// The value, which isn't nil, as a property list has it.
    func encode(_ value: Value) throws -> PropertyListValue
    func decode(_ stored: PropertyListValue) throws -> Value
}

/// Why a value could not be converted: a sentence.
struct ConversionError: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}
