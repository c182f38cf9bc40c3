#if Cluster
import FoundationEssentials
import SettingsStore

// Suites that are made as a whole. What is too much for one step takes several, and what stands in the suite
// meanwhile says that it is not there yet (``SuiteMaking``).
extension ClusterStorage {
    /// Makes the suite where there is nothing.
    ///
    /// - Parameter ground: what goes with the last step, if it is as it was.
    /// - Returns: false where there is something.
    mutating func make(
        _ write: StorageWrite,
        inPlaceOf ground: SuiteGround?
    ) throws(SettingsError) -> Bool {
        try requireNoStrangers()
        let steps = try steps(of: write)
        let parts = Self.parts(of: steps, limit: Self.keyLimit)
        let range = link.keys.suite(name)
        let unchanged = ground.map { Compare.unchanged(link.keys.suite($0.suite), since: $0.revision) }
        let removal = ground.map { Operation.delete(link.keys.suite($0.suite)) }
        if parts.count > 1 {
            guard try make(parts, [unchanged].compactMap(\.self), removal) else {
                return try hasLost(ground)
            }
        } else {
            let basis = [.isEmpty(range), unchanged].compactMap(\.self)
            let operations = steps.map(\.operation) + [removal].compactMap(\.self)
            guard try commit(steps, basis, write.changes, operations) else { return try hasLost(ground) }
        }
        if let ground { leaveOut(ground, steps) }
        return true
    }

    /// What others have put there is found by the next reading.
    ///
    /// - Throws: an empty conflict where something else than the suite has changed.
    private func hasLost(_ ground: SuiteGround?) throws(SettingsError) -> Bool {
        feed.readingFailed()
        guard let ground else { return false }
        let range = link.keys.suite(ground.suite)
        let news = RangeRequest(
            key: range.start,
            rangeEnd: range.end,
            limit: Number(1),
            keysOnly: true,
            minModRevision: Number(ground.revision + 1)
        )
        let answer: RangeResponse = try link.client.ask("/v3/kv/range", news)
        if answer.kvs?.isEmpty == false { throw .conflict(current: [:]) }
        return false
    }

    /// What others have removed from the suite that this one takes the place of, while it was being made, is not
    /// to be here: no condition tells that keys are gone, so that it is looked for afterwards.
    private mutating func leaveOut(_ ground: SuiteGround, _ steps: [Step]) {
        let revisions = steps.compactMap { $0.key.flatMap { known[$0]?.revision } }
        guard let revision = revisions.max() else { return }
        let range = link.keys.suite(ground.suite)
        let before = RangeRequest(
            key: range.start,
            rangeEnd: range.end,
            revision: Number(revision - 1),
            keysOnly: true
        )
        guard let answer: RangeResponse = try? link.client.ask("/v3/kv/range", before) else { return }
        let kept = Set((answer.kvs ?? []).compactMap { link.keys.parts(of: $0.key)?.key })
        let gone = steps.compactMap(\.key).filter { !kept.contains($0) }
        if gone.isEmpty { return }
        let steps = gone.map { stepBack($0, known[$0]?.revision ?? 0) }
        for part in Self.parts(of: steps, limit: Self.groupSize) {
            _ = try? link.client.store(Transaction(success: part.map(\.operation)))
        }
        feed.readingFailed()
    }

    // MARK: - In several steps

    /// Each step rests on what the one before has left: that nothing else in the suite has changed, and that what
    /// says that it is being made is there still.
    ///
    /// - Parameters:
    ///   - basis: what has to hold besides, at the beginning and at the end.
    ///   - removal: what goes with the last step.
    private mutating func make(
        _ parts: [[Step]],
        _ basis: [Compare],
        _ removal: Operation?
    ) throws(SettingsError) -> Bool {
        let (place, range) = (link.keys.making(of: name), link.keys.suite(name))
        var making = SuiteMaking(keys: parts.reduce(0) { $0 + $1.count })
        var progress: Progress?
        var own: [String: Int64] = [:]
        for (index, part) in parts.enumerated() {
            making.stored += part.count
            let isLast = index == parts.count - 1
            let record = isLast ? nil : making.bytes
            var conditions = [Compare.isEmpty(range)]
            if let progress {
                conditions = [
                    .holds(place, Data(progress.record)), .unchanged(range, since: progress.revision),
                ]
            }
            if index == 0 || isLast { conditions += basis }
            if isLast, own.count <= Self.conditionLimit {
                conditions += own.keys.map { .isThere(link.keys.key($0, of: name)) }
            }
            var operations = [record.map { .put($0, place) } ?? .delete(place)] + part.map(\.operation)
            if isLast, let removal { operations.append(removal) }
            let step = Transaction(compare: conditions, success: Self.grouped(operations))
            let revision: Int64?
            do throws(SettingsError) {
                if isLast { try requireAll(of: own) }
                revision = try carryOut(step, leaving: record, part, isFirst: progress == nil)
            } catch {
                guard let progress else { throw error }
                if !error.isOutage, (try? takeAway(progress, own)) != nil { throw error }
                throw error.inTheMiddle(of: progress.record)
            }
            guard let revision else {
                guard let progress else { return false }
                let gone = (try? missing(of: own)) ?? []
                if try takeAway(progress, own) {
                    if gone.isEmpty { return false }
                    throw removedMeanwhile(gone)
                }
                throw takenAway
            }
            for key in part.compactMap(\.key) { own[key] = revision }
            if let record { progress = Progress(record: record, revision: revision) }
        }
        for step in parts.joined() {
            guard let key = step.key, let revision = own[key] else { continue }
            note(Known(revision, step.bytes), key)
        }
        // Of the last steps the stream tells what has become of the suite since.
        feed.readingFailed()
        return true
    }

    /// What a step has left.
    struct Progress {
        let record: [UInt8]
        let revision: Int64
    }

    /// Carries a step out, for as long as it takes and the cluster's settings say.
    ///
    /// - Parameter record: what it leaves; nil where it is the last one.
    /// - Returns: the revision that it has made; nil where its conditions don't hold.
    private func carryOut(
        _ step: Transaction,
        leaving record: [UInt8]?,
        _ part: [Step],
        isFirst: Bool
    ) throws(SettingsError) -> Int64? {
        var (mayHaveHappened, perseverance) = (false, Perseverance(link.cluster))
        while true {
            do throws(SettingsError) {
                if mayHaveHappened, let revision = try outcome(leaving: record, part) { return revision }
                let (answer, mayBeRepeated) = try link.client.store(step)
                if answer.succeeded == true { return answer.header?.revision?.value ?? 0 }
                return mayHaveHappened || mayBeRepeated ? try outcome(leaving: record, part) : nil
            } catch {
                // The one that uses up the room is carried out all the same.
                let isForWantOfRoom = EtcdFailure(message: error.reason).isForWantOfRoom
                if isForWantOfRoom, let revision = try outcome(leaving: record, part) { return revision }
                if case .unconfirmed = error { mayHaveHappened = true }
                try perseverance.wait(
                    after: error,
                    mayHaveHappened: mayHaveHappened,
                    hasBegun: !isFirst
                )
            }
        }
    }

    /// The revision of a step that has taken place though nobody has said so.
    private func outcome(leaving record: [UInt8]?, _ part: [Step]) throws(SettingsError) -> Int64? {
        let making = try pair(link.keys.making(of: name))
        if let record { return making?.bytes == record ? making?.revision : nil }
        guard making == nil, let key = part.compactMap(\.key).first else { return nil }
        return try pair(link.keys.key(key, of: name))?.createRevision?.value
    }
}

extension SettingsError {
    /// The same where a part of a suite is there that is being made.
    fileprivate func inTheMiddle(of record: [UInt8]) -> SettingsError {
        let words = SuiteMaking.words(for: record)
        return switch self {
        case .unreachable(let path, let reason), .unconfirmed(let path, let reason),
            .notWritable(let path, let reason):
            .unfinished(path: path, reason: "\(reason); the suite \(words)")
        default: self
        }
    }
}
#endif
