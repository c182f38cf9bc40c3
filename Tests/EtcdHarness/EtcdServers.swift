#if Cluster
// The etcd servers that tests of several modules start.

import ClusterStore
import Foundation
import Glibc
import ProgramHarness
import SettingsStore
import SettingsStoreTesting

extension SettingsCluster {
    /// A prefix on the shared server that no other test uses.
    package static func ofItsOwn() throws -> SettingsCluster {
        .plain(try EtcdServer.shared.get().url, prefix: "/test/\(UUID().uuidString)/")
    }

    /// A cluster without copies on this machine's disk.
    package static func plain(_ url: String, prefix: String = "/pdefaults/") -> SettingsCluster {
        var cluster = SettingsCluster.etcd(url, prefix: prefix)
        cluster.copies = .none
        return cluster
    }
}

/// An etcd server on a free port of this machine, with a folder of its own.
package final class EtcdServer: @unchecked Sendable {
    // Unchecked: a test starts and stops its server from one thread at a time, and no test stops the shared
    // server.
    package let url: String
    private let name: String
    private let arguments: [String]
    private let folder: TemporaryFolder
    private var process: RunningProgram?
    /// Kills the server if the tests end without doing so.
    private var watchdog: RunningProgram?

    /// - Parameters:
    ///   - peers: names and peer URLs of all servers of the cluster; nil for a single server.
    ///   - scheme: `https` for a server with a certificate, which `options` name.
    package init(
        name: String = "one",
        port: Int? = nil,
        peerPort: Int? = nil,
        peers: String? = nil,
        scheme: String = "http",
        options: [String] = []
    ) throws {
        folder = try TemporaryFolder()
        self.name = name
        let ports = try freePorts(2)
        url = "\(scheme)://127.0.0.1:\(port ?? ports[0])"
        let peerURL = "http://127.0.0.1:\(peerPort ?? ports[1])"
        arguments =
            [
                "--name", name, "--data-dir", folder.file("data"), "--listen-client-urls", url,
                "--advertise-client-urls", url, "--listen-peer-urls", peerURL,
                "--initial-advertise-peer-urls", peerURL,
                "--initial-cluster", peers ?? "\(name)=\(peerURL)",
                "--heartbeat-interval", "50", "--election-timeout", "500", "--logger", "zap",
                "--log-level", "error",
            ] + options
    }

    /// Starts the server with its existing data.
    package func start() throws {
        let environment = ProcessInfo.processInfo.environment.filter { !$0.key.hasPrefix("ETCD") }
        let process = try RunningProgram("etcd", arguments, environment: environment)
        self.process = process
        // The tests start many servers, and a user has only 128 inotify instances, so tail(1) must not use one.
        watchdog = try RunningProgram(
            "sh",
            [
                "-c", "tail ---disable-inotify --pid=$0 -s 0.5 -f /dev/null; kill -9 $1; rm -rf \"$2\"",
                "\(getpid())", "\(process.id)", folder.path,
            ]
        )
    }

    /// Waits until the cluster answers through this server.
    package func wait() throws {
        let isThere = eventually {
            (try? SettingsCluster.etcd(url).suiteNames()) != nil
        }
        if !isThere { throw HarnessError("etcd does not answer at \(url)") }
    }

    package func kill() throws {
        watchdog = nil
        process?.send(SIGKILL)
        _ = try process?.end()
        process = nil
    }

    /// Saves a backup of the cluster, and returns its path.
    package func saveSnapshot() throws -> String {
        let path = folder.file("snapshot-\(UUID().uuidString)")
        try control("snapshot", "save", path)
        return path
    }

    /// Replaces the server's data by a backup. The server must not be running.
    package func restore(_ snapshot: String) throws {
        try wipe()
        let copied = ["--name", "--data-dir", "--initial-cluster", "--initial-advertise-peer-urls"]
        let options = copied.flatMap { option in
            [option] + (arguments.firstIndex(of: option).map { [arguments[$0 + 1]] } ?? [])
        }
        try control("snapshot", "restore", snapshot, options: options)
    }

    /// Removes the server's data. The server must not be running.
    package func wipe() throws { try FileManager.default.removeItem(atPath: folder.file("data")) }

    package func freeze() { process?.send(SIGSTOP) }

    package func thaw() { process?.send(SIGCONT) }

    /// Runs etcdctl on this server and returns what it prints.
    @discardableResult
    package func control(_ arguments: String..., options: [String] = []) throws -> String {
        let result = try run("etcdctl", ["--endpoints", url] + options + arguments)
        guard result.ending == .exit(0) else {
            throw HarnessError("etcdctl \(arguments): \(result.errors)")
        }
        return result.output
    }

    /// The cluster's current revision.
    package func revision() throws -> Int {
        let text = try control("endpoint", "status", "-w", "json")
        guard let start = text.range(of: "\"revision\":") else { throw HarnessError(text) }
        return Int(text[start.upperBound...].prefix { $0.isNumber }) ?? 0
    }

    /// Compacts all revisions before the current one.
    package func compact() throws { try control("compaction", "\(revision())") }

    package var isLeader: Bool {
        get throws {
            // The member ID and the leader ID are equal in the leader's own answer.
            let text = try control("endpoint", "status", "-w", "json")
            func number(_ name: String) -> Substring? {
                text.range(of: "\"\(name)\":").map { text[$0.upperBound...].prefix { $0.isNumber } }
            }
            return number("member_id") == number("leader")
        }
    }

    /// Whether etcd and etcdctl are installed.
    package static let isInstalled =
        (try? run("sh", ["-c", "command -v etcd && command -v etcdctl"]).ending) == .exit(0)

    /// Why tests are skipped without it.
    package static let needs = "etcd is not installed"

    /// A server that many tests share. Each of them uses a prefix of its own.
    package static let shared = Result { try started() }

    /// Starts a server, and waits until it answers.
    package static func started(_ options: String...) throws -> EtcdServer {
        let server = try EtcdServer(options: options)
        try server.start()
        try server.wait()
        return server
    }

    /// Makes the cluster require a user. `root` has the password `top`, and may do everything.
    ///
    /// - Parameters:
    ///   - commands: commands of etcdctl that add other users before.
    ///   - options: options of etcdctl.
    package func requireUsers(_ commands: String..., options: [String] = []) throws {
        for line in ["user add root:top", "user grant-role root root"] + commands + ["auth enable"] {
            try control(options: options + line.split(separator: " ").map { String($0) })
        }
    }
}

/// A cluster of three servers.
package final class EtcdTrio: Sendable {
    package let servers: [EtcdServer]

    package init() throws {
        let ports = try freePorts(6)
        let names = ["a", "b", "c"]
        let peers = names.indices.map { "\(names[$0])=http://127.0.0.1:\(ports[$0 + 3])" }
            .joined(separator: ",")
        servers = try names.indices.map {
            try EtcdServer(name: names[$0], port: ports[$0], peerPort: ports[$0 + 3], peers: peers)
        }
        for server in servers { try server.start() }
        for server in servers { try server.wait() }
    }

    package var urls: String { servers.map(\.url).joined(separator: ",") }

    /// Waits until one of the servers is the leader. A busy machine can delay their signs of life, and then they elect
    /// another one.
    package func leader() throws -> Int {
        var leader: Int?
        let isElected = eventually {
            leader = servers.indices.first { (try? servers[$0].isLeader) == true }
            return leader != nil
        }
        guard isElected, let leader else { throw HarnessError("the cluster has no leader") }
        return leader
    }
}

/// Ports that are free at present.
///
/// The kernel chooses ports from 32768 on for connections and for sockets without a port (ip(7), ip_local_port_range).
/// These ports are below, so that none is taken before its server starts, or while the server is down.
package func freePorts(_ count: Int) throws -> [Int] {
    var sockets: [Int32] = []
    defer { for socket in sockets { close(socket) } }
    var attempts = 1000
    while sockets.count < count {
        attempts -= 1
        guard let socket = try? listeningSocket(port: .random(in: 10_000..<32_768)).descriptor else {
            guard attempts > 0 else { throw HarnessError("no port is free") }
            continue
        }
        sockets.append(socket)
    }
    return sockets.map { portNumber(of: $0) }
}

/// A listening socket on this machine. Port 0 chooses a free port.
package func listeningSocket(port: Int = 0) throws -> (descriptor: Int32, port: Int) {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    var yes: Int32 = 1
    setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<Int32>.size))
    var address = loopback(port)
    let bound = withUnsafePointer(to: &address) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
            bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
        }
    }
    guard bound == 0, listen(descriptor, 64) == 0 else {
        close(descriptor)
        throw HarnessError("no port: \(String(cString: strerror(errno)))")
    }
    return (descriptor, portNumber(of: descriptor))
}

package func loopback(_ port: Int) -> sockaddr_in {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = in_port_t(port).bigEndian
    address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
    return address
}

private func portNumber(of descriptor: Int32) -> Int {
    var address = sockaddr_in()
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    _ = withUnsafeMutablePointer(to: &address) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &length) }
    }
    return Int(in_port_t(bigEndian: address.sin_port))
}
#endif
