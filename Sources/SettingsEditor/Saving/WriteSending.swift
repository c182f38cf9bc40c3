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
        if staging.isOn, purpose != .staged {
            staging.stage(transaction.part(parts), in: &suiteList)
            // A part without keys cannot be staged.
            let empty = parts.filter(\.changes.isEmpty)
            return empty.isEmpty ? [] : send(empty[...], of: transaction, purpose)
        }
        return send(parts, of: transaction, purpose)
    }

    /// Sends the first part. The rest follows when it is stored.
    mutating func send(
        _ parts: ArraySlice<Transaction.Part>,
        of transaction: Transaction,
        _ purpose: InFlight.Purpose
    ) -> [Effect] {
        guard let part = parts.first, let index = suiteIndex(part.suite) else { return [] }
        var write = Write(
            id: WriteID(number: history.nextNumber()),
            suite: part.suite,
            changes: part.changes,
            whole: part.whole
        )
        let rest = Array(parts.dropFirst())
        var flight = InFlight(write: write, purpose: purpose, transaction: transaction, rest: rest)
        if let next = rest.first, kind == .cluster, next.goesForWhat(part), let other = suiteIndex(next.suite)
        {
            write.inPlaceOf = next.suite
            let removal = Write(
                id: WriteID(number: history.nextNumber()),
                suite: next.suite,
                changes: next.changes,
                whole: next.whole
            )
            suiteList.suites[other].begin(
                InFlight(
                    write: removal,
                    purpose: purpose,
                    transaction: transaction,
                    rest: Array(rest.dropFirst())
                )
            )
            flight = InFlight(
                write: write,
                purpose: purpose,
                transaction: transaction,
                rest: rest,
                removal: removal.id
            )
        }
        if case .naming(let naming)? = modal { flight.naming = naming }
        flight.selectedBefore = suiteList.suites[index].outline.selectedRow?.path
        suiteList.suites[index].begin(flight)
        return [.write(write)]
    }
}

extension Transaction.Part {
    /// Whether this removes the suite that another part creates under a new name.
    fileprivate func goesForWhat(_ made: Transaction.Part) -> Bool {
        guard whole?.isRemoved == true, made.whole?.isMade == true, !changes.isEmpty, suite != made.suite
        else { return false }
        return changes.mapValues(\.old) == made.changes.mapValues(\.new)
            && made.changes.values.allSatisfy { $0.old == nil }
    }
}
