import Glibc
import PropertyList
import Synchronization

/// One suite of this process: its state, its storage, and the work between the two.
///
/// There are two locks. `storage` may be held for as long as a disk takes, or as a commit waits for the lock of another
/// process. `state` is held for a few instructions. A thread that needs both takes `storage` first. The program's code
/// (observers, decoding code, error handlers) runs with neither. The first commit begins only after the values are in
/// memory, so readers and observers never need `storage` while a commit has it.
///
/// Extensions: `SuiteCore+Commit` stores, `+Observing` reads foreign changes and notifies, `+Layers` reads the other
/// layers and knows the locks, `+Recovery` moves an unreadable file aside. `SettingsSuite+Schema` checks values against
/// their declarations.
final class SuiteCore: Sendable {
    let location: String
    let declarations = SuiteDeclarations()
    /// Where the declared settings are stored; nil if the storage has no room for them.
    let schemaPlace: (any SchemaStore)?
    let traits: StorageTraits
    /// Whether the storage checks values. A dynamic cast takes about as long as a whole set, so it is made once.
    private let validatesValues: Bool
    /// Held while a thread writes the declared settings.
    let exporting = Mutex(())
    let storage: Mutex<any SuiteStorage>
    /// The suite whose layers surround the storage; nil if the storage has none.
    let layeredSuite: LayeredSuite?
    /// The files of the other layers; nil before they are first needed. A thread that also holds `storage` took that
    /// first, and `state` last.
    let searchList = Mutex<SearchList?>(nil)
    /// Whether any key is locked, as far as it is known (``LockKnowledge``). Kept apart, because each set asks for it.
    let lockKnowledge: Atomic<LockKnowledge>
    let state = Mutex(SuiteState())
    let scheduler: any WorkScheduler
    /// Checks values for the storage as it was last used.
    private let valueCheck: Mutex<Check>

    /// A function that is stored directly in a `Mutex` would be wrapped in another one at each reading.
    private struct Check {
        let call: ValueCheck
    }

    /// Seconds without a use after which the storage releases its cache.
    private static let cacheLifetime = 3.0

    init(_ storage: sending any SuiteStorage, scheduler: any WorkScheduler) {
        location = storage.location
        schemaPlace = storage.schemaPlace
        layeredSuite = Self.layeredSuite(of: storage)
        lockKnowledge = Atomic(layeredSuite == nil ? .noLocks : .unknown)
        traits = storage.traits
        validatesValues = Self.validates(storage)
        valueCheck = Mutex(Check(call: Self.valueCheck(of: storage)))
        self.storage = Mutex(storage)
        self.scheduler = scheduler
    }

    private static func validates(_ storage: any SuiteStorage) -> Bool { storage is any ValidatesValues }

    private static func layeredSuite(of storage: any SuiteStorage) -> LayeredSuite? {
        (storage as? any HasLayers)?.layeredSuite
    }

    private static func valueCheck(of storage: any SuiteStorage) -> ValueCheck {
        if let validating = storage as? any ValidatesValues { return validating.valueCheck }
        return { _, _ in nil }
    }
}

// MARK: - Loading

extension SuiteCore {
    /// Runs the body with the state, which is loaded first if necessary.
    func withLoadedState<Result: Sendable>(_ body: (inout SuiteState) -> Result) -> Result {
        if let result = state.withLock({ $0.values.isLoaded ? body(&$0) : nil }) { return result }
        load()
        return state.withLock { body(&$0) }
    }

    private func load() {
        loadWithoutNotifying()
        deliver()
        reportFailures()
    }

    /// Reads the values if that was not done before. Notifies no observer.
    func loadWithoutNotifying() {
        if state.withLock(\.values.isLoaded) { return }
        storage.withLock { storage in
            if state.withLock(\.values.isLoaded) { return }
            checkWriteAccess(storage)
            read(&storage)
        }
    }

    func read(_ storage: inout any SuiteStorage) {
        if !state.withLock(\.values.isLoaded) { readLayers() }
        do throws(SettingsError) {
            let reading = try storage.read()
            updateValueCheck(from: storage)
            let differences = differences(to: reading)
            let mustCommit = state.withLock { state in
                defer { registerForExit(state) }
                return state.mergeForeignChanges(reading, differences: differences)
            }
            if !reading.isNone { releaseCacheLater(of: storage) }
            if mustCommit { scheduler.run { self.commitInBackground(.next) } }
        } catch {
            let error = concealed(error)
            state.withLock { $0.readingFailed(error) }
        }
    }

    /// The error of the storage without characters of the file, if the program has declared secrets. The storage knows
    /// only those of the schema file.
    func concealed(_ error: SettingsError) -> SettingsError {
        guard case .unreadable(let path, let problem) = error, declarations.hasSecrets else { return error }
        return .unreadable(path: path, problem.withoutQuotations)
    }

    /// The differences between a reading of all values and those in memory; nil for any other reading. They are
    /// computed without the lock that readers of values need.
    func differences(to reading: StorageReading) -> [String: PropertyListValue?]? {
        guard case .all(let all) = reading.difference, let known = state.withLock({ $0.knownValues })
        else { return nil }
        return all.differences(from: known)
    }

    /// Runs the body while no other thread of this process uses the storage.
    func withStorage<Success: Sendable>(
        _ body: (inout any SuiteStorage) throws(SettingsError) -> Success
    ) throws(SettingsError) -> Success {
        loadWithoutNotifying()
        return try storage.withLock { storage throws(SettingsError) in try body(&storage) }
    }
}

// MARK: - Values

extension SuiteCore {
    func storedValue(forKey key: String) -> PropertyListValue? {
        withLoadedState { $0.values.storedValue(forKey: key) }
    }

    func adopt(arguments: [String: PropertyListValue]) {
        state.withLock { $0.values.adopt(arguments: arguments) }
    }

    func set(_ value: PropertyListValue?, forKey key: String, origin: ChangeOrigin) {
        let value = value.map(storedForm)
        change { $0.set(value, forKey: key, origin: origin) }
    }

    func set(_ values: [String: PropertyListValue?], origin: ChangeOrigin) {
        if values.isEmpty { return }
        let sorted = values.map { ($0.key, $0.value.map(storedForm)) }.sorted { $0.0 < $1.0 }
        change { $0.set(sorted, origin: origin) }
    }

    /// The value as the storage holds it, without memory of the caller. A value that JSON can't hold is refused later.
    func storedForm(_ value: PropertyListValue) -> PropertyListValue {
        let value = value.withOwnData
        return traits.storesJSON ? (try? value.inJSON) ?? value : value
    }

    private func change(_ set: (inout SuiteState) -> Void) {
        let (mustCommit, mustDeliver) = withLoadedState { state in
            if !state.commit.isUnfinished { ExitFlush.shared.insert(self) }
            set(&state)
            return (state.commit.begin(), state.observers.begin())
        }
        if mustCommit { scheduler.run { self.commitInBackground(.next) } }
        if mustDeliver { drain() }
    }

    func refusal(of value: PropertyListValue, forKey key: String) -> SettingsError? {
        withLoadedState { _ in }
        if let lock = lock(ofKey: key) { return .locked(key: key, by: lock) }
        return valueCheck.withLock { $0 }.call(value, key)
    }
}

// MARK: - Capabilities of the storage

extension SuiteCore {
    func updateValueCheck(from storage: any SuiteStorage) {
        guard validatesValues, let storage = storage as? any ValidatesValues else { return }
        let new = Check(call: storage.valueCheck)
        // The previous check is released outside the lock.
        _ = valueCheck.withLock { check in
            defer { check = new }
            return check
        }
    }

    /// Why this process can't write, as far as that is known without trying; nil if it can.
    func readOnlyReason(_ storage: any SuiteStorage) -> String? {
        (storage as? any ReportsWriteAccess)?.readOnlyReason()
    }

    func checkWriteAccess(_ storage: any SuiteStorage) {
        let reason = readOnlyReason(storage)
        state.withLock { $0.foundReadOnlyReason(reason) }
    }

    /// Releases the cache of the storage after a while without reads and writes.
    func releaseCacheLater(of storage: any SuiteStorage) {
        guard storage.hasReleasableCache, state.withLock({ $0.commit.beginWaitingForIdle() }) else { return }
        scheduler.run(after: Self.cacheLifetime) { [weak self] in self?.releaseCacheIfIdle() }
    }

    private func releaseCacheIfIdle() {
        storage.withLock { storage in
            if state.withLock({ $0.commit.endWaitingForIdle() }) {
                storage.releaseCache()
            } else {
                releaseCacheLater(of: storage)
            }
        }
    }

    /// How the suite is written; nil if the storage does not tell, or if the suite does not exist.
    func template() throws(SettingsError) -> SuiteTemplate? {
        try withStorage { storage throws(SettingsError) in
            try (storage as? any ProvidesTemplate)?.template()
        }
    }
}
