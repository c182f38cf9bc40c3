import PropertyList
import ValueDiff

/// A row in the list of staged changes.
struct PendingRow: Sendable, Hashable {
    let pending: PendingChange
    /// The change inside the key; nil if there is nothing more to say.
    let words: ChangeSummary?
    /// The conflicts of the key with foreign changes.
    let conflicts: [ThreeWayMerge.Conflict]

    init(_ pending: PendingChange, _ format: ValueFormat) {
        self.pending = pending
        words = ChangeSummary(pending.change.old, pending.change.new, format)
        conflicts =
            pending.isOvertaken ? ThreeWayMerge(pending.change, over: pending.stored).conflicts : []
    }
}

extension EditorState {
    /// Makes the rows once for each change, and not for each drawing.
    mutating func keepPendingRows() {
        guard modals.showsPending else {
            staging.rows = []
            return
        }
        let changes = pendingChanges
        if changes == staging.rows.map(\.pending) { return }
        staging.rows = changes.map { PendingRow($0, format) }
        let last = staging.rows.count - 1
        modals.updateEach { modal in
            guard case .pending(var screen) = modal else { return }
            screen.selected = max(0, min(screen.selected, last))
            modal = .pending(screen)
        }
    }

    /// Drops a staged change. Undo stages it again.
    mutating func drop(_ pending: PendingChange) {
        guard suiteIndex(pending.suite) != nil else { return }
        let companions = staging.companions(of: pending, in: suiteList)
        let keys = Set(companions)
        let dropped = [pending] + pendingChanges.filter { keys.contains(StagedKey($0)) }
        let parts = takeStaged(dropped).flatMap(\.parts).reversed().map { part in
            // Undo stages the change again.
            var dropped = part.reversed
            dropped.wholeReversed = part.whole
            return dropped
        }
        // A change that conflicts with a foreign one is not recorded, because undo would write over the foreign value.
        if !dropped.contains(where: \.isOvertaken) {
            history.undo.add(
                Transaction(
                    number: history.nextNumber(),
                    parts: parts,
                    isMove: staging.isMoved(StagedKey(pending))
                )
            )
        }
        let with =
            companions.isEmpty
            ? "" : ", and \(StagingState.names(companions, from: pending.suite)), which moved with it"
        say("Discarded the change of “\(pending.key)”\(with).")
        if pendingChanges.isEmpty { modals.closeAll() }
    }
}
