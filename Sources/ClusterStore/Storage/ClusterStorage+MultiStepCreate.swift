// An import can be larger than one transaction (about 4,000 keys or 1 MB), but a suite must appear as a whole. So it
// is created in several transactions behind a ``CreationMarker``, each on the condition that nothing has changed
// since the one before, and rolled back if it is disturbed. Without this, large imports would be impossible or half
// visible.

#if Cluster
import FoundationEssentials
import SettingsStore

extension ClusterStorage {
    /// Creates the suite if it does not exist.
    ///
    /// - Parameter replaced: the suite that is removed in the last step, if it has not changed.
    mutating func create(
        _ write: StorageWrite,
        inPlaceOf replaced: SuiteRevision?
    ) throws(SettingsError) -> WriteResult {
        try requireNoForeignEntries()
        let steps = try steps(of: write)
        let parts = Self.parts(of: steps, limit: Self.keyLimit)
        let unchanged = replaced.map {
            Compare.unchanged(session.keys.suite($0.suite), since: $0.revision)
        }
        let removal = replaced.map { Operation.delete(session.keys.suite($0.suite)) }
        let result: WriteResult
        if parts.count > 1 {
            result = try createInSteps(parts, [unchanged].compactMap(\.self), removal)
        } else {
            let basis = [.isEmpty(session.keys.suite(name)), unchanged].compactMap(\.self)
            let operations = steps.map(\.operation) + [removal].compactMap(\.self)
            result = try commit(steps, basis, write.changes, operations)
        }
        guard result == .stored else { return try resultOfFailedCreation(replaced) }
        if let replaced { removeKeysRemovedMeanwhile(from: replaced, steps) }
        return .stored
    }

    /// - Throws: an empty conflict if the replaced suite has changed. The next reading finds keys in the new one.
    private func resultOfFailedCreation(_ replaced: SuiteRevision?) throws(SettingsError) -> WriteResult {
        buffer.readingFailed()
        guard let replaced else { return .conditionFailed }
        let range = session.keys.suite(replaced.suite)
        let changed = RangeRequest(
            key: range.start,
            rangeEnd: range.end,
            limit: Number(1),
            keysOnly: true,
            minModRevision: Number(replaced.revision + 1)
        )
        let answer: RangeResponse = try session.client.ask("/v3/kv/range", changed)
        if answer.kvs?.isEmpty == false { throw .conflict(current: [:]) }
        return .conditionFailed
    }

    /// Other clients may have removed keys of the replaced suite while this one was created. No condition shows a
    /// removal, so such keys are removed from the new suite afterwards.
    private mutating func removeKeysRemovedMeanwhile(from replaced: SuiteRevision, _ steps: [Step]) {
        let revisions = steps.compactMap { $0.key.flatMap { known[$0]?.revision } }
        guard let revision = revisions.max() else { return }
        let range = session.keys.suite(replaced.suite)
        let before = RangeRequest(
            key: range.start,
            rangeEnd: range.end,
            revision: Number(revision - 1),
            keysOnly: true
        )
        guard let answer: RangeResponse = try? session.client.ask("/v3/kv/range", before) else { return }
        let remaining = Set((answer.kvs ?? []).compactMap { session.keys.parts(of: $0.key)?.key })
        let removed = steps.compactMap(\.key).filter { !remaining.contains($0) }
        if removed.isEmpty { return }
        let steps = removed.map { removalIfUnchanged($0, known[$0]?.revision ?? 0) }
        for part in Self.parts(of: steps, limit: Self.groupSize) {
            _ = try? session.client.store(Transaction(success: part.map(\.operation)))
        }
        buffer.readingFailed()
    }
}

// MARK: - In several steps

extension ClusterStorage {
    /// The marker and the revision that the last step has left.
    struct Progress {
        let marker: [UInt8]
        let revision: Int64
    }

    /// A creation in several steps.
    private struct Creation {
        let parts: [[Step]]
        /// The conditions of the first and the last step, besides those of every step.
        let basis: [Compare]
        /// Belongs to the last step.
        let removal: Operation?
        var marker: CreationMarker
        /// nil before the first step.
        var progress: Progress?
        /// The revisions of the keys that are stored.
        var own: [String: Int64] = [:]
    }

    private mutating func createInSteps(
        _ parts: [[Step]],
        _ basis: [Compare],
        _ removal: Operation?
    ) throws(SettingsError) -> WriteResult {
        let marker = CreationMarker(keys: parts.reduce(0) { $0 + $1.count })
        var creation = Creation(parts: parts, basis: basis, removal: removal, marker: marker)
        for index in parts.indices {
            creation.marker.stored += parts[index].count
            let isLast = index == parts.count - 1
            let marker = isLast ? nil : creation.marker.bytes
            let result: TransactionResult
            do throws(SettingsError) {
                if isLast { try requireAll(of: creation.own) }
                result = try carryOut(
                    transaction(for: index, of: creation, leaving: marker),
                    leaving: marker,
                    parts[index],
                    isFirst: index == 0
                )
            } catch {
                throw rolledBack(creation, after: error)
            }
            guard case .stored(let revision) = result else { return try rollBackAfterConflict(creation) }
            for key in parts[index].compactMap(\.key) { creation.own[key] = revision }
            if let marker { creation.progress = Progress(marker: marker, revision: revision) }
        }
        rememberCreated(creation)
        return .stored
    }

    /// The transaction of one step. Its conditions: the suite is empty before the first step. Later the marker is the
    /// one of the step before, and nothing else in the suite has changed since.
    ///
    /// - Parameter marker: nil in the last step, which removes the marker.
    private func transaction(for index: Int, of creation: Creation, leaving marker: [UInt8]?) -> Transaction {
        let (markerKey, range) = (session.keys.creationMarker(of: name), session.keys.suite(name))
        var conditions = [Compare.isEmpty(range)]
        if let progress = creation.progress {
            conditions = [
                .holds(markerKey, Data(progress.marker)), .unchanged(range, since: progress.revision),
            ]
        }
        let isLast = marker == nil
        if index == 0 || isLast { conditions += creation.basis }
        if isLast, creation.own.count <= Self.conditionLimit {
            conditions += creation.own.keys.map { .exists(session.keys.key($0, of: name)) }
        }
        var operations = [marker.map { Operation.put($0, markerKey) } ?? .delete(markerKey)]
        operations += creation.parts[index].map(\.operation)
        if isLast, let removal = creation.removal { operations.append(removal) }
        return Transaction(compare: conditions, success: Self.grouped(operations))
    }

    /// Undoes the steps so far after an error.
    ///
    /// - Returns: the error to throw. It says that a part of the suite is left, if so.
    private mutating func rolledBack(_ creation: Creation, after error: SettingsError) -> SettingsError {
        guard let progress = creation.progress else { return error }
        if !error.isOutage, (try? rollBack(progress, creation.own)) != nil { return error }
        return error.leavingPart(with: progress.marker)
    }

    /// Undoes the steps so far after a step's conditions did not hold.
    ///
    /// - Throws: an error that says what other clients have removed.
    private mutating func rollBackAfterConflict(_ creation: Creation) throws(SettingsError) -> WriteResult {
        guard let progress = creation.progress else { return .conditionFailed }
        let removed = (try? removedKeys(of: creation.own)) ?? []
        guard try rollBack(progress, creation.own) == .done else { throw creationRemoved }
        if removed.isEmpty { return .conditionFailed }
        throw keysRemoved(removed)
    }

    private mutating func rememberCreated(_ creation: Creation) {
        for step in creation.parts.joined() {
            guard let key = step.key, let revision = creation.own[key] else { continue }
            remember(Known(revision, step.bytes), key)
        }
        // The steps have different revisions, so changes in between may be missing.
        buffer.readingFailed()
    }

    /// Carries out one step, and retries it for as long as the cluster's `perseverance` allows.
    ///
    /// - Parameter marker: what the step leaves; nil if it is the last one.
    private func carryOut(
        _ step: Transaction,
        leaving marker: [UInt8]?,
        _ part: [Step],
        isFirst: Bool
    ) throws(SettingsError) -> TransactionResult {
        var (mayHaveHappened, deadline) = (false, RetryDeadline(session.cluster))
        while true {
            do throws(SettingsError) {
                if mayHaveHappened, case .stored(let revision) = try outcome(leaving: marker, part) {
                    return .stored(revision: revision)
                }
                let (answer, mayBeRepeated) = try session.client.store(step)
                if answer.succeeded == true { return .stored(revision: answer.header?.revision?.value ?? 0) }
                return mayHaveHappened || mayBeRepeated
                    ? try outcome(leaving: marker, part) : .conditionFailed
            } catch {
                // etcd carries out the transaction that uses up its space, and reports the lack of space anyway.
                if EtcdFailure(message: error.reason).isOutOfSpace,
                    case .stored(let revision) = try outcome(leaving: marker, part)
                {
                    return .stored(revision: revision)
                }
                if case .unconfirmed = error { mayHaveHappened = true }
                try deadline.wait(after: error, mayHaveHappened: mayHaveHappened, hasBegun: !isFirst)
            }
        }
    }

    /// Finds out from the marker or a key whether a step was carried out whose answer was lost.
    private func outcome(leaving marker: [UInt8]?, _ part: [Step]) throws(SettingsError) -> TransactionResult
    {
        let stored = try pair(session.keys.creationMarker(of: name))
        if let marker {
            guard let stored, stored.bytes == marker else { return .conditionFailed }
            return .stored(revision: stored.revision)
        }
        guard stored == nil, let key = part.compactMap(\.key).first,
            let revision = try pair(session.keys.key(key, of: name))?.createRevision?.value
        else { return .conditionFailed }
        return .stored(revision: revision)
    }
}

extension SettingsError {
    /// Adds that a part of the suite is left, and who was creating it.
    fileprivate func leavingPart(with marker: [UInt8]) -> SettingsError {
        let description = CreationMarker.description(of: marker)
        return switch self {
        case .unreachable(let path, let reason), .unconfirmed(let path, let reason),
            .notWritable(let path, let reason):
            .unfinished(path: path, reason: "\(reason); the suite \(description)")
        default: self
        }
    }
}
#endif
