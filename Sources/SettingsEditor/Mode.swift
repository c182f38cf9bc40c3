import PropertyList

/// What the keys are for at the moment.
enum Mode: String, Sendable, Hashable, CaseIterable {
    case suites, keys, draft, booleanDraft, naming, menu, question, conflict, search, filter, history,
        pending, help, level, finder, only, palette, literal

    /// Texts are typed; what has no meaning of its own inserts itself.
    var isText: Bool { Self.texts.contains(self) }

    static let panes: [Mode] = [.suites, .keys]
    static let texts: [Mode] = [.draft, .booleanDraft, .naming, .search, .filter, .finder, .palette]
    /// A number before a movement repeats it.
    static let counting: [Mode] = panes + [.history, .pending, .help]
    static let withHelp: [Mode] = allCases.filter { ![.help, .literal].contains($0) }
}

extension EditorState {
    var mode: Mode {
        if insertsNext { return .literal }
        return switch input {
        case nil: focus == .suites ? .suites : .keys
        case .draft(let draft)?: draft.kind.isBoolean ? .booleanDraft : .draft
        case .naming?: .naming
        case .menu?: .menu
        case .question?: overtaken == nil ? .question : .conflict
        case .conflict?: .conflict
        case .search(let prompt)?: prompt.isFilter ? .filter : .search
        case .history?: .history
        case .pending?: .pending
        case .help?: .help
        case .choosingLevel?: .level
        case .finding?: .finder
        case .choosingOnly?: .only
        case .palette?: .palette
        }
    }
}
