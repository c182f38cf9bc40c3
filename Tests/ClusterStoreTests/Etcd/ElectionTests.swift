#if Cluster
import ClusterStore
import Foundation
import ProgramHarness
import SettingsStore
import SettingsStoreTesting
import Testing

@Suite(
    "A cluster that elects another leader",
    .enabled(if: EtcdServer.isInstalled, Comment(rawValue: EtcdServer.needs))
)
struct ElectionTests {
    @Test("A reading is repeated after a server has reported a new leader")
    func asked() throws {
        let (socket, port) = try listeningSocket()
        let server = Thread {
            var connections: [Int32] = []
            while true {
                let connection = accept(socket, nil, nil)
                if connection < 0 { break }
                let (status, body) =
                    connections.isEmpty
                    ? ("503 Unavailable", #"{"error":"etcdserver: leader changed","code":14}"#)
                    : ("200 OK", "{}")
                connections.append(connection)
                var bytes = [UInt8](repeating: 0, count: 1 << 16)
                _ = read(connection, &bytes, bytes.count)
                let head =
                    "HTTP/1.1 \(status)\r\nContent-Length: \(body.utf8.count)\r\nConnection: close\r\n\r\n"
                let answer = Array((head + body).utf8)
                _ = write(connection, answer, answer.count)
                shutdown(connection, Int32(SHUT_WR))
            }
            for connection in connections { close(connection) }
        }
        server.start()
        #expect(try SettingsCluster.plain("http://127.0.0.1:\(port)").suiteNames() == [])
        shutdown(socket, Int32(SHUT_RDWR))
        while !server.isFinished { sched_yield() }
        close(socket)
    }

    @Test("Writes succeed right after the leader was killed")
    func killedLeader() throws {
        let trio = try EtcdTrio()
        var cluster = SettingsCluster.plain(trio.urls)
        cluster.perseverance = .infinity
        let origin = ChangeOrigin.set(by: WriterID())
        let suite = try SettingsSuite.separate("App", in: cluster)
        let observation = suite.observe { _ in }
        try suite.make(["a": 1, "b": 2], like: nil, origin: origin)
        #expect(eventually { suite.status.watching == .events })
        let leader = try trio.leader()
        try trio.servers[leader].kill()
        try suite.remove(expecting: ["a": 1, "b": 2], origin: origin)
        try trio.servers[leader].start()
        try trio.servers[leader].wait()
        try trio.servers[trio.leader()].kill()
        try suite.make(["c": 3], like: nil, origin: origin)
        #expect(suite.storedValues == ["c": 3])
        withExtendedLifetime(observation) {}
    }
}
#endif
