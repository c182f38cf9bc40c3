#if Cluster
import ClusterStore
import Foundation
import ProgramHarness
import PropertyList
import SettingsStore
import SettingsStoreTesting
import Testing

/// After a restore the cluster counts revisions from the backup. The same revision can then be another change.
@Suite(
    "A cluster that was restored from a backup",
    .timeLimit(.minutes(60)),
    .enabled(if: EtcdServer.isInstalled, Comment(rawValue: EtcdServer.needs))
)
struct RestoredBackupTests {
    /// Returns a storage that has read values which a restore then removes. Afterwards the server has new changes,
    /// so that its revision is the same as before.
    private func storage(
        reading lost: [[String: PropertyListValue]],
        then new: [[String: PropertyListValue]]
    ) throws -> (storage: ClusterStorage, server: EtcdServer) {
        let server = try EtcdServer.started()
        func write(_ steps: [[String: PropertyListValue]]) throws {
            // Each call uses a new storage, which knows nothing of earlier changes.
            var storage = try ClusterStorage(SuiteName("App"), in: .plain(server.url, prefix: "/pdefaults/"))
            for step in steps { try storage.update { _ in StorageWrite(changes: step.mapValues { $0 }) } }
        }
        try write([["base": "base"]])
        let copy = try server.saveSnapshot()
        try write(lost)
        var storage = try ClusterStorage(SuiteName("App"), in: .plain(server.url))
        _ = try storage.read()
        let revision = try server.revision()
        try server.kill()
        try server.restore(copy)
        try server.start()
        try server.wait()
        try write(new)
        #expect(try server.revision() == revision)
        return (storage, server)
    }

    @Test("A condition on a lost value fails, although the revision is the same")
    func condition() throws {
        var (storage, server) = try storage(reading: [["a": "lost"]], then: [["a": "new"]])
        var seen: [[String: PropertyListValue]] = []
        var values = PropertyListEntries(["base": "base", "a": "lost"])
        try storage.update { reading in
            reading.apply(to: &values)
            seen.append([String: PropertyListValue](values))
            let isLost = values["a"] == "lost"
            return StorageWrite(changes: isLost ? ["a": "mine"] : [:], basis: isLost ? ["a"] : [])
        }
        #expect(seen.last == ["base": "base", "a": "new"])
        #expect(try server.control("get", "/pdefaults/App/a", "--print-value-only").contains("new"))
    }

    @Test("A condition on a lost key fails if another key has the same revision")
    func gone() throws {
        var (storage, server) = try storage(reading: [["a": "lost"]], then: [["b": "new"]])
        var values = PropertyListEntries(["base": "base", "a": "lost"])
        try storage.update { reading in
            reading.apply(to: &values)
            let isLost = values["a"] == "lost"
            return StorageWrite(changes: isLost ? ["c": "mine"] : [:], basis: isLost ? ["a"] : [])
        }
        #expect([String: PropertyListValue](values) == ["base": "base", "b": "new"])
        #expect(try server.control("get", "/pdefaults/App/c").isEmpty)
    }

    @Test("A condition on many keys fails if one of them was lost")
    func many() throws {
        func values(_ value: PropertyListValue) -> [String: PropertyListValue] {
            Dictionary(uniqueKeysWithValues: (0..<100).map { ("k\($0)", value) })
        }
        var (storage, server) = try storage(
            reading: [values("lost"), ["k0": "lost again"]],
            then: [values("new"), ["k1": "new again"]]
        )
        var present = PropertyListEntries(values("lost"))
        try storage.update { reading in
            reading.apply(to: &present)
            let isLost = present["k7"] == "lost"
            return StorageWrite(
                changes: isLost ? ["k7": "mine"] : [:],
                basis: isLost ? Set(values("lost").keys) : []
            )
        }
        #expect(present["k7"] == "new" && present["k0"] == "new" && present["k1"] == "new again")
        #expect(try server.control("get", "/pdefaults/App/k7", "--print-value-only").contains("new"))
    }

    @Test("A condition on an equal value holds")
    func holds() throws {
        var (storage, server) = try storage(reading: [["a": "same"]], then: [["a": "same"]])
        try storage.update { _ in StorageWrite(changes: ["a": "mine"], basis: ["a", "missing"]) }
        #expect(try server.control("get", "/pdefaults/App/a", "--print-value-only").contains("mine"))
    }

    @Test(
        "A pending write is not stored over a value that was changed after the restore, and the conflict is reported"
    )
    func pending() throws {
        let server = try EtcdServer.started()
        let proxy = try Proxy(to: server.url)
        defer { proxy.end() }
        let other = try SettingsSuite.separate("App", in: .plain(server.url))
        try other.store("base", forKey: "a")
        let copy = try server.saveSnapshot()
        let suite = try SettingsSuite.separate("App", in: .plain(proxy.url))
        let observation = suite.observe { _ in }
        try other.store("lost", forKey: "a")
        #expect(eventually { suite.storedValues["a"] == "lost" })
        proxy.cut()
        #expect(eventually { suite.isStale })
        suite.set("mine", forKey: "a")
        try server.kill()
        try server.restore(copy)
        try server.start()
        try server.wait()
        try server.control("put", "/pdefaults/App/a", "new")
        proxy.mend()
        #expect(eventually { suite.status.pendingKeys == 0 && !suite.isStale })
        #expect(suite.storedValues == ["a": "new"])
        // The first attempt may use a connection that was cut.
        #expect(
            eventually {
                do throws(SettingsError) {
                    try suite.synchronize()
                    return false
                } catch {
                    return error == .conflict(current: ["a": "new"])
                }
            }
        )
        withExtendedLifetime(observation) {}
    }
}
#endif
