/// Whether the values of a suite in memory are the stored ones, and whether it can be written.
public struct SuiteStatus: Sendable, Hashable {
    public enum Content: Sendable, Hashable {
        /// The values in memory are those that were last read or written.
        case stored
        /// The suite does not exist yet. The first write creates it.
        case absent
        /// The stored content could not be read, for the reason given. The values in memory are the last good ones,
        /// and no write replaces the content. Sound content that is no suite, such as an array in JSON, can't be set aside.
        case unreadable(String, isSound: Bool = false)
        /// The service that stores the suite does not answer, for the reason given. The values in memory are the last
        /// good ones.
        case stale(String)
    }

    public enum Watching: Sendable, Hashable {
        /// Foreign changes are noticed when they happen.
        case events
        /// Foreign changes are noticed by reading now and then, for the reason given.
        case polling(String)
        /// The suite has no observer yet, and has written nothing that an unlocked writer could overwrite.
        case off
    }

    public var content: Content
    public var watching: Watching
    /// The number of keys that were set and are not stored yet.
    public var pendingKeys: Int
    /// Why the last commit failed; nil after one that succeeded.
    public var storingError: String?
    /// Why this process may not write, if that is known without trying.
    public var readOnlyReason: String?

    public init(
        content: Content = .absent,
        watching: Watching = .off,
        pendingKeys: Int = 0,
        storingError: String? = nil,
        readOnlyReason: String? = nil
    ) {
        self.content = content
        self.watching = watching
        self.pendingKeys = pendingKeys
        self.storingError = storingError
        self.readOnlyReason = readOnlyReason
    }
}
