import PropertyList
import SettingsStore

/// The declared settings of the first sample suite, as a program would declare them. They show titles, defaults,
/// choices, limits, a secret, a deprecated setting and a setting without a value.
enum DemoDeclarations {
    static let player: [String: SettingDeclaration] = [
        "quality": SettingDeclaration(
            .integer(Bounds(1...3)),
            cases: [
                SettingCase(1, title: "Low"), SettingCase(2, title: "Medium"), SettingCase(3, title: "High"),
            ],
            defaultValue: 2,
            title: "Quality of playback"
        ),
        "theme": SettingDeclaration(
            .string(),
            cases: ["light", "dark", "system"].map { SettingCase(.string($0)) },
            defaultValue: "system",
            title: "Theme"
        ),
        "volume": SettingDeclaration(
            .integer(Bounds(0...100)),
            defaultValue: 50,
            title: "Volume",
            help: "The loudness in per cent."
        ),
        "playing": SettingDeclaration(.boolean, defaultValue: false, title: "Playing"),
        "favourites": SettingDeclaration(
            .array(of: .string()),
            title: "Favourite tracks",
            help: "Press A to add one."
        ),
        "token": SettingDeclaration(.string(), title: "Token of the music service", isSecret: true),
        "crossfade": SettingDeclaration(
            .integer(Bounds(0...12)),
            defaultValue: 0,
            title: "Seconds of crossfade",
            deprecation: "Use transition instead."
        ),
    ]
}
