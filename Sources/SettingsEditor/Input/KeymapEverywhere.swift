// The list of all bindings, and those of every mode. Key handling, hints, help, palette and manual page are all made
// from these tables, so they cannot disagree. The order of the list is that of the hints within their groups
// (`KeyHints`).
extension KeyBinding {
    /// All bindings. If the hints do not fit on the line, the first ones of a mode are shown.
    static let all =
        inSuites + inKeys + inPanes + inHistory + inPending + inComparison + answering + comparing
        + inHistoryAndPending
        + inHelp + inDetails + moving + typing + everywhere

    // swift-format-ignore
    static let everywhere = bindings(in: Mode.allCases, [
        .init("0 1 2 3 4 5 6 7 8 9", in: Mode.counting, .count(0), "number",
            "Repeat the next movement that many times. Before G or g, the number is the row’s."),
        .init("F1", in: Mode.texts, .help, "help", when: { $0.hintsAtHelp }, also: "shortcuts manual",
            "Show what the keys do here."),
        .init("? F1", in: Mode.listsWithHelp, .help, "help", when: { $0.hintsAtHelp }, also: "shortcuts manual",
            "Show this help."),
        .init("T", in: Mode.panes, .changeTheme, "theme", also: "colours colors dark light gruvbox solarized mono",
            "Switch to the next theme: dark, light, Gruvbox, Solarized, 16 colours, monochrome."),
        .init("F2", .toggleMouse, "mouse", also: "select text",
            "Turn the mouse on or off. When it is off, the terminal selects text."),
        .init("^C", in: Mode.panes, .quit, "quit at once", "Quit. If changes are not saved, ask first."),
        .init("^C", in: Mode.listsAndDialogs, .cancel, "cancel", "Cancel, like Esc."),
        .init("^L", .redraw, "redraw", also: "refresh", "Redraw the screen."),
        .init("^Z", .suspend, "suspend", "Suspend the editor. Run fg in the shell to resume it."),
    ])
}
