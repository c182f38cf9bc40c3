#if Cluster
import FoundationEssentials
import SettingsStore

// Whole suites that are too large for one step.
extension ClusterStorage {
    /// Stores them in several, each upon the condition that nothing in the suite has changed but by those before.
    /// Where something has, or the cluster refuses one of them, all is as it was before again.
    ///
    /// - Parameter basis: what holds for all of it at the beginning.
    /// - Returns: false where a key that the decision was based on has changed.
    mutating func commitInSteps(
        _ parts: [[Step]],
        _ basis: [Compare],
        _ write: StorageWrite
    ) throws(SettingsError) -> Bool {
        let former = known
        let revision = known.values.reduce(floor) { max($0, $1.revision) }
        var conditions = basis
        var stored: [String] = []
        for part in parts {
            do throws(SettingsError) {
                if try commit(part, conditions, write.changes) {
                    stored += part.compactMap(\.key)
                    let last = stored.last.flatMap { known[$0]?.revision } ?? revision
                    conditions = [.unchanged(link.keys.suite(name), since: last)]
                    continue
                }
            } catch {
                if case .notWritable = error, (try? putBack(stored, former, revision)) != nil { throw error }
                throw error.after(stored, of: write.changes.count)
            }
            do throws(SettingsError) {
                try putBack(stored, former, revision)
            } catch {
                throw error.after(stored, of: write.changes.count)
            }
            return false
        }
        return true
    }

    /// Has keys be again what they were at a revision, but those that others have changed since they were
    /// stored here.
    ///
    /// - Parameter former: what was known then.
    private mutating func putBack(
        _ keys: [String],
        _ former: [String: Known],
        _ revision: Int64
    ) throws(SettingsError) {
        // What the suite's observers are told is the outcome.
        feed.readingFailed()
        var steps: [Step] = []
        for start in stride(from: 0, to: keys.count, by: Self.groupSize) {
            let group = keys[start..<min(start + Self.groupSize, keys.count)]
            steps += try stepsBack(Array(group), former, revision)
        }
        for part in Self.parts(of: steps, limit: Self.groupSize) {
            _ = try link.client.store(Transaction(success: part.map(\.operation)))
        }
    }

    private func stepsBack(
        _ keys: [String],
        _ former: [String: Known],
        _ revision: Int64
    ) throws(SettingsError) -> [Step] {
        var values: [Data: [UInt8]] = [:]
        let questions = keys.filter { former[$0]?.isThere == true }.map { key in
            Operation.get(link.keys.key(key, of: name), at: revision)
        }
        if !questions.isEmpty {
            let answer: TransactionResponse = try link.client.ask(
                "/v3/kv/txn",
                Transaction(success: questions)
            )
            for part in answer.responses ?? [] {
                for pair in part.responseRange?.kvs ?? [] { values[pair.key] = pair.bytes }
            }
        }
        return keys.map { key in
            let place = link.keys.key(key, of: name)
            let bytes = values[place]
            let mine = known[key].flatMap { $0.isThere ? $0.revision : nil } ?? 0
            let operation = Operation(
                requestTxn: Transaction(
                    compare: [.changed(place, at: mine)],
                    success: [bytes.map { .put($0, place) } ?? .delete(place)]
                )
            )
            return Step(
                key: key,
                bytes: bytes,
                size: key.utf8.count + (bytes?.count ?? 0),
                operation: operation
            )
        }
    }
}

extension StorageWrite {
    /// Whether a suite is made, or removed.
    var isOfWhole: Bool { if case .stays = whole { false } else { true } }
}

extension SettingsError {
    /// The same where some keys were stored before, in their order: “unreachable” would say that none was.
    func after(_ stored: [String], of count: Int) -> SettingsError {
        guard let last = stored.last else { return self }
        let progress = "\(stored.count) of \(count) keys were stored before, up to “\(last)”"
        return switch self {
        case .unreachable(let path, let reason), .unconfirmed(let path, let reason):
            .unconfirmed(path: path, reason: "\(reason); \(progress)")
        case .notWritable(let path, let reason):
            .notWritable(path: path, reason: "\(reason); \(progress)")
        default: self
        }
    }
}
#endif
