#if Cluster
import ClusterStore
import Foundation
import ProgramHarness
import PropertyList
import SettingsStore
import SettingsStoreTesting
import Testing

@Suite(
    "Declared settings of a suite on a cluster",
    .enabled(if: EtcdServer.isInstalled, Comment(rawValue: EtcdServer.needs))
)
struct ClusterSchemaTests {
    let server: EtcdServer
    let cluster: SettingsCluster
    let volume = SettingDeclaration(.integer(Bounds(0...11)), defaultValue: 5, title: "Volume")

    init() throws {
        server = try EtcdServer.shared.get()
        cluster = try .ofItsOwn()
    }

    private var key: String { "\(cluster.prefix).schema/App" }

    private func declare(_ declaration: SettingDeclaration, _ key: String) throws -> SettingsSuite {
        let suite = try SettingsSuite.separate("App", in: cluster)
        suite.declare(declaration, forKey: key)
        return suite
    }

    @Test("A declaration notifies other programs, and is not a setting of the suite")
    func told() throws {
        let others = try SettingsSuite.separate("App", in: cluster)
        let hints = Recorder<Int>()
        let watch = try #require(others.schemaPlace).watch { hints.note(1) }
        let suite = try declare(volume, "volume")
        #expect(eventually { (try? others.readSchema()) == suite.declared })
        // The stream may have opened after the first declaration.
        suite.declare(SettingDeclaration(.boolean), forKey: "isLoud")
        #expect(eventually { (try? others.readSchema()) == suite.declared && !hints.all.isEmpty })
        #expect(others.storedValues.isEmpty)
        #expect(try cluster.suiteNames().map(\.rawValue) == ["App"])
        withExtendedLifetime(watch) {}
    }

    @Test("A declaration is copied to a new suite byte for byte, and removed with the old suite")
    func goesAlong() throws {
        let old = try declare(volume, "volume")
        #expect(eventually { (try? old.readSchema()) == old.declared })
        try old.make(["volume": 7], like: nil, origin: .set(by: nil))
        let new = try SettingsSuite.separate("New", in: cluster)
        #expect(try new.make(["volume": 7], like: old, declaredAs: old, origin: .set(by: nil)) == .moved)
        #expect(try new.readSchema() == old.declared)
        #expect(try old.remove(expecting: ["volume": 7], declaredAs: new, origin: .set(by: nil)) == .moved)
        #expect(try cluster.suiteNames().map(\.rawValue) == ["New"])
        let place = try #require(old.schemaPlace)
        #expect(try place.make(StoredSchema(Data("{\"title\": \"other\"}".utf8))))
        #expect(try old.make(["volume": 7], like: new, declaredAs: new, origin: .set(by: nil)) == .different)
        #expect(
            try new.remove(expecting: ["volume": 7], declaredAs: old, origin: .set(by: nil)) == .different
        )
        #expect(try cluster.suiteNames().map(\.rawValue) == ["App", "New"])
    }

    @Test("A merge writes only if a declaration differs, and keeps the declarations of other programs")
    func merged() throws {
        let first = try declare(volume, "volume")
        #expect(eventually { (try? first.readSchema())?.declarations.count == 1 })
        let place = try #require(first.schemaPlace)
        let before = try server.control("get", key, "-w", "json")
        #expect(try place.merge(first.declared))
        #expect(try server.control("get", key, "-w", "json").contains("\"version\":1,"))
        #expect(before.contains("\"version\":1,"))
        let second = try declare(SettingDeclaration(.boolean), "isLoud")
        #expect(eventually { (try? second.readSchema())?.declarations.count == 2 })
    }

    @Test("Twenty programs that declare at the same time lose no declaration")
    func atOnce() throws {
        let suites = try (0..<20).map { number in
            try declare(
                SettingDeclaration(.integer(), defaultValue: .integer(PropertyListInteger(number))),
                "key \(number)"
            )
        }
        #expect(eventually { (try? suites[0].readSchema())?.declarations.count == 20 })
    }

    @Test("A declaration does not contain the default of a secret")
    func secret() throws {
        var secret = SettingDeclaration(.string(), defaultValue: "hunter2")
        secret.isSecret = true
        let suite = try declare(secret, "token")
        #expect(eventually { (try? suite.readSchema())?.secretKeys == ["token"] })
        #expect(try !server.control("get", "--prefix", cluster.prefix).contains("hunter2"))
    }

    @Test("A damaged schema is reported and not overwritten")
    func broken() throws {
        try server.control("put", key, "{no schema")
        let suite = try declare(volume, "volume")
        #expect(throws: SettingsError.self) { try suite.readSchema() }
        #expect(throws: SettingsError.self) { try suite.schemaPlace?.merge(suite.declared) }
        try suite.store(7, forKey: "volume")
        #expect(try server.control("get", key, "--print-value-only") == "{no schema\n")
    }

    @Test("A declaration during an outage is stored when a server answers")
    func outage() throws {
        let proxy = try Proxy(to: server.url)
        defer { proxy.end() }
        proxy.cut()
        let suite = try SettingsSuite.separate("App", in: .plain(proxy.url, prefix: cluster.prefix))
        let observation = suite.observe { _ in }
        suite.declare(volume, forKey: "volume")
        #expect(eventually { suite.isStale })
        proxy.mend()
        let others = try SettingsSuite.separate("App", in: cluster)
        #expect(eventually { (try? others.readSchema()) == suite.declared })
        withExtendedLifetime(observation) {}
    }
}
#endif
