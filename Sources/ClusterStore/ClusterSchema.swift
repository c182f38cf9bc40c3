#if Cluster
import FoundationEssentials
import Glibc
import PropertyList
import SettingsStore

/// The declared settings of a suite on a cluster: a JSON Schema under a key of its own beside the suite.
struct ClusterSchema: SchemaPlace {
    private let name: SuiteName
    private let link: ClusterLink
    private let copies: SettingsCluster.Copies
    /// More programs than that don't declare different things at once.
    private static let attempts = 100

    /// What was read before, which who reads is told; nil where nothing was, and inside where there is nothing.
    private let first: KeyValue??

    /// - Parameter copies: where what was last read is found while no server answers.
    init(
        of name: SuiteName,
        on link: ClusterLink,
        _ copies: SettingsCluster.Copies,
        beginningWith first: KeyValue?? = nil
    ) {
        self.first = first
        self.name = name
        self.link = link
        self.copies = copies
    }

    private var key: Data { link.keys.schema(of: name) }

    var location: String { String(decoding: link.client.cluster.firstServer.utf8 + key, as: UTF8.self) }

    var exists: Bool { first.map { $0 != nil } ?? (((try? pair()) ?? nil) != nil) }

    func read() throws(SettingsError) -> SuiteSchema {
        if let first { return try schema(in: first) }
        do throws(SettingsError) {
            return try schema(
                in: try pair(within: copy?.exists == true ? Self.patienceForCopies : .infinity)
            )
        } catch {
            if case .unreadableSchema = error { throw error }
            guard let copy else { throw error }
            if copy.exists { return try copy.read() }
            // Its values are all there is for as long as nobody answers.
            guard error.isOutage, hasCopiedValues else { throw error }
            throw .notWritable(path: location, reason: "was never read here, and now \(error.reason)")
        }
    }

    private var hasCopiedValues: Bool {
        copies.folder.map { access($0.filePath(of: name), F_OK) == 0 } ?? false
    }

    /// Seconds after which what was last read is taken.
    private static let patienceForCopies = 2.0

    private var copy: SchemaFile? { copies.folder.map { SchemaFile(besideSuite: $0.filePath(of: name)) } }

    /// Has the copy say what the cluster says: that it is there, too, where that is nothing. What can't be
    /// asked or written now stays as it was; who finds no copy beside that of the values takes all for secret.
    func keep() {
        guard let folder = copies.keeping else { return }
        let stored: KeyValue?
        do throws(SettingsError) {
            stored = try pair(within: Self.patienceForCopies)
        } catch {
            return
        }
        let text = stored.map { Data($0.bytes) } ?? SuiteSchema().text
        let path = SchemaFile(besideSuite: folder.filePath(of: name)).path
        makeFolders(leadingTo: path)
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
        for _ in 0..<Self.attempts {
            let old = try pair()
            guard let text = try merged(schema, over: old) else { return true }
            let transaction = Transaction(
                compare: [.changed(key, at: old?.revision ?? 0)],
                success: [.put([UInt8](text), key)]
            )
            // Where an answer was lost the next turn finds that it says so already.
            if try link.client.store(transaction).answer.succeeded == true {
                keep()
                return true
            }
        }
        return false
    }

    func stored() throws(SettingsError) -> StoredSchema? {
        let stored: KeyValue?
        if let first { stored = first } else { stored = try pair() }
        return stored.map { StoredSchema(Data($0.bytes)) }
    }

    func make(_ schema: StoredSchema) throws(SettingsError) -> Bool {
        let transaction = Transaction(
            compare: [.changed(key, at: 0)],
            success: [.put([UInt8](schema.text), key)]
        )
        let (answer, mayBeRepeated) = try link.client.store(transaction)
        if answer.succeeded != true {
            // Where an answer was lost it says so already.
            guard mayBeRepeated, try pair()?.bytes == [UInt8](schema.text) else { return false }
        }
        keep()
        return true
    }

    func remove(_ schema: StoredSchema) throws(SettingsError) -> Bool {
        let transaction = Transaction(compare: [.holds(key, schema.text)], success: [.delete(key)])
        if try link.client.store(transaction).answer.succeeded != true {
            guard try pair() == nil else { return false }
        }
        keep()
        return true
    }

    func watch(_ hint: @escaping @Sendable () -> Void) -> StorageWatch {
        link.watch(.schema(of: name), hint)
    }

    private func pair(within seconds: Double = .infinity) throws(SettingsError) -> KeyValue? {
        let answer: RangeResponse = try link.client.ask(
            "/v3/kv/range",
            RangeRequest(key: key),
            within: seconds
        )
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
