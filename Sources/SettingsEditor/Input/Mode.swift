/// The focused pane or the top modal, which receives the keys. Each binding of the keymap names its modes.
enum Mode: String, Sendable, Hashable, CaseIterable {
    case suites, keys, draft, booleanDraft, naming, menu, question, conflict, search, filter, history,
        pending, compare, help, level, finder, only, palette, path, helpFilter, details, literal

    /// Whether a line of text is typed, so that a key without a binding inserts its character.
    var isText: Bool { Self.texts.contains(self) }

    static let panes: [Mode] = [.suites, .keys]
    static let texts: [Mode] = [
        .draft, .booleanDraft, .naming, .search, .filter, .finder, .palette, .path, .helpFilter,
    ]
    /// The modes in which a number before a movement repeats the movement.
    static let counting: [Mode] = panes + [.history, .pending, .compare, .help, .details]
    static let lists: [Mode] = panes + [.menu, .history, .pending, .compare, .help, .details]
    /// The modes that show values side by side.
    static let comparing: [Mode] = [.history, .pending, .compare, .conflict]
    /// The modes of modals that are shown in place of the panes.
    static let coveringPanes: [Mode] = comparing + [.finder, .palette, .help, .helpFilter, .details]
    /// After ^V, which inserts the next key as a character.
    static let takingAnyKey: [Mode] = texts.filter { ![.booleanDraft, .palette, .helpFilter].contains($0) }
    static let listsWithHelp: [Mode] = allCases.filter { !(texts + [.help, .literal]).contains($0) }
    /// The modes in which ^C cancels and does not quit.
    static let listsAndDialogs: [Mode] = allCases.filter { !(panes + texts + [.literal]).contains($0) }
}

extension EditorState {
    var mode: Mode {
        if keyInput.insertsNext { return .literal }
        return modal?.component.keyMode ?? (display.focus == .suites ? .suites : .keys)
    }
}
