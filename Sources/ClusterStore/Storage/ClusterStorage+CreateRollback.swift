// A multi-step creation can be disturbed in the middle: another client stores or removes keys, or a step is refused.
// Then all steps so far are undone, and the values of other clients stay. Without the rollback, half of the suite
// would remain and block its name.

#if Cluster
import FoundationEssentials
import SettingsStore

extension ClusterStorage {
    /// Checks before the last step that no stored key was removed. A condition can express this only for a few keys.
    ///
    /// - Throws: an error if other clients have removed some of the keys.
    func requireAll(of own: [String: Int64]) throws(SettingsError) {
        let removed = try removedKeys(of: own)
        if !removed.isEmpty { throw removed.count == own.count ? creationRemoved : keysRemoved(removed) }
    }

    /// The keys that other clients have removed, sorted.
    ///
    /// - Parameter own: the revisions of the keys that this creation has stored.
    func removedKeys(of own: [String: Int64]) throws(SettingsError) -> [String] {
        if own.isEmpty { return [] }
        let range = session.keys.suite(name)
        let request = RangeRequest(key: range.start, rangeEnd: range.end, keysOnly: true)
        var deadline = RetryDeadline(session.cluster)
        while true {
            do throws(SettingsError) {
                let answer: RangeResponse = try session.client.ask("/v3/kv/range", request)
                let stored = Set((answer.kvs ?? []).compactMap { session.keys.parts(of: $0.key)?.key })
                return own.keys.filter { !stored.contains($0) }.sorted()
            } catch {
                try deadline.wait(after: error, mayHaveHappened: false, hasBegun: true)
            }
        }
    }

    func keysRemoved(_ keys: [String]) -> SettingsError {
        let names = keys.prefix(3).map { "“\($0)”" }.joined(separator: ", ")
        let more = keys.count > 3 ? " and \(keys.count - 3) more" : ""
        let reason =
            "another program removed \(names)\(more) during the creation, so the creation was undone; try again"
        return .notWritable(path: location, reason: reason)
    }

    /// Another client has removed everything that this creation had stored.
    var creationRemoved: SettingsError {
        let reason = "another program removed the unfinished suite; create it again"
        return .notWritable(path: location, reason: reason)
    }

    enum Rollback {
        case done
        /// Another client has removed the marker, or is creating the suite itself.
        case creationReplaced
    }

    /// Removes the keys of an interrupted creation. Keys that other clients have stored or changed stay.
    ///
    /// - Parameter own: the revisions of the keys that this creation has stored.
    mutating func rollBack(
        _ progress: Progress,
        _ own: [String: Int64]
    ) throws(SettingsError) -> Rollback {
        let (marker, range) = (session.keys.creationMarker(of: name), session.keys.suite(name))
        let isOurs = Compare.holds(marker, Data(progress.marker))
        buffer.readingFailed()
        let removeAll = Transaction(
            compare: [isOurs, .unchanged(range, since: progress.revision)],
            success: [.delete(range)]
        )
        let (answer, mayBeRepeated) = try storeAtLeastOnce(removeAll)
        if answer.succeeded == true { return .done }
        guard try pair(marker)?.bytes == progress.marker else {
            return mayBeRepeated ? .done : .creationReplaced
        }
        // Other clients have changed something, so each key is removed only if it is still ours.
        let steps = own.map { removalIfUnchanged($0.key, $0.value) }
        let parts = Self.parts(of: steps, limit: Self.groupSize).map { $0.map(\.operation) }
        for (index, part) in parts.enumerated() {
            let end = index == parts.count - 1 ? [Operation.delete(marker)] : []
            _ = try storeAtLeastOnce(Transaction(compare: [isOurs], success: part + end))
        }
        return .done
    }

    /// Carries out a transaction that does no harm if it is repeated.
    private func storeAtLeastOnce(
        _ transaction: Transaction
    ) throws(SettingsError) -> (answer: TransactionResponse, mayBeRepeated: Bool) {
        var (mayBeRepeated, deadline) = (false, RetryDeadline(session.cluster))
        while true {
            do throws(SettingsError) {
                let (answer, isRepeated) = try session.client.store(transaction)
                return (answer, mayBeRepeated || isRepeated)
            } catch {
                mayBeRepeated = true
                try deadline.wait(after: error, mayHaveHappened: true)
            }
        }
    }

    /// Removes a key if it has not changed since a revision.
    func removalIfUnchanged(_ key: String, _ revision: Int64) -> Step {
        let etcdKey = session.keys.key(key, of: name)
        let operation = Operation(
            requestTxn: Transaction(compare: [.changed(etcdKey, at: revision)], success: [.delete(etcdKey)])
        )
        return Step(key: key, bytes: nil, size: 2 * key.utf8.count, operation: operation)
    }
}
#endif
