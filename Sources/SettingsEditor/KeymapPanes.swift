import TerminalCanvas

// The list of suites, and what both panes have.
extension KeyBinding {
    static let inSuites: [KeyBinding] = [
        KeyBinding(
            [.enter, .right, .character("l")],
            in: [.suites],
            .confirm,
            "open",
            help: "Goes to the keys of the suite.",
            when: { $0.suite != nil }
        ),
        KeyBinding(
            [.character("a")],
            in: [.suites],
            .add,
            "new suite",
            help: "Makes a suite.",
            when: { $0.options.readOnlyReason == nil }
        ),
    ]

    static let inPanes: [KeyBinding] = [
        KeyBinding(
            [.character("u")],
            in: Mode.panes,
            .undo,
            "undo",
            help: "Takes the last change back.",
            when: { !$0.undoHistory.past.isEmpty }
        ),
        KeyBinding(
            [.control("r")],
            in: Mode.panes,
            .redo,
            "redo",
            help: "Does again what was taken back.",
            when: { !$0.undoHistory.future.isEmpty }
        ),
        KeyBinding(
            [.character("H")],
            in: Mode.panes,
            .history,
            help: "Shows what you and others have changed, and goes back.",
            when: { !$0.journal.entries.isEmpty }
        ),
        KeyBinding(
            [.character("S")],
            in: Mode.panes,
            .toggleStaging,
            help: "Has changes wait until they are written together, or writes them at once again."
        ),
        KeyBinding(
            [.character("W")],
            in: Mode.panes,
            .pending,
            "not written",
            help: "Lists what waits to be written.",
            when: { !$0.pendingChanges.isEmpty }
        ),
        KeyBinding(
            [.escape],
            in: Mode.panes,
            .cancel,
            "all",
            help: "Ends the filter.",
            when: \.isFiltered
        ),
        KeyBinding(
            [.character("/")],
            in: Mode.panes,
            .search,
            "search",
            help: "Searches this side while you type, also in what is closed.",
            when: { $0.suite != nil }
        ),
        KeyBinding(
            [.character("n")],
            in: Mode.panes,
            .nextMatch,
            "next",
            help: "Goes to the next match.",
            when: { $0.pattern != nil }
        ),
        KeyBinding([.character("N")], in: Mode.panes, .previousMatch, help: "Goes to the match before."),
        KeyBinding(
            [.character("&")],
            in: Mode.panes,
            .filter,
            "filter",
            help: "Shows only what matches; an empty pattern shows all.",
            when: { $0.suite != nil }
        ),
        KeyBinding(
            [.tab, .backTab],
            in: [.suites],
            .switchPane,
            "keys",
            help: "Goes to the keys.",
            when: { $0.suite != nil }
        ),
        KeyBinding(
            [.tab, .backTab],
            in: [.keys],
            .switchPane,
            "suites",
            help: "Goes to the suites.",
            when: { !$0.options.isSingle }
        ),
        KeyBinding([.character("q")], in: Mode.panes, .quit, "quit", help: "Leaves."),
        KeyBinding([.character("?"), .function(1)], in: Mode.panes, .help, "help", help: "Shows this help."),
        KeyBinding(
            [.character("f"), .control("p")],
            in: Mode.panes,
            .jump,
            help: "Goes to any key of any suite by a few of its letters."
        ),
        KeyBinding([.character("F")], in: Mode.panes, .searchAll, help: "Searches all suites."),
        KeyBinding([.character("o")], in: Mode.panes, .chooseOnly, help: "Shows some of the keys alone."),
        KeyBinding(
            [.character("w")],
            in: Mode.panes,
            .watch,
            help: "Shows below what others and you change, as it comes; hides it again."
        ),
        KeyBinding(
            [.character("R")],
            in: Mode.panes,
            .recover,
            "recover",
            help: "Sets aside a file that can't be read, or writes a deleted one again.",
            when: \.canBeRecovered
        ),
        KeyBinding(
            Array(KeyBinding.digits.dropFirst()),
            in: Mode.panes,
            .count(0),
            help: "Repeats the next movement so often; before G or g: the row's number."
        ),
        KeyBinding([.character("0")], in: Mode.panes, .count(0), help: "Goes on with the number."),
    ]
}

extension EditorState {
    fileprivate var canBeRecovered: Bool {
        if case .unreadable? = suite?.status?.content { return true }
        return suite?.lost != nil
    }
}
