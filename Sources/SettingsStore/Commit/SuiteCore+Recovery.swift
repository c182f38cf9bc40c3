// No commit replaces an unreadable file. Only when a person or a program asks for it, the file is set aside, and the
// values in memory are stored in its place. Without this, the suite could never be stored again.

import PropertyList

extension SuiteCore {
    /// Sets unreadable content aside and stores the values in memory in its place.
    ///
    /// - Returns: where the unreadable content is now; nil if the content can be read, or if the storage can't set it
    ///   aside.
    func recover() throws(SettingsError) -> String? {
        defer { deliver() }
        return try withStorage { storage throws(SettingsError) in try recover(in: &storage) }
    }

    /// A pending key that the storage refuses for good is taken back, as by a commit.
    private func recover(in storage: inout any SuiteStorage) throws(SettingsError) -> String? {
        guard var recoverable = storage as? any Recoverable else { return nil }
        defer { storage = recoverable }
        while true {
            let (values, taken) = state.withLock { ($0.values.stored, $0.commit.pending) }
            var write = StorageWrite(
                changes: Dictionary(uniqueKeysWithValues: values.map { ($0.key, $0.value) })
            )
            write.quarantine = state.withLock { $0.unreadableValues(replacedBy: write.changes) }
            do throws(SettingsError) {
                guard let path = try recoverable.recover(with: write) else { return nil }
                let exists = !write.changes.isEmpty
                noteStored(in: recoverable, hasWritten: exists) { state, reason in
                    state.recovered(with: taken, exists: exists, readOnlyReason: reason)
                }
                releaseCacheLater(of: recoverable)
                return path
            } catch {
                guard case .unrepresentable(_, let key, _) = error, let entry = taken[key] else {
                    throw error
                }
                state.withLock { $0.withdraw(key, entry, because: error) }
            }
        }
    }
}
