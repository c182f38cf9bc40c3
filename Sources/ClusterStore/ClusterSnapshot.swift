#if Cluster
import FoundationEssentials
import SettingsStore

extension SettingsCluster {
    /// The cluster, with what it holds at present read at once, as far as that is not very much; the cluster
    /// itself where this user may not read all of it, or nobody answers.
    public func readAtOnce() -> any SuitePlace { (try? ClusterSnapshot(of: self)) ?? self }
}

/// A cluster whose storages begin with what all of them have read in a few requests together.
private struct ClusterSnapshot: SuitePlace {
    /// Bytes of values; what is more is left for each suite to read.
    private static let sizeLimit = 64 << 20
    /// How many keys are asked for at a time.
    private static let pageSize = 500

    private let cluster: SettingsCluster
    private var header: Header?
    private var suites: [SuiteName: [KeyValue]] = [:]
    private var schemas: [SuiteName: KeyValue] = [:]
    /// Whether there are no suites but these.
    private var isWhole = true

    init(of cluster: SettingsCluster) throws(SettingsError) {
        self.cluster = cluster
        let keys = ClusterLink.to(cluster).keys
        for pair in try pairs(in: keys.allSchemas) {
            if let name = keys.suite(ofSchema: pair.key) { schemas[name] = pair }
        }
        for range in keys.allSuites where isWhole {
            var last: SuiteName?
            for pair in try pairs(in: range) {
                guard let name = keys.place(of: pair.key)?.suite else { continue }
                suites[name, default: []].append(pair)
                last = name
            }
            // There may be more of it.
            if !isWhole, let last { suites[last] = nil }
        }
    }

    /// Reads page by page, all as it is at the revision of the first one.
    private mutating func pairs(in range: KeyRange) throws(SettingsError) -> [KeyValue] {
        let client = ClusterLink.to(cluster).client
        var all: [KeyValue] = []
        var (next, size) = (range.start, 0)
        while true {
            let request = RangeRequest(
                key: next,
                rangeEnd: range.end,
                limit: Number(Int64(Self.pageSize)),
                revision: Number(header?.revision?.value ?? 0)
            )
            let answer: RangeResponse = try client.ask("/v3/kv/range", request)
            header = header ?? answer.header
            let pairs = answer.kvs ?? []
            all += pairs
            size += pairs.reduce(0) { $0 + ($1.value?.count ?? 0) }
            guard pairs.count == Self.pageSize, let last = pairs.last else { return all }
            if size > Self.sizeLimit {
                isWhole = false
                return all
            }
            next = last.key + [0]
        }
    }

    var location: String { cluster.location }

    var kind: PlaceKind { cluster.kind }

    func isThere() -> Bool { true }

    func suiteNames() throws(SettingsError) -> [SuiteName] {
        isWhole ? Set(suites.keys).union(schemas.keys).sorted() : try cluster.suiteNames()
    }

    func suite(_ name: SuiteName) -> SettingsSuite { cluster.suite(name) }

    func storage(of name: SuiteName) -> sending any SuiteStorage {
        guard suites[name] != nil || isWhole else { return cluster.storage(of: name) }
        let answer = RangeResponse(header: header, kvs: suites[name], count: nil)
        return ClusterStorage(name, in: cluster, beginningWith: answer, schema: .some(schemas[name]))
    }

    func history(
        ofKey key: String,
        in suite: SuiteName,
        limit: Int
    ) throws(SettingsError) -> [SettingRevision]? {
        try cluster.history(ofKey: key, in: suite, limit: limit)
    }

    func keptValues(of suite: SuiteName) throws(SettingsError) -> [String] {
        try cluster.keptValues(of: suite)
    }

    func connection() -> PlaceConnection? { cluster.connection() }

    func watch(_ hint: @escaping @Sendable () -> Void) -> StorageWatch { cluster.watch(hint) }
}
#endif
