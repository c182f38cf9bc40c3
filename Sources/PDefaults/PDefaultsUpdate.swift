/// A value as a property shows it, with what stands behind it.
public struct PDefaultsUpdate<Value> {
    public let value: Value
    public let state: PDefaultsState
    public let origin: PDefaultsOrigin
}

extension PDefaultsUpdate: Sendable where Value: Sendable {}

/// What is stored for the value that a property shows.
public enum PDefaultsState: Sendable, Hashable {
    /// The value itself.
    case stored
    /// Whatever it is: an argument of the process says what shows, see `SettingsSuite.standard`.
    case argument
    /// Nothing; the default shows.
    case `default`
    /// Something that is no value of the property's type; the default shows.
    indirect case undecodable(PDefaultsError)
    /// A value of the property's type that its declaration does not take; the default shows.
    indirect case invalid(PDefaultsError)
}

/// Where a value that a property shows came from.
public enum PDefaultsOrigin: Sendable, Hashable {
    /// It was there when the property was first used, or when mocking was switched.
    case initial
    /// Set through this property.
    case thisProperty
    /// Set by this process, through another property or the suite.
    case thisProcess
    /// Another process changed what is stored, or a person did.
    case otherProcess
    /// The stored value was removed on purpose so that the default shows.
    case reset
    case migration
    /// A value that the suite's file has no place for was taken back.
    case refused
}
