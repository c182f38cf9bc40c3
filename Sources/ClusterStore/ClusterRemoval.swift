#if Cluster
import FoundationEssentials
import SettingsStore

// Suites that are removed as a whole: however large they are it is one step, so that they are there, or are not.
extension ClusterStorage {
    /// Removes the suite with all that it holds, if that is what was decided upon.
    ///
    /// What others remove meanwhile is to go anyway.
    mutating func remove(_ write: StorageWrite) throws(SettingsError) -> Bool {
        try requireNoStrangers()
        guard let basis = try conditions(on: write.basis) else { return false }
        let range = link.keys.suite(name)
        return try commit(
            try steps(of: write),
            basis + [.unchanged(range, since: floor)],
            write.changes,
            [.delete(range)]
        )
    }

    public mutating func removeAll(onlyPart: Bool) throws(SettingsError) -> Bool {
        let condition: [Compare] = onlyPart ? [.isThere(link.keys.making(of: name))] : []
        let removal = Transaction(compare: condition, success: [.delete(link.keys.suite(name))])
        feed.readingFailed()
        let (answer, mayBeRepeated) = try link.client.store(removal)
        let count = answer.responses?.first?.responseDeleteRange?.deleted?.value ?? 0
        return mayBeRepeated || count > 0
    }

    /// - Throws: where others have put something into the suite that nobody here would bring back.
    func requireNoStrangers() throws(SettingsError) {
        guard let stranger = strangers.first else { return }
        let more = strangers.count == 1 ? "" : " and \(strangers.count - 1) more"
        let reason =
            "others have put \(stranger)\(more) there, which is none of its keys (\(Self.whyStrange)); "
            + "“pdefaults delete” removes that with all else"
        throw .notWritable(path: location, reason: reason)
    }

    static let whyStrange = "its name is spelled otherwise than in Unicode's normal form C, or is no text"

    public mutating func ground() throws(SettingsError) -> SuiteGround? {
        try requireNoStrangers()
        return SuiteGround(suite: name, revision: floor)
    }
}
#endif
