import PropertyList
import SettingsStore

// A suite takes over what other processes have changed.
extension SuiteModel {
    /// Applies changes and returns the foreign ones.
    ///
    /// - Parameter read: The large changes, compared beforehand.
    mutating func change(
        _ changes: [Change],
        _ read: [UInt64: PreparedDiff] = [:],
        now: Double
    ) -> [Change] {
        guard contents == .loaded else {
            let foreign = changes.filter(\.isForeign)
            if !foreign.isEmpty { highlights.addSuite(now: now) }
            return foreign
        }
        var prepared: [String: [PreparedDiff]] = [:]
        for change in changes {
            if change.isForeign {
                let read = read[change.sequence].flatMap { isOwn(change.key) ? nil : $0 }
                takeOver(change, read, now: now)
                prepared[change.key] = read.map { (prepared[change.key] ?? []) + [$0] }
            }
            layers.setStored(change.new, change.key)
        }
        let foreign = changes.filter(\.isForeign)
        let waiting = foreign.map(\.key).filter { staged[$0] != nil && !isInFlight($0) }
        renewStaged(changes.map(\.key))
        for key in waiting { highlights.renew(key, after: value(forKey: key)) }
        updateRows(changes.map(\.key), changedByOthers: Set(foreign.map(\.key)), prepared)
        return foreign
    }

    /// Whether a row shows a value of this editor.
    private func isOwn(_ key: String) -> Bool { staged[key] != nil || isInFlight(key) }

    private mutating func takeOver(_ change: Change, _ read: PreparedDiff? = nil, now: Double) {
        if change.new == nil { multiSelection = multiSelection.filter { $0.key != change.key } }
        if otherLayers.override(ofKey: change.key) != nil {
            // The row shows the value of another layer, which has not changed.
        } else if let read {
            highlights.add(change.key, read, now: now)
        } else {
            // The value of a write in flight was never stored.
            let before =
                isInFlight(change.key) || isWithoutValue(change.key)
                ? storedValue(forKey: change.key).map(ValueNode.init) : outline.node(at: [.key(change.key)])
            highlights.add(change.key, before: before, after: change.new, now: now)
        }
        layers.takeOver(change)
    }

    /// Stores all values and returns the foreign changes.
    mutating func load(_ values: PropertyListEntries, now: Double) -> [Change] {
        let isFirst = contents != .loaded
        let startsHere = isFirst && outline.rows.isEmpty
        contents = .loaded
        if isFirst { updatedKeys = nil }
        keysInSeveralForms = Set(values.keysInSeveralForms)
        var changes: [Change] = []
        if !isFirst {
            let stored = storedValues
            for key in Set(stored.keys).union(values.keys) where stored[key] != values[key] {
                changes.append(
                    Change(key: key, old: stored[key], new: values[key], origin: .otherProcess, sequence: 0)
                )
            }
            // A difference may come from this editor's write, stored but not yet reported.
            changes.removeAll { change in
                inFlight.contains {
                    $0.write.changes[change.key].map { $0.new == change.new } ?? false
                }
            }
        }
        let earlier = mappings
        let known = isFirst ? [] : ownKeys.union(changes.map(\.key))
        let before = known.map { ($0, outline.valueThere(forKey: $0)) }
        for change in changes { takeOver(change, now: now) }
        let selected = multiSelectedValues(of: Set(changes.map(\.key)))
        let own = ownKeys
        let moving = Set(outline.open.openKeys).union(selected.map(\.path.key)).subtracting(own)
        var followed: [String: PathMapping] = [:]
        for key in moving { followed[key] = mapping(of: key, to: values[key]) }
        outline.load(values, followed)
        updateMultiSelection(selected, followed)
        layers.forgetStored()
        let waiting = Array(staged.keys)
        renewStaged(waiting)
        for key in waiting { highlights.renew(key, after: value(forKey: key)) }
        let others =
            Array(staged.keys) + schema.declarations.keys + otherLayers.keys
            + (layers.showsDeleted ? layers.deletedByOthers.keys.map { $0 } : [])
        updateRows(Set(inFlight.flatMap(\.write.changes.keys)).union(others).union(changes.map(\.key)))
        // The rows of declared settings come after those of stored values.
        if startsHere { outline.select(0) }
        // The rows of one key may have changed twice.
        mappings = earlier
        for (key, old) in before {
            let new = outline.valueThere(forKey: key)
            if old != new {
                mappings[key] = (mappings[key] ?? PathMapping(from: old, to: new)).continued(to: new)
            }
        }
        return changes.sorted { $0.key < $1.key }
    }
}
