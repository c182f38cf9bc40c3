import TerminalCanvas

/// How the screen is divided.
struct Display: Sendable {
    var size = Size(columns: 80, rows: 24)
    var focus: Pane
    var usesMouse: Bool
    var theme: ThemeChoice
    /// Whether the changes are shown below the panes.
    var showsChanges = false
    /// The width of the list of suites; nil for the width of its content.
    var suitesWidth: Int?
    /// The values that are compared on the screen, as lines.
    var comparison: Comparison?

    init(_ options: EditorOptions) {
        focus = options.places.count == 1 && options.places[0].isFile ? .keys : .suites
        usesMouse = options.usesMouse
        theme = options.theme
    }

    /// Scrolls the comparison. Returns false for any other command, and if nothing is compared.
    mutating func scrollComparison(_ command: Command, times: Int?) -> Bool {
        guard comparison != nil else { return false }
        switch command {
        case .scroll(let movement): comparison?.scroll(movement, times: times)
        case .nextDifference: comparison?.goToDifference(forwards: true)
        case .previousDifference: comparison?.goToDifference(forwards: false)
        default: return false
        }
        return true
    }
}

/// The two halves of the screen.
enum Pane: Sendable, Hashable {
    case suites, keys
}
