import PropertyList

/// The changes that a suite asks its storage to write.
public struct StorageWrite: Sendable {
    /// Keys with their new values; nil removes. Without changes nothing is written.
    public var changes: [String: PropertyListValue?]
    /// The keys whose values the decision was based on, even a decision to write nothing. A storage without a lock
    /// writes on the condition that these are unchanged, and otherwise asks for a new decision.
    public var basis: Set<String>
    /// The keys among the changes that are written only if they have not changed since they were last read, each for
    /// itself: values that were set while the storage was out of reach. A storage without a lock asks for a new
    /// decision if one has changed.
    public var unlessChanged: Set<String> = []
    /// Stored values that are about to be replaced and that the program can't read. A storage with room for them puts
    /// them into quarantine, durably, before it writes; if that fails, it does not write.
    public var quarantine: [String: PropertyListValue] = [:]
    /// Whether the suite as a whole is created or removed. A backend in which a suite without keys does not exist can ignore it.
    public var suiteAction = SuiteAction.keep

    public enum SuiteAction: Sendable {
        /// The suite is neither created nor removed.
        case keep
        /// The suite is created, even without a key, like a template, or as it was before this storage has removed
        /// it.
        case create(like: SuiteTemplate?)
        /// The suite is removed. All of its keys are among the changes.
        case remove
    }

    public init(
        changes: [String: PropertyListValue?],
        basis: Set<String> = []
    ) {
        self.changes = changes
        self.basis = basis
    }
}

extension StorageWrite {
    /// Whether there is nothing to write.
    var isNone: Bool { if case .keep = suiteAction { changes.isEmpty } else { false } }
}
