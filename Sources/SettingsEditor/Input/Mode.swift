/// What the keys act on at the moment: the pane that has the focus, or the modal on top of the panes.
///
/// Each binding of the keymap names the modes in which its keys work.
enum Mode: String, Sendable, Hashable, CaseIterable {
    case suites, keys, draft, booleanDraft, naming, menu, question, conflict, search, filter, history,
        pending, help, level, finder, only, palette, literal

    /// Whether a line of text is typed, so that a key without a binding inserts its character.
    var isText: Bool { Self.texts.contains(self) }

    static let panes: [Mode] = [.suites, .keys]
    static let texts: [Mode] = [.draft, .booleanDraft, .naming, .search, .filter, .finder, .palette]
    /// The modes in which a number before a movement repeats the movement.
    static let counting: [Mode] = panes + [.history, .pending, .help]
    static let lists: [Mode] = panes + [.menu, .history, .pending, .help]
    /// Where values are shown side by side.
    static let comparing: [Mode] = [.history, .pending, .conflict]
    /// Where ^V inserts the next key as a character.
    static let takingAnyKey: [Mode] = texts.filter { ![.booleanDraft, .palette].contains($0) }
    static let listsWithHelp: [Mode] = allCases.filter { !(texts + [.help, .literal]).contains($0) }
    /// Where ^C cancels and does not quit.
    static let listsAndDialogs: [Mode] = allCases.filter { !(panes + texts + [.literal]).contains($0) }
}

extension EditorState {
    var mode: Mode {
        if keyInput.insertsNext { return .literal }
        return modal?.component.mode(in: self) ?? (display.focus == .suites ? .suites : .keys)
    }
}
