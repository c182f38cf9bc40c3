import TerminalCanvas

extension KeyBinding {
    /// The keymap. Where a mode's last line is too short, what comes first is shown.
    static let all: [KeyBinding] = browsing + answering + moving + typing

    private static let browsing: [KeyBinding] = [
        KeyBinding(
            [.enter, .right, .character("l")],
            in: [.suites],
            .confirm,
            "open",
            help: "Goes to the keys of the suite.",
            when: { $0.suite != nil }
        ),
        KeyBinding(
            [.enter],
            in: [.keys],
            .confirm,
            "open",
            help: "Opens an array, a dictionary or JSON, or closes it.",
            when: { $0.selectedRow?.node.canBeOpened == true && $0.selectedRow?.isOpen == false }
        ),
        KeyBinding(
            [.enter],
            in: [.keys],
            .confirm,
            "edit",
            help: "Edits any other value in its row.",
            when: { $0.canWrite && $0.selectedRow?.node.isContainer == false }
        ),
        KeyBinding(
            [.character(" ")],
            in: [.keys],
            .flip,
            "flip",
            help: "Turns a boolean round.",
            when: { $0.canWrite && $0.selectedRow?.node.flipped != nil }
        ),
        KeyBinding(
            [.left, .character("h")],
            in: [.keys],
            .left,
            "close",
            help: "Closes, goes to what the row lies in, or back to the suites.",
            when: { $0.selectedRow?.isOpen == true }
        ),
        KeyBinding(
            [.right, .character("l")],
            in: [.keys],
            .right,
            help: "Opens, and goes to the first row inside."
        ),
        KeyBinding(
            [.character("a")],
            in: [.suites],
            .add,
            "new suite",
            help: "Makes a suite.",
            when: { $0.options.readOnlyReason == nil }
        ),
        KeyBinding(
            [.character("a")],
            in: [.keys],
            .add,
            "add",
            help: "Adds into what is open, else beside the row.",
            when: \.canWrite
        ),
        KeyBinding(
            [.character("d"), .delete],
            in: [.keys],
            .delete,
            "delete",
            help: "Deletes, after a question.",
            when: { $0.canWrite && $0.selectedRow != nil }
        ),
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
            [.enter],
            in: [.history],
            .confirm,
            "put back what was there before",
            help: "Gives the key back what it held before the change."
        ),
        KeyBinding([.character("u")], in: [.history], .undo, help: "Takes your last change back."),
        KeyBinding([.control("r")], in: [.history], .redo, help: "Does it again."),
        KeyBinding(
            [.escape, .character("q"), .character("H")],
            in: [.history],
            .cancel,
            "back",
            help: "Goes back to the keys."
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
        KeyBinding([.control("l")], in: Mode.allCases, .redraw, help: "Draws the screen anew."),
        KeyBinding([.control("z")], in: Mode.allCases, .suspend, help: "Goes back to the shell; fg returns."),
    ]

    private static let lists: [Mode] = [.suites, .keys, .typeMenu, .history, .help]

    private static let moving: [KeyBinding] = [
        KeyBinding([.up, .character("k")], in: lists, .move(.up), help: "Goes up."),
        KeyBinding([.down, .character("j")], in: lists, .move(.down), help: "Goes down."),
        KeyBinding([.pageUp, .control("b")], in: lists, .move(.pageUp), help: "Goes up a screen."),
        KeyBinding([.pageDown, .control("f")], in: lists, .move(.pageDown), help: "Goes down a screen."),
        KeyBinding([.home, .character("g")], in: lists, .move(.first), help: "Goes to the first row."),
        KeyBinding([.end, .character("G")], in: lists, .move(.last), help: "Goes to the last row."),
    ]

    private static let typing: [KeyBinding] = [
        KeyBinding([.enter], in: [.draft, .booleanDraft], .confirm, "write", help: "Writes what was typed."),
        KeyBinding([.character(" ")], in: [.booleanDraft], .flip, "flip", help: "Turns the boolean round."),
        KeyBinding(
            [.control("t")],
            in: [.draft],
            .changeForm,
            "hex/base64/text",
            help: "Spells data in hexadecimal, in Base64 or as text.",
            when: {
                if case .draft(let draft)? = $0.input { draft.kind == .propertyList(.data) } else { false }
            }
        ),
        KeyBinding([.enter], in: [.naming], .confirm, "go on", help: "Takes the name."),
        KeyBinding([.enter], in: [.search], .confirm, "stay", help: "Stays on the match."),
        KeyBinding([.enter], in: [.filter], .confirm, "keep", help: "Keeps the filter."),
        KeyBinding([.escape], in: Mode.texts, .cancel, "leave as it was", help: "Leaves all as it was."),
        KeyBinding([.left, .control("b")], in: Mode.texts, .line(.left), help: "Goes left."),
        KeyBinding([.right, .control("f")], in: Mode.texts, .line(.right), help: "Goes right."),
        KeyBinding([.home, .control("a")], in: Mode.texts, .line(.start), help: "Goes to the start."),
        KeyBinding([.end, .control("e")], in: Mode.texts, .line(.end), help: "Goes to the end."),
        KeyBinding(
            [.backspace, .control("h")],
            in: Mode.texts,
            .line(.deleteBackward),
            help: "Deletes the character before the cursor."
        ),
        KeyBinding(
            [.delete, .control("d")],
            in: Mode.texts,
            .line(.deleteForward),
            help: "Deletes the character at the cursor."
        ),
        KeyBinding(
            [.wordLeft, .alt("b")],
            in: Mode.texts,
            .line(.wordLeft),
            help: "Goes to the start of the word."
        ),
        KeyBinding(
            [.wordRight, .alt("f")],
            in: Mode.texts,
            .line(.wordRight),
            help: "Goes to the end of the word."
        ),
        KeyBinding(
            [.control("w")],
            in: Mode.texts,
            .line(.deleteWord),
            help: "Takes out all before, up to a space."
        ),
        KeyBinding(
            [.alt("\u{7F}")],
            in: Mode.texts,
            .line(.deleteWordBackward),
            help: "Takes out the word before."
        ),
        KeyBinding(
            [.alt("d")],
            in: Mode.texts,
            .line(.deleteWordForward),
            help: "Takes out the word behind."
        ),
        KeyBinding([.control("u")], in: Mode.texts, .line(.deleteToStart), help: "Takes out all before."),
        KeyBinding([.control("k")], in: Mode.texts, .line(.deleteToEnd), help: "Takes out all behind."),
        KeyBinding(
            [.control("y")],
            in: Mode.texts,
            .line(.yank),
            help: "Puts in what was taken out last, here or elsewhere."
        ),
        KeyBinding(
            [.control("_"), .alt("u")],
            in: Mode.texts,
            .line(.undo),
            help: "Undoes inside the line."
        ),
        KeyBinding(
            [.control("r"), .alt("r")],
            in: Mode.texts,
            .line(.redo),
            help: "Does again what was undone inside the line."
        ),
    ]

    private static let answering: [KeyBinding] = [
        KeyBinding([.enter], in: [.typeMenu], .confirm, "take", help: "Takes the type; so does its number."),
        KeyBinding([.escape], in: [.typeMenu], .cancel, "leave as it was", help: "Leaves all as it was."),
        KeyBinding([.character("y")], in: [.question], .answer(true), "yes", help: "Says yes."),
        KeyBinding([.character("n")], in: [.question], .answer(false), "no", help: "Says no."),
        KeyBinding([.escape], in: [.question], .cancel, help: "Says no."),
        KeyBinding(
            [.escape, .character("q"), .character("?"), .enter],
            in: [.help],
            .cancel,
            "back",
            help: "Goes back."
        ),
        KeyBinding([.down, .character("j")], in: [.help], .move(.down), "more", help: "Goes down a line."),
    ]
}

extension EditorState {
    /// The bindings that the last line names, the first ones being the most useful.
    var usefulBindings: [KeyBinding] {
        let mode = mode
        return KeyBinding.all.filter { $0.label != nil && $0.modes.contains(mode) && $0.isUseful(self) }
    }
}
