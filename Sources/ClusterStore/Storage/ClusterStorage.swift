// SettingsStore works with any storage that can read, update and watch a suite. This storage keeps a suite on an etcd
// cluster, where several machines write at once and answers can be lost.

#if Cluster
import FoundationEssentials
import PropertyList
import SettingsStore

/// A suite on an etcd cluster. Each setting is one key of etcd, whose value is a binary property list.
///
/// While the suite is watched, foreign changes arrive through the watch stream. Otherwise each reading asks a server.
///
/// A write is one transaction, on the condition that the keys that the decision was based on have not changed. Other
/// keys are overwritten: the last write wins, as with files.
///
/// A transaction has up to 4,000 keys and 1 MB. A larger write without a condition is stored in several transactions,
/// and one with a condition is refused. A large suite is created in several transactions too, and removed in one. Each
/// conditional transaction also stores a receipt beside the suite. If an answer is lost, the receipt shows whether the
/// transaction was carried out.
///
/// The storage is used by one thread at a time. It waits for the servers on that thread.
public struct ClusterStorage: SuiteStorage, RemovesSuites {
    let name: SuiteName
    let session: ClusterSession
    let buffer: WatchBuffer
    /// nil if no copies are used.
    let cache: SuiteCache?
    let schema: ClusterSchema

    /// Each key's last known change. A removed key stays here while the stream may still deliver older changes of it.
    var known: [String: Known] = [:]
    /// Whether `known` has removed keys.
    var knowsRemovals = false
    /// The names of keys that other programs have stored in the suite's range and that no key of a suite can have.
    var foreignEntries: [String] = []
    /// All changes up to this revision are known.
    var knownRevision: Int64 = 0
    var clusterID: Int64?
    /// Whether a reading has returned all values once.
    var hasRead = false
    /// The monotonic time of the last full reading.
    var lastFullRead = 0.0

    struct Known: Hashable {
        var revision: Int64
        /// A digest of the value's bytes; nil if the key was removed. On a cluster that was restored from a backup
        /// the same revision can be another change, so the revision alone is not enough.
        var digest: Int?

        init(_ revision: Int64, _ bytes: [UInt8]?) {
            self.revision = revision
            digest = bytes?.digest
        }

        var exists: Bool { digest != nil }
    }

    /// Makes a storage. Nothing is sent before the first reading.
    ///
    /// - Parameter usesCopy: whether the cluster's ``SettingsCluster/copies`` are used.
    public init(_ name: SuiteName, in cluster: SettingsCluster, usesCopy: Bool = true) {
        self.name = name
        session = ClusterSession.to(cluster)
        buffer = WatchBuffer(name)
        let copies = usesCopy ? cluster.userCopies : .none
        let schema = ClusterSchema(of: name, on: session, copies)
        self.schema = schema
        let folder = copies.writableFolder
        cache = copies.folder.map { SuiteCache($0.filePath(of: name), with: folder == nil ? nil : schema) }
    }

    public var location: String { session.cluster.location + name.rawValue }

    /// The value of a key. Bytes that are no property list are read as a string, or as data if they are no text. So a
    /// foreign value never makes the suite unreadable; a program that expects another type reports it.
    static func value(of bytes: [UInt8]) -> PropertyListValue {
        let isPropertyList = ["bplist0", "<?xml", "<!DOCTYPE plist", "<plist"].contains {
            bytes.starts(with: $0.utf8)
        }
        if isPropertyList, let value = try? PropertyListValue.read(bytes).value { return value }
        return String(validating: bytes, as: UTF8.self).map { .string($0) } ?? .data(Data(bytes))
    }

    public func watch(_ notify: @escaping @Sendable () -> Void) -> StorageWatch {
        let holder = WatchHolder(buffer, session)
        if buffer.add(notify, for: holder) { session.add(buffer) }
        return StorageWatch(heldBy: holder) { $0.session.watching }
    }

    private final class WatchHolder: Sendable {
        let buffer: WatchBuffer
        let session: ClusterSession

        init(_ buffer: WatchBuffer, _ session: ClusterSession) {
            self.buffer = buffer
            self.session = session
        }

        deinit { if buffer.remove(ObjectIdentifier(self)) { session.remove(buffer) } }
    }
}

extension ClusterStorage: StoresSchema {
    public var schemaStore: any SchemaStore { schema }
}

extension ClusterStorage: ReportsWriteAccess {
    public var traits: StorageTraits {
        var traits = StorageTraits()
        traits.refusesWhileUnreachable = session.cluster.whileUnreachable == .refuse
        return traits
    }

    public func readOnlyReason() -> String? {
        guard traits.refusesWhileUnreachable, let outage = session.outage else { return nil }
        return "the cluster is unreachable (\(outage))"
    }
}

extension ClusterStorage: ValidatesValues {
    public var valueCheck: ValueCheck {
        { [location] value, key in
            do throws(PropertyListError) {
                _ = try Self.encoded(value, key)
                return nil
            } catch {
                return .unrepresentable(path: location, key: key, error)
            }
        }
    }
}

extension [UInt8] {
    /// A hash of the bytes, which differs between processes. `hashValue` hashes the elements one by one, and takes
    /// many times as long.
    var digest: Int {
        withUnsafeBytes { bytes in
            var hasher = Hasher()
            hasher.combine(bytes: bytes)
            return hasher.finalize()
        }
    }
}
#endif
