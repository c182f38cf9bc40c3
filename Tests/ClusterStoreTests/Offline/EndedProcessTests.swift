#if Cluster
import ClusterStore
import Foundation
import ProgramHarness
import SettingsStore
import SettingsStoreTesting
import Testing

@Suite(
    "A process that ends with pending writes",
    .enabled(if: EtcdServer.isInstalled, Comment(rawValue: EtcdServer.needs))
)
struct EndedProcessTests {
    let cluster: SettingsCluster
    let proxy: Proxy
    let folder: TemporaryFolder

    init() throws {
        cluster = try .ofItsOwn()
        proxy = try Proxy(to: EtcdServer.shared.get().url)
        folder = try TemporaryFolder()
        let others = try SettingsSuite.separate("App", in: cluster)
        others.set(["a": "1", "gone": "1"])
        try others.synchronize()
        // This makes a cache on the disk.
        #expect(try client("show").output == "has a=1 gone=1\n")
    }

    private func client(_ mode: String, _ words: String...) throws -> ProgramResult {
        let program = try builtProgram(named: "ClusterClient")
        return try run(program, [mode, proxy.url, cluster.prefix, folder.path] + words, input: "end\n")
    }

    @Test("leaves a cache with its last writes")
    func cache() throws {
        defer { proxy.end() }
        for value in 2..<5 {
            #expect(try client("set", "a=\(value)", "b=\(value)", "gone=").errors == "")
            proxy.cut()
            #expect(try client("show").output.hasSuffix("has a=\(value) b=\(value)\n"))
            proxy.mend()
        }
    }

    @Test("says which keys it could not store, and the cache keeps the stored values")
    func message() throws {
        defer { proxy.end() }
        proxy.cut()
        let errors = try client("set", "a=2").errors
        #expect(errors.contains("Settings were not stored"))
        #expect(errors.contains(": a)"))
        #expect(try client("show").output.hasSuffix("has a=1 gone=1\n"))
        proxy.mend()
        #expect(try client("show").output == "has a=1 gone=1\n")
    }
}
#endif
