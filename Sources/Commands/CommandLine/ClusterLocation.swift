import CommandLanguage
import PropertyList
import SettingsStore

// Connects the commands with an etcd cluster. In a build without the package trait `Cluster`, the option
// `--cluster` only prints an explanation.

#if Cluster
import ClusterStore

/// Returns the cluster with these servers. It stores nothing on this machine.
///
/// - Parameters:
///   - urls: The servers, or `-` for the servers that the environment names.
///   - showsCopies: Whether to show the copies that programs have stored on this machine, while no server
///     answers.
func cluster(_ urls: String, showsCopies: Bool) throws -> any SuiteBackend {
    var cluster = urls == "-" ? SettingsCluster.etcd() : SettingsCluster.etcd(urls)
    if urls == "-", cluster.servers.isEmpty {
        throw CommandError("PDEFAULTS_CLUSTER names no server. Set it, or write the servers after --cluster.")
    }
    try cluster.validate()
    // A person can leave the editor at any time, but a script must end.
    cluster.perseverance = showsCopies ? .infinity : 30
    cluster.copies = if showsCopies, let folder = cluster.copies.folder { .read(folder) } else { .none }
    return cluster
}

/// Whether the environment names a cluster.
var namesCluster: Bool { !SettingsCluster.etcd().servers.isEmpty }
#else
let namesCluster = false

func cluster(_ urls: String, showsCopies: Bool) throws -> any SuiteBackend {
    throw CommandError(
        "This pdefaults was built without clusters. Build it with “swift build --traits Cluster”."
    )
}
#endif

/// Runs `history`: prints the previous values of a key, or restores one with `--to`.
func history(_ target: SuiteTarget, _ line: ParsedCommand) throws {
    let key = line[1] ?? ""
    let listed = 100
    let limit = line.word(of: .to) == nil ? listed + 1 : .max
    guard let history = try target.history(ofKey: key, limit: limit) else {
        throw CommandError("Only suites on a cluster have a history. Name the cluster with --cluster.")
    }
    guard let newest = history.first else {
        throw CommandError(
            "\(MacOSMessage.pairDoesNotExist(target.name, key)), and the cluster’s history does not contain it (looked in "
                + "\(target.location))."
        )
    }
    guard let word = line.word(of: .to) else {
        if history.count > listed {
            Output.error(
                "These are the newest \(listed) revisions of “\(MessageText.name(key))”. --to finds older ones too."
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
        throw CommandError(
            "(\(target.name), \(MessageText.name(key))) has no revision \(word) in its history."
        )
    }
    try target.goBack(key, from: newest.value, to: entry.value)
}
