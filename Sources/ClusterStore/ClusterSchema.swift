#if Cluster
import FoundationEssentials
import PropertyList
import SettingsStore

/// The declared settings of a suite on a cluster: a JSON Schema under a key of its own beside the suite.
struct ClusterSchema: SchemaPlace {
    private let name: SuiteName
    private let link: ClusterLink
    /// More programs than that don't declare different things at once.
    private static let attempts = 100

    init(of name: SuiteName, on link: ClusterLink) {
        self.name = name
        self.link = link
    }

    private var key: Data { link.keys.schema(of: name) }

    var location: String { String(decoding: link.client.cluster.firstServer.utf8 + key, as: UTF8.self) }

    var exists: Bool { ((try? stored()) ?? nil) != nil }

    func read() throws(SettingsError) -> SuiteSchema {
        guard let stored = try stored() else { return SuiteSchema() }
        do throws(PropertyListError) {
            return try SuiteSchema(parsing: Data(stored.bytes))
        } catch {
            throw .unreadableSchema(path: location, error)
        }
    }

    func merge(_ schema: SuiteSchema) throws(SettingsError) -> Bool {
        for _ in 0..<Self.attempts {
            let old = try stored()
            guard let text = try merged(schema, over: old) else { return true }
            let transaction = Transaction(
                compare: [Compare(key: key, modRevision: Number(old?.revision ?? 0))],
                success: [.put([UInt8](text), key)]
            )
            // Where an answer was lost the next turn finds that it says so already.
            if try link.client.store(transaction).answer.succeeded == true { return true }
        }
        return false
    }

    func watch(_ hint: @escaping @Sendable () -> Void) -> StorageWatch {
        link.watch(.schema(of: name), hint)
    }

    private func stored() throws(SettingsError) -> KeyValue? {
        let answer: RangeResponse = try link.client.ask("/v3/kv/range", RangeRequest(key: key))
        return answer.kvs?.first
    }

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
