#if Cluster
import ClusterStore
import Foundation
import ProgramHarness
import PropertyList
import SettingsStore
import SettingsStoreTesting
import Testing

/// A cluster that is set up from an old copy counts on from that: the same revision is another change then.
@Suite("On a cluster that was set up from an old copy", .timeLimit(.minutes(10)))
struct RestoredTests {
    /// A server that is restored once a storage has read what is lost with that, and on which as much is written
    /// then as was lost.
    private func storage(
        reading lost: [[String: PropertyListValue]],
        then new: [[String: PropertyListValue]]
    ) throws -> (storage: ClusterStorage, server: EtcdServer) {
        let server = try EtcdServer()
        try server.start()
        try server.wait()
        func write(_ steps: [[String: PropertyListValue]]) throws {
            // Another client each time, which knows nothing of what was before.
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

    @Test("a condition upon a value that was lost does not hold, though the revision is the same")
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

    @Test("nor does one upon a key that was lost, where another one has come instead")
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

    @Test("nor does one upon more keys than are compared one by one")
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

    @Test("a condition that holds is taken as ever, however large the value is", arguments: [10, 500_000])
    func holds(count: Int) throws {
        let value = PropertyListValue.string(String(repeating: "x", count: count))
        var (storage, server) = try storage(reading: [["a": value]], then: [["a": value]])
        try storage.update { _ in StorageWrite(changes: ["a": "mine"], basis: ["a", "missing"]) }
        #expect(try server.control("get", "/pdefaults/App/a", "--print-value-only").contains("mine"))
    }

    @Test("what waited for a server is not stored over what was changed there since, and that is told")
    func pending() throws {
        let server = try EtcdServer()
        try server.start()
        try server.wait()
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
        #expect(eventually(within: .seconds(60)) { suite.status.pendingKeys == 0 && !suite.isStale })
        #expect(suite.storedValues == ["a": "new"])
        // A connection that was cut may be tried first.
        #expect(
            eventually(within: .seconds(60)) {
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
