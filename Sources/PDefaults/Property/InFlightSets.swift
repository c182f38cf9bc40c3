import SettingsStore

/// The sets of a property that its suite has not reported back yet, with the value of each.
///
/// Problem: the suite reports a set with the encoded value, and the property has to find the value that it was set to.
/// Approach: a place for one set, and a dictionary by the number of the set for more: usually there is one, but while a
/// subscriber is slow there can be thousands. Without it, each set would decode its own value again, or would
/// allocate a dictionary, or would search a list that grows with the backlog.
struct InFlightSets {
    private var only: (id: WriterID, update: AnyPropertyUpdate)?
    /// The sets that came while there was one.
    private var others: [WriterID: AnyPropertyUpdate] = [:]

    var isEmpty: Bool { only == nil && others.isEmpty }

    subscript(_ id: WriterID) -> AnyPropertyUpdate? {
        if let only, only.id == id { return only.update }
        return others.isEmpty ? nil : others[id]
    }

    /// Returns the previous update of the set, for the caller to release.
    mutating func insert(_ update: AnyPropertyUpdate, _ id: WriterID) -> AnyPropertyUpdate? {
        if let old = self[id] {
            if only?.id == id { only = (id, update) } else { others[id] = update }
            return old
        }
        if only == nil { only = (id, update) } else { others[id] = update }
        return nil
    }

    /// Returns the update of the set, for the caller to release.
    mutating func remove(_ id: WriterID) -> AnyPropertyUpdate? {
        if let removed = only, removed.id == id {
            only = nil
            return removed.update
        }
        if others.isEmpty { return nil }
        let removed = others.removeValue(forKey: id)
        // Gives back the memory of a long backlog.
        if others.isEmpty, others.capacity > 64 { others = [:] }
        return removed
    }
}
