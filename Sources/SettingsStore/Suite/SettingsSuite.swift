import Glibc
import PropertyList

/// A suite of settings: keys with values, which are kept in memory and in a storage. Observers are notified of changes.
///
/// When a set returns, the value is in memory and the observers are notified. It is stored soon after, together with
/// everything else that is set meanwhile. ``synchronize()`` waits for that, and so does the exit of the process.
///
/// Foreign changes are adopted by ``synchronize()``. An observed suite adopts them as they happen. So does one that has
/// stored something, from a tenth of a second later on.
///
/// Everything may be called from any thread. The first use of a suite reads its file. Only ``synchronize()``,
/// ``replace(_:expecting:origin:)``, ``recover()`` and the exit of the process wait for another process that has locked
/// the folder. Suites that are made for the same path share their values. A second path to the same file gives a
/// separate suite, as in another process.
public struct SettingsSuite: Sendable {
    let core: SuiteCore

    private init(_ core: SuiteCore) { self.core = core }

    /// A suite in its own file, shared with other programs.
    ///
    /// - Parameter format: the format of the file if there is none yet. With `.json` the file is called `NAME.json`.
    /// - Throws: ``SuiteNameError`` if no file in the folder can have the name.
    public init(
        named name: String,
        in folder: SettingsFolder = .standard,
        format: PropertyListFormat = .xml
    ) throws(SuiteNameError) {
        self.init(file: folder.filePath(of: try SuiteName(name), format: format))
    }

    public init(_ name: SuiteName, in folder: SettingsFolder = .standard) {
        self.init(file: folder.filePath(of: name))
    }

    /// A suite in a file of any name. A new file whose name ends in `.json` or `.jsonc` is JSON. A relative path starts at the working directory, `~/` at the user's home.
    public init(file path: String) {
        let path = absolutePath(path)
        self.init(sharedAs: Array(path.utf8), in: SharedFiles.suites) { FileStorage(path: path) }
    }

    /// The suite of one location, which all suites of this location in this process share.
    ///
    /// - Parameter key: identifies the location in `suites`.
    package init<Key>(
        sharedAs key: Key,
        in suites: SuiteRegistry<Key>,
        _ makeStorage: () -> sending any SuiteStorage
    ) {
        self.init(suites.core(key, makeStorage))
    }

    /// A suite in any storage. It shares its values with no other suite.
    public init(_ storage: sending any SuiteStorage, scheduler: any WorkScheduler = LiveWorkScheduler()) {
        self.init(SuiteCore(storage, scheduler: scheduler))
    }

    /// A suite in memory, which no other process sees, for tests and previews.
    public static func inMemory(_ values: [String: PropertyListValue] = [:]) -> SettingsSuite {
        SettingsSuite(MemoryStorage(MemoryStorage.Place(values)))
    }

    /// The suite that is named after this process, as with Foundation: by the last component of the path that started
    /// it.
    ///
    /// The process's arguments come before the stored values of all suites that have layers (``SettingsLayer``), as with
    /// Foundation's `UserDefaults`: if it is started with `-volume 7`, `volume` is 7 until the process sets or removes it.
    /// The stored value does not change.
    public static let standard: SettingsSuite = {
        let name = splitPath(CommandLine.arguments.first ?? "").file
        return (try? SuiteName(name)).map { SettingsSuite($0) }
            ?? SettingsSuite(file: SettingsFolder.standard.path + "/unnamed.plist")
    }()

    /// The path of the suite's file, or its URL on a cluster.
    public var location: String { core.location }

    /// Whether the suite is a JSON file, which its name tells (`.json`, `.jsonc`). Properties store dates and data as texts
    /// there, and `Codable` values as objects.
    public var storesJSON: Bool { core.traits.storesJSON }
}

extension SettingsSuite: Hashable {
    /// Two suites are equal when they share their values.
    public static func == (a: SettingsSuite, b: SettingsSuite) -> Bool { a.core === b.core }

    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(core)) }
}

// MARK: - Values

extension SettingsSuite {
    /// The value of a key: that of the highest layer that has the key (``SettingsLayer``). ``sources(forKey:)`` returns
    /// all of them.
    public func value(forKey key: String) -> PropertyListValue? {
        core.withLoadedState { $0.values.value(forKey: key) }
    }

    /// The value in the user's layer, which is the suite itself; nil if there is none, even if another layer has one.
    public func storedValue(forKey key: String) -> PropertyListValue? { core.storedValue(forKey: key) }

    /// All values in the user's layer, copied into a dictionary.
    public var storedValues: [String: PropertyListValue] { [String: PropertyListValue](storedEntries) }

    /// All values in the user's layer, without a copy.
    public var storedEntries: PropertyListEntries { core.withLoadedState(\.values.stored) }

    /// The values of process arguments for keys that the process has not set or removed (``standard``). Only a suite with
    /// layers has any. A plain word is a string, even if the setting has another type.
    public var arguments: [String: PropertyListValue] { core.withLoadedState(\.values.arguments) }

    /// The defaults of this process: the registered ones, and for other keys those of properties.
    public var registeredValues: [String: PropertyListValue] { core.state.withLock(\.values.defaults) }

    /// The default that the program has registered, not the one of a property.
    package func registeredValue(forKey key: String) -> PropertyListValue? {
        core.state.withLock { $0.values.registered[key] }
    }

    /// Declares the default of a property. A registered default comes before it.
    ///
    /// - Returns: the default that was declared first, which is the one that counts.
    package func declareDefault(_ value: PropertyListValue, forKey key: String) -> PropertyListValue {
        core.state.withLock { $0.values.declareDefault(value, forKey: key) }
    }

    /// Sets a key; nil removes the stored value.
    ///
    /// Observers are notified even if the value is equal. A value that contradicts the declaration of the key is not set,
    /// and ``onFailure`` is called. The same happens if the key is locked (``isLocked(_:)``), but it can be removed.
    ///
    /// A value that the storage refuses for good (a control character in an XML file, for example) is taken back later:
    /// observers get a change of origin ``ChangeOrigin/refused``, and ``synchronize()`` throws.
    /// ``refusal(of:forKey:)`` checks a value in advance.
    public func set(
        _ value: PropertyListValue?,
        forKey key: String,
        origin: ChangeOrigin = .set(by: nil)
    ) {
        if core.allows(value, forKey: key) { core.set(value, forKey: key, origin: origin) }
    }

    /// Sets several keys in one transaction; nil removes a stored value. The storage gets all of them or none.
    ///
    /// If one value contradicts the declaration of its key, or if its key is locked, none is set. If the storage refuses
    /// one for good, all are taken back, except keys that were set again since. After an outage, each key is decided for
    /// itself: a key with a foreign change is taken back.
    public func set(_ values: [String: PropertyListValue?], origin: ChangeOrigin = .set(by: nil)) {
        if values.allSatisfy({ core.allows($1, forKey: $0) }) { core.set(values, origin: origin) }
    }

    /// Why the value can't be stored under the key; nil if it can. The first use of the suite reads the file.
    public func refusal(of value: PropertyListValue, forKey key: String) -> SettingsError? {
        core.refusal(of: value, forKey: key)
    }

    /// Registers defaults, the values of keys without a stored value. They are in the memory of this process only. The
    /// first registration of a key counts.
    ///
    /// Observers are not notified. Register before the program reads its properties: a property that was read already
    /// adopts a registered default only when its stored value is next removed.
    ///
    /// - Returns: the keys that were registered before with another value, sorted.
    @discardableResult
    public func register(_ defaults: [String: PropertyListValue]) -> [String] {
        core.state.withLock { $0.values.register(defaults) }
    }
}

// MARK: - Storing

extension SettingsSuite {
    /// Returns when everything that was set before the call is stored durably, and adopts foreign changes. Migrations
    /// from or to another suite are finished by then.
    ///
    /// It waits for the lock of other processes, at most ten seconds after the last of them has written.
    ///
    /// - Throws: why something was not stored. It stays pending and is retried. A value that the storage refuses for good
    ///   was taken back instead; everything else is stored. The first call after the refusal throws that once, with the
    ///   first refused key, even if the refusal happened in the background.
    public func synchronize() throws(SettingsError) { try core.synchronize() }

    /// Stores several keys in one transaction (nil removes), if every key of `expected` still has the value given there
    /// (nil: no stored value). No other process that takes the lock can write in between.
    ///
    /// Returns when that is durable. Pending values are stored with it.
    ///
    /// - Throws: ``SettingsError/conflict(current:)`` with the values found instead, or why it could not be stored. In
    ///   both cases none of `changes` is stored, with one exception: if the very last step fails (the fsync of the
    ///   folder), the file may have them, and they are notified like foreign changes.
    public func replace(
        _ changes: [String: PropertyListValue?],
        expecting expected: [String: PropertyListValue?],
        origin: ChangeOrigin = .set(by: nil)
    ) throws(SettingsError) {
        try core.replace(changes, expecting: expected, origin: origin)
    }

    /// Renames an unreadable file, or a folder or pipe in its place, to `NAME.plist.broken-<UTC>`, and stores the values
    /// in memory, which are the last good ones, in a new file. Both happen in one step.
    ///
    /// - Returns: the new path of the unreadable file; nil if the file can be read and nothing was done.
    /// - Throws: also if the file is not damaged, but no suite, such as an array in JSON. It stays in its place then.
    @discardableResult
    public func recover() throws(SettingsError) -> String? { try core.recover() }

    /// Whether the values in memory are the stored ones, and whether the suite can be written.
    public var status: SuiteStatus { core.withLoadedState(\.status) }

    /// Why the stored content could not be read; nil if it could.
    public var contentError: SettingsError? { core.withLoadedState(\.values.contentError) }
}

// MARK: - Observing

extension SettingsSuite {
    /// Observes one key.
    ///
    /// `receive` gets every change after the returned value, in the order in which they happened. It runs on the thread
    /// that delivers: the one whose call made or found the change, unless another thread is delivering, or a thread of
    /// the store. No lock is held: `receive`, and the `deinit` of an object that it holds, may call everything, also
    /// ``synchronize()``. A set inside it is delivered after the current change.
    ///
    /// The changes are those of the value that programs read, from whichever layer (``Change/layer``). Defaults of this
    /// process do not count.
    ///
    /// - Returns: the value to start from (nil: none), and the observation, which ends when it is released.
    public func observe(
        _ key: String,
        _ receive: @escaping @Sendable (Change) -> Void
    ) -> (initial: PropertyListValue?, observation: SuiteObservation) {
        let (initial, observation) = core.observe(key) { event in
            if case .change(let change) = event, !change.isOnlyOfLayer { receive(change) }
        }
        return (initial?.value, observation)
    }

    /// Observes one key for a caller that can wait for foreign changes. If a watch delays the exit of the process
    /// (``StorageTraits/delaysExit``), the watch begins a tenth of a second later, so that a program that has ended by
    /// then has not paid for it. ``beginWatching()`` ends the delay. The caller also learns when another layer gives an
    /// equal value (``Change/isOnlyOfLayer``).
    package func observeLazily(
        _ key: String,
        _ receive: @escaping @Sendable (Change) -> Void
    ) -> (initial: LayeredValue?, observation: SuiteObservation) {
        core.observe(key, lazily: true) { event in
            if case .change(let change) = event { receive(change) }
        }
    }

    /// Begins to watch the storage now, or after the current commit.
    package func beginWatching() { core.startWatching() }

    /// Whether more notifications for an observer of all keys are waiting after the one that is being delivered.
    package var hasMoreToTell: Bool { core.state.withLock(\.observers.hasMore) }

    /// Observes all keys, the status and failures, in the same way. The changes are those of the user's layer, which is the
    /// suite itself; a change of another layer is ``SuiteEvent/layersChanged``.
    public func observe(_ receive: @escaping @Sendable (SuiteEvent) -> Void) -> SuiteObservation {
        core.observe(nil, receive).observation
    }
}
