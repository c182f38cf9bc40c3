import Synchronization

extension SettingsSuite {
    private static let spelling = Atomic(false)

    /// Whether suites of this process, where they are XML files, write a value that a key had before as it was
    /// written then: with its numbers, white space and comments. Who lets a user take changes back turns it
    /// on, before the first suite; it costs up to 1 MB for each.
    public static var keepsSpellings: Bool {
        get { spelling.load(ordering: .relaxed) }
        set { spelling.store(newValue, ordering: .relaxed) }
    }
}
