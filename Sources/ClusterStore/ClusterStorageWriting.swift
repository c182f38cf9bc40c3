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
    /// A mark has to fit in besides.
    private static let keyLimit = groupSize * groupSize - 1

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
        var steps: [Step] = []
        for (key, value) in write.changes.sorted(by: { $0.key < $1.key }) {
            if let old = write.keeping[key] {
                var step = try step(old, key, in: link.keys.aside(".kept", link.keys.key(key, of: name)))
                step.key = nil
                steps.append(step)
            }
            steps.append(try step(value, key, in: link.keys.key(key, of: name)))
        }
        guard let basis = try conditions(on: write.basis) else { return false }
        var parts = Self.parts(of: steps, limit: Self.keyLimit)
        if parts.count > 1 {
            if !write.basis.isEmpty {
                if write.isOfWhole { return try commitInSteps(parts, basis, write) }
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
                    try commit(part, basis + conditions, write.changes)
                else { return false }
            } catch {
                throw error.after(stored, of: write.changes.count)
            }
            stored += keys
        }
        return true
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

    /// One transaction.
    ///
    /// - Parameter leavesMark: where that has a condition, and this user may.
    mutating func commit(
        _ steps: [Step],
        _ basis: [Compare],
        _ changes: [String: PropertyListValue?],
        leavesMark: Bool = true
    ) throws(SettingsError) -> Bool {
        var operations = steps.map(\.operation)
        var mark: Data?
        if !basis.isEmpty, leavesMark, link.mayMark {
            let new = [UInt8](UUID().uuidString.utf8)
            mark = Data(new)
            operations.append(.put(new, link.keys.mark(of: name)))
        }
        if operations.count > Self.groupSize {
            operations = stride(from: 0, to: operations.count, by: Self.groupSize).map { start in
                let group = operations[start..<min(start + Self.groupSize, operations.count)]
                return Operation(requestTxn: Transaction(success: Array(group)))
            }
        }
        let revision: Int64?
        do throws(SettingsError) {
            revision = try self.revision(of: Transaction(compare: basis, success: operations), mark)
        } catch {
            let failure = EtcdFailure(message: error.reason)
            if mark != nil, failure.isForbidden {
                // A user who may write the suite alone does without.
                link.mayMark = false
                return try commit(steps, basis, changes)
            }
            if mark != nil, failure.isForWantOfRoom, steps.allSatisfy({ $0.bytes == nil }) {
                // What makes room is let in.
                return try commit(steps, basis, changes, leavesMark: false)
            }
            // It may have taken place.
            feed.readingFailed()
            throw error
        }
        guard let revision else { return false }
        var written: [String: PropertyListValue?] = [:]
        for step in steps {
            guard let key = step.key, let value = changes[key] else { continue }
            note(Known(revision, step.bytes), key)
            written.updateValue(value, forKey: key)
        }
        copy?.note(.some(written))
        return true
    }

    /// Has a transaction carried out and returns the revision that it made; nil where its conditions do not
    /// hold.
    private func revision(of transaction: Transaction, _ mark: Data?) throws(SettingsError) -> Int64? {
        let (answer, mayBeRepeated) = try link.client.store(transaction)
        if answer.succeeded == true { return answer.header?.revision?.value ?? 0 }
        // Its conditions hold no more where it took place and nobody said so.
        if !mayBeRepeated || transaction.compare.isEmpty { return nil }
        guard let mark else {
            let reason = "the answer was lost, and no mark could be left"
            throw .unconfirmed(path: location, reason: reason)
        }
        return try revision(leaving: mark)
    }

    /// The revision at which a mark was left, if it was, since the suite was last read. Each transaction
    /// upon a condition replaces the mark of the one before, so that marks are looked for backwards.
    private func revision(leaving mark: Data) throws(SettingsError) -> Int64? {
        var newest: Int64 = 0
        do throws(SettingsError) {
            for _ in 0..<1000 {
                let answer: RangeResponse = try link.client.ask(
                    "/v3/kv/range",
                    RangeRequest(key: link.keys.mark(of: name), revision: Number(newest))
                )
                guard let pair = answer.kvs?.first, pair.revision > floor else { return nil }
                if pair.value == mark { return pair.revision }
                newest = pair.revision - 1
                if newest <= floor { return nil }
            }
        } catch {
            // No server answers, or this past is compacted.
            throw .unconfirmed(path: location, reason: error.reason)
        }
        throw .unconfirmed(path: location, reason: "the answer was lost, and much has been written since")
    }
}
#endif
