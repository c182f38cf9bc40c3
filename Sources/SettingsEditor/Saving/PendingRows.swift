import PropertyList
import ValueDiff

/// A row in the list of staged changes: a key, or one change inside a key.
struct PendingRow: Sendable, Hashable {
    let pending: PendingChange
    /// The change inside the key; nil in the row of the key itself.
    let place: TreeDiff.Place?
    /// The number of changes inside the key.
    let count: Int
    /// The conflicts of the key with foreign changes.
    var conflicts: [ThreeWayMerge.Conflict] = []

    /// The largest number of rows for one key.
    private static let most = 200

    /// The rows of a change: one, or one for the key and one for each place inside it that changed.
    ///
    /// - Parameter isWhole: Whether the key has one row only, because its value is secret or part of a move.
    static func rows(of pending: PendingChange, isWhole: Bool) -> [PendingRow] {
        let change = pending.change
        let conflicts = pending.isOvertaken ? ThreeWayMerge(change, over: pending.stored).conflicts : []
        guard !isWhole, let old = change.old, let new = change.new else {
            return [PendingRow(pending: pending, place: nil, count: 1, conflicts: conflicts)]
        }
        let differences = TreeDiff(ValueNode(old), ValueNode(new), limit: most)
        let own = PendingRow(pending: pending, place: nil, count: differences.count, conflicts: conflicts)
        if differences.count <= 1 { return [own] }
        return [own] + differences.places.map { PendingRow(pending: pending, place: $0, count: 1) }
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
        if changes == staging.rows.filter({ $0.place == nil }).map(\.pending) { return }
        staging.rows = changes.flatMap {
            let isWhole = hides($0.key, of: $0.suite) || staging.isMoved(StagedKey($0))
            return PendingRow.rows(of: $0, isWhole: isWhole)
        }
        let last = staging.rows.count - 1
        modals.updateEach { modal in
            guard case .pending(var screen) = modal else { return }
            screen.selected = max(0, min(screen.selected, last))
            modal = .pending(screen)
        }
    }

    /// Drops a staged change, or one change inside a key. Undo stages it again.
    ///
    /// - Throws: Why the change inside the key cannot be taken back.
    mutating func drop(_ row: PendingRow) throws {
        let (pending, change) = (row.pending, row.pending.change)
        guard let index = suiteIndex(pending.suite) else { return }
        guard let place = row.place, let old = change.old, let new = change.new else {
            let companions = staging.companions(of: pending, in: suiteList)
            let keys = Set(companions)
            let dropped = [pending] + pendingChanges.filter { keys.contains(StagedKey($0)) }
            let parts = takeStaged(dropped).flatMap(\.parts).reversed().map { part in
                // Undo stages the change again.
                var dropped = part.reversed
                dropped.wholeReversed = part.whole
                return dropped
            }
            // A change that conflicts with a foreign one is not recorded, because undo would write over the foreign
            // value.
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
                ? ""
                : ", and \(StagingState.names(companions, from: pending.suite, title(ofSuite:))), which moved with it"
            say("Discarded the change of “\(pending.key)”\(with).")
            if pendingChanges.isEmpty { modals.closeAll() }
            return
        }
        let rest = try new.takingBack(place, of: old)
        let part = Transaction.Part(
            suite: pending.suite,
            changes: [pending.key: ValueChange(old: new, new: rest)]
        )
        history.undo.add(Transaction(number: history.nextNumber(), parts: [part]))
        suiteList.suites[index].stage(part.changes)
        say("Discarded the change of “\(pending.key)\(place.path)”.")
        if pendingChanges.isEmpty { modals.closeAll() }
    }
}

extension PropertyListValue {
    /// The value without one of its differences from an older value. If it was the only difference, the older value
    /// in its old spelling.
    fileprivate func takingBack(
        _ place: TreeDiff.Place,
        of old: PropertyListValue
    ) throws(ValueEditError) -> PropertyListValue {
        let new: PropertyListValue
        switch (place.old, place.new) {
        case (let before?, .some): new = try replacing(at: place.target, with: before.newValue)
        case (let before?, nil): new = try inserting(before.newValue, at: place.target)
        case (nil, _): new = try removing(at: place.target)
        }
        let left = TreeDiff(ValueNode(old), ValueNode(new), limit: 1)
        return left.places.allSatisfy(\.path.steps.isEmpty) ? old : new
    }
}
