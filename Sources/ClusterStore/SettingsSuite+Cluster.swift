#if Cluster
import FoundationEssentials
import PropertyList
import SettingsStore

extension SettingsSuite {
    /// A suite on a cluster, shared with the programs of other machines.
    ///
    /// - Throws: ``SuiteNameError`` where the name can't be a suite's.
    public init(named name: String, in cluster: SettingsCluster) throws(SuiteNameError) {
        self.init(try SuiteName(name), in: cluster)
    }

    public init(_ name: SuiteName, in cluster: SettingsCluster) {
        let place = ([cluster.prefix, cluster.user ?? ""] + cluster.servers).joined(separator: "\n")
        self.init(sharedAs: "\(place)\n\(name)") { ClusterStorage(name, in: cluster) }
    }
}

extension SettingsCluster: SuitePlace {
    public var keepsHistory: Bool { true }

    public func isThere() throws(SettingsError) -> Bool { true }

    public func suite(_ name: SuiteName) -> SettingsSuite { SettingsSuite(name, in: self) }

    public func storage(of name: SuiteName) -> sending any SuiteStorage {
        ClusterStorage(name, in: self, keepsCopy: false)
    }

    /// Those that hold something, and those whose settings are declared.
    public func suiteNames() throws(SettingsError) -> [SuiteName] {
        let keys = ClusterLink.to(self).keys
        let range = keys.allSchemas
        let request = RangeRequest(key: range.start, rangeEnd: range.end, keysOnly: true)
        let answer: RangeResponse = try ClusterLink.to(self).client.ask("/v3/kv/range", request)
        let declared = (answer.kvs ?? []).compactMap { keys.suite(ofSchema: $0.key) }
        return try Set(namesOfStoredSuites()).union(declared).sorted()
    }

    /// Asks for the first key of each suite, so that it takes as many requests as there are suites,
    /// however large they are.
    private func namesOfStoredSuites() throws(SettingsError) -> [SuiteName] {
        let link = ClusterLink.to(self)
        var names: [SuiteName] = []
        var next = link.keys.all
        while true {
            let request = RangeRequest(
                key: next.start,
                rangeEnd: next.end,
                limit: Number(1),
                keysOnly: true
            )
            let answer: RangeResponse = try link.client.ask("/v3/kv/range", request)
            guard let key = answer.kvs?.first?.key else { return names }
            if let name = link.keys.parts(of: key)?.suite {
                names.append(name)
                next = KeyRange(start: link.keys.suite(name).end, end: next.end)
            } else {
                // Set aside, or none of ours.
                next = KeyRange(start: link.keys.end(ofFolderOf: key), end: next.end)
            }
        }
    }

    public func watch(_ hint: @escaping @Sendable () -> Void) -> StorageWatch {
        ClusterLink.to(self).watch(.place, hint)
    }

    public func connection() -> PlaceConnection? { ClusterLink.to(self).connection }
}

extension SettingsCluster {
    /// The last hundred values that a key has had since it was last made, the newest first, as far back as
    /// the cluster still knows. Each takes a request.
    public func history(
        ofKey key: String,
        in suite: SuiteName
    ) throws(SettingsError) -> [SettingRevision]? {
        try history(ofKey: key, in: suite, limit: 100)
    }

    /// The same, up to a number of one's own.
    public func history(
        ofKey key: String,
        in suite: SuiteName,
        limit: Int
    ) throws(SettingsError) -> [SettingRevision] {
        let link = ClusterLink.to(self)
        let place = link.keys.key(key, of: suite)
        var history: [SettingRevision] = []
        var revision: Int64 = 0
        while history.count < limit {
            let answer: RangeResponse
            do throws(SettingsError) {
                answer = try link.client.ask(
                    "/v3/kv/range",
                    RangeRequest(key: place, revision: Number(revision))
                )
            } catch {
                // What is older is compacted.
                if revision > 0, case .notWritable = error { return history }
                throw error
            }
            guard let pair = answer.kvs?.first else { return history }
            let value = ClusterStorage.value(of: pair.bytes)
            history.append(SettingRevision(revision: pair.revision, value: value))
            if pair.revision == pair.createRevision?.value { return history }
            revision = pair.revision - 1
        }
        return history
    }
}
#endif
