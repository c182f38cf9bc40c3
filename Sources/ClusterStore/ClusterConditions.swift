#if Cluster
import FoundationEssentials
import SettingsStore

// What a conditional write rests on.
extension ClusterStorage {
    /// More than that of values is not sent with a write; bytes.
    private static let comparedLimit = 1 << 18
    /// Of more keys a condition is one on all of the suite: each takes two of the 128 comparisons that there
    /// may be, and what groups of operations have in them counts besides.
    static let conditionLimit = groupSize / 2

    /// That the keys are as they were last read or written. Where they are many, that nothing in the suite is
    /// newer than what was read.
    ///
    /// Revisions alone don't say so: a cluster that was set up from an old copy counts on from that, so that the
    /// same revision may be another change. So the keys are asked for once more, and what they hold is a part of
    /// the condition, as far as there is room.
    ///
    /// - Returns: nil where one of them is something else by now.
    func conditions(on keys: Set<String>) throws(SettingsError) -> [Compare]? {
        if keys.isEmpty { return [] }
        guard let pairs = try present(keys) else { return nil }
        if keys.count > Self.conditionLimit { return [.unchanged(link.keys.suite(name), since: floor)] }
        let revisions = keys.sorted().map { key in
            let current = known[key].flatMap { $0.isThere ? $0.revision : nil }
            return Compare.changed(link.keys.key(key, of: name), at: current ?? 0)
        }
        let size = pairs.reduce(0) { $0 + ($1.value?.count ?? 0) }
        if size > Self.comparedLimit { return revisions }
        return revisions + pairs.map { .holds($0.key, $0.value ?? Data()) }
    }

    /// What keys hold, of many with all else in the suite; nil where that is not what is known of them.
    private func present(_ keys: Set<String>) throws(SettingsError) -> [KeyValue]? {
        let isMany = keys.count > Self.conditionLimit
        var pairs: [KeyValue] = []
        if isMany {
            let range = link.keys.suite(name)
            let request = RangeRequest(key: range.start, rangeEnd: range.end)
            let answer: RangeResponse = try link.client.ask("/v3/kv/range", request)
            pairs = answer.kvs ?? []
        } else {
            let questions = keys.sorted().map { Operation.get(link.keys.key($0, of: name)) }
            let answer: TransactionResponse = try link.client.ask(
                "/v3/kv/txn",
                Transaction(success: questions)
            )
            pairs = (answer.responses ?? []).compactMap { $0.responseRange?.kvs?.first }
        }
        var there: [String: Known] = [:]
        for event in found(in: pairs) { there[event.key] = Known(event.revision, event.bytes) }
        let different = (isMany ? Set(known.keys).union(there.keys) : keys).filter { key in
            there[key] != known[key].flatMap { $0.isThere ? $0 : nil }
        }
        if different.isEmpty { return pairs }
        // What is no news the next reading would not look for.
        let isNews = different.allSatisfy { key in there[key].map { $0.revision > floor } ?? false }
        if !isNews { feed.readingFailed() }
        return nil
    }
}
#endif
