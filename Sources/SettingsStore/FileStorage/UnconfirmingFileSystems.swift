/// The file systems that refuse fsync(2), so that they can't confirm that a file is on the disk.
///
/// A write to one of them counts as done. Otherwise it would be repeated without end. The store reports each of them
/// once, so that the user knows of the missing guarantee.
package enum UnconfirmingFileSystems {
    /// For each device, the path of a suite that was written there.
    private static let known = Mutex<[UInt64: String]>([:])

    static func found(_ device: UInt64, _ path: String) {
        let isNew = known.withLock { $0.updateValue($0[device] ?? path, forKey: device) == nil }
        // The caller holds the suite's lock, and the process may end before another thread could report it.
        if isNew { FailureHandler.reportLater(path, .notDurable(path: path)) }
    }

    /// The errors that a command reports when it ends.
    package static var problems: [SettingsError] {
        known.withLock { $0.values.sorted() }.map { .notDurable(path: $0) }
    }
}
