import PropertyList

/// Keeps one suite: in a file, in memory, or with a service on another machine.
///
/// These four requirements are all that a storage has to implement. Each thing that only some storages can do is a small
/// protocol of its own, which a storage may also adopt: ``ValidatesValues``, ``ReportsWriteAccess``, ``LocksAhead``, ``CachesContent``,
/// ``DelaysExit``, ``DetectsOverwrites``, ``Recoverable``, ``StoresSchema``, ``ProvidesTemplate``,
/// ``RefusesWhileUnreachable``, ``ReplacesSuites`` and ``RemovesSuites``. Every storage
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
}
