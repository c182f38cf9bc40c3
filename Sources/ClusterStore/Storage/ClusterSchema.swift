// The editor and other programs need to know which settings a suite has, and which of them are secret. So the
// declared settings are stored as a JSON Schema in a key beside the suite, and cached on this machine's disk for
// outages.

#if Cluster
import FoundationEssentials
import Glibc
import PropertyList
import SettingsStore

/// The declared settings of a suite on a cluster.
struct ClusterSchema: SchemaStore {
    private let name: SuiteName
    private let session: ClusterSession
    private let copies: SettingsCluster.Copies
    /// How often a merge is tried. Each attempt fails only if another program has stored its declarations meanwhile.
    private static let mergeLimit = 100

    /// - Parameter copies: the cached schema is read during an outage.
    init(of name: SuiteName, on session: ClusterSession, _ copies: SettingsCluster.Copies) {
        self.name = name
        self.session = session
        self.copies = copies
    }

    private var key: Data { session.keys.schema(of: name) }

    var location: String { String(decoding: session.client.cluster.firstServer.utf8 + key, as: UTF8.self) }

    var exists: Bool { ((try? pair()) ?? nil) != nil }

    func read() throws(SettingsError) -> SuiteSchema {
        do throws(SettingsError) {
            return try schema(
                in: try pair(within: cache?.exists == true ? Self.timeLimitWithCache : .infinity)
            )
        } catch {
            if case .unreadableSchema = error { throw error }
            guard let cache else { throw error }
            if cache.exists { return try cache.read() }
            // Cached values without a cached schema may contain secrets, so the schema counts as unreadable.
            guard error.isOutage, hasCachedValues else { throw error }
            throw .notWritable(
                path: location,
                reason: "was never read by this program, and now \(error.reason)"
            )
        }
    }

    private var hasCachedValues: Bool {
        copies.folder.map { access($0.filePath(of: name), F_OK) == 0 } ?? false
    }

    /// Seconds that a server has for its answer if there is a cached schema.
    private static let timeLimitWithCache = 2.0

    private var cache: SchemaFile? { copies.folder.map { SchemaFile(besideSuite: $0.filePath(of: name)) } }

    /// Writes the cluster's schema to the cache, even if it is empty. If no server answers, the cache stays as it
    /// was.
    ///
    /// Values that are cached without a schema are all treated as secrets.
    func updateCache() {
        guard let folder = copies.writableFolder else { return }
        let stored: KeyValue?
        do throws(SettingsError) {
            stored = try pair(within: Self.timeLimitWithCache)
        } catch {
            return
        }
        let text = stored.map { Data($0.bytes) } ?? SuiteSchema().text
        let path = SchemaFile(besideSuite: folder.filePath(of: name)).path
        makePrivateFolders(leadingTo: path)
        if (try? Data(contentsOf: URL(fileURLWithPath: path))) != text {
            try? text.write(to: URL(fileURLWithPath: path), options: .atomic)
        }
    }

    private func schema(in stored: KeyValue?) throws(SettingsError) -> SuiteSchema {
        guard let stored else { return SuiteSchema() }
        do throws(PropertyListError) {
            return try SuiteSchema(parsing: Data(stored.bytes))
        } catch {
            throw .unreadableSchema(path: location, error)
        }
    }

    func merge(_ schema: SuiteSchema) throws(SettingsError) -> Bool {
        for _ in 0..<Self.mergeLimit {
            let old = try pair()
            guard let text = try merged(schema, over: old) else { return true }
            let transaction = Transaction(
                compare: [.changed(key, at: old?.revision ?? 0)],
                success: [.put([UInt8](text), key)]
            )
            // If the answer was lost, the next attempt finds the merged schema.
            if try session.client.store(transaction).answer.succeeded == true {
                updateCache()
                return true
            }
        }
        return false
    }

    func stored() throws(SettingsError) -> StoredSchema? {
        try pair().map { StoredSchema(Data($0.bytes)) }
    }

    func make(_ schema: StoredSchema) throws(SettingsError) -> Bool {
        let transaction = Transaction(
            compare: [.changed(key, at: 0)],
            success: [.put([UInt8](schema.text), key)]
        )
        let (answer, mayBeRepeated) = try session.client.store(transaction)
        if answer.succeeded != true {
            // If the answer was lost, the schema is stored already.
            guard mayBeRepeated, try pair()?.bytes == [UInt8](schema.text) else { return false }
        }
        updateCache()
        return true
    }

    func remove(_ schema: StoredSchema) throws(SettingsError) -> Bool {
        let transaction = Transaction(compare: [.holds(key, schema.text)], success: [.delete(key)])
        if try session.client.store(transaction).answer.succeeded != true {
            guard try pair() == nil else { return false }
        }
        updateCache()
        return true
    }

    func watch(_ notify: @escaping @Sendable () -> Void) -> StorageWatch {
        session.watch(.schema(of: name), notify)
    }

    private func pair(within seconds: Double = .infinity) throws(SettingsError) -> KeyValue? {
        let answer: RangeResponse = try session.client.ask(
            "/v3/kv/range",
            RangeRequest(key: key),
            within: seconds
        )
        return answer.kvs?.first
    }

    /// - Returns: nil if the stored schema has all declarations already.
    private func merged(_ schema: SuiteSchema, over old: KeyValue?) throws(SettingsError) -> Data? {
        guard let old else { return schema.isEmpty ? nil : schema.text }
        do throws(PropertyListError) {
            return try schema.merged(into: Data(old.bytes))
        } catch {
            throw .unreadableSchema(path: location, error)
        }
    }
}
#endif
