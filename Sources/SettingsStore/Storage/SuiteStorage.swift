import PropertyList

/// Keeps one suite: in a file, in memory, or with a service on another machine.
///
/// The first four requirements are all that a storage has to implement; the others have defaults. Each thing that only
/// some storages can do is a small protocol of its own, which a storage may also adopt: ``ValidatesValues``,
/// ``ReportsWriteAccess``, ``Recoverable``, ``StoresSchema``, ``ProvidesTemplate`` and ``RemovesSuites``. Every storage
/// should pass `StorageConformance` in the module SettingsStoreTesting.
///
/// A storage remembers what it last read or wrote and reports the differences from that; only the suite has the
/// values. One caller at a time uses it, on any thread. The caller holds no lock that readers or writers of the suite
/// need, so every call may block for as long as a disk or a network does. The values that a storage reads are released
/// under such locks, so a `Data` among them must not have a deallocator that runs other code.
public protocol SuiteStorage {
    /// The path or URL, to show to people.
    var location: String { get }

    /// Returns the differences from what this storage last read or wrote; the first time, all values. While the
    /// suite is watched, a change without a notification may be reported by the next read.
    ///
    /// If it throws, the next read compares with the same base as this one.
    mutating func read() throws(SettingsError) -> StorageReading

    /// Changes what is stored, in one step that is durable when this returns. Keys that are not written stay as they
    /// are, even if another process writes them at the same time.
    ///
    /// If it throws, nothing was written. There are two exceptions: if only the confirmation failed, everything was
    /// written, and the next read reports it; with ``SettingsError/overwritten(path:)`` everything was written and
    /// then overwritten, and the next read reports what is gone. Then the caller updates once more. The readings that
    /// `decide` got count as read in every case. The next update that writes anything makes this one durable too.
    ///
    /// - Parameter decide: Gets the foreign changes since the last reading, and returns what to write. If there are
    ///   more foreign changes before the write, it is called again, and only its last result counts. Each reading
    ///   that it got counts as read.
    mutating func update(_ decide: (StorageReading) -> StorageWrite) throws(SettingsError)

    /// Calls `notify` whenever something may have changed, until the returned watch is released. Unneeded calls do no
    /// harm.
    ///
    /// `notify` runs on a thread of the watch, with no lock held, and never inside another call to a storage.
    func watch(_ notify: @escaping @Sendable () -> Void) -> StorageWatch

    /// How this storage behaves. A suite asks once. The default is the behaviour of memory.
    var traits: StorageTraits { get }

    /// Takes the lock that the next ``update(_:)`` needs, for a caller that must not wait for another process. The update
    /// must be the next call.
    ///
    /// - Returns: false if another process has the lock.
    mutating func tryLock() -> Bool

    /// Whether ``releaseCache()`` would free memory.
    var hasReleasableCache: Bool { get }

    /// Frees memory that only makes reading and writing faster. A suite calls it after a while without reads and writes.
    mutating func releaseCache()
}

extension SuiteStorage {
    public var traits: StorageTraits { StorageTraits() }

    public mutating func tryLock() -> Bool { true }

    public var hasReleasableCache: Bool { false }

    public mutating func releaseCache() {}
}

/// How a storage behaves. All values are false for memory.
public struct StorageTraits: Sendable {
    /// Whether ``SuiteStorage/update(_:)`` may have to wait for the lock of another process.
    public var hasLock = false
    /// Whether a process that has watched the suite takes notably longer to exit. Then a suite begins to watch only after
    /// a tenth of a second, if no observer needs it earlier.
    public var delaysExit = false
    /// Whether unlocked writers may overwrite what this storage has written, and it reports that
    /// (``StorageReading/overwritten``). Then a suite that has written something is watched.
    public var detectsOverwrites = false
    /// Whether values that are set while a service is out of reach (``SettingsError/unreachable(path:reason:)``) are taken
    /// back. Otherwise they are pending until the service can be reached.
    public var refusesWhileUnreachable = false
    /// Whether values are stored as JSON: no dates, no data, null as a value.
    public var storesJSON = false

    public init() {}
}
