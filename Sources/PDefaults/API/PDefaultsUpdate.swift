/// A value of a property with its state and origin.
public struct PDefaultsUpdate<Value> {
    public let value: Value
    public let state: PDefaultsState
    public let origin: PDefaultsOrigin
    /// The layer that the value comes from. If a default shows, it is `SettingsLayer.registered` or
    /// `SettingsLayer.declared`.
    ///
    /// If another layer gives an equal value later, nothing is published. ``PDefaults/current`` names the layer that
    /// gives the value when it is read.
    public let layer: SettingsLayer
}

extension PDefaultsUpdate: Sendable where Value: Sendable {}

/// Why a property shows its value.
public enum PDefaultsState: Sendable, Hashable {
    /// The value is stored, in the user's layer or in another file; see ``PDefaultsUpdate/layer``.
    case stored
    /// An argument of the process gives the value, whatever is stored; see `SettingsSuite.standard`.
    case argument
    /// No layer has a value, so the default shows.
    case `default`
    /// The stored value is not of the property's type, so the default shows.
    indirect case undecodable(PDefaultsError)
    /// The declaration does not accept the stored value, so the default shows.
    indirect case invalid(PDefaultsError)
}

/// The origin of a value.
public enum PDefaultsOrigin: Sendable, Hashable {
    /// The property had the value when it was first used, or when mocking was switched.
    case initial
    /// The program set it through this property.
    case thisProperty
    /// The program set it through another property or the suite.
    case thisProcess
    /// A foreign change: another process or a person changed the stored value, or a file of another layer.
    case otherProcess
    /// `reset()` removed the stored value.
    case reset
    /// A migration moved the value.
    case migration
    /// The suite's file could not contain a new value, so the previous value shows again.
    case refused
}
