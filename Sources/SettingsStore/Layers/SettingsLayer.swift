public import PropertyList

/// One of the places that can have a value for a key. The highest layer that has the key gives the value.
public enum SettingsLayer: String, Sendable, Hashable, CaseIterable {
    /// A file of the administrator in `/etc/pdefaults/mandatory`. It locks its keys.
    case mandatory
    /// An argument of this process: `-key value`.
    case arguments
    /// The user's file for this host, in the folder `ByHost`.
    case host
    /// The suite itself, which is the only layer that programs write.
    case user
    /// The user's files for all suites, `.GlobalPreferences.plist`.
    case global
    /// Files of the administrator, or of a package, in `$XDG_CONFIG_DIRS` and `/usr/local/etc`.
    case site
    /// The same for all suites.
    case siteGlobal
    /// A default that the program has registered.
    case registered
    /// The default that a property declares.
    case declared
}

extension SettingsLayer: Comparable {
    /// Whether the value of the second layer hides the value of the first one: `.user < .mandatory`.
    public static func < (low: SettingsLayer, high: SettingsLayer) -> Bool {
        // The first case is the highest layer.
        let layers = allCases
        return (layers.firstIndex(of: low) ?? 0) > (layers.firstIndex(of: high) ?? 0)
    }
}

/// The value that one layer has for a key.
public struct SettingSource: Sendable, Hashable {
    public let layer: SettingsLayer
    /// The path of the file, or the URL of the suite on a cluster; nil if the value is in the memory of this process.
    public let location: String?
    public let value: PropertyListValue
    /// Whether the layer locks the key, so that no lower layer counts and no program sets the key.
    public let isLocking: Bool
    /// Whether programs get this value. That is the first of all sources of a key.
    public let isEffective: Bool

    public init(
        layer: SettingsLayer,
        location: String?,
        value: PropertyListValue,
        isLocking: Bool,
        isEffective: Bool
    ) {
        self.layer = layer
        self.location = location
        self.value = value
        self.isLocking = isLocking
        self.isEffective = isEffective
    }
}

/// A file of a layer that could not be used, and why.
public struct LayerProblem: Sendable, Hashable {
    public let layer: SettingsLayer
    /// The path of the file.
    public let location: String
    /// A sentence without its full stop.
    public let reason: String
    /// Whether the last values that could be read still count. They do for a mandatory file, as long as this process
    /// lives.
    public let keepsLastValues: Bool

    public init(layer: SettingsLayer, location: String, reason: String, keepsLastValues: Bool) {
        self.layer = layer
        self.location = location
        self.reason = reason
        self.keepsLastValues = keepsLastValues
    }
}

extension LayerProblem: CustomStringConvertible {
    /// One sentence that is safe to print on a terminal.
    public var description: String {
        let file = layer == .mandatory ? "the mandatory file" : "the file"
        let effect = keepsLastValues ? "the last values of \(file) still count" : "\(file) is ignored"
        return "\(MessageText.path(location)): \(effect): \(MessageText.escaped(reason))"
    }
}
