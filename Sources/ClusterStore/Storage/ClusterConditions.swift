// A conditional write must fail if a key that the decision was based on has changed. etcd compares revisions, which
// is enough until a cluster is restored from a backup: it then counts from the backup's revision, so that the same
// revision can be another change. So the keys are read once more before the write, and their values are compared.

#if Cluster
import FoundationEssentials
import SettingsStore

extension ClusterStorage {
    /// Keys. A condition on more keys becomes one condition on the whole suite. etcd allows 128 comparisons.
    static let conditionLimit = groupSize / 2

    enum Conditions {
        /// The keys are unchanged. A transaction with these comparisons fails if they change meanwhile.
        case unchanged([Compare])
        /// A key is different from what this storage knows.
        case changed
    }

    /// The condition that keys are as they were last read or written.
    func conditions(on keys: Set<String>) throws(SettingsError) -> Conditions {
        if keys.isEmpty { return .unchanged([]) }
        guard try isUnchangedOnServers(keys) else { return .changed }
        if keys.count > Self.conditionLimit {
            return .unchanged([.unchanged(session.keys.suite(name), since: knownRevision)])
        }
        let revisions = keys.sorted().map { key in
            let current = known[key].flatMap { $0.exists ? $0.revision : nil }
            return Compare.changed(session.keys.key(key, of: name), at: current ?? 0)
        }
        return .unchanged(revisions)
    }

    /// Reads keys again, and compares them with what is known. Many keys are compared with the whole suite.
    private func isUnchangedOnServers(_ keys: Set<String>) throws(SettingsError) -> Bool {
        let isMany = keys.count > Self.conditionLimit
        let pairs = isMany ? try readAllPairs() : try readPairs(of: keys)
        var stored: [String: Known] = [:]
        for change in changes(in: pairs) { stored[change.key] = Known(change.revision, change.bytes) }
        let different = (isMany ? Set(known.keys).union(stored.keys) : keys).filter { key in
            stored[key] != known[key].flatMap { $0.exists ? $0 : nil }
        }
        if different.isEmpty { return true }
        // The next reading asks only for keys above the known revision. It must read all if it would miss a
        // difference.
        let isFoundByRevision = different.allSatisfy { key in
            stored[key].map { $0.revision > knownRevision } ?? false
        }
        if !isFoundByRevision { buffer.readingFailed() }
        return false
    }

    private func readAllPairs() throws(SettingsError) -> [KeyValue] {
        let range = session.keys.suite(name)
        let request = RangeRequest(key: range.start, rangeEnd: range.end)
        let answer: RangeResponse = try session.client.ask("/v3/kv/range", request)
        return answer.kvs ?? []
    }

    private func readPairs(of keys: Set<String>) throws(SettingsError) -> [KeyValue] {
        let queries = keys.sorted().map { Operation.get(session.keys.key($0, of: name)) }
        let answer: TransactionResponse = try session.client.ask("/v3/kv/txn", Transaction(success: queries))
        return (answer.responses ?? []).compactMap { $0.responseRange?.kvs?.first }
    }
}
#endif
