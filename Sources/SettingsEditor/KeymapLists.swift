import TerminalCanvas

// What is shown in place of the panes, and moving in all lists.
extension KeyBinding {
    static let inPending: [KeyBinding] = [
        KeyBinding(
            [.character("w")],
            in: [.pending],
            .writeAll,
            "write all",
            help: "Writes all that nobody else has changed meanwhile.",
            also: "save commit",
            when: always
        ),
        KeyBinding(
            [.enter],
            in: [.pending],
            .confirm,
            "go there",
            help: "Goes to the key; where somebody else has changed it, asks what is to be written.",
            when: always
        ),
        KeyBinding(
            [.character("d"), .delete],
            in: [.pending],
            .delete,
            "drop",
            help: "Drops the change; of a key that has changed in several places the one that is selected.",
            also: "discard unstage revert",
            when: always
        ),
        KeyBinding(
            [.escape, .character("q"), .character("W")],
            in: [.pending],
            .cancel,
            "back",
            help: "Goes back, with all of it still waiting.",
            when: always
        ),
    ]

    static let inHistoryAndPending: [KeyBinding] = [
        KeyBinding(
            [.character("u")],
            in: [.history, .pending],
            .undo,
            "undo",
            help: "Takes your last change back."
        ),
        KeyBinding([.control("r")], in: [.history, .pending], .redo, "redo", help: "Does it again."),
        KeyBinding(
            [.character(":")],
            in: [.history, .pending],
            .palette,
            "commands",
            help: "Finds a command by a few letters of its name, with its keys, and does it.",
            when: always
        ),
    ]

    private static let comparingModes: [Mode] = [.history, .pending, .conflict]

    /// Where values stand beside each other.
    static let comparing: [KeyBinding] = [
        KeyBinding(
            [.tab],
            in: comparingModes,
            .nextDifference,
            "next difference",
            help: "Goes to where the values begin to differ next.",
            when: { $0.comparisonScrolls && $0.size.columns >= Layout.bothPanes }
        ),
        KeyBinding(
            [.backTab],
            in: comparingModes,
            .previousDifference,
            "difference before",
            help: "Goes to where they began to differ last."
        ),
        KeyBinding(
            [.character("J")],
            in: [.history, .pending],
            .scroll(.down),
            "scroll down",
            help: "Shows what is further down in the values below the list."
        ),
        KeyBinding(
            [.character("K")],
            in: [.history, .pending],
            .scroll(.up),
            "scroll up",
            help: "Shows what is further up in them."
        ),
        KeyBinding(
            [.control("d")],
            in: comparingModes,
            .scroll(.halfPageDown),
            "scroll half a page down",
            help: "Shows half a page further down."
        ),
        KeyBinding(
            [.control("u")],
            in: comparingModes,
            .scroll(.halfPageUp),
            "scroll half a page up",
            help: "Shows half a page further up."
        ),
        KeyBinding(
            [.down, .character("j")],
            in: [.conflict],
            .scroll(.down),
            "scroll down",
            help: "Shows what is further down in the values."
        ),
        KeyBinding(
            [.up, .character("k")],
            in: [.conflict],
            .scroll(.up),
            "scroll up",
            help: "Shows what is further up in the values."
        ),
        KeyBinding(
            [.pageDown, .control("f")],
            in: [.conflict],
            .scroll(.pageDown),
            "scroll a page down",
            help: "Shows the next page of the values."
        ),
        KeyBinding(
            [.pageUp, .control("b")],
            in: [.conflict],
            .scroll(.pageUp),
            "scroll a page up",
            help: "Shows the page of the values before."
        ),
        KeyBinding(
            [.home, .character("g")],
            in: [.conflict],
            .scroll(.first),
            "scroll to the start",
            help: "Shows the start of the values."
        ),
        KeyBinding(
            [.end, .character("G")],
            in: [.conflict],
            .scroll(.last),
            "scroll to the end",
            help: "Shows the end of the values."
        ),
    ]

    static let inHelp: [KeyBinding] = [
        KeyBinding(
            [.escape, .character("q"), .character("?"), .enter, .function(1)],
            in: [.help],
            .cancel,
            "back",
            help: "Goes back.",
            when: always
        ),
        KeyBinding(
            [.down, .character("j")],
            in: [.help],
            .move(.down),
            "more",
            help: "Goes down a line.",
            when: always
        ),
        KeyBinding(
            [.character(" ")],
            in: [.help],
            .move(.pageDown),
            "next screen",
            help: "Goes down a screen."
        ),
    ]

    private static let lists: [Mode] = [.suites, .keys, .menu, .history, .pending, .help]

    static let moving: [KeyBinding] = [
        KeyBinding([.up, .character("k")], in: lists, .move(.up), "up", help: "Goes up."),
        KeyBinding([.down, .character("j")], in: lists, .move(.down), "down", help: "Goes down."),
        KeyBinding(
            [.pageUp, .control("b")],
            in: lists,
            .move(.pageUp),
            "page up",
            help: "Goes up a screen."
        ),
        KeyBinding(
            [.pageDown, .control("f")],
            in: lists,
            .move(.pageDown),
            "page down",
            help: "Goes down a screen."
        ),
        KeyBinding(
            [.control("u")],
            in: Mode.panes,
            .move(.halfPageUp),
            "half page up",
            help: "Goes up half a screen."
        ),
        KeyBinding(
            [.control("d")],
            in: Mode.panes,
            .move(.halfPageDown),
            "half page down",
            help: "Goes down half a screen."
        ),
        KeyBinding(
            [.character("J")],
            in: Mode.panes,
            .move(.nextSibling),
            "next sibling",
            help: "Goes to the next row in the same place."
        ),
        KeyBinding(
            [.character("K")],
            in: Mode.panes,
            .move(.previousSibling),
            "previous sibling",
            help: "Goes to the last row in the same place."
        ),
        KeyBinding(
            [.home, .character("g")],
            in: lists,
            .move(.first),
            "first",
            help: "Goes to the first row."
        ),
        KeyBinding([.end, .character("G")], in: lists, .move(.last), "last", help: "Goes to the last row."),
    ]
}
