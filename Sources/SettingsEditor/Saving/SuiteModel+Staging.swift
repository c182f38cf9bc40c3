import PropertyList
import ValueDiff

// The staged changes of one suite. They hide the stored values until they are written.
extension SuiteModel {
    /// Stages changes. The first of several changes of a key keeps the expected old value.
    mutating func stage(_ changes: [String: ValueChange], _ whole: WholeSuite? = nil) {
        for (key, change) in changes {
            highlights.carry(key, ValueChange(old: value(forKey: key), new: change.new))
            let old = staged[key].map(\.old) ?? change.old
            layers.setStaged(old == change.new ? nil : ValueChange(old: old, new: change.new), key)
        }
        if whole != nil, !changes.isEmpty { stagedWhole = whole }
        if staged.isEmpty { stagedWhole = nil }
        renewStaged(changes.keys)
        updateRows(changes.keys)
    }

    /// The change of the whole suite when these staged keys are written; nil if there is none.
    func wholeOnceWritten(_ keys: [String]) -> WholeSuite? {
        switch stagedWhole {
        case .removed?: keys.count == staged.count && values.isEmpty ? stagedWhole : nil
        // Another process may have created the suite meanwhile.
        case .made?: presence == .new ? stagedWhole : nil
        case .linked?, .unlinked?, nil: nil
        }
    }

    /// Stages changes again that could not be written. Newer staged changes stay above them.
    mutating func stageAgain(_ changes: [String: ValueChange]) {
        for (key, change) in changes {
            let new = staged[key].map(\.new) ?? change.new
            layers.setStaged(change.old == new ? nil : ValueChange(old: change.old, new: new), key)
        }
        renewStaged(changes.keys)
        updateRows(changes.keys)
    }

    /// Rebases staged changes onto the stored values. Where both changed the same path, the staged value stays, and
    /// the user decides when it is written.
    mutating func renewStaged(_ keys: some Sequence<String>) {
        for key in keys {
            // A write in flight of the same key is the base.
            guard let change = staged[key], !isInFlight(key) else { continue }
            let stored = storedValue(forKey: key)
            if stored == change.old { continue }
            let merge = ThreeWayMerge(change, over: stored)
            let isDone = merge.replaced == merge.value
            layers.setStaged(isDone ? nil : ValueChange(old: merge.replaced, new: merge.value), key)
        }
    }

    /// Whether another process changed the stored value below a staged change, so that the user has to decide.
    func isOvertaken(_ key: String) -> Bool {
        // Until a write is stored, its value is the base of newer staged changes.
        guard let change = staged[key], !isInFlight(key) else { return false }
        return storedValue(forKey: key) != change.old
    }

    /// Whether a row's value, or a value inside it, is staged.
    func isStaged(_ row: Row) -> Bool {
        let key = row.path.key
        guard staged[key] != nil else { return false }
        if row.depth == 0 { return true }
        guard let places = layers.stagedPlaces[key] else { return true }
        let path = row.path.inside
        // A deleted value has no row. Another element may have its path now.
        return places.contains { place in
            place.target.starts(with: path) && (place.new != nil || place.target != path)
                || place.new != nil && path.starts(with: place.target)
        }
    }

    /// Unstages keys, and returns their changes.
    @discardableResult
    mutating func unstage(_ keys: some Sequence<String>) -> [String: ValueChange] {
        var changes: [String: ValueChange] = [:]
        for key in keys {
            guard let change = staged[key] else { continue }
            changes[key] = change
            highlights.carry(key, change.reversed)
            layers.setStaged(nil, key)
        }
        if staged.isEmpty { stagedWhole = nil }
        updateRows(changes.keys)
        return changes
    }
}
