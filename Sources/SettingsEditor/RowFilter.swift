import PropertyList

/// What decides which keys of a suite are shown.
enum RowFilter: Sendable, Hashable {
    /// Those in which a text is found, be it anywhere inside them.
    case text(Pattern)
    /// Those that have something in common.
    case among(Selection, Set<String>)
    /// Those that programs can't read, which is found out key by key.
    case undecodable(DecodingCheck)

    /// A few words for the title.
    var name: String {
        switch self {
        case .text(let pattern): "&" + pattern.text
        case .among(let selection, _): selection.name
        case .undecodable: Selection.undecodable.name
        }
    }
}

extension Selection {
    var name: String {
        switch self {
        case .changedByOthers: "changed by others"
        case .changedFromDefault: "changed from default"
        case .undecodable: "undecodable"
        }
    }
}

extension SuiteModel {
    func filter(of selection: Selection) -> RowFilter {
        switch selection {
        case .changedByOthers: .among(selection, changedByOthers)
        case .changedFromDefault:
            .among(selection, Set(schema.declarations.keys.filter { origin(of: $0) == .modified }))
        case .undecodable: .undecodable(decodingCheck)
        }
    }

    /// Lets the filter leave what it would leave of these keys now.
    mutating func renewFilter(_ keys: [String]) {
        switch tree.filter {
        case .among(let selection, var among)?:
            let changed = keys.filter { key in
                isIn(selection, key) ? among.insert(key).inserted : among.remove(key) != nil
            }
            if !changed.isEmpty { tree.amendFilter(.among(selection, among), changed) }
        case .undecodable(var check)?:
            let changed = keys.filter { key in
                isWithoutValue(key) ? check.unset.insert(key).inserted : check.unset.remove(key) != nil
            }
            if !changed.isEmpty { tree.amendFilter(.undecodable(check), changed) }
        case .text?, nil: break
        }
    }

    private func isIn(_ selection: Selection, _ key: String) -> Bool {
        switch selection {
        case .changedByOthers: changedByOthers.contains(key)
        case .changedFromDefault: origin(of: key) == .modified
        case .undecodable: false
        }
    }

    /// Tries all keys again where what tells what programs can't read has changed.
    mutating func renewDecodingCheck() {
        guard case .undecodable? = tree.filter else { return }
        setFilter(filter(of: .undecodable), from: tree.selectedRow?.path)
    }
}
