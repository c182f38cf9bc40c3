#if Cluster
import ClusterStore
import Foundation
import ProgramHarness
import PropertyList
import SettingsStore
import SettingsStoreTesting
import Testing

@Suite("What is declared about the settings of a suite on a cluster")
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

    @Test("is told to others, who are hinted at it, and is no setting")
    func told() throws {
        let others = try SettingsSuite.separate("App", in: cluster)
        let hints = Recorder<Int>()
        let watch = try #require(others.schemaPlace).watch { hints.note(1) }
        let suite = try declare(volume, "volume")
        #expect(eventually { (try? others.readSchema()) == suite.declared })
        // The stream may have begun after that.
        suite.declare(SettingDeclaration(.boolean), forKey: "isLoud")
        #expect(eventually { (try? others.readSchema()) == suite.declared && !hints.all.isEmpty })
        #expect(others.storedValues.isEmpty)
        #expect(try cluster.suiteNames().map(\.rawValue) == ["App"])
        withExtendedLifetime(watch) {}
    }

    @Test("goes along to another suite, and from one that is removed, byte for byte")
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

    @Test("is written where it differs alone, and what others declared stays")
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

    @Test("Programs that declare at once leave nothing out")
    func atOnce() throws {
        let suites = try (0..<20).map { number in
            try declare(
                SettingDeclaration(.integer(), defaultValue: .integer(PropertyListInteger(number))),
                "key \(number)"
            )
        }
        #expect(eventually { (try? suites[0].readSchema())?.declarations.count == 20 })
    }

    @Test("A secret's default is not in it")
    func secret() throws {
        var secret = SettingDeclaration(.string(), defaultValue: "hunter2")
        secret.isSecret = true
        let suite = try declare(secret, "token")
        #expect(eventually { (try? suite.readSchema())?.secretKeys == ["token"] })
        #expect(try !server.control("get", "--prefix", cluster.prefix).contains("hunter2"))
    }

    @Test("What somebody has put there that is none is told by name, and left alone")
    func broken() throws {
        try server.control("put", key, "{no schema")
        let suite = try declare(volume, "volume")
        #expect(throws: SettingsError.self) { try suite.readSchema() }
        #expect(throws: SettingsError.self) { try suite.schemaPlace?.merge(suite.declared) }
        try suite.store(7, forKey: "volume")
        #expect(try server.control("get", key, "--print-value-only") == "{no schema\n")
    }

    @Test("While no server answers it waits, and is told when one does")
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
