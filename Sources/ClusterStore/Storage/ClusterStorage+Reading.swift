// A reading must report every foreign change exactly once, and should cost little. It takes one of three ways: the
// changes that the watch stream has delivered, a request for the keys that have changed since the last reading, or a
// request for the whole suite.

#if Cluster
import FoundationEssentials
import PropertyList
import SettingsStore

extension ClusterStorage {
    /// Seconds that the servers have for the first answer if there is a cache to begin with.
    private static let startTimeLimit = 2.0
    /// Seconds until a failed reading is tried again.
    private static let outageRetryInterval = 1.0
    /// Seconds; a server that refuses says nothing when it stops refusing.
    private static let refusalRetryInterval = 5.0

    private var exists: Bool { !foreignEntries.isEmpty || known.values.contains { $0.exists } }

    public mutating func read() throws(SettingsError) -> StorageReading {
        do throws(SettingsError) {
            let reading: StorageReading
            switch try takeWatchedChanges() {
            case .complete(let watched): reading = watched
            case .incomplete: reading = try readFromServers()
            }
            cache?.add(reading.difference)
            return reading
        } catch {
            return try readFromCache(after: error)
        }
    }

    /// Begins with the cached values if the first reading fails.
    private func readFromCache(after error: SettingsError) throws(SettingsError) -> StorageReading {
        guard let cache else { throw error }
        let outage = Self.outage(error)
        if hasRead { throw outage }
        guard let values = cache.read() else { throw outage }
        return StorageReading(.all(values), exists: true, outage: outage)
    }

    /// A refusal to read is treated as an outage: the last good values stay until it ends.
    private static func outage(_ error: SettingsError) -> SettingsError {
        guard case .notWritable(let path, let reason) = error else { return error }
        return .unreachable(path: path, reason: reason)
    }

    enum PartialReading {
        case complete(StorageReading)
        /// Changes may be missing, so more must be read.
        case incomplete
    }

    /// The changes that the watch stream has delivered since the last reading.
    mutating func takeWatchedChanges() throws(SettingsError) -> PartialReading {
        guard hasRead, case .changes(let delivered) = buffer.takeContent() else { return .incomplete }
        // The buffer does not deliver these changes again, so every failure requires a full reading.
        if let outage = session.outage {
            buffer.readingFailed()
            throw outage
        }
        guard session.isWatching else {
            buffer.readingFailed()
            return .incomplete
        }
        let new = delivered.filter { $0.revision > max(knownRevision, known[$0.key]?.revision ?? 0) }
        let values = remember(new)
        if let last = delivered.last?.revision { knownRevision = max(knownRevision, last) }
        forgetOldRemovals()
        return .complete(reading(of: values))
    }

    /// Asks a server for the changed keys, or for everything if those may not be enough.
    mutating func readFromServers() throws(SettingsError) -> StorageReading {
        let mustReadAll = buffer.beginReading()
        do throws(SettingsError) {
            let isDue = monotonicTime() - lastFullRead > session.cluster.secondsBetweenChecks
            if hasRead, !mustReadAll, !isDue, case .complete(let reading) = try readChangedKeys() {
                return reading
            }
            return try readEverything()
        } catch {
            scheduleRetry(after: error)
            throw error
        }
    }

    private mutating func readEverything() throws(SettingsError) -> StorageReading {
        let range = session.keys.suite(name)
        let hasCache = !hasRead && cache?.exists == true
        let answer: RangeResponse = try session.client.ask(
            "/v3/kv/range",
            RangeRequest(key: range.start, rangeEnd: range.end),
            within: hasCache ? Self.startTimeLimit : .infinity
        )
        let reading = replaceKnown(with: answer)
        session.start(after: knownRevision)
        return reading
    }

    private func scheduleRetry(after error: SettingsError) {
        buffer.readingFailed()
        let interval = error.isOutage ? Self.outageRetryInterval : Self.refusalRetryInterval
        session.retryReading(buffer, after: interval)
    }

    /// Asks for the keys that have changed since the known revision.
    ///
    /// The answer has no removed keys, but the number of all keys. If the number does not fit, or if the cluster's
    /// revisions have gone back, the result is incomplete.
    private mutating func readChangedKeys() throws(SettingsError) -> PartialReading {
        let range = session.keys.suite(name)
        let answer: RangeResponse = try session.client.ask(
            "/v3/kv/range",
            RangeRequest(key: range.start, rangeEnd: range.end, minModRevision: Number(knownRevision + 1))
        )
        guard answer.header?.clusterId?.value == clusterID, let revision = answer.header?.revision?.value,
            revision >= knownRevision
        else { return .incomplete }
        let changed = changes(in: answer.kvs)
        let newKeys = changed.count { known[$0.key]?.exists != true }
        let expectedCount = known.values.count(where: \.exists) + newKeys + foreignEntries.count
        guard expectedCount == answer.count?.value ?? 0 else { return .incomplete }
        let values = remember(changed.filter { $0.revision > known[$0.key]?.revision ?? 0 })
        knownRevision = revision
        forgetOldRemovals()
        return .complete(reading(of: values))
    }

    private func reading(of changes: [String: PropertyListValue?]) -> StorageReading {
        StorageReading(
            changes.isEmpty ? .none : .some(changes),
            exists: exists,
            foreignEntries: foreignEntries
        )
    }

    /// The suite's keys among etcd's.
    func changes(in pairs: [KeyValue]?) -> [WatchBuffer.Change] {
        (pairs ?? []).compactMap { pair in
            session.keys.parts(of: pair.key).map {
                WatchBuffer.Change(key: $0.key, bytes: pair.bytes, revision: pair.revision)
            }
        }
    }

    /// The names of foreign entries, in quotation marks for messages.
    private func foreignEntries(in pairs: [KeyValue]?) -> [String] {
        (pairs ?? []).compactMap { pair in
            guard session.keys.entry(of: pair.key)?.entry == .foreign else { return nil }
            let name = pair.key.dropFirst(session.keys.key("", of: name).count)
            return "“\(String(decoding: name, as: UTF8.self))”"
        }
    }

    /// Compares the whole suite with what was known.
    private mutating func replaceKnown(with answer: RangeResponse) -> StorageReading {
        let isFirst = !hasRead
        var values: [String: PropertyListValue?] = [:]
        var stored: [String: Known] = [:]
        for change in changes(in: answer.kvs) {
            let new = Known(change.revision, change.bytes)
            stored[change.key] = new
            if known[change.key] == new { continue }
            values.updateValue(change.bytes.map { Self.value(of: $0) }, forKey: change.key)
        }
        for (key, old) in known where old.exists && stored[key] == nil {
            values.updateValue(nil, forKey: key)
        }
        (known, knownRevision) = (stored, answer.header?.revision?.value ?? 0)
        foreignEntries = foreignEntries(in: answer.kvs)
        clusterID = answer.header?.clusterId?.value
        (knowsRemovals, hasRead, lastFullRead) = (false, true, monotonicTime())
        if !isFirst { return reading(of: values) }
        let all = PropertyListEntries(values.compactMapValues { $0 })
        return StorageReading(.all(all), exists: exists, foreignEntries: foreignEntries)
    }

    /// - Returns: the values of the changes.
    private mutating func remember(_ changes: [WatchBuffer.Change]) -> [String: PropertyListValue?] {
        var values: [String: PropertyListValue?] = [:]
        for change in changes {
            remember(Known(change.revision, change.bytes), change.key)
            values.updateValue(change.bytes.map { Self.value(of: $0) }, forKey: change.key)
        }
        return values
    }

    mutating func remember(_ new: Known, _ key: String) {
        known[key] = new
        if !new.exists { knowsRemovals = true }
    }

    /// Forgets removed keys of which the stream can deliver nothing older any more.
    private mutating func forgetOldRemovals() {
        guard knowsRemovals else { return }
        known = known.filter { $0.value.exists || $0.value.revision > knownRevision }
        knowsRemovals = known.contains { !$0.value.exists }
    }
}
#endif
