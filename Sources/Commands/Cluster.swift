import CommandLanguage
import PropertyList
import SettingsStore

#if Cluster
import ClusterStore

/// The cluster of these servers. A command leaves nothing of it on this machine's disk.
func cluster(_ urls: String) throws -> any SuitePlace {
    var cluster = SettingsCluster.etcd(urls)
    cluster.copies = nil
    return cluster
}
#else
func cluster(_ urls: String) throws -> any SuitePlace {
    throw CommandError(
        "This pdefaults was built without clusters. “swift build --traits Cluster” builds it with them."
    )
}
#endif

/// `history`: what a key has been, or the way back to what it was.
func history(_ domain: Domain, _ line: CommandWords) throws {
    let key = line[1] ?? ""
    guard let history = try domain.history(ofKey: key) else {
        throw CommandError("A file keeps no history; a cluster does (--cluster).")
    }
    guard let newest = history.first else {
        throw CommandError(
            "The domain/default pair of (\(domain.name), \(key)) does not exist (looked in \(domain.location))."
        )
    }
    guard let word = line.word(of: .to) else {
        if line.has(.json) {
            let entries = history.map { entry in
                PropertyListValue.dictionary([
                    "revision": .integer(PropertyListInteger(entry.revision)), "value": entry.value,
                ])
            }
            return Output.json(.array(entries))
        }
        for entry in history { Output.line("\(entry.revision) \(entry.value.oldStyleLine)") }
        return
    }
    guard let entry = history.first(where: { String($0.revision) == word }) else {
        throw CommandError("(\(domain.name), \(key)) has no revision \(word) in its history.")
    }
    try domain.goBack(key, from: newest.value, to: entry.value)
}
