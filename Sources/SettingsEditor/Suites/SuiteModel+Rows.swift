import PropertyList

// The rows of a suite, which follow its values. Every change of a row passes here, so that the selection and all open
// modals can follow it.
extension SuiteModel {
    /// Updates the rows of these keys. Each key that changes gets its ``PathMapping`` here.
    ///
    /// - Parameters:
    ///   - others: The keys with foreign changes below staged ones.
    ///   - prepared: The foreign changes that were compared beforehand, by key, oldest first.
    mutating func updateRows(
        _ keys: some Sequence<String>,
        changedByOthers others: Set<String> = [],
        _ prepared: [String: [PreparedDiff]] = [:]
    ) {
        var changes: [(key: String, value: PropertyListValue?)] = []
        var followed: [String: PathMapping] = [:]
        let own = ownKeys.subtracting(others)
        for key in keys {
            updatedKeys?.insert(key)
            let stored = storedValue(forKey: key)
            let value = shownValue(forKey: key)
            let deleted = deletedValue(forKey: key)
            let shown = value ?? deleted
            // Equal values have equal rows.
            let isChanged = shown != outline.value(forKey: key)
            if isChanged || outline.deleted.contains(key) != (deleted != nil) {
                let mapping = mapping(of: key, to: value, prepared[key] ?? [])
                mappings[key] = mappings[key]?.continued(to: value) ?? mapping
                if !own.contains(key) { followed[key] = mapping }
            }
            if deleted == nil { outline.deleted.remove(key) } else { outline.deleted.insert(key) }
            if isChanged { changes.append((key, shown)) }
            layers.keepStored(stored, key, below: shown)
        }
        let selected = multiSelectedValues(of: Set(changes.map(\.key)))
        outline.set(changes, followed)
        updateMultiSelection(selected, followed)
        if outline.filter != nil { renewFilter(Array(keys)) }
    }

    /// The value of a deleted key, if a row still shows it: until a staged deletion is written, and in the list of
    /// foreign changes.
    func deletedValue(forKey key: String) -> PropertyListValue? {
        guard shownValue(forKey: key) == nil else { return nil }
        if let staged = stagedDeletion(ofKey: key) { return staged }
        return layers.showsDeleted ? layers.deletedByOthers[key] : nil
    }

    /// The value of a key that will be deleted when the staged changes are written.
    func stagedDeletion(ofKey key: String) -> PropertyListValue? {
        guard let change = staged[key], change.new == nil else { return nil }
        return change.old
    }

    /// Shows only the keys that match a filter; all keys without one.
    ///
    /// - Parameter path: The row to select if it is shown.
    mutating func setFilter(_ filter: RowFilter?, from path: ValuePath?) {
        let showsDeleted = filter?.showsDeleted == true
        if showsDeleted == layers.showsDeleted { return outline.setFilter(filter, from: path) }
        layers.showsDeleted = showsDeleted
        // Deleted keys are added before others are hidden and removed after they return, so that the selection stays.
        if showsDeleted { updateRows(layers.deletedByOthers.keys) }
        outline.setFilter(filter, from: path)
        if !showsDeleted { updateRows(layers.deletedByOthers.keys) }
    }

    func mapping(
        of key: String,
        to new: PropertyListValue?,
        _ prepared: [PreparedDiff] = []
    ) -> PathMapping {
        PathMapping(
            from: outline.valueThere(forKey: key),
            outline.rows.openNode(forKey: key),
            to: new,
            prepared
        )
    }

    /// The mappings since the previous call.
    mutating func takeMappings() -> [String: PathMapping] {
        defer { mappings = [:] }
        return mappings
    }
}
