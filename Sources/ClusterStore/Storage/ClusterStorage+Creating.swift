// Two programs that create a suite of the same name at once must not mix their keys. So the transaction that creates a
// suite has the condition that nothing is there. A suite that is larger than one transaction gets the rest of its keys in
// further ones, and programs may see a part of it meanwhile. A rename removes the old suite with the last transaction.

#if Cluster
import FoundationEssentials
import SettingsStore

extension ClusterStorage {
    /// Creates the suite if it does not exist.
    ///
    /// - Parameter replaced: the suite that the last transaction removes, if it has not changed.
    /// - Throws: an error that says how many keys were stored, if only some were.
    mutating func create(
        _ write: StorageWrite,
        inPlaceOf replaced: SuiteRevision?
    ) throws(SettingsError) -> WriteResult {
        try requireNoForeignEntries()
        let steps = try steps(of: write)
        let parts = Self.parts(of: steps, limit: Self.keyLimit)
        var stored: [String] = []
        for (index, part) in parts.enumerated() {
            var operations = part.map(\.operation)
            var conditions: [Compare] = index == 0 ? [.isEmpty(session.keys.suite(name))] : []
            if index == parts.count - 1, let replaced {
                let range = session.keys.suite(replaced.suite)
                operations.append(.delete(range))
                conditions.append(.unchanged(range, since: replaced.revision))
                // This key exists once the transaction was carried out. So it is not repeated if its answer is lost.
                if let key = part.lazy.compactMap(\.key).first {
                    conditions.append(.changed(session.keys.key(key, of: name), at: 0))
                }
            }
            do throws(SettingsError) {
                guard try commit(part, conditions, write.changes, operations) == .stored else {
                    remove(stored)
                    return try resultOfFailedCreation(replaced)
                }
            } catch {
                throw error.after(stored, of: write.changes.count)
            }
            stored += part.compactMap(\.key)
        }
        if let replaced { removeKeysRemovedMeanwhile(from: replaced, steps) }
        return .stored
    }

    /// Removes keys of the new suite again. A key that another client has changed meanwhile stays.
    private mutating func remove(_ keys: [String]) {
        if keys.isEmpty { return }
        let steps = keys.map { removalIfUnchanged($0, known[$0]?.revision ?? 0) }
        for part in Self.parts(of: steps, limit: Self.groupSize) {
            _ = try? session.client.store(Transaction(success: part.map(\.operation)))
        }
        buffer.readingFailed()
    }

    /// - Throws: an empty conflict if the replaced suite has changed. The next reading finds keys in the new one.
    private func resultOfFailedCreation(_ replaced: SuiteRevision?) throws(SettingsError) -> WriteResult {
        buffer.readingFailed()
        guard let replaced else { return .conditionFailed }
        let range = session.keys.suite(replaced.suite)
        let changed = RangeRequest(
            key: range.start,
            rangeEnd: range.end,
            limit: Number(1),
            keysOnly: true,
            minModRevision: Number(replaced.revision + 1)
        )
        let answer: RangeResponse = try session.client.ask("/v3/kv/range", changed)
        if answer.kvs?.isEmpty == false { throw .conflict(current: [:]) }
        return .conditionFailed
    }

    /// Other clients may have removed keys of the replaced suite while this one was created. No condition shows a
    /// removal, so such keys are removed from the new suite afterwards.
    private mutating func removeKeysRemovedMeanwhile(from replaced: SuiteRevision, _ steps: [Step]) {
        let revisions = steps.compactMap { $0.key.flatMap { known[$0]?.revision } }
        guard let revision = revisions.max() else { return }
        let range = session.keys.suite(replaced.suite)
        let before = RangeRequest(
            key: range.start,
            rangeEnd: range.end,
            revision: Number(revision - 1),
            keysOnly: true
        )
        guard let answer: RangeResponse = try? session.client.ask("/v3/kv/range", before) else { return }
        let remaining = Set((answer.kvs ?? []).compactMap { session.keys.parts(of: $0.key)?.key })
        remove(steps.compactMap(\.key).filter { !remaining.contains($0) })
    }

    /// Removes a key if it has not changed since a revision.
    private func removalIfUnchanged(_ key: String, _ revision: Int64) -> Step {
        let etcdKey = session.keys.key(key, of: name)
        let operation = Operation(
            requestTxn: Transaction(compare: [.changed(etcdKey, at: revision)], success: [.delete(etcdKey)])
        )
        return Step(key: key, bytes: nil, size: 2 * key.utf8.count, operation: operation)
    }
}
#endif
