// Two programs that create a suite of the same name at once must not mix their keys. So the transaction that creates a
// suite has the condition that nothing is there. A suite that is larger than one transaction gets the rest of its keys in
// further ones, and programs may see a part of it meanwhile.

#if Cluster
import SettingsStore

extension ClusterStorage {
    /// Creates the suite if it does not exist.
    ///
    /// - Throws: an error that says how many keys were stored, if only some were.
    mutating func create(_ write: StorageWrite) throws(SettingsError) -> WriteResult {
        try requireNoForeignEntries()
        let parts = Self.parts(of: try steps(of: write), limit: Self.keyLimit)
        var stored: [String] = []
        for (index, part) in parts.enumerated() {
            let conditions: [Compare] = index == 0 ? [.isEmpty(session.keys.suite(name))] : []
            do throws(SettingsError) {
                guard try commit(part, conditions, write.changes, part.map(\.operation)) == .stored else {
                    // The next reading finds keys in the suite.
                    buffer.readingFailed()
                    return .conditionFailed
                }
            } catch {
                throw error.after(stored, of: write.changes.count)
            }
            stored += part.compactMap(\.key)
        }
        return .stored
    }
}
#endif
