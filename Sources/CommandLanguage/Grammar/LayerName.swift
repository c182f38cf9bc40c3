/// A layer that commands can read and write.
///
/// A program does not read its settings from one file. It reads a list of files, the layers. The first layer that has a
/// key gives the value.
public enum LayerName: String, Sendable, Hashable, CaseIterable {
    case mandatory, host, user, global, site

    /// A line about the layer, for the help.
    public var effect: String {
        switch self {
        case .mandatory: "/etc/pdefaults/mandatory/<suite>.plist. It locks its keys for every user."
        case .host: "<suite>..plist in the folder ByHost of $XDG_CONFIG_HOME."
        case .user: "<suite>.plist in $XDG_CONFIG_HOME or ~/.config. Programs write only this layer."
        case .global: ".GlobalPreferences.plist in the same folder, the user’s settings for all programs."
        case .site: "<suite>.plist in each folder of $XDG_CONFIG_DIRS (/etc/xdg), then in /usr/local/etc."
        }
    }

    /// All layers, from the highest to the lowest, also those that no command can write.
    static var searchList: [(name: String, effect: String)] {
        func entry(_ layer: LayerName) -> (String, String) { (layer.rawValue, layer.effect) }
        return [
            entry(.mandatory),
            ("arguments", "Words such as -volume 7 of the running program. Other programs cannot see them."),
            entry(.host), entry(.user), entry(.global), entry(.site),
            ("siteGlobal", ".GlobalPreferences.plist in the folders of the layer site."),
            (
                "registered",
                "Defaults that the running program has registered. Other programs cannot see them."
            ),
            ("declared", "The default that the program has declared; “pdefaults schema” prints it."),
        ]
    }
}

extension ParsedCommand {
    /// The layer that `--layer` or `-currentHost` names.
    public var layer: LayerName? {
        get throws(UsageError) {
            guard let word = word(of: .layer) else { return nil }
            if let layer = LayerName(rawValue: word) { return layer }
            let names = LayerName.allCases.map(\.rawValue)
            let near = suggestion(for: word, among: names).map { "Did you mean “\($0)”?" }
            throw UsageError(
                "There is no layer “\(word)” to read or write. "
                    + (near ?? "Use one of \(names.joined(separator: ", "))."),
                of: command
            )
        }
    }
}
