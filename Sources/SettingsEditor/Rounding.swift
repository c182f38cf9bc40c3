import PropertyList

/// Values of a suite that its file holds not quite as they were meant.
struct Rounding: Sendable {
    let suite: String
    /// By key.
    let exact: [String: PropertyListValue]
    let rounded: [String: PropertyListValue]

    /// Has an edit be about what is there, without what has changed nothing by that.
    func round(_ edit: inout Edit) { edit.parts = edit.parts.compactMap(rounded) }

    /// Nil where nothing is left of it.
    func rounded(_ part: Edit.Part) -> Edit.Part? {
        guard part.suite == suite else { return part }
        var result = part
        round(&result.changes)
        result.changes = result.changes.filter { rounded[$0.key] == nil || $0.value.old != $0.value.new }
        return result.changes.isEmpty && !part.changes.isEmpty && part.whole == nil ? nil : result
    }

    /// Has what was to come, or was to be replaced, be what is there.
    func round(_ changes: inout [String: ValueChange]) {
        for (key, value) in rounded {
            guard let change = changes[key], let exact = exact[key] else { continue }
            changes[key] = ValueChange(
                old: change.old == exact ? value : change.old,
                new: change.new == exact ? value : change.new
            )
        }
    }
}

extension EditorState {
    /// A write has stored other values than it was to: what shows them, and every way back, is about these.
    mutating func round(_ id: WriteID, to values: [String: PropertyListValue]) {
        guard let index = suites.firstIndex(where: { $0.isInFlight(id) }),
            let write = suites[index].inFlight.first(where: { $0.write.id == id })?.write
        else { return }
        let exact = write.changes.compactMapValues(\.new)
        let rounding = Rounding(suite: write.suite, exact: exact, rounded: values)
        suites[index].round(id, rounding)
        undoHistory.round(rounding)
        var stored = write.changes
        rounding.round(&stored)
        let keys = values.keys.sorted().joined(separator: "”, “")
        if write.whole == nil, stored.values.allSatisfy({ $0.old == $0.new }) {
            say("Nothing is written: XML holds whole seconds, and those of “\(keys)” are the same.")
        } else {
            say("XML holds whole seconds; the file has “\(keys)” without the fraction.")
        }
    }
}
