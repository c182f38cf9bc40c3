// Programs, commands and the editor work with places where suites are kept, without knowing clusters. These
// extensions make a cluster such a place: they open suites, list them, and notify of changes in the list.

#if Cluster
import FoundationEssentials
import PropertyList
import SettingsStore

extension SettingsSuite {
    /// Opens a suite on a cluster, which programs on other machines share.
    ///
    /// No request is sent before the suite is read, set or observed. The suite may be used from any thread.
    ///
    /// Suites with the same name share their values in this process if their configurations are equal. The order of
    /// the servers makes no difference. Suites that differ in anything else, such as user or password, behave like
    /// the suites of two processes.
    ///
    /// - Throws: ``SuiteNameError`` if the name is not allowed.
    public init(named name: String, in cluster: SettingsCluster) throws(SuiteNameError) {
        self.init(try SuiteName(name), in: cluster)
    }

    /// Opens a suite on a cluster. See ``init(named:in:)``.
    public init(_ name: SuiteName, in cluster: SettingsCluster) {
        let key = ClusterSuite(cluster: ClusterIdentity(cluster), name: name)
        self.init(sharedAs: key, in: ClusterSuite.shared) { ClusterStorage(name, in: cluster) }
    }
}

extension SettingsCluster: SuiteBackend {
    public var kind: BackendKind { .cluster }

    public func isThere() throws(SettingsError) -> Bool { true }

    public func suite(_ name: SuiteName) -> SettingsSuite { SettingsSuite(name, in: self) }

    public func storage(of name: SuiteName) -> sending any SuiteStorage {
        ClusterStorage(name, in: self, usesCopy: false)
    }

    /// The suites that have a key or a declared setting, sorted.
    ///
    /// During an outage, a cluster with ``Copies/read(_:)`` lists the suites that have a copy on this machine.
    ///
    /// - Throws: ``SettingsError/unreachable(path:reason:)`` if no server answers within ``patience`` and there are
    ///   no copies. The call waits for the answer on this thread.
    public func suiteNames() throws(SettingsError) -> [SuiteName] {
        guard case .read(let folder) = userCopies else { return try namesOnServers() }
        do throws(SettingsError) {
            return try namesOnServers()
        } catch {
            guard case .unreachable = error else { throw error }
            let names = try folder.suiteNames()
            if names.isEmpty { throw error }
            return names
        }
    }

    private func namesOnServers() throws(SettingsError) -> [SuiteName] {
        let keys = ClusterSession.to(self).keys
        let range = keys.allSchemas
        let request = RangeRequest(key: range.start, rangeEnd: range.end, keysOnly: true)
        let answer: RangeResponse = try ClusterSession.to(self).client.ask("/v3/kv/range", request)
        let declared = (answer.kvs ?? []).compactMap { keys.suite(ofSchema: $0.key) }
        return try Set(namesOfStoredSuites()).union(declared).sorted()
    }

    /// Keys in one request.
    private static let pageSize = 1000

    /// Reads the names of keys page by page. Each page begins after the last suite of the page before, so that a
    /// large suite takes one request.
    private func namesOfStoredSuites() throws(SettingsError) -> [SuiteName] {
        let session = ClusterSession.to(self)
        var names: Set<SuiteName> = []
        var next = session.keys.all
        while true {
            let request = RangeRequest(
                key: next.start,
                rangeEnd: next.end,
                limit: Number(Int64(Self.pageSize)),
                keysOnly: true
            )
            let answer: RangeResponse = try session.client.ask("/v3/kv/range", request)
            let keys = (answer.kvs ?? []).map(\.key)
            for key in keys {
                if let name = session.keys.entry(of: key)?.suite { names.insert(name) }
            }
            guard keys.count == Self.pageSize, let last = keys.last else { return names.sorted() }
            let suite = session.keys.entry(of: last)?.suite
            // A key that belongs to no suite is skipped with its whole folder.
            let end = suite.map { session.keys.suite($0).end } ?? session.keys.end(ofFolderOf: last)
            next = KeyRange(start: end, end: next.end)
        }
    }

    public func keptValues(of suite: SuiteName) throws(SettingsError) -> [String] {
        let session = ClusterSession.to(self)
        let range = session.keys.quarantine(of: suite)
        let request = RangeRequest(key: range.start, rangeEnd: range.end, keysOnly: true)
        let answer: RangeResponse = try session.client.ask("/v3/kv/range", request)
        return (answer.kvs ?? []).sorted { $0.revision < $1.revision }.map {
            String(decoding: $0.key, as: UTF8.self)
        }
    }

    public func watch(_ notify: @escaping @Sendable () -> Void) -> StorageWatch {
        ClusterSession.to(self).watch(.suiteList, notify)
    }

    public func connection() -> BackendConnection? { ClusterSession.to(self).connection }
}
#endif
