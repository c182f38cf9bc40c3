import TerminalCanvas

extension KeyBinding {
    /// The keymap. Where a mode's last line is too short, what comes first is shown.
    static let all =
        inSuites + inKeys + inPanes + inHistory + inPending + inHistoryAndPending + answering + comparing
        + inHelp
        + moving + typing + everywhere

    private static let everywhere: [KeyBinding] = [
        KeyBinding(
            [.function(2)],
            in: Mode.allCases,
            .toggleMouse,
            "mouse",
            help: "Gives the mouse to the terminal, to select text with, or takes it back."
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
        KeyBinding([.control("l")], in: Mode.allCases, .redraw, "redraw", help: "Draws the screen anew."),
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
        let mode = mode
        return KeyBinding.all.filter { $0.modes.contains(mode) && $0.isUseful?(self) == true }
    }
}
