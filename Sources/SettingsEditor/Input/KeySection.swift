import TerminalCanvas

/// The keys of one mode, as a section of the manual page.
public struct KeySection: Sendable {
    public let title: String
    /// The names of the keys in ASCII, and a sentence about each.
    public let keys: [(names: String, help: String)]

    /// All sections. A key that several modes share is only in the first of them.
    public static var all: [KeySection] { all(of: .none) }

    /// The same with the user's keys.
    public static func all(of preferences: EditorPreferences) -> [KeySection] {
        let keymap = Keymap(preferences)
        var told: Set<String> = []
        return modes.compactMap { title, mode in
            let bindings = keymap.bindings.filter {
                !$0.keys.isEmpty && $0.modes.contains(mode) && !told.contains($0.help)
            }
            told.formUnion(bindings.map(\.help))
            let keys: [(names: String, help: String)] = bindings.map {
                ($0.keys.map { $0.name(.ascii) }.joined(separator: " "), $0.help)
            }
            return keys.isEmpty ? nil : KeySection(title: title, keys: keys)
        }
    }

    static func title(of mode: Mode) -> String? { modes.first { $0.mode == mode }?.title }

    private static let modes: [(title: String, mode: Mode)] = [
        ("In the list of suites", .suites), ("In the list of keys", .keys), ("While typing", .draft),
        ("While true or false is edited", .booleanDraft), ("While a name is typed", .naming),
        ("While searching", .search), ("While filtering", .filter), ("In a menu", .menu),
        ("At a question", .question), ("At a conflict", .conflict), ("In the history", .history),
        ("In the list of staged changes", .pending), ("In a comparison", .compare),
        ("In the details", .details),
        ("After ^V", .literal),
        ("After o", .only), ("After z", .level), ("In the key finder", .finder),
        ("In the command palette", .palette),
        ("While a path is typed", .path), ("In this help", .help),
        ("While this help is filtered", .helpFilter),
    ]
}
