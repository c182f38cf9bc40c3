// A command such as `find` reads every suite once, and a request for each suite would take a round trip each. The
// snapshot reads all suites page by page at one revision, and hands each storage its part. Without it, such a
// command on 600 suites would need 1,200 requests.

#if Cluster
import FoundationEssentials
import SettingsStore

extension SettingsCluster {
    /// Reads all suites in a few requests, as they are at one revision, and waits for them on this thread.
    ///
    /// - Returns: the cluster with these values, of which at most 64 MB are kept. It is the cluster itself if this
    ///   user may not read all suites, or if no server answers.
    public func readAtOnce() -> any SuiteBackend { (try? ClusterSnapshot(of: self)) ?? self }
}

/// A cluster whose storages begin with values that were read together.
private struct ClusterSnapshot: SuiteBackend {
    /// Bytes of values. The remaining suites read their values themselves.
    private static let sizeLimit = 64 << 20
    /// Keys in one request.
    private static let pageSize = 500

    private let cluster: SettingsCluster
    private var header: Header?
    private var suites: [SuiteName: [KeyValue]] = [:]
    private var schemas: [SuiteName: KeyValue] = [:]
    /// Whether all suites were read.
    private var isComplete = true

    init(of cluster: SettingsCluster) throws(SettingsError) {
        self.cluster = cluster
        let keys = ClusterSession.to(cluster).keys
        for pair in try pairs(in: keys.allSchemas) {
            if let name = keys.suite(ofSchema: pair.key) { schemas[name] = pair }
        }
        for range in keys.allSuites where isComplete {
            var last: SuiteName?
            for pair in try pairs(in: range) {
                guard let name = keys.entry(of: pair.key)?.suite else { continue }
                suites[name, default: []].append(pair)
                last = name
            }
            // The last suite may have more keys.
            if !isComplete, let last { suites[last] = nil }
        }
    }

    /// Reads a range page by page, at the revision of the first page.
    private mutating func pairs(in range: KeyRange) throws(SettingsError) -> [KeyValue] {
        let client = ClusterSession.to(cluster).client
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
                isComplete = false
                return all
            }
            next = last.key + [0]
        }
    }

    var location: String { cluster.location }

    var kind: BackendKind { cluster.kind }

    func isThere() -> Bool { true }

    func suiteNames() throws(SettingsError) -> [SuiteName] {
        isComplete ? Set(suites.keys).union(schemas.keys).sorted() : try cluster.suiteNames()
    }

    func suite(_ name: SuiteName) -> SettingsSuite { cluster.suite(name) }

    func storage(of name: SuiteName) -> sending any SuiteStorage {
        guard suites[name] != nil || isComplete else { return cluster.storage(of: name) }
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

    func connection() -> BackendConnection? { cluster.connection() }

    func watch(_ notify: @escaping @Sendable () -> Void) -> StorageWatch { cluster.watch(notify) }
}
#endif
