/// The purpose of a cell. A ``Theme`` decides its look.
///
/// No meaning may depend on colour alone, because some terminals have no colours.
public enum Style: Sendable, Hashable, CaseIterable {
    case plain
    /// The line at the top of the screen.
    case title
    case heading
    /// Text that is less important than its surroundings.
    case faint
    /// The type of a value.
    case type
    /// A value that another program has just changed.
    case changed
    case problem
    /// A field for typing.
    case field
    /// A search match.
    case found
    /// The selected row: in the focused part of the screen, and in other parts.
    case selected, selectedElsewhere
}
