import TerminalCanvas

// What is shown in place of the panes, and moving in all lists.
extension KeyBinding {
    static let inHistory: [KeyBinding] = [
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
    ]

    static let inPending: [KeyBinding] = [
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
    ]

    static let inHelp: [KeyBinding] = [
        KeyBinding(
            [.escape, .character("q"), .character("?"), .enter],
            in: [.help],
            .cancel,
            "back",
            help: "Goes back."
        ),
        KeyBinding([.down, .character("j")], in: [.help], .move(.down), "more", help: "Goes down a line."),
    ]

    private static let lists: [Mode] = [.suites, .keys, .menu, .history, .pending, .help]

    static let moving: [KeyBinding] = [
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
}
