#if Cluster
import FoundationEssentials
import PropertyList
import SettingsStore

extension ClusterStorage {
    /// What etcd takes in one request unless it is told otherwise is 1.5 MB.
    static let valueLimit = 1 << 20
    private static let writeLimit = valueLimit + (100 << 10)
    /// 128 operations are the most, and in each of n transactions inside another one 128 - n.
    static let groupSize = 64
    /// A mark, what says that the suite is being made, and what is removed for it have to fit in besides.
    static let keyLimit = groupSize * groupSize - 3

    func encoded(_ value: PropertyListValue, _ key: String) throws(PropertyListError) -> [UInt8] {
        let bytes = try value.encoded(as: .binary)
        let count = bytes.count + key.utf8.count
        guard count <= Self.valueLimit else {
            let problem = "\(count) bytes are more than the \(Self.valueLimit) that a cluster takes for a key"
            throw PropertyListError(.path([.key(key)]), .limitExceeded, problem)
        }
        return bytes
    }

    public mutating func update(_ decide: (StorageReading) -> StorageWrite) throws(SettingsError) {
        var isFresh = false
        var reading: StorageReading
        if let news = try catchUp() {
            reading = news
        } else {
            reading = try look()
            isFresh = true
        }
        while true {
            let write = decide(reading)
            copy?.note(reading.difference)
            if write.changes.isEmpty {
                // What the stream has brought may be a little old: nobody is told by that that there is
                // nothing to do.
                if isFresh, try conditions(on: write.basis) != nil { return }
            } else if try commit(write) {
                return
            }
            reading = try look()
            isFresh = true
        }
    }

    /// One of a transaction's operations.
    struct Step {
        /// The key of the suite; nil for what is stored beside it.
        var key: String?
        /// Nil removes.
        let bytes: [UInt8]?
        /// Bytes, about.
        let size: Int
        let operation: Operation
    }

    /// - Returns: false where a key that the decision was based on has changed.
    private mutating func commit(_ write: StorageWrite) throws(SettingsError) -> Bool {
        switch write.whole {
        case .stays: break
        case .made(_, let ground): return try make(write, inPlaceOf: ground)
        case .removed: return try remove(write)
        }
        let steps = try steps(of: write)
        guard let basis = try conditions(on: write.basis) else { return false }
        var parts = Self.parts(of: steps, limit: Self.keyLimit)
        if parts.count > 1 {
            if !write.basis.isEmpty {
                let reason =
                    "\(write.changes.count) keys are more than a cluster stores in one step upon a condition; "
                    + "up to 4,000 keys and 1 MB fit in, so it takes several"
                throw .notWritable(path: location, reason: reason)
            }
            // A condition on many keys would be one on those of the parts before, too.
            if !write.unlessChanged.isEmpty { parts = Self.parts(of: steps, limit: Self.conditionLimit) }
        }
        var stored: [String] = []
        for part in parts {
            let keys = part.compactMap(\.key)
            let careful = write.unlessChanged.intersection(keys).subtracting(write.basis)
            do throws(SettingsError) {
                guard let conditions = try conditions(on: careful),
                    try commit(part, basis + conditions, write.changes, part.map(\.operation))
                else { return false }
            } catch {
                throw error.after(stored, of: write.changes.count)
            }
            stored += keys
        }
        return true
    }

    /// What has to be done for a write, in the order of its keys.
    func steps(of write: StorageWrite) throws(SettingsError) -> [Step] {
        var steps: [Step] = []
        for (key, value) in write.changes.sorted(by: { $0.key < $1.key }) {
            if let old = write.keeping[key] {
                var step = try step(old, key, in: link.keys.kept(link.keys.key(key, of: name)))
                step.key = nil
                steps.append(step)
            }
            steps.append(try step(value, key, in: link.keys.key(key, of: name)))
        }
        return steps
    }

    /// - Parameter value: nil removes.
    private func step(
        _ value: PropertyListValue?,
        _ key: String,
        in place: Data
    ) throws(SettingsError) -> Step {
        guard let value else {
            return Step(key: key, bytes: nil, size: key.utf8.count, operation: .delete(place))
        }
        do throws(PropertyListError) {
            let bytes = try encoded(value, key)
            let size = bytes.count + key.utf8.count
            return Step(key: key, bytes: bytes, size: size, operation: .put(bytes, place))
        } catch {
            throw .unrepresentable(path: location, key: key, error)
        }
    }

    /// As many as fit into one transaction each.
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
            size += step.size + 64
        }
        return parts
    }

    /// Operations as one transaction takes them.
    static func grouped(_ operations: [Operation]) -> [Operation] {
        if operations.count <= groupSize { return operations }
        return stride(from: 0, to: operations.count, by: groupSize).map { start in
            let group = operations[start..<min(start + groupSize, operations.count)]
            return Operation(requestTxn: Transaction(success: Array(group)))
        }
    }

    /// One transaction.
    ///
    /// - Parameters:
    ///   - operations: what does all of the steps.
    ///   - leavesMark: where that has a condition, and this user may.
    mutating func commit(
        _ steps: [Step],
        _ basis: [Compare],
        _ changes: [String: PropertyListValue?],
        _ operations: [Operation],
        leavesMark: Bool = true
    ) throws(SettingsError) -> Bool {
        var mark: Data?
        var marking: [Operation] = []
        if !basis.isEmpty, leavesMark, link.mayMark {
            let new = [UInt8](UUID().uuidString.utf8)
            mark = Data(new)
            marking = [.put(new, link.keys.mark(of: name))]
        }
        let revision: Int64?
        do throws(SettingsError) {
            let all = Transaction(compare: basis, success: Self.grouped(operations + marking))
            revision = try self.revision(of: all, mark)
        } catch {
            if let revision = revisionDespite(error, steps, mark) {
                take(steps, changes, at: revision)
                return true
            }
            let failure = EtcdFailure(message: error.reason)
            if mark != nil, failure.isForbidden {
                // A user who may write the suite alone does without.
                link.mayMark = false
                return try commit(steps, basis, changes, operations)
            }
            if mark != nil, failure.isForWantOfRoom, steps.allSatisfy({ $0.bytes == nil }) {
                // What makes room is let in.
                return try commit(steps, basis, changes, operations, leavesMark: false)
            }
            // It may have taken place.
            feed.readingFailed()
            throw error
        }
        guard let revision else { return false }
        take(steps, changes, at: revision)
        return true
    }

    /// Takes note of what was stored.
    private mutating func take(_ steps: [Step], _ changes: [String: PropertyListValue?], at revision: Int64) {
        var written: [String: PropertyListValue?] = [:]
        for step in steps {
            guard let key = step.key, let value = changes[key] else { continue }
            note(Known(revision, step.bytes), key)
            written.updateValue(value, forKey: key)
        }
        copy?.note(.some(written))
    }

    /// The revision of a transaction that was refused for want of room, if it took place: the one that uses up the
    /// room is carried out all the same, where that is only found out meanwhile (etcd's quotaApplierV3).
    private func revisionDespite(_ error: SettingsError, _ steps: [Step], _ mark: Data?) -> Int64? {
        guard EtcdFailure(message: error.reason).isForWantOfRoom else { return nil }
        if let mark { return (try? place(of: mark))??.revision }
        guard let step = steps.first(where: { $0.key != nil && $0.bytes != nil }), let key = step.key,
            let pair = try? pair(link.keys.key(key, of: name))
        else { return nil }
        let isNew = pair.revision > max(floor, known[key]?.revision ?? 0)
        return isNew && pair.bytes == step.bytes ? pair.revision : nil
    }

    /// What stands under a key of etcd's.
    func pair(_ place: Data) throws(SettingsError) -> KeyValue? {
        let answer: RangeResponse = try link.client.ask("/v3/kv/range", RangeRequest(key: place))
        return answer.kvs?.first
    }

    /// Has a transaction carried out and returns the revision that it made; nil where its conditions do not
    /// hold.
    private func revision(of transaction: Transaction, _ mark: Data?) throws(SettingsError) -> Int64? {
        var (mayHaveHappened, perseverance) = (false, Perseverance(link.cluster))
        while true {
            do throws(SettingsError) {
                let (answer, mayBeRepeated) = try link.client.store(transaction)
                if answer.succeeded == true { return answer.header?.revision?.value ?? 0 }
                // Its conditions hold no more where it took place and nobody said so.
                mayHaveHappened = mayHaveHappened || mayBeRepeated
                if !mayHaveHappened || transaction.compare.isEmpty { return nil }
                if let mark, let place = try self.place(of: mark) { return place.revision }
            } catch {
                if case .unconfirmed = error { mayHaveHappened = true }
                // What rests on nothing would be stored over what others have stored since.
                if transaction.compare.isEmpty { throw error }
                try perseverance.wait(after: error, mayHaveHappened: mayHaveHappened)
                continue
            }
            let reason =
                mark == nil
                ? "the answer was lost, and no mark could be left"
                : "the answer was lost, and what was stored then is forgotten by now"
            throw .unconfirmed(path: location, reason: reason)
        }
    }

    /// The revision at which a mark was left since the suite was last read, nil inside where it was not; nil where
    /// nobody knows. Each transaction upon a condition replaces the mark of the one before, so that marks are
    /// looked for backwards.
    private func place(of mark: Data) throws(SettingsError) -> (revision: Int64?, isKnown: Void)? {
        var newest: Int64 = 0
        for _ in 0..<1000 {
            let request = RangeRequest(key: link.keys.mark(of: name), revision: Number(newest))
            let answer: RangeResponse
            do throws(SettingsError) {
                answer = try link.client.ask("/v3/kv/range", request)
            } catch {
                // This past is compacted.
                if !error.isOutage { return nil }
                throw error
            }
            guard let pair = answer.kvs?.first, pair.revision > floor else { return (nil, ()) }
            if pair.value == mark { return (pair.revision, ()) }
            newest = pair.revision - 1
            if newest <= floor { return (nil, ()) }
        }
        return nil
    }
}

extension SettingsError {
    /// The same where some keys were stored before, in their order: “unreachable” would say that none was.
    fileprivate func after(_ stored: [String], of count: Int) -> SettingsError {
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
