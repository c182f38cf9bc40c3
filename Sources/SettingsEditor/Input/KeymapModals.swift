// The keys of everything that opens on top of the panes and takes no text: questions, menus, the history, the
// pending changes, compared values and the help. Also the keys that move the selection in every list.
extension KeyBinding {
    // swift-format-ignore
    static let answering = bindings(in: [.question], [
        .init("1 2 3 4 5 6 7 8 9", in: [.level], .level(1), "level", when: always,
            "Expand all rows down to that level, and collapse deeper ones."),
        .init("o", in: [.only], .showOnly(.changedByOthers), KeyCategory.changedByOthers.rawValue, when: always,
            "Show only keys that other programs have changed since you started the editor."),
        .init("d", in: [.only], .showOnly(.changedFromDefault), KeyCategory.changedFromDefault.rawValue, when: always,
            "Show only declared settings whose value is not their default."),
        .init("u", in: [.only], .showOnly(.undecodable), KeyCategory.undecodable.rawValue, when: always,
            "Show only values that a program cannot read: invalid JSON, a wrong type, or quarantined values."),
        .init("Esc", in: [.only], .cancel, "cancel", when: always, "Cancel."),
        .init("Esc", in: [.level], .cancel, "cancel", when: always, "Cancel."),
        .init("Enter", in: [.menu], .confirm, "choose", when: always,
            "Choose the selected line. A letter selects a line, and a number before a line chooses it."),
        .init("Esc", in: [.menu], .cancel, "cancel", when: always, "Cancel."),
        .init("y", .answer(true), "yes", when: always, "Answer yes."),
        .init("n", .answer(false), "no", when: always, "Answer no."),
        .init("Esc", .cancel, "no", "Answer no, like n."),
        .init("w", .writeAll, "save and quit", when: { $0.isAskingToQuit }, "Save the staged changes, then quit."),
        .init("y", in: [.conflict], .answer(true), "mine", when: always,
            "Keep your value and overwrite the stored one."),
        .init("t", in: [.conflict], .takeTheirs, "theirs", when: always, "Discard your value and keep the stored one."),
        .init("v", in: [.conflict], .reveal, "show", when: { $0.comparesSecrets },
            "Show or hide the compared secrets."),
        .init("n Esc", in: [.conflict], .answer(false), "back", when: always, "Continue to edit your value."),
    ])

    // swift-format-ignore
    static let inHistory = bindings(in: [.history], [
        .init("Enter", .confirm, "restore", when: always, also: "restore revert",
            "Restore the value from before the change."),
        .init("m", .multiSelect, "choose a range", also: "select several mark",
            "Choose the changes from this one to the selected one. Press m there to keep them, and again to choose none."),
        .init("Y", .copyCommand, "copy as commands", also: "shell script yank clipboard write",
            "Copy the pdefaults commands that repeat the chosen changes, or the selected one, quoted for a shell."),
        .init("c", .copy, "copy as settings file", also: "apply yank clipboard desired",
            "Copy the values after the chosen changes, or the selected one, as a file for “pdefaults apply”."),
        .init("C", .compare, "compare values", also: "diff",
            "Compare the values after the two ends of the range, or the selected value with the present one."),
        .init("Esc q H", .cancel, "back", when: always, "Close the history."),
    ])

    // swift-format-ignore
    static let inPending = bindings(in: [.pending], [
        .init("w", .writeAll, "save all", when: always, also: "write commit",
            "Save all staged changes without a conflict."),
        .init("Enter", .confirm, "open", when: always,
            "Go to the key. If another program has changed it, choose which value to save."),
        .init("d Del", .delete, "discard", when: always, also: "discard unstage revert",
            "Discard the selected change."),
        .init("Esc q W", .cancel, "back", when: always, "Close the list. The changes stay staged."),
    ])

    // swift-format-ignore
    static let inComparison = bindings(in: [.compare], [
        .init(">", .copyRight, "copy right", when: always, also: "merge put",
            "Copy the row, or the rows chosen with m, to the right side. A missing key is added or deleted."),
        .init("<", .copyLeft, "copy left", when: always, also: "merge get",
            "Copy the row, or the rows chosen with m, to the left side. A missing key is added or deleted."),
        .init("n", .nextMatch, "next difference", "Go to the next row that differs."),
        .init("N", .previousMatch, "previous difference", "Go to the previous row that differs."),
        .init("o", .chooseOnly, "equal keys", when: always, also: "show hide same all only",
            "Show equal keys too, or hide them."),
        .init("m", .multiSelect, "choose", also: "select several mark", "Choose the row, for > and <. Press Esc to choose none."),
        .init("v", .reveal, "show", also: "secret reveal password", "Show or hide a secret on both sides."),
        .init("Y", .copyCommand, "copy as commands", also: "shell script yank clipboard",
            "Copy the pdefaults commands that make the left side equal to the right one."),
        .init("Esc q C", .cancel, "back", when: always, "Close the comparison."),
    ])

    // swift-format-ignore
    static let inHistoryAndPending = bindings(in: [.history, .pending, .compare], [
        .init("u", .undo, "undo", "Undo your last change."),
        .init("^R", .redo, "redo", "Redo the change that you undid."),
        .init(":", .palette, "commands", when: always, "Find and run a command. Type a part of its name."),
    ])

    // swift-format-ignore
    static let comparing = bindings(in: [.conflict], [
        .init("Tab", in: Mode.comparing, .nextDifference, "next difference", when: { $0.hintsAtDifferences },
            "Go to the next difference."),
        .init("Shift-Tab", in: Mode.comparing, .previousDifference, "previous difference",
            "Go to the previous difference."),
        .init("J", in: [.history, .pending, .compare], .scroll(.down), "scroll down", "Scroll the values below the list down."),
        .init("K", in: [.history, .pending, .compare], .scroll(.up), "scroll up", "Scroll the values below the list up."),
        .init("^D", in: Mode.comparing, .scroll(.halfPageDown), "scroll half a page down",
            "Scroll the values half a page down."),
        .init("^U", in: Mode.comparing, .scroll(.halfPageUp), "scroll half a page up",
            "Scroll the values half a page up."),
        .init("Down j", .scroll(.down), "scroll down", "Scroll the values down."),
        .init("Up k", .scroll(.up), "scroll up", "Scroll the values up."),
        .init("PgDn ^F", .scroll(.pageDown), "scroll a page down", "Scroll the values a page down."),
        .init("PgUp ^B", .scroll(.pageUp), "scroll a page up", "Scroll the values a page up."),
        .init("Home g", .scroll(.first), "scroll to the start", "Scroll to the start of the values."),
        .init("End G", .scroll(.last), "scroll to the end", "Scroll to the end of the values."),
    ])

    // swift-format-ignore
    static let inHelp = bindings(in: [.help], [
        .init("Esc q ? F1", .cancel, "back", when: always, "Close the help."),
        .init("Enter", .confirm, "run", when: always, "Run the selected command."),
        .init("/", .search, "filter", when: always, also: "search find", "Show only matching commands while you type."),
        .init("Space", .move(.pageDown), "next screen", "Go down a page."),
    ])

    // swift-format-ignore
    static let inDetails = bindings(in: [.details], [
        .init("Esc q i", .cancel, "back", when: always, "Close the details."),
        .init("Enter", .confirm, "edit", when: { $0.canEditRow }, "Edit the value."),
        .init("Down j", .move(.down), "scroll down", when: always, "Scroll the details down."),
        .init("Space", .move(.pageDown), "next screen", when: always, "Scroll the details a page down."),
    ])

    // swift-format-ignore
    static let moving = bindings(in: Mode.lists, [
        .init("Up k", .move(.up), "up", "Go up a row."),
        .init("Down j", .move(.down), "down", "Go down a row."),
        .init("PgUp ^B", .move(.pageUp), "page up", "Go up a page."),
        .init("PgDn ^F", .move(.pageDown), "page down", "Go down a page."),
        .init("^U", in: Mode.panes, .move(.halfPageUp), "half page up", "Go up half a page."),
        .init("^D", in: Mode.panes, .move(.halfPageDown), "half page down", "Go down half a page."),
        .init("Home g", .move(.first), "first", "Go to the first row."),
        .init("End G", .move(.last), "last", "Go to the last row."),
    ])
}
