#if Cluster
import FoundationEssentials
import PropertyList
import SettingsStore

/// A suite on an etcd cluster: one key of etcd's for each setting, whose value is a binary property list.
///
/// While it is watched, what others change comes with the cluster's stream; else each reading asks for the
/// whole suite. A write is one transaction, which rests on the revisions of the keys that the decision was
/// based on. Keys of others that are none of these are overwritten, as it is with files: the last one wins.
///
/// One step holds up to 4,096 keys and a megabyte; more without a condition is stored in several steps, and
/// with one it is refused.
public struct ClusterStorage: SuiteStorage {
    let name: SuiteName
    let link: ClusterLink
    let feed: SuiteFeed
    let copy: DiskCopy?

    /// The revision of each key's last change; that of the removal for keys that are gone and of which the
    /// stream may still say something older.
    private var known: [String: Known] = [:]
    /// Whether some of these are gone.
    private var knowsRemovals = false
    /// Everything up to this revision is known.
    private var floor: Int64 = 0
    private var clusterID: Int64?
    /// Whether a reading has told everything.
    private var hasRead = false

    struct Known {
        var revision: Int64
        var isThere: Bool
    }

    /// - Parameter keepsCopy: whether the last good state is kept on the disk, where the cluster says so.
    public init(_ name: SuiteName, in cluster: SettingsCluster, keepsCopy: Bool = true) {
        self.name = name
        link = ClusterLink.to(cluster)
        feed = SuiteFeed(name)
        copy = keepsCopy ? cluster.copies.map { DiskCopy($0.filePath(of: name)) } : nil
    }

    public var location: String { link.cluster.location + name.rawValue }

    public func readOnlyReason() -> String? {
        guard refusesWhileUnreachable, let outage = link.outage else { return nil }
        return "the cluster can't be reached (\(outage))"
    }

    public var refusesWhileUnreachable: Bool { link.cluster.whileUnreachable == .refuse }

    public func refusal(of value: PropertyListValue, forKey key: String) -> SettingsError? {
        do throws(PropertyListError) {
            _ = try encoded(value, key)
            return nil
        } catch {
            return .unrepresentable(path: location, key: key, error)
        }
    }

    public func watch(_ hint: @escaping @Sendable () -> Void) -> StorageWatch {
        let holder = WatchHolder(feed, link)
        if feed.add(hint, for: holder) { link.add(feed) }
        return StorageWatch(heldBy: holder) { $0.link.watching }
    }

    private final class WatchHolder: Sendable {
        let feed: SuiteFeed
        let link: ClusterLink

        init(_ feed: SuiteFeed, _ link: ClusterLink) {
            self.feed = feed
            self.link = link
        }

        deinit { if feed.remove(ObjectIdentifier(self)) { link.remove(feed) } }
    }
}

// MARK: - Reading

extension ClusterStorage {
    private var exists: Bool { known.values.contains { $0.isThere } }

    public mutating func read() throws(SettingsError) -> StorageReading {
        do throws(SettingsError) {
            let reading: StorageReading
            if let news = try catchUp() { reading = news } else { reading = try readAll() }
            copy?.note(reading.difference)
            return reading
        } catch {
            // A process that starts meanwhile begins with what was last good.
            guard case .unreachable = error, !hasRead, let values = copy?.read() else { throw error }
            return StorageReading(.all(values), exists: true, outage: error)
        }
    }

    /// What the stream has brought; nil where that may not be all.
    private mutating func catchUp() throws(SettingsError) -> StorageReading? {
        guard hasRead, case .events(let events) = feed.take() else { return nil }
        if let outage = link.outage {
            // What has come is taken all the same: it won't come again.
            feed.readingFailed()
            throw outage
        }
        guard link.isWatching else {
            feed.readingFailed()
            return nil
        }
        var changes: [String: PropertyListValue?] = [:]
        for event in events where event.revision > max(floor, known[event.key]?.revision ?? 0) {
            let value: PropertyListValue?
            do throws(SettingsError) {
                value = try event.bytes.map { bytes throws(SettingsError) in try decoded(bytes, event.key) }
            } catch {
                feed.readingFailed()
                throw error
            }
            note(event.revision, isThere: value != nil, event.key)
            changes.updateValue(value, forKey: event.key)
        }
        if let last = events.last?.revision { floor = max(floor, last) }
        forgetRemovals()
        return StorageReading(changes.isEmpty ? .none : .some(changes), exists: exists)
    }

    private mutating func readAll() throws(SettingsError) -> StorageReading {
        feed.beginReading()
        do throws(SettingsError) {
            let range = link.keys.suite(name)
            let answer: RangeResponse = try link.client.ask(
                "/v3/kv/range",
                RangeRequest(key: range.start, rangeEnd: range.end)
            )
            let reading = try take(answer)
            link.start(after: floor)
            return reading
        } catch {
            feed.readingFailed()
            throw error
        }
    }

    /// Compares what there is with what was known, by the revisions, which are never used twice.
    private mutating func take(_ answer: RangeResponse) throws(SettingsError) -> StorageReading {
        let revision = answer.header?.revision?.value ?? 0
        let id = answer.header?.clusterId?.value
        // A cluster that was set up anew, or from an old copy, counts anew.
        let isSame = hasRead && id == clusterID && revision >= floor
        var changes: [String: PropertyListValue?] = [:]
        var found: [String: Known] = [:]
        for pair in answer.kvs ?? [] {
            guard let key = link.keys.parts(of: pair.key)?.key else { continue }
            found[key] = Known(revision: pair.revision, isThere: true)
            if isSame, let old = known[key], old.isThere, old.revision >= pair.revision { continue }
            changes.updateValue(try decoded(pair.bytes, key), forKey: key)
        }
        let reading: StorageReading
        if isSame {
            for (key, old) in known where old.isThere && found[key] == nil {
                changes.updateValue(nil, forKey: key)
            }
            let difference = changes.isEmpty ? StorageReading.Difference.none : .some(changes)
            reading = StorageReading(difference, exists: !found.isEmpty)
        } else {
            let all = PropertyListEntries(changes.compactMapValues { $0 })
            reading = StorageReading(.all(all), exists: !found.isEmpty)
        }
        (known, floor, clusterID, hasRead) = (found, revision, id, true)
        return reading
    }

    /// What is gone and older than all that is still to come needs no mention.
    private mutating func forgetRemovals() {
        guard knowsRemovals else { return }
        known = known.filter { $0.value.isThere || $0.value.revision > floor }
        knowsRemovals = known.contains { !$0.value.isThere }
    }

    private mutating func note(_ revision: Int64, isThere: Bool, _ key: String) {
        known[key] = Known(revision: revision, isThere: isThere)
        if !isThere { knowsRemovals = true }
    }

    private func decoded(_ bytes: [UInt8], _ key: String) throws(SettingsError) -> PropertyListValue {
        do throws(PropertyListError) {
            return try PropertyListValue.read(bytes).value
        } catch {
            throw .unreadable(path: "\(location)/\(key)", error)
        }
    }
}

// MARK: - Writing

extension ClusterStorage {
    /// What etcd takes in one request unless it is told otherwise is 1.5 MB.
    static let valueLimit = 1 << 20
    private static let writeLimit = valueLimit + (100 << 10)
    /// 128 operations are the most, and in each of n transactions inside another one 128 - n.
    private static let groupSize = 64
    private static let keyLimit = groupSize * groupSize

    private func encoded(_ value: PropertyListValue, _ key: String) throws(PropertyListError) -> [UInt8] {
        let bytes = try value.encoded(as: .binary)
        let count = bytes.count + key.utf8.count
        guard count <= Self.valueLimit else {
            let problem = "\(count) bytes are more than the \(Self.valueLimit) that a cluster takes for a key"
            throw PropertyListError(.path([]), .limitExceeded, problem)
        }
        return bytes
    }

    public mutating func update(_ decide: (StorageReading) -> StorageWrite) throws(SettingsError) {
        var isFresh = false
        var reading: StorageReading
        if let news = try catchUp() {
            reading = news
        } else {
            reading = try readAll()
            isFresh = true
        }
        while true {
            let write = decide(reading)
            copy?.note(reading.difference)
            if write.changes.isEmpty {
                // What the stream has brought may be a little old: nobody is told by that that there is
                // nothing to do.
                if isFresh { return }
            } else if try commit(write) {
                return
            }
            reading = try readAll()
            isFresh = true
        }
    }

    /// - Returns: false where a key that the decision was based on has changed.
    private mutating func commit(_ write: StorageWrite) throws(SettingsError) -> Bool {
        var operations: [(key: String, size: Int, Operation)] = []
        for (key, value) in write.changes.sorted(by: { $0.key < $1.key }) {
            let place = link.keys.key(key, of: name)
            do throws(PropertyListError) {
                if let old = write.keeping[key] {
                    let bytes = try encoded(old, key)
                    operations.append((key, bytes.count + key.utf8.count, .put(bytes, aside(".kept", key))))
                }
                guard let value else {
                    operations.append((key, key.utf8.count, .delete(place)))
                    continue
                }
                let bytes = try encoded(value, key)
                operations.append((key, bytes.count + key.utf8.count, .put(bytes, place)))
            } catch {
                throw .unrepresentable(path: location, key: key, error)
            }
        }
        let basis = conditions(on: write.basis)
        var parts = Self.parts(of: operations)
        guard basis.isEmpty || parts.count == 1 else {
            let reason = "this is more than a cluster stores in one step upon a condition"
            throw .notWritable(path: location, reason: reason)
        }
        while !parts.isEmpty {
            let part = parts.removeFirst()
            guard try commit(part, basis, write.changes) else { return false }
        }
        return true
    }

    /// That the keys are as they were last read or written. Where they are many, that nothing in the suite is
    /// newer than what was read.
    private func conditions(on keys: Set<String>) -> [Compare] {
        if keys.count > Self.groupSize {
            let suite = link.keys.suite(name)
            let next = Number(floor + 1)
            return [Compare(result: "LESS", key: suite.start, rangeEnd: suite.end, modRevision: next)]
        }
        return keys.sorted().map { key in
            let current = known[key].flatMap { $0.isThere ? $0.revision : nil }
            return Compare(key: link.keys.key(key, of: name), modRevision: Number(current ?? 0))
        }
    }

    private func aside(_ folder: String, _ key: String) -> Data {
        link.keys.aside(folder, link.keys.key(key, of: name))
    }

    /// As many as fit into one transaction each.
    private static func parts(
        of operations: [(key: String, size: Int, Operation)]
    ) -> [[(key: String, Operation)]] {
        var parts: [[(key: String, Operation)]] = [[]]
        var size = 0
        for (key, cost, operation) in operations {
            let isFull = parts[parts.count - 1].count == keyLimit || size + cost > writeLimit
            if isFull, !parts[parts.count - 1].isEmpty {
                parts.append([])
                size = 0
            }
            parts[parts.count - 1].append((key, operation))
            size += cost + 64
        }
        return parts
    }

    private mutating func commit(
        _ operations: [(key: String, Operation)],
        _ basis: [Compare],
        _ changes: [String: PropertyListValue?]
    ) throws(SettingsError) -> Bool {
        var all = operations.map(\.1)
        if all.count > Self.groupSize {
            all = stride(from: 0, to: all.count, by: Self.groupSize).map { start in
                let group = all[start..<min(start + Self.groupSize, all.count)]
                return Operation(requestTxn: Transaction(success: Array(group)))
            }
        }
        let transaction = Transaction(compare: basis, success: all)
        let answer: TransactionResponse
        do throws(SettingsError) {
            answer = try link.client.ask("/v3/kv/txn", transaction, basis.isEmpty ? .harmless : .harmful)
        } catch {
            // It may have taken place.
            feed.readingFailed()
            throw error
        }
        guard answer.succeeded == true else { return false }
        let revision = answer.header?.revision?.value ?? 0
        var written: [String: PropertyListValue?] = [:]
        for (key, _) in operations {
            guard let value = changes[key] else { continue }
            note(revision, isThere: value != nil, key)
            written.updateValue(value, forKey: key)
        }
        copy?.note(.some(written))
        return true
    }
}

// MARK: - Recovering

extension ClusterStorage {
    /// Puts keys whose values can't be read below `PREFIX.broken-<UTC>/`.
    public mutating func recover() throws(SettingsError) -> String? {
        let range = link.keys.suite(name)
        let answer: RangeResponse = try link.client.ask(
            "/v3/kv/range",
            RangeRequest(key: range.start, rangeEnd: range.end)
        )
        let broken = (answer.kvs ?? []).filter { pair in
            guard let key = link.keys.parts(of: pair.key)?.key else { return false }
            return (try? decoded(pair.bytes, key)) == nil
        }
        if broken.isEmpty { return nil }
        let folder = ".broken-" + Date().formatted(.iso8601)
        for pair in broken {
            let transaction = Transaction(
                compare: [Compare(key: pair.key, modRevision: Number(pair.revision))],
                success: [.put(pair.bytes, link.keys.aside(folder, pair.key)), .delete(pair.key)]
            )
            let _: TransactionResponse = try link.client.ask("/v3/kv/txn", transaction, .harmful)
        }
        feed.readingFailed()
        return "\(link.cluster.location)\(folder)/\(name.rawValue)"
    }
}
#endif
