#if Cluster
import ClusterStore
import PropertyList
import SettingsStore

/// A storage in which something happens between what a write was decided on and the write.
struct DisturbedStorage: SuiteStorage {
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

    mutating func recover(with write: StorageWrite) throws(SettingsError) -> String? {
        try storage.recover(with: write)
    }

    func refusal(of value: PropertyListValue, forKey key: String) -> SettingsError? {
        storage.refusal(of: value, forKey: key)
    }

    func readOnlyReason() -> String? { storage.readOnlyReason() }

    func watch(_ hint: @escaping @Sendable () -> Void) -> StorageWatch { storage.watch(hint) }
}
#endif
