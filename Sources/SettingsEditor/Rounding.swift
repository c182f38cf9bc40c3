import PropertyList

/// Values of a suite that its file holds not quite as they were meant.
struct Rounding: Sendable {
    let suite: String
    /// By key.
    let exact: [String: PropertyListValue]
    let rounded: [String: PropertyListValue]

    func round(_ edit: inout Edit) {
        for index in edit.parts.indices where edit.parts[index].suite == suite {
            round(&edit.parts[index].changes)
        }
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
    }
}
