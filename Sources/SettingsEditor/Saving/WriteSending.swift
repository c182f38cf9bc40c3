import PropertyList
import SettingsStore

// The third step of every write: its changes wait until the user writes them, or are sent to the store.
extension EditorState {
    /// Stages the parts, or sends the first one. The rest follows when it is stored.
    mutating func begin(
        _ parts: ArraySlice<Transaction.Part>,
        of transaction: Transaction,
        _ purpose: InFlight.Purpose
    ) -> [Effect] {
        var parts = parts
        if staging.isOn, purpose != .staged {
            staging.stage(transaction.part(parts), in: &suiteList)
            // A part without keys cannot be staged.
            parts = parts.filter(\.changes.isEmpty)[...]
        }
        guard let part = parts.first, let index = suiteIndex(part.suite) else { return [] }
        let write = Write(
            id: WriteID(number: history.nextNumber()),
            suite: part.suite,
            changes: part.changes,
            whole: part.whole
        )
        let rest = Array(parts.dropFirst())
        var flight = InFlight(write: write, purpose: purpose, transaction: transaction, rest: rest)
        if case .naming(let naming)? = modal { flight.naming = naming }
        flight.selectedBefore = suiteList.suites[index].outline.selectedRow?.path
        suiteList.suites[index].begin(flight)
        return [.write(write)]
    }
}
