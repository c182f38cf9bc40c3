#if Cluster
import ClusterStore
import Foundation
import ProgramHarness
import PropertyList
import SettingsStore
import SettingsStoreTesting
import Testing

@Suite("Three servers, many clients", .serialized)
struct ManyTests {
    /// Starts processes with clients, has the servers suffer meanwhile, and compares what everybody ends
    /// with.
    private func check(
        _ trio: EtcdTrio,
        processes: Int,
        clients: Int,
        keys: Int,
        rounds: Int,
        whileWorking disturb: () throws -> Void = {}
    ) throws {
        let program = try builtProgram(named: "ClusterClient")
        let prefix = "/many/"
        let running = try (0..<processes).map {
            let sizes = [clients, keys, rounds].map { "\($0)" }
            return try RunningProgram(program, ["work", trio.urls, prefix, "\($0)"] + sizes)
        }
        let cluster = SettingsCluster.plain(trio.urls, prefix: prefix)
        // Once they are at it.
        #expect(eventually(within: .seconds(120)) { (try? cluster.suiteNames())?.isEmpty == false })
        try disturb()
        let hasFinished = try eventually(within: .seconds(600)) {
            try running.allSatisfy { try $0.output.contains("counted") || $0.hasEnded }
        }
        #expect(hasFinished)
        try SettingsSuite.separate("App", in: cluster).store(true, forKey: "end")
        let results = try running.map { try $0.end(within: .seconds(120)) }
        let digest = try run(program, ["digest", trio.urls, prefix]).output.dropLast()
        var acknowledged = 0
        var uncertain = 0
        for result in results {
            #expect(result.ending == .exit(0), "\(result.errors)")
            let lines = result.output.split(separator: "\n")
            let counts = lines[0].split(separator: " ").compactMap { Int($0) }
            acknowledged += counts[0]
            uncertain += counts[1]
            let expected = Array(repeating: ["heard \(digest)", "holds \(digest)"], count: clients).flatMap {
                $0
            }
            #expect(lines.dropFirst().map { String($0) } == expected)
        }
        let values = try SettingsSuite.separate("App", in: cluster).storedValues
        let counted = values.filter { $0.key.hasPrefix("count/") }.compactMap(\.value.number).reduce(0, +)
        #expect(acknowledged <= counted && counted <= acknowledged + uncertain)
        #expect(acknowledged + uncertain == processes * clients * rounds)
        let own = values.filter { $0.key.hasPrefix("own/") }
        #expect(own.count == processes * clients)
        #expect(own.allSatisfy { $0.value.number == rounds })
    }

    @Test("Every client ends with the same values, and nothing that was acknowledged is lost")
    func peaceful() throws {
        let trio = try EtcdTrio()
        if isLong {
            try check(trio, processes: 5, clients: 10, keys: 1_000, rounds: 100)
        } else {
            try check(trio, processes: 3, clients: 3, keys: 30, rounds: 10)
        }
    }

    @Test("… while a server is killed, the leader is killed, and all are stopped and started")
    func killed() throws {
        let trio = try EtcdTrio()
        let sizes = isLong ? [5, 10, 1_000, 200] : [2, 3, 30, 40]
        try check(
            trio,
            processes: sizes[0],
            clients: sizes[1],
            keys: sizes[2],
            rounds: sizes[3]
        ) {
            let leader = try trio.leader()
            let follower = (leader + 1) % 3
            try trio.servers[follower].kill()
            try trio.servers[follower].start()
            try trio.servers[follower].wait()
            try trio.servers[trio.leader()].kill()
            for server in trio.servers { try server.kill() }
            for server in trio.servers { try server.start() }
            for server in trio.servers { try server.wait() }
        }
    }

    @Test("A server that is killed is replaced by the next, and nobody notices")
    func failover() throws {
        let trio = try EtcdTrio()
        let cluster = SettingsCluster.plain(trio.urls)
        let suite = try SettingsSuite.separate("App", in: cluster)
        let changes = Recorder<Change>()
        let observation = suite.observe("a") { changes.note($0) }
        try suite.store(0, forKey: "a")
        try trio.servers[0].kill()
        let other = try SettingsSuite.separate("App", in: .plain(trio.servers[1].url))
        for value in 1...3 {
            #expect(
                eventually { (try? other.store(.integer(PropertyListInteger(value)), forKey: "a")) != nil }
            )
        }
        #expect(eventually { changes.all.last?.new == 3 })
        #expect(eventually { (try? suite.store(4, forKey: "a")) != nil })
        #expect(!suite.isStale)
        withExtendedLifetime(observation) {}
    }
}
#endif
