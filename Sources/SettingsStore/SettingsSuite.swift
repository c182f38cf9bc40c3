import Glibc
import PropertyList
import Synchronization

/// A suite of settings: keys and values in memory, kept in a storage, and told to observers when
/// they change.
///
/// A set is in memory and told when it returns; it is stored soon after, together with whatever
/// else was set meanwhile. ``synchronize()`` waits for that, and so does the end of the process. What
/// others store is taken over by ``synchronize()``, and as soon as it is noticed where the suite is
/// observed or, from a tenth of a second after, has stored something.
/// Everything may be called from any thread. Suites made for the same path share their values; two
/// paths that lead to the same file behave like two processes.
public struct SettingsSuite: Sendable {
    let core: SuiteCore

    private init(_ core: SuiteCore) { self.core = core }

    /// A suite in its own file, shared with other programs.
    ///
    /// - Throws: ``SuiteNameError`` where the name can't be that of a file in the folder.
    public init(named name: String, in folder: SettingsFolder = .standard) throws(SuiteNameError) {
        self.init(try SuiteName(name), in: folder)
    }

    public init(_ name: SuiteName, in folder: SettingsFolder = .standard) {
        self.init(file: folder.filePath(of: name))
    }

    /// A suite in a file of any name; a relative path starts at the working directory, `~/` at the
    /// user's home.
    public init(file path: String) {
        let path = absolutePath(path)
        self.init(sharedAs: path) { FileStorage(path: path) }
    }

    /// The suite of one place, which all of this process have in common.
    ///
    /// - Parameter place: what tells the place from all others.
    package init(sharedAs place: String, in makeStorage: () -> sending any SuiteStorage) {
        self.init(SharedSuites.shared.core(place, makeStorage))
    }

    /// A suite in a storage of any kind, with values of its own.
    public init(_ storage: sending any SuiteStorage, scheduler: any WorkScheduler = LiveWorkScheduler()) {
        self.init(SuiteCore(storage, scheduler: scheduler))
    }

    /// A suite that nothing outlives and nobody else sees: for tests and previews.
    public static func inMemory(_ values: [String: PropertyListValue] = [:]) -> SettingsSuite {
        SettingsSuite(MemoryStorage(MemoryStorage.Place(values)))
    }

    /// The suite named after this process, as Foundation names it: the last component of the path
    /// that it was started by.
    ///
    /// The process's arguments come before what is stored, as with Foundation's `UserDefaults`: started
    /// with `-volume 7`, `volume` is 7 until this process sets or removes it. What is stored stays as it
    /// is.
    public static let standard: SettingsSuite = {
        let name = splitPath(CommandLine.arguments.first ?? "").file
        let suite =
            (try? SuiteName(name)).map { SettingsSuite($0) }
            ?? SettingsSuite(file: SettingsFolder.standard.path + "/unnamed.plist")
        suite.core.take(arguments: ProcessArguments.values(in: CommandLine.arguments))
        return suite
    }()

    /// Where the suite is kept: the path of its file.
    public var location: String { core.location }
}

extension SettingsSuite: Hashable {
    /// Two suites are equal when they share their values.
    public static func == (a: SettingsSuite, b: SettingsSuite) -> Bool { a.core === b.core }

    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(core)) }
}

// MARK: - Values

extension SettingsSuite {
    /// What an argument of the process gives (``standard``), else the stored value, else the registered
    /// default; nil where there is none of these.
    public func value(forKey key: String) -> PropertyListValue? { core.value(forKey: key) }

    /// The stored value; nil where only a default, or nothing, is there.
    public func storedValue(forKey key: String) -> PropertyListValue? { core.storedValue(forKey: key) }

    /// All that is stored, in a dictionary that is made for it.
    public var storedValues: [String: PropertyListValue] { core.storedValues }

    /// The same, in the form that it is kept in: made in no time, however much it is.
    public var storedEntries: PropertyListEntries { core.storedEntries }

    /// What the arguments of the process give to keys that it hasn't set or removed (``standard``). A
    /// word is a string, whatever it means to whoever reads the key.
    public var arguments: [String: PropertyListValue] { core.arguments }

    /// The defaults that were registered in this process.
    public var registeredValues: [String: PropertyListValue] { core.registeredValues }

    /// Sets a key, or removes what is stored under it where the value is nil.
    ///
    /// Equal values are told again. A value that this process has declared the key can't have changes
    /// nothing and is reported (``onFailure``). A value that the storage refuses for good (a control character
    /// in an XML file, say) is taken back later: observers see a change of origin
    /// ``ChangeOrigin/refused``, and ``synchronize()`` throws; ``refusal(of:forKey:)`` tells
    /// beforehand.
    public func set(
        _ value: PropertyListValue?,
        forKey key: String,
        origin: ChangeOrigin = .set(by: nil)
    ) {
        if core.allows(value, forKey: key) { core.set(value, forKey: key, origin: origin) }
    }

    /// Sets several keys, or removes those whose value is nil, in one step: what is stored has all of
    /// it or nothing. One value that its key can't have keeps all from being set, and with one that the storage
    /// refuses for good all are taken back, but for keys that were set again since. What was set while a service
    /// was out of reach is taken back key by key, where others have stored something else meanwhile.
    public func set(_ values: [String: PropertyListValue?], origin: ChangeOrigin = .set(by: nil)) {
        if values.allSatisfy({ core.allows($1, forKey: $0) }) { core.set(values, origin: origin) }
    }

    /// Why the value can't be kept under the key; nil if it can. May wait for the disk.
    public func refusal(of value: PropertyListValue, forKey key: String) -> SettingsError? {
        core.refusal(of: value, forKey: key)
    }

    /// Gives keys a value for those who read them while nothing is stored. It lives in this process
    /// alone and is not told to observers. The first registration of a key wins.
    ///
    /// - Returns: the keys that were registered before with another value, sorted.
    @discardableResult
    public func register(_ defaults: [String: PropertyListValue]) -> [String] { core.register(defaults) }
}

// MARK: - Storing

extension SettingsSuite {
    /// Returns when everything that was set before the call is stored durably, and takes over what
    /// others have stored. What a migration has moved from or to another suite is removed from the old one
    /// by then.
    ///
    /// Waits for others who are writing beside the suite, for ten seconds after the last of them wrote something,
    /// for seventy in all.
    ///
    /// - Throws: why something was not stored. It stays pending and is tried again; but what the storage
    ///   refuses for good has been taken back. That is thrown once, and whatever else was set is stored:
    ///   by the first call after the refusal, be it in this call or by the store on its own before. Where
    ///   several keys were refused, the error names the first.
    public func synchronize() throws(SettingsError) { try core.synchronize() }

    /// Stores several keys in one step (nil removes), if every key of `expected` still has the value
    /// given there (nil: none stored), whoever else writes that keeps to the lock.
    ///
    /// Returns when it is durable. Keys that were set before are stored with it.
    ///
    /// - Throws: ``SettingsError/conflict(current:)`` with the values found instead; or why it could
    ///   not be stored. Either way none of `changes` has taken place, with one exception: where the
    ///   system fails at the very last step (the fsync of the folder), the file may hold them, and they
    ///   are told as another process's changes are.
    public func replace(
        _ changes: [String: PropertyListValue?],
        expecting expected: [String: PropertyListValue?],
        origin: ChangeOrigin = .set(by: nil)
    ) throws(SettingsError) {
        try core.replace(changes, expecting: expected, origin: origin)
    }

    /// Sets aside a file that can't be read, or a folder or a pipe in its place, as
    /// `NAME.plist.broken-<UTC>`, and stores the values in memory, the last good ones, in a new one that takes
    /// its place in one step.
    ///
    /// - Returns: where the unreadable file lies; nil where the file can be read and nothing was done.
    @discardableResult
    public func recover() throws(SettingsError) -> String? { try core.recover() }

    /// How the suite stands with its storage.
    public var status: SuiteStatus { core.status }

    /// Why what is stored could not be read; nil if it could.
    public var contentError: SettingsError? { core.contentError }
}

// MARK: - Observing

extension SettingsSuite {
    /// Observes one key.
    ///
    /// `receive` hears of every change that comes after the value returned, in the order in which
    /// they took place, on the thread that delivers: the one that set, unless another is delivering,
    /// or a thread of the store for changes by other processes. It may set keys of the suite; such
    /// changes follow the one under way. No lock is held.
    ///
    /// - Returns: the stored value to start from, nil where there is none, and the observation, which
    ///   ends when nobody holds it.
    public func observe(
        _ key: String,
        _ receive: @escaping @Sendable (Change) -> Void
    ) -> (initial: PropertyListValue?, observation: SuiteObservation) {
        core.observe(key) { event in
            if case .change(let change) = event { receive(change) }
        }
    }

    /// The same, for readers in no hurry to hear of other processes' changes. Where a watch is dear, what
    /// others store in the first tenth of a second is told at its end, so that a program that is over by
    /// then has not paid for it. ``beginWatching()`` ends the delay.
    package func observeLazily(
        _ key: String,
        _ receive: @escaping @Sendable (Change) -> Void
    ) -> (initial: PropertyListValue?, observation: SuiteObservation) {
        core.observe(key, lazily: true) { event in
            if case .change(let change) = event { receive(change) }
        }
    }

    /// Watches the storage from now on.
    package func beginWatching() { core.startWatching() }

    /// Whether something more is about to be told behind what is being told.
    package var hasMoreToTell: Bool { core.hasMoreToTell }

    /// Observes all keys, and how the suite stands with its storage, likewise.
    public func observe(_ receive: @escaping @Sendable (SuiteEvent) -> Void) -> SuiteObservation {
        core.observe(nil, receive).observation
    }
}
