/// What decides which keys of a suite are shown.
enum RowFilter: Sendable, Hashable {
    /// Those in which a text is found, be it anywhere inside them.
    case text(Pattern)
    /// Those that have something in common.
    case among(Selection, Set<String>)
}

extension SuiteModel {
    func keys(of selection: Selection) -> Set<String> {
        switch selection {
        case .changedByOthers: changedByOthers
        }
    }

    /// Lets the filter have what it would leave now.
    mutating func renewFilter() {
        guard case .among(let selection, let old)? = tree.filter else { return }
        tree.extendFilter(selection, keys(of: selection).subtracting(old))
    }
}
