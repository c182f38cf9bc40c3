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
    public var kind: PlaceKind { .cluster }

    public func isThere() throws(SettingsError) -> Bool { true }

    public func suite(_ name: SuiteName) -> SettingsSuite { SettingsSuite(name, in: self) }

    public func storage(of name: SuiteName) -> sending any SuiteStorage {
        ClusterStorage(name, in: self, usesCopy: false)
    }

    /// Those that hold something, and those whose settings are declared. While no server answers, who only
    /// reads copies gets those that there are copies of.
    public func suiteNames() throws(SettingsError) -> [SuiteName] {
        guard case .read(let folder) = copies else { return try namesOnServers() }
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
        let keys = ClusterLink.to(self).keys
        let range = keys.allSchemas
        let request = RangeRequest(key: range.start, rangeEnd: range.end, keysOnly: true)
        let answer: RangeResponse = try ClusterLink.to(self).client.ask("/v3/kv/range", request)
        let declared = (answer.kvs ?? []).compactMap { keys.suite(ofSchema: $0.key) }
        return try Set(namesOfStoredSuites()).union(declared).sorted()
    }

    /// How many keys are asked for at a time.
    private static let pageSize = 1000

    /// Asks for names of keys, page by page, and leaves out what more the last suite of a page has: neither
    /// many suites nor large ones take many requests.
    private func namesOfStoredSuites() throws(SettingsError) -> [SuiteName] {
        let link = ClusterLink.to(self)
        var names: Set<SuiteName> = []
        var next = link.keys.all
        while true {
            let request = RangeRequest(
                key: next.start,
                rangeEnd: next.end,
                limit: Number(Int64(Self.pageSize)),
                keysOnly: true
            )
            let answer: RangeResponse = try link.client.ask("/v3/kv/range", request)
            let keys = (answer.kvs ?? []).map(\.key)
            for key in keys {
                if let name = link.keys.place(of: key)?.suite { names.insert(name) }
            }
            guard keys.count == Self.pageSize, let last = keys.last else { return names.sorted() }
            let suite = link.keys.place(of: last)?.suite
            // Else it is set aside, or none of ours.
            let end = suite.map { link.keys.suite($0).end } ?? link.keys.end(ofFolderOf: last)
            next = KeyRange(start: end, end: next.end)
        }
    }

    public func unfinished(of names: [SuiteName]) throws(SettingsError) -> [SuiteName: String] {
        let link = ClusterLink.to(self)
        var unfinished: [SuiteName: String] = [:]
        for start in stride(from: 0, to: names.count, by: ClusterStorage.groupSize) {
            let some = names[start..<min(start + ClusterStorage.groupSize, names.count)]
            let questions = Transaction(success: some.map { .get(link.keys.making(of: $0)) })
            let answer: TransactionResponse = try link.client.ask("/v3/kv/txn", questions)
            for pair in (answer.responses ?? []).compactMap({ $0.responseRange?.kvs?.first }) {
                guard let suite = link.keys.place(of: pair.key)?.suite else { continue }
                unfinished[suite] = SuiteMaking.words(for: pair.bytes)
            }
        }
        return unfinished
    }

    public func keptValues(of suite: SuiteName) throws(SettingsError) -> [String] {
        let link = ClusterLink.to(self)
        let range = link.keys.kept(of: suite)
        let request = RangeRequest(key: range.start, rangeEnd: range.end, keysOnly: true)
        let answer: RangeResponse = try link.client.ask("/v3/kv/range", request)
        return (answer.kvs ?? []).sorted { $0.revision < $1.revision }.map {
            String(decoding: $0.key, as: UTF8.self)
        }
    }

    public func watch(_ hint: @escaping @Sendable () -> Void) -> StorageWatch {
        ClusterLink.to(self).watch(.place, hint)
    }

    public func connection() -> PlaceConnection? { ClusterLink.to(self).connection }
}
#endif
