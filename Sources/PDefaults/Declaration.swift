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
        let address: SettingAddress
        let coding: any ValueCoding<Value>
        /// Whether readers of the suite are to find the default there.
        let registersDefault: Bool
        /// What the program says about the setting besides.
        let traits: [SettingTrait<Value>]
        /// Names that the setting had before.
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

/// The key of a setting in its suite.
final class SettingAddress: Sendable {
    let key: String
    let suite: SettingsSuite
    /// Whether the value is not to be told; another declaration of the key may say so too.
    private let isSecret: Bool
    /// Values that are known to be readable here.
    let readable = ReadableValues()

    init(_ key: String, in suite: SettingsSuite, isSecret: Bool) {
        self.key = key
        self.suite = suite
        self.isSecret = isSecret
    }

    /// The same in another suite.
    func replacingSuite(with suite: SettingsSuite) -> SettingAddress {
        SettingAddress(key, in: suite, isSecret: isSecret)
    }

    func isSame(as other: SettingAddress) -> Bool { key == other.key && suite == other.suite }

    /// - Throws: why the setting can't have a value, which is of its type, in the suite that is used.
    func check(_ encoded: PropertyListValue, in suite: SettingsSuite) throws(PDefaultsError) {
        if let problem = suite.limitsProblem(with: encoded, forKey: key) { throw error(.invalid, problem) }
    }

    /// A value was not stored for a reason that has nothing to do with it.
    var takenBack: PDefaultsError {
        let reason = "its suite has taken it back, and says why"
        return PDefaultsError(key: key, location: suite.location, problem: .unencodable, reason: reason)
    }

    func error(_ problem: PDefaultsError.Problem, _ reason: String) -> PDefaultsError {
        let isTold = !isSecret && !suite.hasSecret(key)
        return PDefaultsError(
            key: key,
            location: suite.location,
            problem: isTold ? problem : problem.withoutValues,
            reason: isTold ? reason : problem.reasonOfSecret
        )
    }
}

extension Declaration {
    /// The same, kept in another suite, with a default that nobody else changes.
    func replacingSuite(with other: (SettingsSuite) -> SettingsSuite, defaultValue: Value) -> Declaration {
        guard let place else { return self }
        let there = Place(
            address: place.address.replacingSuite(with: other(place.suite)),
            coding: place.coding,
            registersDefault: place.registersDefault,
            traits: place.traits,
            oldKeys: place.oldKeys
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
            throw place.address.error(.unencodable, sentence(of: error))
        }
    }
}

extension Declaration.Place {
    /// What is told of the setting to those who read the suite's schema.
    func setting(default defaultValue: PropertyListValue?) -> SettingDeclaration {
        var setting = SettingDeclaration(coding.shape, cases: coding.cases, defaultValue: defaultValue)
        for trait in traits { trait.apply(&setting, coding) }
        return setting
    }

    /// How the limits that this declares differ from those that were declared before, beyond what the types
    /// say; nil where they don't, or one of the two declares none.
    func limitsProblem(_ setting: SettingDeclaration, after first: SettingDeclaration) -> String? {
        let ofType = SettingDeclaration(coding.shape, cases: coding.cases).limitsText
        let (own, other) = (setting.limitsText, first.limitsText)
        if own == other || own == ofType || other == ofType || first.shape.kind != setting.shape.kind {
            return nil
        }
        return "\(other ?? "any") and not \(own ?? "any")"
    }

    /// - Throws: why an argument of the process stands for no value of the type, or for none that the setting
    ///   takes.
    func decode(argument: PropertyListValue, in suite: SettingsSuite) throws(PDefaultsError) -> Value {
        try decode(coding.shape.value(ofArgument: argument) ?? argument, in: suite)
    }

    /// - Throws: why what is stored is no value of the type, or none that the setting takes.
    func decode(_ stored: PropertyListValue, in suite: SettingsSuite) throws(PDefaultsError) -> Value {
        let value: Value
        do {
            value = try coding.decode(stored)
        } catch {
            throw address.error(.undecodable(stored: stored), sentence(of: error))
        }
        address.readable.insert(stored)
        guard suite.limitsProblem(with: stored, forKey: key) != nil else { return value }
        // A value can be stored in several forms. What counts is the one that it has here.
        guard let own = try? coding.encode(value),
            let problem = suite.limitsProblem(with: own, forKey: key)
        else { return value }
        throw address.error(.invalidStored(stored), problem)
    }
}

/// How the values of one type are kept in a suite.
protocol ValueCoding<Value>: Sendable {
    associatedtype Value

    /// What the stored form looks like.
    var shape: ValueShape { get }
    /// The only values there are, where the type lists them; else empty.
    var cases: [SettingCase] { get }

    /// The value, which isn't nil, as a property list has it.
    func encode(_ value: Value) throws -> PropertyListValue
    func decode(_ stored: PropertyListValue) throws -> Value
}

/// Why a value could not be converted: a sentence.
struct ConversionError: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}
