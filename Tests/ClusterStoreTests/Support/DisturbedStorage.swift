#if Cluster
import ClusterStore
import PropertyList
import SettingsStore

/// A storage that calls a closure between the decision about a write and the write.
struct DisturbedStorage: ValidatesValues, ReportsWriteAccess {
    private var storage: ClusterStorage
    private let disturb: @Sendable () -> Void

    init(_ storage: ClusterStorage, _ disturb: @escaping @Sendable () -> Void) {
        self.storage = storage
        self.disturb = disturb
    }

    var location: String { storage.location }

    mutating func read() throws(SettingsError) -> StorageReading { try storage.read() }

    mutating func update(_ decide: (StorageReading) -> StorageWrite) throws(SettingsError) {
        let disturb = disturb
        try storage.update { reading in
            defer { disturb() }
            return decide(reading)
        }
    }

    var valueCheck: ValueCheck { storage.valueCheck }

    func readOnlyReason() -> String? { storage.readOnlyReason() }

    func watch(_ hint: @escaping @Sendable () -> Void) -> StorageWatch { storage.watch(hint) }
}
#endif
