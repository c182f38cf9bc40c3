/// The purpose of a cell. A ``Theme`` decides its look.
///
/// No meaning may depend on colour alone, because some terminals have no colours.
public enum Style: Sendable, Hashable, CaseIterable {
    case plain
    /// The line at the top of the screen.
    case title
    /// The head of the focused pane, and other titles.
    case heading
    /// The head of a pane without focus, and the heads of columns.
    case columnHead
    /// Text that is less important than its surroundings.
    case faint
    case type
    /// The name of a key that can be pressed.
    case key
    /// Values, by their type. A container looks like plain text, because its elements have the colours.
    case string, number, boolean, date, data, container
    /// A value that another program has just changed.
    case changed
    /// A value that is not saved yet.
    case staged
    /// A value that will be deleted. Terminals that can do it strike it out.
    case deleted
    case problem
    case field
    case found
    /// The selected row: in the focused part of the screen, and in other parts.
    case selected, selectedElsewhere

    /// The styles that only tell the type of a value, which the screen also says in words.
    public static let ofValues: [Style] = [.string, .number, .boolean, .date, .data, .container]
}
