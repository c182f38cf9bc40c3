// A commit stores the pending writes, and merges the foreign changes that it finds. The article “How the store works”
// has its five steps. The storage locks, reads, writes and puts the new file in place (1, 2, 4 and 5:
// ``SuiteStorage/update(_:)``). Between reading and writing it asks the suite what to write: `takeBatch` takes over what
// was read and names the pending keys (2), and `storageWrite` names the values that go into quarantine (3). After that,
// the suite notes the result.

import PropertyList

// MARK: - Callers of commits

extension SuiteCore {
    /// Stores everything that is pending, finishes migrations, and adopts foreign changes.
    ///
    /// - Parameter isExit: whether the process exits. Then a later process finishes the migrations, and the observers
    ///   have been notified of earlier refusals.
    func synchronize(isExit: Bool = false) throws(SettingsError) {
        defer {
            deliver()
            // The caller is thrown the other failures.
            for error in state.withLock({ $0.takeUnreported() }) {
                if case .unusableLayer = error { FailureHandler.report(location, error) }
            }
            exportIfPossible()
        }
        if isExit { _ = state.withLock { $0.commit.takeRefusal() } } else { readLayers() }
        try store()
        let failure = finishMigrations()
        if let refusal = state.withLock({ $0.commit.takeRefusal() }) { throw refusal }
        if let failure, !isExit { throw failure }
    }

    /// Stores everything that is pending, and the conditional write if its condition holds. Notifies no observer.
    func store(_ write: ConditionalWrite? = nil) throws(SettingsError) {
        loadWithoutNotifying()
        try storage.withLock { storage throws(SettingsError) in try commit(to: &storage, write) }
    }

    /// Stores the changes if every key of `expected` has the value given there (nil: none).
    func replace(
        _ changes: [String: PropertyListValue?],
        expecting expected: [String: PropertyListValue?],
        origin: ChangeOrigin,
        action: StorageWrite.SuiteAction = .keep
    ) throws(SettingsError) {
        let changes = changes.mapValues { $0.map(storedForm) }
        let expected = expected.mapValues { $0.map(storedForm) }
        try validate(changes.compactMapValues(\.self))
        try checkLocks(changes)
        defer { deliver() }
        try store(ConditionalWrite(changes: changes, expected: expected, origin: origin, action: action))
    }

    /// - Throws: an error if a value is set under a locked key. A removal is allowed.
    private func checkLocks(_ changes: [String: PropertyListValue?]) throws(SettingsError) {
        for (key, value) in changes where value != nil {
            if let lock = lock(ofKey: key) { throw .locked(key: key, by: lock) }
        }
    }

    /// - Throws: an error if a value contradicts the declaration of its key.
    private func validate(_ values: [String: PropertyListValue]) throws(SettingsError) {
        for (key, value) in values {
            if let problem = problem(with: value, forKey: key) {
                throw .invalid(path: location, InvalidValueError(key: key, problem: problem))
            }
        }
    }

    /// Schedules a commit, unless nothing is pending or one is on the way.
    func commitSoon() {
        let mustCommit = state.withLock { $0.commit.begin() }
        if mustCommit { scheduler.run { self.commitInBackground(.next) } }
    }

    func commitInBackground(_ turn: CommitSchedule.Turn) {
        storage.withLock { storage in
            // From here on a set schedules another commit. Before it had the storage, each set would occupy a thread while
            // a disk is slow.
            let isNeeded = state.withLock { $0.commit.endWaiting(turn) }
            // A failure is reported to the observers, and the writes stay pending.
            if isNeeded { try? commit(to: &storage) }
        }
        deliver()
        _ = finishMigrations()
        reportFailures()
        exportIfPossible()
    }
}

// MARK: - The commit

extension SuiteCore {
    /// The writes that a commit has handed to the storage.
    private struct Batch {
        var taken: [String: SuiteCommit.Pending] = [:]
        /// The conditional write, if its condition holds.
        var conditional: ConditionalWrite?
        /// Why the condition does not hold.
        var conflict: SettingsError?

        var isEmpty: Bool { taken.isEmpty && conditional == nil && conflict == nil }
    }

    /// Stores everything that is pending, together with the conditional write if its condition holds.
    ///
    /// A value that the storage refuses for good does not hold up the rest: a pending key is taken back, a conditional
    /// write dropped, and the commit begins again without it.
    ///
    /// - Throws: why the conditional write is not stored, or why nothing is. Pending keys stay pending then.
    func commit(
        to storage: inout any SuiteStorage,
        _ conditional: ConditionalWrite? = nil
    ) throws(SettingsError) {
        beginDueWatch(of: storage)
        var attempt = CommitAttempt(conditional)
        defer { if attempt.hasUsedStorage { releaseCacheLater(of: storage) } }
        while true {
            var batch = Batch()
            do throws(SettingsError) {
                try storage.update { reading in
                    batch = takeBatch(after: reading, attempt.conditional)
                    let write = storageWrite(of: batch, basis: attempt.conditional)
                    if !reading.isNone || !write.isNone { attempt.hasUsedStorage = true }
                    return write
                }
                noteWritten(batch, in: storage)
                if let conflict = batch.conflict { attempt.drop(because: conflict) }
                break
            } catch {
                let error = concealed(error)
                if drop(error, from: batch, &attempt) { continue }
                if case .overwritten = error {
                    let isLost = noteOverwritten(batch, in: &storage, &attempt)
                    if attempt.beginSecondWrite() { continue }
                    if !isLost {
                        // Only what others had stored is overwritten. A later commit stores it.
                        noteWritten(Batch(), in: storage)
                        commitSoon()
                        break
                    }
                }
                noteFailed(error, batch, isConditional: attempt.conditional != nil)
                throw error
            }
        }
        if let failure = attempt.failure { throw failure }
    }

    /// Many commits in a row leave other threads no time to begin the watch.
    func beginDueWatch(of storage: any SuiteStorage) {
        if state.withLock(\.watch.isDue) { watch(storage) }
    }

    /// Adopts what was read, and takes what is to be written: everything that is pending, and the conditional write if
    /// its condition holds.
    private func takeBatch(after reading: StorageReading, _ conditional: ConditionalWrite?) -> Batch {
        let differences = differences(to: reading)
        return state.withLock { state in
            state.merge(reading, differences: differences)
            let conflict = conditional?.conflict(with: state.values.stored)
            return Batch(
                taken: state.commit.pending,
                conditional: conflict == nil ? conditional : nil,
                conflict: conflict
            )
        }
    }

    /// The changes that the storage writes.
    ///
    /// - Parameter basis: the conditional write, whose expected values the decision is based on, even if they differ.
    private func storageWrite(of batch: Batch, basis: ConditionalWrite?) -> StorageWrite {
        var write = StorageWrite(changes: batch.taken.mapValues(\.value))
        for (key, entry) in batch.taken where entry.isOverdue { write.unlessChanged.insert(key) }
        if let conditional = batch.conditional {
            write.changes.merge(conditional.changes) { $1 }
            write.suiteAction = conditional.action
        }
        if let basis { write.basis = Set(basis.expected.keys) }
        write.quarantine = state.withLock { $0.unreadableValues(replacedBy: write.changes) }
        return write
    }
}

// MARK: - Results of a commit

extension SuiteCore {
    /// Notes that the storage has stored the batch, or with an empty one that it works.
    private func noteWritten(_ batch: Batch, in storage: any SuiteStorage) {
        noteStored(in: storage, hasWritten: !batch.isEmpty) { state, reason in
            state.stored(batch.taken, readOnlyReason: reason)
            if let conditional = batch.conditional { state.stored(conditional) }
        }
    }

    /// Updates everything that depends on what is stored.
    func noteStored(
        in storage: any SuiteStorage,
        hasWritten: Bool,
        _ note: (inout SuiteState, _ readOnlyReason: String?) -> Void
    ) {
        updateValueCheck(from: storage)
        let isReadOnly = state.withLock { $0.values.readOnlyReason != nil }
        let reason = isReadOnly ? readOnlyReason(storage) : nil
        let mustWatch = state.withLock { state in
            note(&state, reason)
            registerForExit(state)
            return traits.detectsOverwrites && hasWritten && state.watch.beginLater()
        }
        if mustWatch { watchLater() }
    }

    /// Drops a value that the storage refuses for good.
    ///
    /// - Returns: false if the storage refuses no value, or if the value's key is not part of the commit any more.
    private func drop(_ error: SettingsError, from batch: Batch, _ attempt: inout CommitAttempt) -> Bool {
        guard case .unrepresentable(_, let key, _) = error else { return false }
        if batch.conditional?.changes.keys.contains(key) == true {
            attempt.drop(because: error)
            return true
        }
        guard let entry = batch.taken[key] else { return false }
        state.withLock { $0.withdraw(key, entry, because: error) }
        return true
    }

    /// - Parameter isConditional: whether there was a conditional write. Its refusal concerns no pending write.
    private func noteFailed(
        _ error: SettingsError,
        _ batch: Batch,
        isConditional: Bool
    ) {
        if error.isOutage || error.isRefusal && !isConditional, traits.refusesWhileUnreachable {
            state.withLock { $0.withdrawAll(because: error) }
        }
        let retry = state.withLock { state in
            state.storingFailed(error, batch.taken)
            registerForExit(state)
            return state.commit.beginRetry()
        }
        if let (turn, seconds) = retry {
            scheduler.run(after: seconds) { self.commitInBackground(turn) }
        }
    }

    /// An unlocked writer has overwritten what was just stored: the overwritten keys are pending again, those of a
    /// conditional write too.
    ///
    /// - Returns: whether there are keys of this attempt among them, and not only what other programs had stored.
    private func noteOverwritten(
        _ batch: Batch,
        in storage: inout any SuiteStorage,
        _ attempt: inout CommitAttempt
    ) -> Bool {
        // If the file can't be read now, everything stays as it was before the write.
        guard let reading = try? storage.read() else { return true }
        attempt.noteStored(batch.taken, batch.conditional)
        state.withLock { state in
            state.reachedStorage(batch.taken)
            if let conditional = batch.conditional { state.stored(conditional) }
        }
        let differences = differences(to: reading)
        return state.withLock { state in
            state.merge(reading, differences: differences)
            return state.commit.isRestoring(oneOf: attempt.storedKeys)
        }
    }

    /// Has the exit of the process wait for what is pending.
    func registerForExit(_ state: borrowing SuiteState) {
        if state.commit.isUnfinished {
            ExitFlush.shared.insert(self)
        } else {
            ExitFlush.shared.remove(self)
        }
    }

    /// The keys that are not stored yet, sorted.
    var pendingKeys: [String] { state.withLock { $0.commit.pending.keys.sorted() } }
}
