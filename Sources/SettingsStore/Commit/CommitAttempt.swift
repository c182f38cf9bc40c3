import PropertyList

/// One attempt to store the pending writes.
struct CommitAttempt {
    /// Is stored with the pending writes; nil once it is dropped, or pending like the others.
    private(set) var conditional: ConditionalWrite?
    /// Whether the storage has read or written anything.
    var hasUsedStorage = false
    /// Why the conditional write was dropped. The pending writes are stored without it.
    private(set) var failure: SettingsError?
    /// Whether everything was stored before and is stored once more, because an unlocked writer has overwritten it.
    private var isSecondWrite = false
    /// The keys that were stored before they were overwritten.
    private(set) var storedKeys: Set<String> = []

    init(_ conditional: ConditionalWrite?) { self.conditional = conditional }

    mutating func drop(because error: SettingsError) {
        failure = error
        conditional = nil
    }

    /// Notes what was stored and then overwritten. From here on, the keys of the conditional write are pending like the
    /// others.
    mutating func noteStored(_ taken: [String: SuiteCommit.Pending], _ conditional: ConditionalWrite?) {
        // The second write also restores keys of other programs. Only keys of this attempt count as its own.
        storedKeys.formUnion(taken.filter { !isSecondWrite || !$0.value.isRestoring }.keys)
        guard let conditional else { return }
        storedKeys.formUnion(conditional.changes.keys)
        self.conditional = nil
    }

    /// - Returns: false if this was the second write.
    mutating func beginSecondWrite() -> Bool {
        if isSecondWrite { return false }
        isSecondWrite = true
        return true
    }
}
