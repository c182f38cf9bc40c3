import PropertyList
import Synchronization

/// One suite of this process: its state, its storage, and what goes on between the two.
///
/// Two locks: `storage` is held for as long as a disk takes, `state` for a few instructions; whoever
/// holds both took `storage` first. Observers are called with neither.
final class SuiteCore: Sendable {
    let location: String
    let declarations = SuiteDeclarations()
    /// Where what was declared is told to others; nil where there is no such place.
    let schemaPlace: (any SchemaPlace)?
    /// Held by who writes that.
    let exporting = Mutex(())
    let storage: Mutex<any SuiteStorage>
    let state = Mutex(SuiteState())
    let scheduler: any WorkScheduler

    init(_ storage: sending any SuiteStorage, scheduler: any WorkScheduler) {
        location = storage.location
        schemaPlace = storage.schemaPlace
        self.storage = Mutex(storage)
        self.scheduler = scheduler
    }

    /// The state, read for the first time where it has not been.
    func withLoadedState<Result: Sendable>(_ body: (inout SuiteState) -> Result) -> Result {
        if let result = state.withLock({ $0.isLoaded ? body(&$0) : nil }) { return result }
        load()
        return state.withLock { body(&$0) }
    }

    private func load() {
        storage.withLock { storage in
            if state.withLock(\.isLoaded) { return }
            checkRights(storage)
            read(&storage)
        }
        deliver()
        reportFailures()
    }

    func read(_ storage: inout any SuiteStorage) {
        do throws(SettingsError) {
            let reading = try storage.read()
            let differences = compared(reading)
            let mustCommit = state.withLock { state in
                defer { registerUnstored(state) }
                return state.mergeFound(reading, differences: differences)
            }
            if !reading.isNone { rest(later: storage) }
            if mustCommit { scheduler.run { self.commitInBackground(.next) } }
            keepPending(in: storage, hasLeft: !reading.left.isEmpty)
        } catch {
            state.withLock { $0.readingFailed(error) }
        }
    }
}

extension SuiteCore {
    /// What differs from the values in memory, where all that is kept was read; found without the lock that
    /// readers of values wait for.
    private func compared(_ reading: StorageReading) -> [String: PropertyListValue?]? {
        guard case .all(let all) = reading.difference, let known = state.withLock({ $0.knownValues })
        else { return nil }
        return all.differences(from: known)
    }

    /// Has the storage let go of what it holds for the next time, once there was none for a while.
    private func rest(later storage: any SuiteStorage) {
        guard storage.holdsSpare, state.withLock({ $0.beginWaitingForRest() }) else { return }
        scheduler.run(after: 3) { [weak self] in self?.rest() }
    }

    private func rest() {
        storage.withLock { storage in
            if state.withLock({ $0.endWaitingForRest() }) {
                storage.letGo()
            } else {
                rest(later: storage)
            }
        }
    }
}

// MARK: - Values

extension SuiteCore {
    func value(forKey key: String) -> PropertyListValue? {
        withLoadedState { $0.value(forKey: key) }
    }

    func storedValue(forKey key: String) -> PropertyListValue? {
        withLoadedState { $0.storedValue(forKey: key) }
    }

    var storedValues: [String: PropertyListValue] { [String: PropertyListValue](storedEntries) }

    var storedEntries: PropertyListEntries { withLoadedState(\.values) }

    var arguments: [String: PropertyListValue] { state.withLock(\.arguments) }

    func take(arguments: [String: PropertyListValue]) {
        state.withLock { $0.take(arguments: arguments) }
    }

    var registeredValues: [String: PropertyListValue] { state.withLock(\.registered) }

    func register(_ defaults: [String: PropertyListValue]) -> [String] {
        state.withLock { $0.register(defaults) }
    }

    func set(_ value: PropertyListValue?, forKey key: String, origin: ChangeOrigin) {
        change { $0.set(value, forKey: key, origin: origin) }
    }

    func set(_ values: [String: PropertyListValue?], origin: ChangeOrigin) {
        if values.isEmpty { return }
        let sorted = values.sorted { $0.key < $1.key }
        change { $0.set(sorted, origin: origin) }
    }

    private func change(_ set: (inout SuiteState) -> Void) {
        let (mustCommit, mustDeliver, mustKeep) = withLoadedState { state in
            if !state.hasUnfinished { UnstoredSuites.shared.insert(self) }
            set(&state)
            defer { if state.mustKeep { state.isKeepScheduled = true } }
            let mustKeep = state.mustKeep && !state.isKeepScheduled
            return (state.beginCommit(), state.beginDelivering(), mustKeep)
        }
        if mustKeep { scheduler.run { self.storage.withLock { self.keepPending(in: $0) } } }
        if mustCommit { scheduler.run { self.commitInBackground(.next) } }
        if mustDeliver { drain() }
    }

    func refusal(of value: PropertyListValue, forKey key: String) -> SettingsError? {
        storage.withLock { $0.refusal(of: value, forKey: key) }
    }
}

// MARK: - Storing

extension SuiteCore {
    /// Stores all that is pending, with what other suites have taken over removed, and takes over what
    /// others have stored.
    ///
    /// - Parameter isEnd: whether the process ends. The next one goes on with what another suite has taken
    ///   over, and the observers have been told of what was refused before.
    func synchronize(isEnd: Bool = false) throws(SettingsError) {
        // Whoever is thrown a failure needs no report of it.
        defer {
            deliver()
            _ = state.withLock { $0.takeUnreported() }
            exportLate()
        }
        if isEnd { _ = state.withLock { $0.takeRefusal() } }
        try store().get()
        let failure = finishHandovers()
        if let refusal = state.withLock({ $0.takeRefusal() }) { throw refusal }
        if let failure, !isEnd { throw failure }
    }

    /// Stores all that is pending, and the conditional write where its condition holds. Tells nobody.
    func store(_ write: ConditionalWrite? = nil) -> Result<Void, SettingsError> {
        storage.withLock { commit(to: &$0, write) }
    }

    /// Stores the changes if every key of `expected` has the value given there (nil: none).
    func replace(
        _ changes: [String: PropertyListValue?],
        expecting expected: [String: PropertyListValue?],
        origin: ChangeOrigin,
        whole: StorageWrite.Whole = .stays
    ) throws(SettingsError) {
        for case (let key, let value?) in changes {
            if let problem = problem(with: value, forKey: key) {
                throw .invalid(path: location, InvalidValueError(key: key, problem: problem))
            }
        }
        defer { deliver() }
        var write = ConditionalWrite(changes: changes, expected: expected, origin: origin)
        write.whole = whole
        try store(write).get()
    }

    /// Nobody else of this process reads or writes meanwhile.
    func withStorage<Success: Sendable>(
        _ body: (inout any SuiteStorage) -> Result<Success, SettingsError>
    ) -> Result<Success, SettingsError> {
        storage.withLock { body(&$0) }
    }

    /// How the suite is written.
    func form() throws(SettingsError) -> SuiteForm? {
        let result: Result<SuiteForm?, SettingsError> = storage.withLock { storage in
            do throws(SettingsError) {
                return .success(try storage.form())
            } catch {
                return .failure(error)
            }
        }
        return try result.get()
    }

    /// One commit, and what others undo of it at once without knowing, once more.
    func commit(
        to storage: inout any SuiteStorage,
        _ conditional: ConditionalWrite? = nil
    ) -> Result<Void, SettingsError> {
        var result = commitOnce(to: &storage, conditional)
        while case .success = result, let reading = (try? storage.readAfterUpdate()) ?? nil {
            let differences = compared(reading)
            state.withLock { $0.merge(reading, differences: differences) }
            if !reading.undone.isEmpty { result = commitOnce(to: &storage) }
        }
        return result
    }

    /// One commit: everything pending, together with the conditional write where its condition holds.
    ///
    /// What the storage refuses for good can't hold up the rest: a pending key is taken back, a
    /// conditional write dropped, and the commit goes on without it.
    private func commitOnce(
        to storage: inout any SuiteStorage,
        _ conditional: ConditionalWrite? = nil
    ) -> Result<Void, SettingsError> {
        // Many commits in a row leave no time in between for others to begin it.
        if state.withLock(\.isWatchDue) { watch(storage) }
        var conditional = conditional
        var failure: SettingsError?
        var isUsed = false
        defer { if isUsed { rest(later: storage) } }
        while true {
            var taken: [String: SuiteState.Pending] = [:]
            var conflict: SettingsError?
            do throws(SettingsError) {
                try storage.update { reading in
                    let differences = compared(reading)
                    state.withLock { state in
                        state.merge(reading, differences: differences)
                        taken = state.pending
                        conflict = conditional?.conflict(with: state.values)
                    }
                    var write = StorageWrite(changes: taken.mapValues(\.value))
                    write.unlessChanged = Set(taken.filter(\.value.isOverdue).keys)
                    if let conditional {
                        if conflict == nil {
                            write.changes.merge(conditional.changes) { $1 }
                            write.whole = conditional.whole
                        }
                        write.basis = Set(conditional.expected.keys)
                    }
                    if declarations.hasReaders {
                        let replaced = state.withLock { $0.stored(replacedBy: write.changes) }
                        write.keeping = declarations.unreadable(replaced)
                    }
                    if !reading.isNone || !write.isNone { isUsed = true }
                    return write
                }
            } catch {
                if case .unrepresentable(_, let key, _) = error {
                    if conflict == nil, conditional?.changes.keys.contains(key) == true {
                        failure = error
                        conditional = nil
                        continue
                    }
                    if let entry = taken[key] {
                        state.withLock { $0.withdraw(key, entry, because: error) }
                        continue
                    }
                }
                // What else a condition rests on is in nobody's way.
                let isRefused = error.isRefusal && conditional == nil
                if error.isOutage || isRefused, storage.refusesWhileUnreachable {
                    state.withLock { $0.withdrawAll(because: error) }
                }
                storingFailed(error, taken)
                keepPending(in: storage)
                return .failure(error)
            }
            stored(in: storage, hasWritten: !(taken.isEmpty && conditional == nil)) { state in
                state.stored(taken)
                if let conditional, conflict == nil { state.stored(conditional) }
            }
            if let failure = failure ?? conflict { return .failure(failure) }
            return .success(())
        }
    }

    /// Has the state take note of what was stored.
    private func stored(
        in storage: any SuiteStorage,
        hasWritten: Bool,
        _ note: (inout SuiteState) -> Void
    ) {
        let reason = state.withLock(\.readOnlyReason) == nil ? nil : storage.readOnlyReason()
        let mustWatch = state.withLock { state in
            state.readOnlyReason = reason
            note(&state)
            registerUnstored(state)
            return storage.mayBeUndone && hasWritten && state.beginWatchingLater()
        }
        if mustWatch { watchLater() }
        keepPending(in: storage)
    }

    /// Has what is pending outlive the process while the storage is out of reach or refuses it, where it has a
    /// place for that, and no longer.
    private func keepPending(in storage: any SuiteStorage, hasLeft: Bool = false) {
        let pending = state.withLock { state -> [String: PendingWrite]? in
            state.isKeepScheduled = false
            return state.mustKeep || state.isKept || hasLeft ? state.pendingWrites : nil
        }
        guard let pending else { return }
        let isKept = storage.keep(pending) && !pending.isEmpty
        state.withLock { $0.isKept = isKept }
    }

    /// The keys that are not yet stored, sorted.
    var pendingKeys: [String] { state.withLock { $0.pending.keys.sorted() } }

    /// Whether what is pending is kept where it outlives the process.
    var isPendingKept: Bool { state.withLock(\.isKept) }

    /// Has the end of the process wait for what is pending.
    func registerUnstored(_ state: borrowing SuiteState) {
        if !state.hasUnfinished {
            UnstoredSuites.shared.remove(self)
        } else {
            UnstoredSuites.shared.insert(self)
        }
    }

    private func storingFailed(_ error: SettingsError, _ taken: [String: SuiteState.Pending]) {
        let retry = state.withLock { state in
            state.storingFailed(error, taken)
            registerUnstored(state)
            return state.beginRetry()
        }
        guard let (turn, seconds) = retry else { return }
        scheduler.run(after: seconds) { self.commitInBackground(turn) }
    }

    private func commitInBackground(_ turn: CommitTurns.Turn) {
        storage.withLock { storage in
            // From here on a set means another commit. Not before: while a disk is slow, one thread
            // waits for its turn and not one a set.
            let isNeeded = state.withLock { $0.endWaiting(turn) }
            // What fails is told to the observers, stays pending, and is tried again.
            if isNeeded { _ = commit(to: &storage) }
        }
        deliver()
        _ = finishHandovers()
        reportFailures()
        exportLate()
    }

    /// Who forks is told nothing on his way: another thread does that.
    func storeBeforeFork() {
        _ = store()
        scheduler.run { self.deliver() }
    }

    /// In the child: what the parent stores of what both have to store stands.
    func haveForked() { state.withLockIfAvailable { $0.haveForked() } }

    /// Sets aside what can't be read, with what is in memory stored in its place, and returns where it lies.
    func recover() throws(SettingsError) -> String? {
        defer { deliver() }
        let result = storage.withLock { recover(in: &$0) }
        return try result.get()
    }

    /// A pending key that the storage refuses for good is taken back, as by a commit.
    private func recover(in storage: inout any SuiteStorage) -> Result<String?, SettingsError> {
        while true {
            let (values, taken) = state.withLock { ($0.values, $0.pending) }
            var write = StorageWrite(
                changes: Dictionary(uniqueKeysWithValues: values.map { ($0.key, $0.value) })
            )
            if declarations.hasReaders {
                write.keeping = declarations.unreadable(
                    state.withLock { $0.stored(replacedBy: write.changes) }
                )
            }
            do throws(SettingsError) {
                guard let place = try storage.recover(with: write) else { return .success(nil) }
                stored(in: storage, hasWritten: !write.changes.isEmpty) {
                    $0.recovered(with: taken, exists: !write.changes.isEmpty)
                }
                rest(later: storage)
                return .success(place)
            } catch {
                guard case .unrepresentable(_, let key, _) = error, let entry = taken[key] else {
                    return .failure(error)
                }
                state.withLock { $0.withdraw(key, entry, because: error) }
            }
        }
    }
}
