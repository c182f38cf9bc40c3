#if Cluster
import ClusterStore
import SettingsStore
import SettingsStoreTesting
import Testing

@Suite("A suite on a cluster keeps what every storage promises")
struct ClusterPromiseTests {
    @Test("Each storage as it is for a process", arguments: StoragePromise.allCases)
    func promise(_ promise: StoragePromise) throws {
        let cluster = try SettingsCluster.ofItsOwn()
        let name = try SuiteName("suite")
        try promise.check(within: .seconds(20)) { ClusterStorage(name, in: cluster) }
    }

    /// What the stream has not brought yet, a reading need not tell; these look at once.
    static let promisesOfTheNextMoment: Set<StoragePromise> = [
        .changesOfOthersAreToldOnce, .aDecisionKnowsWhatOthersChanged, .aKeyIsRemoved,
        .recoveringWhatCanBeReadDoesNothing,
    ]

    @Test(
        "While the suite is watched",
        arguments: StoragePromise.allCases.filter { !promisesOfTheNextMoment.contains($0) }
    )
    func whileWatched(_ promise: StoragePromise) throws {
        let cluster = try SettingsCluster.ofItsOwn()
        let name = try SuiteName("suite")
        let watches = Recorder<StorageWatch>()
        try promise.check(within: .seconds(20)) {
            let storage = ClusterStorage(name, in: cluster)
            watches.note(storage.watch {})
            return storage
        }
    }
}
#endif
