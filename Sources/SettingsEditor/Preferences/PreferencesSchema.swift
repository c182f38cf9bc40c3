import PropertyList
import SettingsStore
import TerminalCanvas

extension EditorPreferences {
    /// The declarations of all preferences, so that editor and commands explain and check them.
    public static let schema: SuiteSchema = {
        var declarations = [
            "editor.theme": SettingDeclaration(
                .string(),
                cases: ThemeChoice.allCases.map { SettingCase(.string($0.rawValue)) },
                defaultValue: .string(ThemeChoice.auto.rawValue),
                title: "Theme",
                help: "The colours of the editor. Press T to try them."
            ),
            "editor.mouse": SettingDeclaration(
                .boolean,
                defaultValue: true,
                title: "Mouse",
                help: "Whether clicks and the wheel act in the editor. F2 changes it for now."
            ),
            "editor.staging": SettingDeclaration(
                .boolean,
                defaultValue: false,
                title: "Staging",
                help: "Whether the editor collects changes until you save them."
            ),
            "editor.suitesWidth": SettingDeclaration(
                .integer(Bounds(0...200)),
                defaultValue: 0,
                title: "Width of the list of suites",
                help: "The number of columns. 0 is the width of the content."
            ),
            placesKey: SettingDeclaration(
                .array(of: .string()),
                defaultValue: .array([]),
                title: "Places opened before",
                help: "The files, folders and clusters that O offers, the newest one last."
            ),
        ]
        for (name, bindings) in Keymap.rebindable {
            let binding = bindings[0]
            // A key may do one thing or another, depending on the row.
            let help = bindings.filter { $0.modes == binding.modes }.map(\.help).joined(separator: " ")
            declarations[keyPrefix + name] = SettingDeclaration(
                .string(),
                defaultValue: .string(binding.keys.map { $0.name(.ascii) }.joined(separator: " ")),
                title: "Keys of “\(binding.name)”",
                help: help + " Write the keys with spaces between them, such as “d Del”."
            )
        }
        return SuiteSchema(declarations)
    }()
}
