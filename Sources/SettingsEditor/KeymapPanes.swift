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
            also: "add create",
            when: { $0.refusalOfMaking == nil }
        ),
        KeyBinding(
            [.character("d"), .delete],
            in: [.suites],
            .delete,
            "delete",
            help: "Deletes the suite with all that it holds, after a question.",
            also: "remove"
        ),
        KeyBinding(
            [.character("r")],
            in: [.suites],
            .rename,
            "rename",
            help: "Gives the suite another name.",
            also: "name"
        ),
        KeyBinding(
            [.character("D")],
            in: [.suites],
            .duplicate,
            "duplicate",
            help: "Makes a second suite with the same keys.",
            also: "copy clone"
        ),
        KeyBinding(
            [.character("E")],
            in: [.suites],
            .editSuiteOutside,
            "edit outside",
            help: "Opens the whole suite, but for its secrets, in $VISUAL or $EDITOR, as JSON.",
            also: "visual external vim"
        ),
        KeyBinding(
            [.character("X")],
            in: [.suites],
            .editSuiteOutsideAsXML,
            "edit outside as XML",
            help: "Opens the suite there as XML."
        ),
    ]

    static let inPanes: [KeyBinding] = [
        KeyBinding(
            [.character("u")],
            in: Mode.panes,
            .undo,
            "undo",
            help: "Takes the last change back.",
            also: "revert back",
            when: \.undoHistory.hasPast
        ),
        KeyBinding(
            [.control("r")],
            in: Mode.panes,
            .redo,
            "redo",
            help: "Does again what was taken back.",
            also: "again",
            when: \.undoHistory.hasFuture
        ),
        KeyBinding(
            [.character("H")],
            in: Mode.panes,
            .history,
            "history",
            help: "Shows what you and others have changed, and goes back.",
            also: "log journal changes"
        ),
        KeyBinding(
            [.character("S")],
            in: Mode.panes,
            .toggleStaging,
            "stage changes",
            help: "Has changes wait until they are written together, or writes them at once again.",
            also: "staged staging save commit write"
        ),
        KeyBinding(
            [.character("W")],
            in: Mode.panes,
            .pending,
            "not written",
            help: "Lists what waits to be written.",
            also: "save commit write pending",
            when: { !$0.pendingChanges.isEmpty }
        ),
        KeyBinding(
            [.character("R")],
            in: Mode.panes,
            .recover,
            "recover",
            help:
                "Sets aside a file that can't be read, or writes again what others have deleted, all of a suite, a key, or what lay in the row.",
            also: "restore repair",
            when: \.canBeRecovered
        ),
        KeyBinding(
            [.escape],
            in: Mode.panes,
            .cancel,
            "all",
            help: "Ends the filter; of & and o together the one that was set last.",
            when: \.isFiltered
        ),
        KeyBinding(
            [.character("/")],
            in: Mode.panes,
            .search,
            "search",
            help: "Searches this side while you type, also in what is closed.",
            also: "find",
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
        KeyBinding(
            [.character("N")],
            in: Mode.panes,
            .previousMatch,
            "previous match",
            help: "Goes to the match before."
        ),
        KeyBinding(
            [.character("f"), .control("p")],
            in: Mode.panes,
            .jump,
            "go to",
            help: "Goes to any key of any suite by a few of its letters.",
            also: "jump find fuzzy open",
            when: { $0.suite != nil }
        ),
        KeyBinding(
            [.character(":")],
            in: Mode.panes,
            .palette,
            "commands",
            help: "Finds a command by a few letters of its name, with its keys, and does it.",
            when: { $0.suite != nil }
        ),
        KeyBinding(
            [.character("&")],
            in: Mode.panes,
            .filter,
            "filter",
            help:
                "Shows only what matches, in what is open too, and all in what has a name that matches; an empty pattern shows all.",
            also: "narrow only grep",
            when: { $0.suite != nil }
        ),
        KeyBinding(
            [.tab, .backTab],
            in: [.suites],
            .switchPane,
            "keys",
            help: "Goes to the keys.",
            also: "pane side",
            when: { $0.suite != nil }
        ),
        KeyBinding(
            [.tab, .backTab],
            in: [.keys],
            .switchPane,
            "suites",
            help: "Goes to the suites.",
            also: "pane side",
            when: { !$0.options.isSingle }
        ),
        KeyBinding(
            [.character("q")],
            in: Mode.panes,
            .quit,
            "quit",
            help: "Leaves.",
            also: "exit close",
            when: always
        ),
        KeyBinding(
            [.character("F")],
            in: Mode.panes,
            .searchAll,
            "search all",
            help: "Searches all suites.",
            also: "find everywhere grep",
            when: { $0.suite != nil }
        ),
        KeyBinding(
            [.character("o")],
            in: Mode.panes,
            .chooseOnly,
            "only",
            help:
                "Shows some of the keys alone, and of what is open in them what they are shown for; with & what both leave.",
            also: "filter changed modified default undecodable",
            when: { $0.suite != nil }
        ),
        KeyBinding(
            [.character("w")],
            in: Mode.panes,
            .watch,
            "watch",
            help: "Shows below what others and you change, as it comes; hides it again.",
            also: "pane changes log follow live",
            when: { $0.suite != nil }
        ),
        KeyBinding(
            [.character("z")],
            in: [.keys],
            .chooseLevel,
            "level",
            help: "Opens all to a level, 1 to 9.",
            also: "expand collapse unfold fold depth",
            when: { $0.selectedRow != nil }
        ),
    ]
}

extension EditorState {
    fileprivate var canBeRecovered: Bool {
        guard let suite, refusalOfReadOnly(suite) == nil else { return false }
        if case .unreadable? = suite.status?.content { return true }
        if suite.isLost { return true }
        guard focus == .keys, let row = selectedRow else { return false }
        let (key, path) = (row.path.key, row.path.inside)
        return suite.tree.deleted.contains(key) || suite.tree.gone[key]?.inside(path).places.isEmpty == false
    }
}
