import PropertyList

/// The result of one reading of a storage. It contains differences, because only the suite keeps all values.
public struct StorageReading: Sendable {
    public enum Difference: Sendable {
        case none
        /// All values that are stored, if the storage does not know what differs.
        case all(PropertyListEntries)
        /// The keys that differ, with their new values; nil for removed keys.
        case some([String: PropertyListValue?])
    }

    public var difference: Difference
    /// Whether the suite exists, even if it is empty.
    public var exists: Bool
    /// Keys that this storage wrote and that an unlocked writer has overwritten, with the values that are stored now.
    /// The suite writes its own values again. They are no part of the difference. See ``StorageTraits/detectsOverwrites``.
    public var overwritten: [String: PropertyListValue?]
    /// Why this is an old copy instead of the stored values; nil if it is not.
    public var outage: SettingsError?
    /// Names in the suite's range that no key can have, quoted for messages. Other programs have stored values there.
    public var foreignEntries: [String] = []

    var isNone: Bool { if case .none = difference { true } else { false } }

    /// Updates values that were read before with this reading.
    public func apply(to values: inout PropertyListEntries) {
        switch difference {
        case .none: break
        case .all(let all): values = all
        case .some(let changes): for (key, value) in changes { values[key] = value }
        }
    }

    public init(
        _ difference: Difference,
        exists: Bool,
        overwritten: [String: PropertyListValue?] = [:],
        outage: SettingsError? = nil,
        foreignEntries: [String] = []
    ) {
        self.difference = difference
        self.exists = exists
        self.overwritten = overwritten
        self.outage = outage
        self.foreignEntries = foreignEntries
    }
}
