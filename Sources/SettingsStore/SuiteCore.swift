import PropertyList
import Synchronization

/// One suite of this process: its state, its storage, and what goes on between the two.
///
/// Two locks: `storage` is held for as long as a disk takes, `state` for a few instructions; whoever
/// holds both took `storage` first. Observers are called with neither.
final class SuiteCore: Sendable {
    let location: String
    private let storage: Mutex<any SuiteStorage>
    private let state = Mutex(SuiteState())
    private let scheduler: any Scheduler

    init(_ storage: sending any SuiteStorage, scheduler: any Scheduler) {
        location = storage.location
        self.storage = Mutex(storage)
        self.scheduler = scheduler
    }

    /// The state, read for the first time where it has not been.
    private func withLoadedState<Result: Sendable>(_ body: (inout SuiteState) -> Result) -> Result {
        if let result = state.withLock({ $0.isLoaded ? body(&$0) : nil }) { return result }
        load()
        return state.withLock { body(&$0) }
    }

    private func load() {
        storage.withLock { storage in
            if !state.withLock(\.isLoaded) { read(&storage) }
        }
        deliver()
    }

    private func read(_ storage: inout any SuiteStorage, _ mode: ReadingMode = .final) {
        do throws(SettingsError) {
            let reading = try storage.read()
            let reason = storage.readOnlyReason()
            state.withLock { state in
                state.readOnlyReason = reason
                state.merge(reading)
            }
        } catch {
            if case .unreadable = error, mode == .provisional, state.withLock({ $0.contentError == nil }) {
                return scheduler.run(after: 0.1) { self.readInBackground(.final) }
            }
            state.withLock { $0.readingFailed(error) }
        }
    }

    private enum ReadingMode {
        /// What can't be read is looked at again before anybody is told: a program that writes its
        /// file in place leaves it half-written for a moment.
        case provisional
        case final
    }
}

// MARK: - Values

extension SuiteCore {
    func value(forKey key: String) -> PropertyListValue? {
        withLoadedState { $0.value(forKey: key) }
    }

    func storedValue(forKey key: String) -> PropertyListValue? {
        withLoadedState { $0.values[key] }
    }

    var storedValues: [String: PropertyListValue] { withLoadedState(\.values) }

    var registeredValues: [String: PropertyListValue] { state.withLock(\.registered) }

    func register(_ defaults: [String: PropertyListValue]) -> [String] {
        state.withLock { $0.register(defaults) }
    }

    func set(_ value: PropertyListValue?, forKey key: String, origin: ChangeOrigin) {
        let (isFirst, mustDeliver) = withLoadedState { state in
            state.set(value, forKey: key, origin: origin)
            let isFirst = !state.isCommitScheduled
            state.isCommitScheduled = true
            if isFirst { UnstoredSuites.shared.insert(self) }
            return (isFirst, state.beginDelivering())
        }
        if isFirst { scheduler.run { self.commitInBackground() } }
        if mustDeliver { drain() }
    }

    func refusal(of value: PropertyListValue, forKey key: String) -> SettingsError? {
        storage.withLock { $0.refusal(of: value, forKey: key) }
    }
}

// MARK: - Storing

extension SuiteCore {
    /// Stores all that is pending, and takes over what others have stored.
    func synchronize() throws(SettingsError) {
        defer { deliver() }
        try commit { _ in .success(StorageWrite(changes: [:])) }.get()
    }

    /// Stores the changes if every key of `expected` has the value given there (nil: none).
    func replace(
        _ changes: [String: PropertyListValue?],
        expecting expected: [String: PropertyListValue?],
        origin: ChangeOrigin
    ) throws(SettingsError) {
        defer { deliver() }
        let result = commit(origin) { state in
            let differing = expected.filter { state.values[$0.key] != $0.value }
            if differing.isEmpty {
                return .success(StorageWrite(changes: changes, basis: Set(expected.keys)))
            }
            let current = differing.map { ($0.key, state.values[$0.key]) }
            return .failure(.conflict(current: Dictionary(uniqueKeysWithValues: current)))
        }
        try result.get()
    }

    /// One commit: everything pending, with whatever `decide` adds, which is called with the values
    /// as they are stored.
    ///
    /// A pending key that the storage refuses for good is taken back, so that it can't hold up the
    /// others, and the commit goes on without it.
    private func commit(
        _ origin: ChangeOrigin = .otherProcess,
        _ decide: @Sendable (SuiteState) -> Result<StorageWrite, SettingsError>
    ) -> Result<Void, SettingsError> {
        storage.withLock { storage in
            var refused: SettingsError?
            while true {
                var taken: [String: SuiteState.Pending] = [:]
                var decision = Result<StorageWrite, SettingsError>.success(StorageWrite(changes: [:]))
                do throws(SettingsError) {
                    try storage.update { reading in
                        state.withLock { state in
                            state.merge(reading)
                            state.isCommitScheduled = false
                            taken = state.pending
                            decision = decide(state)
                        }
                        var write = StorageWrite(changes: taken.mapValues(\.value))
                        if case .success(let more) = decision {
                            write.changes.merge(more.changes) { $1 }
                            write.basis = more.basis
                        }
                        return write
                    }
                } catch {
                    if case .unrepresentable(_, let key, _) = error, taken[key] != nil {
                        state.withLock { $0.withdraw(key, because: error) }
                        refused = error
                        continue
                    }
                    state.withLock { $0.storingFailed(error) }
                    retryLater()
                    return .failure(error)
                }
                state.withLock { state in
                    state.stored(taken)
                    if case .success(let more) = decision {
                        state.conditionallyStored(more.changes, origin: origin)
                    }
                    if state.pending.isEmpty { UnstoredSuites.shared.remove(self) }
                }
                if let refused { return .failure(refused) }
                return decision.map { _ in }
            }
        }
    }

    private func commitInBackground() {
        let isNeeded = state.withLock { state in
            if state.pending.isEmpty {
                state.isCommitScheduled = false
                UnstoredSuites.shared.remove(self)
            }
            return !state.pending.isEmpty
        }
        guard isNeeded else { return }
        // What fails is told to the observers, stays pending, and is tried again.
        _ = commit { _ in .success(StorageWrite(changes: [:])) }
        deliver()
    }

    /// Tries again after half a second, and ever more rarely, up to once in half a minute.
    private func retryLater() {
        let wait: Double? = state.withLock { state in
            if state.pending.isEmpty || state.isCommitScheduled { return nil }
            state.isCommitScheduled = true
            return min(0.5 * Double(1 << min(state.failedAttempts - 1, 6)), 30)
        }
        if let wait { scheduler.run(after: wait) { self.commitInBackground() } }
    }

    /// Sets aside what can't be read, stores what is in memory, and returns where the rest lies.
    func recover() throws(SettingsError) -> String? {
        let result: Result<String?, SettingsError> = storage.withLock { storage in
            do throws(SettingsError) {
                guard let place = try storage.recover() else { return .success(nil) }
                state.withLock { $0.makeAllPending() }
                return .success(place)
            } catch {
                return .failure(error)
            }
        }
        if let place = try result.get() {
            try synchronize()
            return place
        }
        return nil
    }
}

// MARK: - Observing

extension SuiteCore {
    var status: SuiteStatus { withLoadedState(\.status) }

    /// Why the content could not be read; nil if it could.
    var contentError: SettingsError? { withLoadedState(\.contentError) }

    /// Registers an observer, of one key or of everything, and returns the value to start from.
    func observe(
        _ key: String?,
        _ receive: @escaping @Sendable (SuiteEvent) -> Void
    ) -> (initial: PropertyListValue?, observation: Observation) {
        startWatching()
        let (id, initial) = withLoadedState { $0.addObserver(ofKey: key, receive) }
        let observation = Observation { [weak self] in
            self?.state.withLock { $0.removeObserver(id, ofKey: key) }
        }
        return (initial, observation)
    }

    /// Begins to watch the storage, once, and reads after that, so that no change falls in between.
    private func startWatching() {
        if state.withLock({ $0.watch != nil }) { return }
        storage.withLock { storage in
            if state.withLock({ $0.watch != nil }) { return }
            let watch = storage.watch { [weak self] in self?.somethingMayHaveChanged() }
            state.withLock { $0.watchStarted(watch) }
            read(&storage)
        }
        deliver()
    }

    private func somethingMayHaveChanged() {
        let isFirst = state.withLock { state in
            defer { state.isReadScheduled = true }
            return !state.isReadScheduled
        }
        if isFirst { scheduler.run { self.readInBackground(.provisional) } }
    }

    private func readInBackground(_ mode: ReadingMode) {
        storage.withLock { storage in
            // From here on a hint means another reading.
            state.withLock { $0.isReadScheduled = false }
            read(&storage, mode)
        }
        deliver()
    }

    /// Tells the observers what there is to tell, unless somebody is doing so already.
    private func deliver() {
        if state.withLock({ $0.beginDelivering() }) { drain() }
    }

    private func drain() {
        while let (event, observers) = state.withLock({ $0.nextDelivery() }) {
            for observer in observers { observer.receive(event) }
        }
    }
}
