/// How a suite stands with the place where it is kept.
public struct SuiteStatus: Sendable, Hashable {
    public enum Content: Sendable, Hashable {
        /// What is in memory is what was last read or written.
        case stored
        /// Nothing is kept yet: the first write makes the file.
        case absent
        /// What is kept could not be read; the values in memory are the last good ones, and no
        /// write replaces it. The reason says where and why.
        case unreadable(String)
        /// The service that keeps the suite does not answer, for the reason given; the values in memory
        /// are the last good ones.
        case stale(String)
        /// Somebody makes the suite, in several steps, and has not finished: what is there of it counts as
        /// nothing, and the values in memory are those that were read before. The reason tells who.
        case unfinished(String)
    }

    public enum Watching: Sendable, Hashable {
        /// Changes of others are seen as they happen.
        case events
        /// Changes of others are looked for now and then; the reason says why.
        case polling(String)
        /// Nobody has observed the suite yet, nor has it stored anything that others may undo.
        case off
    }

    public var content: Content
    public var watching: Watching
    /// Keys that were set and are not yet stored.
    public var pendingKeys: Int
    /// Why the last attempt to store failed; nil once one has succeeded.
    public var storingError: String?
    /// Why this process may not write, where that is known beforehand.
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
