// Suites of one process share connections and values, but only if they may do exactly the same. Two configurations
// that differ in the user, the password or any other setting must share nothing. These identities are the keys by
// which sessions and suites are shared.

#if Cluster
import SettingsStore

/// A complete configuration as a dictionary key. It contains the password, so it stays in memory.
struct ClusterIdentity: Hashable, Sendable {
    private let cluster: SettingsCluster
    /// The bytes of all texts, because strings that are equal in Swift can be different passwords.
    private let bytes: [[UInt8]?]

    init(_ cluster: SettingsCluster) {
        var cluster = cluster
        // The order of the servers makes no difference.
        cluster.servers = Set(cluster.servers).sorted()
        self.cluster = cluster
        let texts = [
            cluster.prefix, cluster.user, cluster.password?.text, cluster.authorityPath,
            cluster.certificatePath,
            cluster.keyPath,
        ]
        bytes = (cluster.servers + texts).map { $0.map { Array($0.utf8) } }
    }
}

/// The key by which suites on clusters are shared in this process.
struct ClusterSuite: Hashable, Sendable {
    static let shared = SuiteRegistry<ClusterSuite>()

    let cluster: ClusterIdentity
    let name: SuiteName
}
#endif
