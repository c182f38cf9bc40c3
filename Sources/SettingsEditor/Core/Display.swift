import TerminalCanvas

/// How the screen is divided.
struct Display: Sendable {
    var size = Size(columns: 80, rows: 24)
    var focus: Pane
    var usesMouse: Bool
    /// Whether the changes are shown below the panes.
    var showsChanges = false
    /// The values that are compared on the screen, as lines.
    var comparison: Comparison?

    init(focus: Pane, usesMouse: Bool) {
        self.focus = focus
        self.usesMouse = usesMouse
    }
}

/// The two halves of the screen.
enum Pane: Sendable, Hashable {
    case suites, keys
}
