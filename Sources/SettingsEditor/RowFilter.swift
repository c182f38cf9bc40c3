/// What decides which keys of a suite are shown.
enum RowFilter: Sendable, Hashable {
    /// Those in which a text is found, be it anywhere inside them.
    case text(Pattern)

    func leaves(_ entry: Rows.Entry, _ effort: inout Effort) -> Bool {
        switch self {
        case .text(let pattern): pattern.isFound(in: entry, &effort)
        }
    }
}
