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
            [.character("e")],
            in: [.keys],
            .editText,
            help: "Edits JSON, also where it could be opened, as the text that it is."
        ),
        KeyBinding(
            [.character("E")],
            in: [.keys],
            .editOutside,
            help:
                "Opens a text, or all that is inside, in $VISUAL or $EDITOR; arrays and dictionaries as JSON where that has a place for all of it, else as XML."
        ),
        KeyBinding(
            [.character("X")],
            in: [.keys],
            .editOutsideAsXML,
            help: "Opens it there as XML."
        ),
        KeyBinding([.character("r")], in: [.keys], .rename, help: "Gives another name."),
        KeyBinding([.character("D")], in: [.keys], .duplicate, help: "Makes a second one beside it."),
        KeyBinding(
            [.character("t")],
            in: [.keys],
            .changeType,
            help: "Offers the value in other types."
        ),
        KeyBinding([.character("<")], in: [.keys], .raise, help: "Moves an element of an array up."),
        KeyBinding([.character(">")], in: [.keys], .lower, help: "Moves an element of an array down."),
        KeyBinding(
            [.character("=")],
            in: [.keys],
            .reset,
            "reset",
            help: "Takes away what is stored for a declared setting, so that its default shows.",
            when: {
                guard let suite = $0.suite, let row = $0.selectedRow, $0.canWrite else { return false }
                return suite.declaration(of: row.path.key) != nil && suite.isStored(row.path.key)
            }
        ),
        KeyBinding(
            [.character("v")],
            in: [.keys],
            .reveal,
            "show",
            help: "Shows a secret value, or hides it again.",
            when: {
                guard let suite = $0.suite, let row = $0.selectedRow else { return false }
                return suite.declaration(of: row.path.key)?.isSecret == true
            }
        ),
        KeyBinding(
            [.character("m")],
            in: [.keys],
            .mark,
            help: "Marks the row; Space, d, M and c act on all that are marked. Esc unmarks."
        ),
        KeyBinding([.character("M")], in: [.keys], .moveToSuite, help: "Moves to another suite."),
        KeyBinding(
            [.character("c")],
            in: [.keys],
            .copy,
            help: "Copies the value, the key, the path, or all of it as JSON or XML."
        ),
        KeyBinding(
            [.character("p")],
            in: [.keys],
            .pasteCopied,
            help:
                "Puts in what was copied here. What is pasted from elsewhere is put in if it is a property list or JSON."
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
            [.character("w")],
            in: [.pending],
            .writeAll,
            "write all",
            help: "Writes all that nobody else has changed meanwhile."
        ),
        KeyBinding(
            [.enter],
            in: [.pending],
            .confirm,
            "go there",
            help: "Goes to the key; where somebody else has changed it, asks what is to be written."
        ),
        KeyBinding(
            [.character("d"), .delete],
            in: [.pending],
            .delete,
            "drop",
            help: "Drops the change."
        ),
        KeyBinding(
            [.escape, .character("q"), .character("W")],
            in: [.pending],
            .cancel,
            "back",
            help: "Goes back, with all of it still waiting."
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
        KeyBinding([.character("z")], in: [.keys], .chooseLevel, help: "Opens all to a level, 1 to 9."),
        KeyBinding(
            Array(KeyBinding.digits.dropFirst()),
            in: Mode.panes,
            .count(0),
            help: "Repeats the next movement so often; before G or g: the row's number."
        ),
        KeyBinding([.character("0")], in: Mode.panes, .count(0), help: "Goes on with the number."),
        KeyBinding(
            [.function(2)],
            in: Mode.allCases,
            .toggleMouse,
            help: "Gives the mouse to the terminal, to select text with, or takes it back."
        ),
        KeyBinding([.control("l")], in: Mode.allCases, .redraw, help: "Draws the screen anew."),
        KeyBinding([.control("z")], in: Mode.allCases, .suspend, help: "Goes back to the shell; fg returns."),
    ]

    private static let lists: [Mode] = [.suites, .keys, .menu, .history, .pending, .help]

    private static let moving: [KeyBinding] = [
        KeyBinding([.up, .character("k")], in: lists, .move(.up), help: "Goes up."),
        KeyBinding([.down, .character("j")], in: lists, .move(.down), help: "Goes down."),
        KeyBinding([.pageUp, .control("b")], in: lists, .move(.pageUp), help: "Goes up a screen."),
        KeyBinding([.pageDown, .control("f")], in: lists, .move(.pageDown), help: "Goes down a screen."),
        KeyBinding([.control("u")], in: Mode.panes, .move(.halfPageUp), help: "Goes up half a screen."),
        KeyBinding([.control("d")], in: Mode.panes, .move(.halfPageDown), help: "Goes down half a screen."),
        KeyBinding(
            [.character("J")],
            in: Mode.panes,
            .move(.nextSibling),
            help: "Goes to the next row in the same place."
        ),
        KeyBinding(
            [.character("K")],
            in: Mode.panes,
            .move(.previousSibling),
            help: "Goes to the last row in the same place."
        ),
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
        KeyBinding([.enter], in: [.finder], .confirm, "go there", help: "Goes there."),
        KeyBinding([.up, .control("p")], in: [.finder], .move(.up), help: "Goes up in the list."),
        KeyBinding([.down, .control("n")], in: [.finder], .move(.down), help: "Goes down in the list."),
        KeyBinding([.pageUp], in: [.finder], .move(.pageUp), help: "Goes up a screen in the list."),
        KeyBinding([.pageDown], in: [.finder], .move(.pageDown), help: "Goes down a screen in the list."),
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
        KeyBinding(
            Array(KeyBinding.digits.dropFirst()),
            in: [.level],
            .level(1),
            "level",
            help: "Opens what lies above that level, and closes the rest."
        ),
        KeyBinding(
            [.character("o")],
            in: [.only],
            .showOnly(.changedByOthers),
            "changed by others",
            help: "Those that others have changed since you opened the editor."
        ),
        KeyBinding([.escape], in: [.only], .cancel, "leave as it was", help: "Leaves all as it was."),
        KeyBinding([.escape], in: [.level], .cancel, "leave as it was", help: "Leaves all as it was."),
        KeyBinding(
            [.enter],
            in: [.menu],
            .confirm,
            "take",
            help: "Takes the selected one; so does its number."
        ),
        KeyBinding([.escape], in: [.menu], .cancel, "leave as it was", help: "Leaves all as it was."),
        KeyBinding([.character("y")], in: [.question], .answer(true), "yes", help: "Says yes."),
        KeyBinding([.character("n")], in: [.question], .answer(false), "no", help: "Says no."),
        KeyBinding([.escape], in: [.question], .cancel, help: "Says no."),
        KeyBinding(
            [.character("y")],
            in: [.conflict],
            .answer(true),
            "mine",
            help: "Writes your value over the one that the file holds."
        ),
        KeyBinding(
            [.character("t")],
            in: [.conflict],
            .takeTheirs,
            "theirs",
            help: "Leaves the value that the file holds."
        ),
        KeyBinding(
            [.character("n"), .escape],
            in: [.conflict],
            .answer(false),
            "back",
            help: "Goes on editing yours."
        ),
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
    fileprivate var canBeRecovered: Bool {
        if case .unreadable? = suite?.status?.content { return true }
        return suite?.lost != nil
    }

    /// The bindings that the last line names, the first ones being the most useful.
    var usefulBindings: [KeyBinding] {
        let mode = mode
        return KeyBinding.all.filter { $0.label != nil && $0.modes.contains(mode) && $0.isUseful(self) }
    }
}
