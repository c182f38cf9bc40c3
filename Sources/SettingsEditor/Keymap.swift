import TerminalCanvas

extension KeyBinding {
    /// The keymap. Where a mode's last line is too short, what comes first is shown.
    static let all =
        inSuites + inKeys + inPanes + inHistory + inPending + answering + comparing + inHistoryAndPending
        + inHelp
        + moving + typing + everywhere

    /// Those that the last line may name, by the mode that they are for.
    fileprivate static let named = Dictionary(
        uniqueKeysWithValues: Mode.allCases.map { mode in
            (mode, all.filter { $0.isUseful != nil && $0.modes.contains(mode) })
        }
    )

    private static let everywhere: [KeyBinding] = [
        KeyBinding(
            Array(KeyBinding.digits.dropFirst()),
            in: Mode.counting,
            .count(0),
            "number",
            help: "Repeats the next movement so often; before G or g: the row's number."
        ),
        KeyBinding(
            [.character("0")],
            in: Mode.counting,
            .count(0),
            "number",
            help: "Goes on with the number."
        ),
        KeyBinding(
            [.function(1)],
            in: Mode.withHelp.filter(\.isText),
            .help,
            "help",
            help: "Shows what the keys do here.",
            also: "shortcuts manual",
            when: { $0.mode == .draft || $0.mode == .booleanDraft || $0.mode == .naming }
        ),
        KeyBinding(
            [.character("?"), .function(1)],
            in: Mode.withHelp.filter { !$0.isText },
            .help,
            "help",
            help: "Shows this help.",
            also: "shortcuts manual",
            // Where something is asked, the answers take the room.
            when: { (Mode.panes + [.history, .pending]).contains($0.mode) }
        ),
        KeyBinding(
            [.character("T")],
            in: Mode.panes,
            .changeTheme,
            "theme",
            help: "Changes to the colours for a light background, or back to those for a dark one.",
            also: "colours colors dark light"
        ),
        KeyBinding(
            [.function(2)],
            in: Mode.allCases,
            .toggleMouse,
            "mouse",
            help: "Gives the mouse to the terminal, to select text with, or takes it back.",
            also: "select text"
        ),
        KeyBinding(
            [.control("c")],
            in: Mode.panes,
            .quit,
            "quit at once",
            help: "Leaves; asks first if changes wait to be written."
        ),
        KeyBinding(
            [.control("c")],
            in: Mode.allCases.filter { !$0.isText && $0 != .literal && !Mode.panes.contains($0) },
            .cancel,
            "leave as it was",
            help: "Leaves all as it was."
        ),
        KeyBinding(
            [.control("l")],
            in: Mode.allCases,
            .redraw,
            "redraw",
            help: "Draws the screen anew.",
            also: "refresh"
        ),
        KeyBinding(
            [.control("z")],
            in: Mode.allCases,
            .suspend,
            "suspend",
            help: "Goes back to the shell; fg returns."
        ),
    ]
}

extension EditorState {
    /// The bindings that the last line names, the first ones being the most useful.
    var usefulBindings: [KeyBinding] {
        KeyBinding.named[mode, default: []].filter { $0.isUseful?(self) == true }
    }
}
