import PropertyList
import ValueDiff

/// Decides which rows of a suite are shown: rows with a text, rows of a category, or rows that satisfy both.
struct RowFilter: Sendable, Hashable {
    enum Category: Sendable, Hashable {
        /// Keys of a category, and the values inside them that differ from the given former value. Without a
        /// former value everything inside passes.
        case among(KeyCategory, [String: PropertyListValue?])
        /// Keys that programs cannot read. Each key is checked when it is filtered.
        case undecodable(DecodingCheck)

        /// A few words for the title.
        fileprivate var name: String {
            switch self {
            case .among(let selection, _): selection.rawValue
            case .undecodable: KeyCategory.undecodable.rawValue
            }
        }
    }

    /// Keys that contain the text anywhere, and the values inside them that match; nil if no text is set.
    let text: Pattern?
    private(set) var category: Category?

    /// Nil if all rows are shown.
    init?(_ text: Pattern?, _ category: Category?) {
        if text == nil, category == nil { return nil }
        (self.text, self.category) = (text, category)
    }

    var name: String {
        [category?.name, text.map { "&" + $0.text }].compactMap(\.self).joined(separator: ", ")
    }

    /// Whether keys that were deleted by other programs are shown.
    var showsDeleted: Bool { if case .among(.changedByOthers, _)? = category { true } else { false } }

    func renewed(_ category: Category) -> RowFilter {
        var filter = self
        filter.category = category
        return filter
    }

    /// The former value of a key; nil without a category, or if the key had no value.
    func former(_ key: String) -> PropertyListValue? {
        guard case .among(_, let keys)? = category else { return nil }
        return keys[key] ?? nil
    }
}

extension SuiteModel {
    /// The value that a key would have without foreign changes, with the staged change; nil for other keys.
    private func formerValue(_ key: String) -> PropertyListValue?? {
        guard let former = changedByOthers[key] else { return nil }
        guard let change = staged[key] else { return .some(former) }
        return .some(ThreeWayMerge(change, over: former).value)
    }

    func filter(of selection: KeyCategory) -> RowFilter.Category {
        if selection == .undecodable { return .undecodable(decodingCheck) }
        let keys = Set(changedByOthers.keys).union(schema.declarations.keys)
        let values = keys.compactMap { key in former(selection, key).map { (key, $0) } }
        return .among(selection, Dictionary(uniqueKeysWithValues: values))
    }

    /// Updates the category for these keys after a change.
    mutating func renewFilter(_ keys: [String]) {
        guard let filter = outline.filter else { return }
        switch filter.category {
        case .among(let selection, var among)?:
            let changed = keys.filter { key in
                let former = former(selection, key)
                if among[key] == former { return false }
                among[key] = former
                return true
            }
            if !changed.isEmpty { outline.amendFilter(filter.renewed(.among(selection, among)), changed) }
        case .undecodable(var check)?:
            let changed = keys.filter { key in
                isWithoutValue(key) ? check.unset.insert(key).inserted : check.unset.remove(key) != nil
            }
            if !changed.isEmpty { outline.amendFilter(filter.renewed(.undecodable(check)), changed) }
        case nil: break
        }
    }

    /// The former value of a key of a category, which can be nil for “no value”; nil if the key is not in the
    /// category.
    private func former(_ selection: KeyCategory, _ key: String) -> PropertyListValue?? {
        switch selection {
        case .changedByOthers: formerValue(key)
        case .changedFromDefault:
            origin(of: key) == .modified ? .some(schema.declarations[key]?.defaultValue) : nil
        case .undecodable: nil
        }
    }

    /// Filters all keys again after the rules for undecodable values have changed.
    mutating func renewDecodingCheck() {
        guard let filter = outline.filter, case .undecodable? = filter.category else { return }
        setFilter(filter.renewed(.undecodable(decodingCheck)), from: outline.selectedRow?.path)
    }
}
