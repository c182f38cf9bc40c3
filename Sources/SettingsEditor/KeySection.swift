import TerminalCanvas

/// The keys of one of the editor's modes, for the help and the manual page.
public struct KeySection: Sendable {
    public let title: String
    /// With their names as they stand on keyboards, in ASCII, and a sentence about what they do.
    public let keys: [(names: String, help: String)]

    /// What several modes share stands in the first of them.
    public static var all: [KeySection] {
        bindings.map { title, bindings in
            KeySection(
                title: title,
                keys: bindings.map { ($0.keys.map { $0.name(.ascii) }.joined(separator: " "), $0.help) }
            )
        }
    }

    typealias Section = (title: String, bindings: [KeyBinding])

    static let bindings = sections(modes)

    /// With the keys of one mode first, and what they share with others among them.
    static func bindings(from mode: Mode) -> [Section] {
        sections(modes.filter { $0.mode == mode } + modes.filter { $0.mode != mode })
    }

    private static func sections(_ modes: [(title: String, mode: Mode)]) -> [Section] {
        var told: Set<String> = []
        return modes.compactMap { title, mode in
            let bindings = KeyBinding.all.filter { $0.modes.contains(mode) && !told.contains($0.help) }
            told.formUnion(bindings.map(\.help))
            return bindings.isEmpty ? nil : (title, bindings)
        }
    }

    private static let modes: [(title: String, mode: Mode)] = [
        ("In the list of suites", .suites), ("In the keys", .keys), ("While typing", .draft),
        ("While a boolean is edited", .booleanDraft), ("While a name is typed", .naming),
        ("While searching", .search), ("While filtering", .filter), ("In a choice", .menu),
        ("At a question", .question), ("At a conflict", .conflict), ("In the history", .history),
        ("In the list of what waits", .pending),
        ("For the key behind ^V", .literal),
        ("For keys alone", .only), ("For a level", .level), ("While a key is looked for", .finder),
        ("While a command is looked for", .palette),
        ("In this help", .help),
    ]
}
