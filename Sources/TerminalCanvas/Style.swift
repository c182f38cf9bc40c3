/// What a cell is for; a ``Theme`` says how that looks. No meaning may hang on colour alone: what the
/// terminal lacks is left out.
public enum Style: Sendable, Hashable, CaseIterable {
    case plain
    /// The line at the top.
    case title
    case heading
    /// What matters less than what stands beside it.
    case faint
    /// The type of a value.
    case type
    /// Somebody else has changed it just now.
    case changed
    case problem
    /// Where something is typed.
    case field
    /// What was searched for.
    case found
    /// The selected row of the part of the screen that has the keys, and of another one.
    case selected, selectedElsewhere
}
