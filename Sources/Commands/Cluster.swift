import CommandLanguage
import PropertyList
import SettingsStore

#if Cluster
import ClusterStore

/// The cluster of these servers. Nothing of it is left on this machine's disk.
///
/// - Parameters:
///   - urls: “-” stands for what the environment names.
///   - showsCopies: whether what programs have left there is looked at while no server answers.
func cluster(_ urls: String, showsCopies: Bool) throws -> any SuitePlace {
    var cluster = urls == "-" ? SettingsCluster.etcd() : SettingsCluster.etcd(urls)
    if urls == "-", cluster.servers.isEmpty {
        throw CommandError("“--cluster -” takes the servers that PDEFAULTS_CLUSTER names, and it names none.")
    }
    // Whoever looks on can leave; a script goes on some time.
    cluster.perseverance = showsCopies ? .infinity : 30
    cluster.copies = if showsCopies, let folder = cluster.copies.folder { .read(folder) } else { .none }
    return cluster
}

/// Whether the environment names a cluster.
var namesCluster: Bool { !SettingsCluster.etcd().servers.isEmpty }
#else
let namesCluster = false

func cluster(_ urls: String, showsCopies: Bool) throws -> any SuitePlace {
    throw CommandError(
        "This pdefaults was built without clusters. “swift build --traits Cluster” builds it with them."
    )
}
#endif

/// `history`: what a key has been, or the way back to what it was.
func history(_ domain: Domain, _ line: CommandWords) throws {
    let key = line[1] ?? ""
    let listed = 100
    let limit = line.word(of: .to) == nil ? listed + 1 : .max
    guard let history = try domain.history(ofKey: key, limit: limit) else {
        throw CommandError("A file keeps no history; a cluster does (--cluster).")
    }
    guard let newest = history.first else {
        throw CommandError(
            "The domain/default pair of (\(domain.name), \(key)) does not exist, and has not, as far as the "
                + "cluster knows (looked in \(domain.location))."
        )
    }
    guard let word = line.word(of: .to) else {
        if history.count > listed {
            Output.error(
                "These are the newest \(listed) revisions of “\(key)”; --to goes back to older ones, too."
            )
        }
        let history = history.prefix(listed)
        if line.has(.json) {
            let entries = history.map { entry in
                var words: [String: PropertyListValue] = [
                    "revision": .integer(PropertyListInteger(entry.revision))
                ]
                words["value"] = entry.value
                return PropertyListValue.dictionary(words)
            }
            return Output.json(.array(entries))
        }
        for entry in history {
            Output.line("\(entry.revision) \(entry.value?.oldStyleLine ?? "(removed)")")
        }
        return
    }
    guard let entry = history.first(where: { String($0.revision) == word }) else {
        throw CommandError("(\(domain.name), \(key)) has no revision \(word) in its history.")
    }
    try domain.goBack(key, from: newest.value, to: entry.value)
}
