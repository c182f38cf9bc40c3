import Synchronization

extension SettingsSuite {
    private static let mending = Atomic(true)

    /// Whether suites of this process write again what another process has stored, and a program that writes
    /// the file in place has undone within two seconds, most likely without knowing. True for programs, so
    /// that their settings survive such a one; whoever shows what others do turns it off, before the first
    /// suite. What this process has stored itself is written again in any case.
    public static var mendsWritesOfOthers: Bool {
        get { mending.load(ordering: .relaxed) }
        set { mending.store(newValue, ordering: .relaxed) }
    }
}
