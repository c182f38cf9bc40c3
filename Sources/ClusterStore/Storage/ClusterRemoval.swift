// A suite must be removed as a whole, however large it is, so that no program sees a part of it. etcd removes a
// range of keys in one transaction, so the removal is a single step.

#if Cluster
import FoundationEssentials
import SettingsStore

extension ClusterStorage {
    /// Removes the suite if it is as it was when the decision was made. Keys that were removed meanwhile do not
    /// matter.
    mutating func remove(_ write: StorageWrite) throws(SettingsError) -> WriteResult {
        try requireNoForeignEntries()
        guard case .unchanged(let basis) = try conditions(on: write.basis) else { return .conditionFailed }
        let range = session.keys.suite(name)
        return try commit(
            try steps(of: write),
            basis + [.unchanged(range, since: knownRevision)],
            write.changes,
            [.delete(range)]
        )
    }

    public mutating func removeAll() throws(SettingsError) -> Bool {
        let removal = Transaction(success: [.delete(session.keys.suite(name))])
        buffer.readingFailed()
        let (answer, mayBeRepeated) = try session.client.store(removal)
        let count = answer.responses?.first?.responseDeleteRange?.deleted?.value ?? 0
        return mayBeRepeated || count > 0
    }

    /// - Throws: an error if the suite has foreign entries, because undoing the removal could not restore them.
    func requireNoForeignEntries() throws(SettingsError) {
        guard let entry = foreignEntries.first else { return }
        let more = foreignEntries.count == 1 ? "" : " and \(foreignEntries.count - 1) more"
        let reason =
            "another program has put \(entry)\(more) there, which is not a key of the suite (\(Self.foreignEntryCause)); "
            + "“pdefaults delete” removes the suite and everything else there"
        throw .notWritable(path: location, reason: reason)
    }

    private static let foreignEntryCause =
        "its name is not text, or not in Unicode's normal form C"
}
#endif
