// A write must be carried out exactly once or not at all, although etcd limits the size of a transaction and an
// answer can be lost. Writes are divided into transactions that etcd accepts. Each conditional one stores a receipt
// with a new ID; if its answer is lost, the receipt shows whether it was carried out. Without receipts, a lost
// answer would leave every conditional write undecided.

#if Cluster
import FoundationEssentials
import PropertyList
import SettingsStore

extension ClusterStorage {
    /// Bytes. etcd's default limit for a request is 1.5 MB.
    static let valueLimit = 1 << 20
    private static let writeLimit = valueLimit + (100 << 10)
    /// Bytes that a transaction needs for each operation besides key and value, about.
    private static let operationOverhead = 64
    /// Operations. etcd's default limit is 128, and a transaction with n transactions inside leaves 128 - n to each.
    static let groupSize = 64
    /// Keys in one transaction. A receipt must fit too.
    static let keyLimit = groupSize * groupSize - 1
    /// How many receipts of other transactions are searched.
    private static let receiptSearchLimit = 1000

    /// The result of a write, of which the conditions may have failed.
    enum WriteResult {
        case stored
        /// A key that the decision was based on has changed, so nothing was stored.
        case conditionFailed
    }

    enum TransactionResult {
        case stored(revision: Int64)
        case conditionFailed
    }

    static func encoded(_ value: PropertyListValue, _ key: String) throws(PropertyListError) -> [UInt8] {
        let bytes = try value.encoded(as: .binary)
        let count = bytes.count + key.utf8.count
        guard count <= valueLimit else {
            let problem = "\(count) bytes are more than the \(valueLimit) that a cluster takes for a key"
            throw PropertyListError(.path([.key(key)]), .limitExceeded, problem)
        }
        return bytes
    }

    public mutating func update(_ decide: (StorageReading) -> StorageWrite) throws(SettingsError) {
        var isFresh = false
        var reading: StorageReading
        switch try takeWatchedChanges() {
        case .complete(let watched): reading = watched
        case .incomplete:
            reading = try readFromServers()
            isFresh = true
        }
        while true {
            let write = decide(reading)
            cache?.add(reading.difference)
            if !write.changes.isEmpty {
                if try commit(write) == .stored { return }
            } else if isFresh, case .unchanged = try conditions(on: write.basis) {
                // The stream may be late, so only a fresh reading can show that there is nothing to write.
                return
            }
            reading = try readFromServers()
            isFresh = true
        }
    }

    /// One operation of a write.
    struct Step {
        /// The suite's key; nil for a value that is put into quarantine.
        var key: String?
        /// nil removes the key.
        let bytes: [UInt8]?
        /// Bytes of the request, about.
        let size: Int
        let operation: Operation
    }

    private mutating func commit(_ write: StorageWrite) throws(SettingsError) -> WriteResult {
        switch write.suiteAction {
        case .keep: break
        case .create: return try create(write)
        case .remove: return try remove(write)
        }
        let steps = try steps(of: write)
        guard case .unchanged(let basis) = try conditions(on: write.basis) else { return .conditionFailed }
        return try commit(try parts(of: steps, for: write), basis, write)
    }

    /// Divides a write into transactions.
    ///
    /// - Throws: an error if a conditional write does not fit into one.
    private func parts(of steps: [Step], for write: StorageWrite) throws(SettingsError) -> [[Step]] {
        let parts = Self.parts(of: steps, limit: Self.keyLimit)
        if parts.count == 1 { return parts }
        guard write.basis.isEmpty else {
            let reason =
                "\(write.changes.count) keys are too many for one conditional transaction on a cluster; "
                + "store at most 4,000 keys and 1 MB in one"
            throw .notWritable(path: location, reason: reason)
        }
        // A condition on many keys would be one on the whole suite, which earlier parts change.
        return write.unlessChanged.isEmpty ? parts : Self.parts(of: steps, limit: Self.conditionLimit)
    }

    private mutating func commit(
        _ parts: [[Step]],
        _ basis: [Compare],
        _ write: StorageWrite
    ) throws(SettingsError) -> WriteResult {
        var stored: [String] = []
        for part in parts {
            let keys = part.compactMap(\.key)
            let conditional = write.unlessChanged.intersection(keys).subtracting(write.basis)
            do throws(SettingsError) {
                guard case .unchanged(let conditions) = try conditions(on: conditional),
                    try commit(part, basis + conditions, write.changes, part.map(\.operation)) == .stored
                else { return .conditionFailed }
            } catch {
                throw error.after(stored, of: write.changes.count)
            }
            stored += keys
        }
        return .stored
    }

    /// The operations of a write, in the order of its keys.
    func steps(of write: StorageWrite) throws(SettingsError) -> [Step] {
        var steps: [Step] = []
        for (key, value) in write.changes.sorted(by: { $0.key < $1.key }) {
            if let unreadable = write.quarantine[key] {
                let quarantine = session.keys.quarantine(session.keys.key(key, of: name))
                var step = try step(unreadable, key, in: quarantine)
                step.key = nil
                steps.append(step)
            }
            steps.append(try step(value, key, in: session.keys.key(key, of: name)))
        }
        return steps
    }

    /// - Parameters:
    ///   - value: nil removes the key.
    ///   - etcdKey: where the value is stored.
    private func step(
        _ value: PropertyListValue?,
        _ key: String,
        in etcdKey: Data
    ) throws(SettingsError) -> Step {
        guard let value else {
            return Step(key: key, bytes: nil, size: key.utf8.count, operation: .delete(etcdKey))
        }
        do throws(PropertyListError) {
            let bytes = try Self.encoded(value, key)
            let size = bytes.count + key.utf8.count
            return Step(key: key, bytes: bytes, size: size, operation: .put(bytes, etcdKey))
        } catch {
            throw .unrepresentable(path: location, key: key, error)
        }
    }

    /// Divides steps into parts that fit into one transaction each.
    ///
    /// - Parameter limit: steps in one part.
    static func parts(of steps: [Step], limit: Int) -> [[Step]] {
        var parts: [[Step]] = [[]]
        var size = 0
        for step in steps {
            let isFull = parts[parts.count - 1].count == limit || size + step.size > writeLimit
            if isFull, !parts[parts.count - 1].isEmpty {
                parts.append([])
                size = 0
            }
            parts[parts.count - 1].append(step)
            size += step.size + operationOverhead
        }
        return parts
    }

    /// Puts many operations into inner transactions, because etcd limits the operations of one.
    static func grouped(_ operations: [Operation]) -> [Operation] {
        if operations.count <= groupSize { return operations }
        return stride(from: 0, to: operations.count, by: groupSize).map { start in
            let group = operations[start..<min(start + groupSize, operations.count)]
            return Operation(requestTxn: Transaction(success: Array(group)))
        }
    }
}

// MARK: - One transaction

extension ClusterStorage {
    /// Stores steps in one transaction, with a receipt if it has conditions and this user may write receipts.
    ///
    /// - Parameter operations: the operations that carry out the steps.
    mutating func commit(
        _ steps: [Step],
        _ basis: [Compare],
        _ changes: [String: PropertyListValue?],
        _ operations: [Operation],
        leavesReceipt: Bool = true
    ) throws(SettingsError) -> WriteResult {
        let receipt = !basis.isEmpty && leavesReceipt && session.mayWriteReceipts ? newReceipt() : nil
        let result: TransactionResult
        do throws(SettingsError) {
            result = try carryOut(operations, basis, receipt)
        } catch {
            let failure = EtcdFailure(message: error.reason)
            if failure.isOutOfSpace, case .stored(let revision) = outcomeWithoutSpace(steps, receipt) {
                rememberStored(steps, changes, at: revision)
                return .stored
            }
            if receipt != nil, failure.isForbidden {
                // The user may have the permission for the suite alone.
                session.mayWriteReceipts = false
                return try commit(steps, basis, changes, operations)
            }
            if receipt != nil, failure.isOutOfSpace, steps.allSatisfy({ $0.bytes == nil }) {
                // Without space, etcd accepts a transaction only if it stores nothing.
                return try commit(steps, basis, changes, operations, leavesReceipt: false)
            }
            // The transaction may have been carried out.
            buffer.readingFailed()
            throw error
        }
        guard case .stored(let revision) = result else { return .conditionFailed }
        rememberStored(steps, changes, at: revision)
        return .stored
    }

    private func newReceipt() -> Data { Data(UUID().uuidString.utf8) }

    private mutating func rememberStored(
        _ steps: [Step],
        _ changes: [String: PropertyListValue?],
        at revision: Int64
    ) {
        var written: [String: PropertyListValue?] = [:]
        for step in steps {
            guard let key = step.key, let value = changes[key] else { continue }
            remember(Known(revision, step.bytes), key)
            written.updateValue(value, forKey: key)
        }
        cache?.add(.some(written))
    }

    /// Sends a transaction until its result is known, or until `perseverance` is over.
    private func carryOut(
        _ operations: [Operation],
        _ basis: [Compare],
        _ receipt: Data?
    ) throws(SettingsError) -> TransactionResult {
        let receiptStep = receipt.map { [Operation.put([UInt8]($0), session.keys.receipt(of: name))] } ?? []
        let transaction = Transaction(compare: basis, success: Self.grouped(operations + receiptStep))
        var (mayHaveHappened, deadline) = (false, RetryDeadline(session.cluster))
        while true {
            let search: ReceiptSearch
            do throws(SettingsError) {
                let (answer, mayBeRepeated) = try session.client.store(transaction)
                if answer.succeeded == true { return .stored(revision: answer.header?.revision?.value ?? 0) }
                mayHaveHappened = mayHaveHappened || mayBeRepeated
                if !mayHaveHappened || basis.isEmpty { return .conditionFailed }
                // An earlier attempt may have been carried out, and may have made the conditions false itself.
                search = try self.search(for: receipt)
            } catch {
                if case .unconfirmed = error { mayHaveHappened = true }
                // A repetition without conditions would overwrite what other clients have stored meanwhile.
                if basis.isEmpty { throw error }
                try deadline.wait(after: error, mayHaveHappened: mayHaveHappened)
                continue
            }
            switch search {
            case .found(let revision): return .stored(revision: revision)
            case .missing: return .conditionFailed
            case .unknown(let reason): throw .unconfirmed(path: location, reason: reason)
            }
        }
    }

    /// Finds out whether a transaction was carried out that etcd has refused for lack of space.
    ///
    /// etcd carries out the transaction that uses up its space, if it notices the lack only then (quotaApplierV3).
    private func outcomeWithoutSpace(_ steps: [Step], _ receipt: Data?) -> TransactionResult {
        if receipt != nil {
            guard case .found(let revision)? = try? search(for: receipt) else { return .conditionFailed }
            return .stored(revision: revision)
        }
        guard let step = steps.first(where: { $0.key != nil && $0.bytes != nil }), let key = step.key,
            let pair = try? pair(session.keys.key(key, of: name))
        else { return .conditionFailed }
        let isNew = pair.revision > max(knownRevision, known[key]?.revision ?? 0)
        return isNew && pair.bytes == step.bytes ? .stored(revision: pair.revision) : .conditionFailed
    }

    /// An etcd key with its value; nil if it does not exist.
    func pair(_ etcdKey: Data) throws(SettingsError) -> KeyValue? {
        let answer: RangeResponse = try session.client.ask("/v3/kv/range", RangeRequest(key: etcdKey))
        return answer.kvs?.first
    }

    private enum ReceiptSearch {
        case found(revision: Int64)
        /// The transaction was not carried out.
        case missing
        /// The reason says why it can't be found out.
        case unknown(reason: String)
    }

    /// Looks for a receipt among those that were stored since the suite was last read.
    ///
    /// Each receipt replaces the one before in the same key, so the key's old revisions are read backwards.
    private func search(for receipt: Data?) throws(SettingsError) -> ReceiptSearch {
        guard let receipt else {
            return .unknown(
                reason: "the answer was lost, and the cluster can't tell whether the change was stored"
            )
        }
        let forgotten = "the answer was lost, and the cluster no longer knows whether the change was stored"
        // 0 reads the present.
        var revision: Int64 = 0
        for _ in 0..<Self.receiptSearchLimit {
            let request = RangeRequest(key: session.keys.receipt(of: name), revision: Number(revision))
            let answer: RangeResponse
            do throws(SettingsError) {
                answer = try session.client.ask("/v3/kv/range", request)
            } catch {
                // etcd refuses to read a revision that it has compacted.
                if !error.isOutage { return .unknown(reason: forgotten) }
                throw error
            }
            guard let pair = answer.kvs?.first, pair.revision > knownRevision else { return .missing }
            if pair.value == receipt { return .found(revision: pair.revision) }
            revision = pair.revision - 1
            if revision <= knownRevision { return .missing }
        }
        return .unknown(reason: forgotten)
    }
}

extension SettingsError {
    /// Adds the keys that earlier transactions of the same write have stored. "Unreachable" becomes "unconfirmed",
    /// because it would mean that nothing was stored.
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
