import PropertyList
import SettingsStore

/// What a program says about a property where it declares it.
struct Declaration<Value> {
    /// Where it is kept; nil for a property that lives in memory alone.
    let place: Place?
    let defaultValue: Value
    let behavior: PDefaultsBehavior

    struct Place {
        let key: String
        let suite: SettingsSuite
        let coding: any ValueCoding<Value>
        /// Whether readers of the suite are to find the default there.
        let registersDefault: Bool
    }
}

/// How the values of one type are kept in a suite.
protocol ValueCoding<Value>: Sendable {
    associatedtype Value

    /// The value as a property list has it; nil where there is nothing to store.
    func encode(_ value: Value) throws -> PropertyListValue?
    func decode(_ stored: PropertyListValue) throws -> Value
}

/// Why a value could not be converted: a sentence.
struct ConversionError: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}

/// What a property shows, and where it comes from.
struct Reading<Value> {
    let value: Value
    let state: SettingState
}

/// What stands behind the value that a property shows.
public enum SettingState: Sendable, Hashable {
    /// A value is stored.
    case stored
    /// Nothing is stored; the default shows.
    case `default`
    /// Something is stored that is no value of the property's type; the default shows.
    case undecodable(PDefaultsError)
}
