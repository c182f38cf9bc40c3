#if Cluster
import ClusterStore
import Foundation
import ProgramHarness
import PropertyList
import SettingsStore
import SettingsStoreTesting
import Testing

@Suite(
    "Three servers and many clients",
    .serialized,
    .enabled(if: EtcdServer.isInstalled, Comment(rawValue: EtcdServer.needs))
)
struct ManyClientsTests {
    /// Starts processes with clients, disturbs the servers meanwhile, and compares the final values of all clients.
    private func check(
        _ trio: EtcdTrio,
        processes: Int,
        clients: Int,
        keys: Int,
        rounds: Int,
        whileWorking disturb: (_ isWorking: () throws -> Bool) throws -> Void
    ) throws {
        let program = try builtProgram(named: "ClusterClient")
        let prefix = "/many/"
        let running = try (0..<processes).map {
            let sizes = [clients, keys, rounds].map { "\($0)" }
            let words = ["work", trio.urls, prefix, "\($0)"] + sizes
            return try RunningProgram(program, words)
        }
        let cluster = SettingsCluster.plain(trio.urls, prefix: prefix)
        // Wait until the clients have begun to write.
        #expect(eventually { (try? cluster.suiteNames())?.isEmpty == false })
        let areDone = { try running.allSatisfy { try $0.output.contains("counted") || $0.hasEnded } }
        try disturb { try !areDone() }
        let hasFinished = try eventually(areDone)
        #expect(hasFinished)
        try SettingsSuite.separate("App", in: cluster).store(true, forKey: "end")
        let results = try running.map { try $0.end() }
        let digest = try run(program, ["digest", trio.urls, prefix]).output.dropLast()
        var acknowledged = 0
        var uncertain = 0
        var refused = 0
        for result in results {
            #expect(result.ending == .exit(0), "\(result.errors)")
            let lines = result.output.split(separator: "\n")
            let counts = lines[0].split(separator: " ").compactMap { Int($0) }
            acknowledged += counts[0]
            uncertain += counts[1]
            refused += counts[2]
            let expected = Array(repeating: ["heard \(digest)", "holds \(digest)"], count: clients).flatMap {
                $0
            }
            #expect(lines.dropFirst().map { String($0) } == expected)
        }
        let values = try SettingsSuite.separate("App", in: cluster).storedValues
        let counted = values.filter { $0.key.hasPrefix("count/") }.compactMap(\.value.number).reduce(0, +)
        #expect(acknowledged <= counted && counted <= acknowledged + uncertain)
        #expect(acknowledged + uncertain + refused == processes * clients * rounds)
        if isLong {
            print(
                "\(acknowledged) counted, \(uncertain) not known, \(refused) not stored; counters: \(counted)"
            )
        }
        let own = values.filter { $0.key.hasPrefix("own/") }
        #expect(own.count == processes * clients)
        #expect(own.allSatisfy { $0.value.number == rounds })
    }

    @Test(
        "All clients end with the same values, and no acknowledged write is lost, although servers are killed"
    )
    func killed() throws {
        let trio = try EtcdTrio()
        let sizes = isLong ? [5, 10, 1_000, 200] : [2, 3, 30, 40]
        try check(
            trio,
            processes: sizes[0],
            clients: sizes[1],
            keys: sizes[2],
            rounds: sizes[3]
        ) { isWorking in
            var rounds = 0
            repeat {
                rounds += 1
                let follower = (try trio.leader() + 1) % 3
                try trio.servers[follower].kill()
                try trio.servers[follower].start()
                try trio.servers[follower].wait()
                try trio.servers[trio.leader()].kill()
                for server in trio.servers { try server.kill() }
                for server in trio.servers { try server.start() }
                for server in trio.servers { try server.wait() }
                // Wait until the clients write again.
                let before = try trio.servers[0].revision()
                _ = try eventually {
                    try !isWorking() || trio.servers[0].revision() > before + 1000
                }
            } while try isLong && isWorking()
            if isLong { print("\(rounds) times a server, the leader and all were killed") }
        }
    }

    @Test("Another server replaces a killed one without an outage")
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
        #expect(eventually { !suite.isStale })
        withExtendedLifetime(observation) {}
    }
}
#endif
