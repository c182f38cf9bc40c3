#if Cluster
import FoundationEssentials
import PropertyList
import SettingsStore

extension ClusterStorage {
    private var exists: Bool { !strangers.isEmpty || known.values.contains { $0.isThere } }

    public mutating func read() throws(SettingsError) -> StorageReading {
        do throws(SettingsError) {
            var reading: StorageReading
            if let news = try catchUp() { reading = news } else { reading = try look() }
            copy?.note(reading.difference)
            (reading.left, reading.leftOver) = takeLeft()
            return reading
        } catch {
            guard let copy else { throw error }
            let outage = Self.outage(error)
            if hasRead { throw outage }
            // A process that starts meanwhile begins with what was last good.
            let (left, leftOver) = takeLeft()
            let values = copy.read()
            if values == nil, left.isEmpty { throw outage }
            var reading = StorageReading(.all(values ?? PropertyListEntries()), exists: true, outage: outage)
            (reading.left, reading.leftOver) = (left, leftOver)
            return reading
        }
    }

    /// Who may not ask any more is as far away as one whom nobody answers: what was last good is all there is,
    /// until that changes.
    private static func outage(_ error: SettingsError) -> SettingsError {
        guard case .notWritable(let path, let reason) = error else { return error }
        return .unreachable(path: path, reason: reason)
    }

    /// What the stream has brought; nil where that may not be all.
    mutating func catchUp() throws(SettingsError) -> StorageReading? {
        guard hasRead, case .events(let events) = feed.take() else { return nil }
        do throws(SettingsError) {
            // What has come is taken all the same: it won't come again.
            if let outage = link.outage { throw outage }
            guard link.isWatching else {
                feed.readingFailed()
                return nil
            }
            let changes = note(
                events.filter { $0.revision > max(floor, known[$0.key]?.revision ?? 0) }
            )
            if let last = events.last?.revision { floor = max(floor, last) }
            forgetRemovals()
            return reading(of: changes)
        } catch {
            feed.readingFailed()
            throw error
        }
    }

    /// Seconds after which a process begins with what was last good.
    private static let patienceAtTheStart = 2.0

    /// Asks the cluster: for what has changed where that is enough, else for everything.
    ///
    /// - Throws: also where somebody makes the suite and has not finished: then nothing is there for anybody.
    mutating func look() throws(SettingsError) -> StorageReading {
        let (mustReadAll, wasUnfinished) = feed.beginReading()
        do throws(SettingsError) {
            if wasUnfinished { try requireFinished() }
            let isDue = monotonicSeconds() - lastWhole > link.cluster.secondsBetweenChecks
            if hasRead, !mustReadAll, !isDue, let reading = try readChanges() { return reading }
            let range = link.keys.suite(name)
            let answer: RangeResponse
            if let first {
                answer = first
                self.first = nil
            } else {
                answer = try link.client.ask(
                    "/v3/kv/range",
                    RangeRequest(key: range.start, rangeEnd: range.end),
                    within: !hasRead && copy?.isThere == true ? Self.patienceAtTheStart : .infinity
                )
            }
            try requireFinished(answer.kvs)
            let reading = take(answer)
            link.start(after: floor, knowing: answer.kvs?.max { $0.revision < $1.revision })
            return reading
        } catch {
            feed.readingFailed()
            if case .unfinished = error {
                // The stream tells when that is over.
                feed.foundUnfinished()
                link.lookAgain(feed, after: 5)
            } else {
                // Nothing tells when what is refused is refused no more.
                link.lookAgain(feed, after: error.isOutage ? 1 : 5)
            }
            throw error
        }
    }

    /// Asks whether somebody is making the suite.
    private func requireFinished() throws(SettingsError) {
        let request = RangeRequest(key: link.keys.making(of: name))
        let answer: RangeResponse = try link.client.ask("/v3/kv/range", request)
        try requireFinished(answer.kvs)
    }

    private func requireFinished(_ pairs: [KeyValue]?) throws(SettingsError) {
        let place = link.keys.making(of: name)
        guard let pair = pairs?.last(where: { $0.key == place }) else { return }
        throw .unfinished(path: location, reason: SuiteMaking.words(for: pair.bytes))
    }

    /// Asks for the keys that are newer than all that is known. The number of keys tells whether one has
    /// gone; then, and where the cluster counts anew, this is nil.
    private mutating func readChanges() throws(SettingsError) -> StorageReading? {
        let range = link.keys.suite(name)
        let answer: RangeResponse = try link.client.ask(
            "/v3/kv/range",
            RangeRequest(key: range.start, rangeEnd: range.end, minModRevision: Number(floor + 1))
        )
        guard answer.header?.clusterId?.value == clusterID, let revision = answer.header?.revision?.value,
            revision >= floor
        else { return nil }
        try requireFinished(answer.kvs)
        let found = found(in: answer.kvs)
        let isNew = found.count { known[$0.key]?.isThere != true }
        guard known.values.count(where: \.isThere) + isNew + strangers.count == answer.count?.value ?? 0
        else { return nil }
        let changes = note(found.filter { $0.revision > known[$0.key]?.revision ?? 0 })
        floor = revision
        forgetRemovals()
        return reading(of: changes)
    }

    private func reading(of changes: [String: PropertyListValue?]) -> StorageReading {
        StorageReading(changes.isEmpty ? .none : .some(changes), exists: exists, strangers: strangers)
    }

    func found(in pairs: [KeyValue]?) -> [SuiteFeed.Event] {
        (pairs ?? []).compactMap { pair in
            link.keys.parts(of: pair.key).map {
                SuiteFeed.Event(key: $0.key, bytes: pair.bytes, revision: pair.revision)
            }
        }
    }

    /// What is in the suite and is none of its keys.
    private func strangers(in pairs: [KeyValue]?) -> [String] {
        (pairs ?? []).compactMap { pair in
            guard link.keys.place(of: pair.key)?.place == .stranger else { return nil }
            let text = String(decoding: pair.key.dropFirst(link.keys.key("", of: name).count), as: UTF8.self)
            return "“\(text)”"
        }
    }

    /// Compares what there is with what was known.
    private mutating func take(_ answer: RangeResponse) -> StorageReading {
        let isFirst = !hasRead
        var changes: [String: PropertyListValue?] = [:]
        var there: [String: Known] = [:]
        for entry in found(in: answer.kvs) {
            let new = Known(entry.revision, entry.bytes)
            there[entry.key] = new
            if known[entry.key] == new { continue }
            changes.updateValue(entry.bytes.map { Self.value(of: $0) }, forKey: entry.key)
        }
        for (key, old) in known where old.isThere && there[key] == nil {
            changes.updateValue(nil, forKey: key)
        }
        (known, floor) = (there, answer.header?.revision?.value ?? 0)
        strangers = strangers(in: answer.kvs)
        clusterID = answer.header?.clusterId?.value
        (knowsRemovals, hasRead, lastWhole) = (false, true, monotonicSeconds())
        if !isFirst { return reading(of: changes) }
        let all = PropertyListEntries(changes.compactMapValues { $0 })
        return StorageReading(.all(all), exists: exists, strangers: strangers)
    }

    /// Takes note of keys and returns their values.
    private mutating func note(_ found: [SuiteFeed.Event]) -> [String: PropertyListValue?] {
        var changes: [String: PropertyListValue?] = [:]
        for entry in found {
            note(Known(entry.revision, entry.bytes), entry.key)
            changes.updateValue(entry.bytes.map { Self.value(of: $0) }, forKey: entry.key)
        }
        return changes
    }

    mutating func note(_ new: Known, _ key: String) {
        known[key] = new
        if !new.isThere { knowsRemovals = true }
    }

    /// What is gone and older than all that is still to come needs no mention.
    private mutating func forgetRemovals() {
        guard knowsRemovals else { return }
        known = known.filter { $0.value.isThere || $0.value.revision > floor }
        knowsRemovals = known.contains { !$0.value.isThere }
    }
}
#endif
