#if Cluster
import ClusterStore
import ProgramHarness
import SettingsStore
import SettingsStoreTesting
import Testing

@Suite(
    "A storage on a cluster conforms to the rules of every storage",
    .enabled(if: EtcdServer.isInstalled, Comment(rawValue: EtcdServer.needs))
)
struct StorageConformanceTests {
    @Test("Every rule holds for a storage that is not watched", arguments: StorageConformance.allCases)
    func rule(_ rule: StorageConformance) throws {
        let cluster = try SettingsCluster.ofItsOwn()
        let name = try SuiteName("suite")
        try rule.check(within: waitLimit) { ClusterStorage(name, in: cluster) }
    }

    /// These rules read at once after a foreign change, which the watch stream may not have delivered yet.
    static let rulesOfTheNextMoment: Set<StorageConformance> = [
        .foreignChangesAreReportedOnce, .decisionGetsForeignChanges, .keyIsRemoved,
    ]

    @Test(
        "Every rule holds for a storage that is watched",
        arguments: StorageConformance.allCases.filter { !rulesOfTheNextMoment.contains($0) }
    )
    func whileWatched(_ rule: StorageConformance) throws {
        let cluster = try SettingsCluster.ofItsOwn()
        let name = try SuiteName("suite")
        let watches = Recorder<StorageWatch>()
        try rule.check(within: waitLimit) {
            let storage = ClusterStorage(name, in: cluster)
            watches.note(storage.watch {})
            return storage
        }
    }
}
#endif
