#if Cluster
import FoundationEssentials
import SettingsStore

// Suites that others change while they are made: all is taken away again but what is theirs.
extension ClusterStorage {
    /// That keys are gone no condition tells, but one on each of them. So they are counted before the last step.
    ///
    /// - Throws: where others have removed some of what was stored.
    func requireAll(of own: [String: Int64]) throws(SettingsError) {
        let gone = try missing(of: own)
        if !gone.isEmpty { throw gone.count == own.count ? takenAway : removedMeanwhile(gone) }
    }

    /// What others have removed of these keys, sorted.
    func missing(of own: [String: Int64]) throws(SettingsError) -> [String] {
        if own.isEmpty { return [] }
        let range = link.keys.suite(name)
        let request = RangeRequest(key: range.start, rangeEnd: range.end, keysOnly: true)
        var perseverance = Perseverance(link.cluster)
        while true {
            do throws(SettingsError) {
                let answer: RangeResponse = try link.client.ask("/v3/kv/range", request)
                let there = Set((answer.kvs ?? []).compactMap { link.keys.parts(of: $0.key)?.key })
                return own.keys.filter { !there.contains($0) }.sorted()
            } catch {
                try perseverance.wait(after: error, mayHaveHappened: false, hasBegun: true)
            }
        }
    }

    func removedMeanwhile(_ keys: [String]) -> SettingsError {
        let names = keys.prefix(3).map { "“\($0)”" }.joined(separator: ", ")
        let more = keys.count > 3 ? " and \(keys.count - 3) more" : ""
        let reason =
            "others have removed \(names)\(more) while it was being made, so all of it is taken away again"
        return .notWritable(path: location, reason: reason)
    }

    /// Nothing is left of what was stored.
    var takenAway: SettingsError {
        let reason = "somebody has taken away what was there of it before all of it was"
        return .notWritable(path: location, reason: reason)
    }

    /// Takes away what is there of the suite, but for what others have put there.
    ///
    /// - Parameter own: the revisions of the keys that were stored here.
    /// - Returns: false where others have done so, or have made something else of it.
    mutating func takeAway(
        _ progress: Progress,
        _ own: [String: Int64]
    ) throws(SettingsError) -> Bool {
        let (place, range) = (link.keys.making(of: name), link.keys.suite(name))
        let isOurs = Compare.holds(place, Data(progress.record))
        feed.readingFailed()
        let all = Transaction(
            compare: [isOurs, .unchanged(range, since: progress.revision)],
            success: [.delete(range)]
        )
        let (answer, mayBeRepeated) = try storeForSure(all)
        if answer.succeeded == true { return true }
        guard try pair(place)?.bytes == progress.record else { return mayBeRepeated }
        let steps = own.map { stepBack($0.key, $0.value) }
        let parts = Self.parts(of: steps, limit: Self.groupSize).map { $0.map(\.operation) }
        for (index, part) in parts.enumerated() {
            let end = index == parts.count - 1 ? [Operation.delete(place)] : []
            _ = try storeForSure(Transaction(compare: [isOurs], success: part + end))
        }
        return true
    }

    /// Has a transaction that may be carried out twice be so at least once.
    private func storeForSure(
        _ transaction: Transaction
    ) throws(SettingsError) -> (answer: TransactionResponse, mayBeRepeated: Bool) {
        var (mayBeRepeated, perseverance) = (false, Perseverance(link.cluster))
        while true {
            do throws(SettingsError) {
                let (answer, isRepeated) = try link.client.store(transaction)
                return (answer, mayBeRepeated || isRepeated)
            } catch {
                mayBeRepeated = true
                try perseverance.wait(after: error, mayHaveHappened: true)
            }
        }
    }

    /// Removes a key that is as it was stored at a revision.
    func stepBack(_ key: String, _ revision: Int64) -> Step {
        let place = link.keys.key(key, of: name)
        let operation = Operation(
            requestTxn: Transaction(compare: [.changed(place, at: revision)], success: [.delete(place)])
        )
        return Step(key: key, bytes: nil, size: 2 * key.utf8.count, operation: operation)
    }
}
#endif
