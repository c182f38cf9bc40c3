import TerminalCanvas

// The list of what has changed.
extension KeyBinding {
    static let inHistory: [KeyBinding] = [
        KeyBinding(
            [.enter],
            in: [.history],
            .confirm,
            "put back",
            help: "Gives the key back what it held before the change.",
            also: "restore revert",
            when: always
        ),
        KeyBinding(
            [.escape, .character("q"), .character("H")],
            in: [.history],
            .cancel,
            "back",
            help: "Goes back to the keys.",
            when: always
        ),
        KeyBinding(
            [.character("/")],
            in: [.history],
            .search,
            "search",
            help: "Searches the changes while you type: their suites, their places, and what was there.",
            also: "find",
            when: always
        ),
        KeyBinding(
            [.character("n")],
            in: [.history],
            .nextMatch,
            "next",
            help: "Goes to the next change that was searched for, further down.",
            when: { $0.pattern != nil }
        ),
        KeyBinding(
            [.character("N")],
            in: [.history],
            .previousMatch,
            "previous match",
            help: "Goes to the one before."
        ),
    ]
}
