#if Cluster
import FoundationEssentials
import PropertyList
import SettingsStore

/// A suite on an etcd cluster: one key of etcd's for each setting, whose value is a binary property list.
///
/// While it is watched, what others change comes with the cluster's stream; else each reading asks for the
/// whole suite. A write is one transaction, which rests on the revisions of the keys that the decision was
/// based on. Keys of others that are none of these are overwritten, as it is with files: the last one wins.
///
/// One step holds up to 4,000 keys and a megabyte; more without a condition is stored in several steps, and
/// with one it is refused. A suite is removed as a whole in one step whatever its size, and one that is made in
/// several is not there for anybody before the last. A conditional step also leaves a mark of its own beside the suite, by which a step
/// whose answer was lost is found to have taken place.
public struct ClusterStorage: SuiteStorage {
    let name: SuiteName
    let link: ClusterLink
    let feed: SuiteFeed
    let copy: DiskCopy?
    private let schema: ClusterSchema
    private let pendingFiles: PendingFiles?

    /// The revision of each key's last change; that of the removal for keys that are gone and of which the
    /// stream may still say something older.
    var known: [String: Known] = [:]
    /// Whether some of these are gone.
    var knowsRemovals = false
    /// What others have put there and is none of the suite's keys, as a sentence can have it.
    var strangers: [String] = []
    /// Everything up to this revision is known.
    var floor: Int64 = 0
    var clusterID: Int64?
    /// Whether a reading has told everything.
    var hasRead = false
    /// What the first reading takes instead of asking.
    var first: RangeResponse?
    /// When the last one did so, by the clock that nobody sets.
    var lastWhole = 0.0

    struct Known: Hashable {
        var revision: Int64
        /// Stands for the bytes; nil where the key is gone. A cluster that was set up from an old copy counts
        /// on from that, so that the same revision may be another change.
        var digest: Int?

        init(_ revision: Int64, _ bytes: [UInt8]?) {
            self.revision = revision
            digest = bytes?.digest
        }

        var isThere: Bool { digest != nil }
    }

    /// - Parameter usesCopy: whether the last good state on the disk is used as the cluster says.
    public init(_ name: SuiteName, in cluster: SettingsCluster, usesCopy: Bool = true) {
        self.init(name, in: cluster, usesCopy: usesCopy, schema: nil)
    }

    /// Without a copy.
    ///
    /// - Parameters:
    ///   - answer: what was read of the suite before.
    ///   - schema: what was read of what is declared; nil inside for nothing.
    init(
        _ name: SuiteName,
        in cluster: SettingsCluster,
        beginningWith answer: RangeResponse,
        schema: KeyValue??
    ) {
        self.init(name, in: cluster, usesCopy: false, schema: schema)
        first = answer
    }

    private init(_ name: SuiteName, in cluster: SettingsCluster, usesCopy: Bool, schema: KeyValue??) {
        self.name = name
        link = ClusterLink.to(cluster)
        feed = SuiteFeed(name)
        let copies = usesCopy ? cluster.copies : .none
        let schema = ClusterSchema(of: name, on: link, copies, beginningWith: schema)
        self.schema = schema
        copy = copies.folder.map { folder in
            DiskCopy(folder.filePath(of: name), with: copies.keeping == nil ? nil : schema)
        }
        let keeping = cluster.whileUnreachable == .refuse ? nil : copies.keeping
        pendingFiles = keeping.map { PendingFiles(name, in: $0) }
    }

    public var location: String { link.cluster.location + name.rawValue }

    public func readOnlyReason() -> String? {
        guard refusesWhileUnreachable, let outage = link.outage else { return nil }
        return "the cluster can't be reached (\(outage))"
    }

    public var schemaPlace: (any SchemaPlace)? { schema }

    public var refusesWhileUnreachable: Bool { link.cluster.whileUnreachable == .refuse }

    public func refusal(of value: PropertyListValue, forKey key: String) -> SettingsError? {
        do throws(PropertyListError) {
            _ = try encoded(value, key)
            return nil
        } catch {
            return .unrepresentable(path: location, key: key, error)
        }
    }

    public func keep(_ pending: [String: PendingWrite]) -> Bool { pendingFiles?.keep(pending) ?? false }

    /// What a process of this machine has left that is no more; only the first time.
    func takeLeft() -> (writes: [String: PendingWrite], replaced: Set<String>) {
        pendingFiles?.takeLeft() ?? ([:], [])
    }

    /// There is nothing that can't be read: see ``value(of:)``.
    public func recover(with write: StorageWrite) throws(SettingsError) -> String? { nil }

    /// The value that stands under a key. What others have put there and is neither a binary property list
    /// nor one in XML is a string, and what is no text either is data: it is for those to report who expect
    /// something else there, and keeps nobody from the suite's other keys.
    static func value(of bytes: [UInt8]) -> PropertyListValue {
        let isPropertyList = ["bplist0", "<?xml", "<!DOCTYPE plist", "<plist"].contains {
            bytes.starts(with: $0.utf8)
        }
        if isPropertyList, let value = try? PropertyListValue.read(bytes).value { return value }
        return String(validating: bytes, as: UTF8.self).map { .string($0) } ?? .data(Data(bytes))
    }

    public func watch(_ hint: @escaping @Sendable () -> Void) -> StorageWatch {
        let holder = WatchHolder(feed, link)
        if feed.add(hint, for: holder) { link.add(feed) }
        return StorageWatch(heldBy: holder) { $0.link.watching }
    }

    private final class WatchHolder: Sendable {
        let feed: SuiteFeed
        let link: ClusterLink

        init(_ feed: SuiteFeed, _ link: ClusterLink) {
            self.feed = feed
            self.link = link
        }

        deinit { if feed.remove(ObjectIdentifier(self)) { link.remove(feed) } }
    }
}

extension [UInt8] {
    /// Stands for the bytes in this process: `hashValue`, which goes through the elements one by one, takes
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
