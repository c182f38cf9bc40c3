#if Cluster
import ClusterStore
import Foundation
import Glibc
import ProgramHarness
import PropertyList
import SettingsStore
import SettingsStoreTesting
import Testing

@Suite("A password is sent over TLS, or stays on this machine")
struct CleartextPasswordTests {
    @Test(
        "A server without a scheme is asked over TLS, unless it is this machine",
        arguments: [
            ("a", "https://a"),
            ("a:2379", "https://a:2379"),
            ("A:2379/", "https://a:2379"),
            (" 10.0.0.1:2379 ", "https://10.0.0.1:2379"),
            ("[2001:db8::1]:2379", "https://[2001:db8::1]:2379"),
            ("localhost:2379", "http://localhost:2379"),
            ("LocalHost", "http://localhost"),
            ("127.0.0.1:2379", "http://127.0.0.1:2379"),
            ("127.255.0.9", "http://127.255.0.9"),
            ("[::1]:2379", "http://[::1]:2379"),
            ("[0:0:0:0:0:0:0:1]", "http://[0:0:0:0:0:0:0:1]"),
            // These names only begin like this machine's.
            ("localhost.example.org", "https://localhost.example.org"),
            ("127.0.0.1.example.org", "https://127.0.0.1.example.org"),
            ("127.1:2379", "https://127.1:2379"),
            ("127.0.0.1:80x", "https://127.0.0.1:80x"),
            ("[::1]x", "https://[::1]x"),
            ("[::1:2379", "https://[::1:2379"),
            ("::1", "https://::1"),
            ("[::]:2379", "https://[::]:2379"),
            ("0.0.0.0:2379", "https://0.0.0.0:2379"),
            // An explicit scheme is kept.
            ("http://a:2379", "http://a:2379"),
            ("HTTP://A:2379//", "http://a:2379"),
            ("https://localhost", "https://localhost"),
            ("a/Path", "https://a/Path"),
        ]
    )
    func schemes(_ word: String, _ url: String) {
        #expect(SettingsCluster.etcd(word).servers == [url])
    }

    @Test(
        "A cluster with a password is refused if one of its servers would get it unencrypted",
        arguments: [
            ("https://a,b:2379", nil),
            ("localhost,127.0.0.2:2379,http://[::1]:2379", nil),
            ("http://a:2379", "http://a:2379"),
            ("https://a,http://b", "http://b"),
            ("HTTP://b", "http://b"),
            ("http://127.1:2379", "http://127.1:2379"),
            ("http://localhost.example.org", "http://localhost.example.org"),
            ("http://127.0.0.1#.example.org", nil),
            ("http://127.0.0.1:1@example.org", "http://…@example.org"),
            ("http://127.0.0.1\\@example.org", "http://…@example.org"),
            ("http://127.0.0.1\\.example.org", "http://127.0.0.1\\.example.org"),
            ("http://127.0.0.1/\u{301}.example.org", nil),
            ("http://127.0.0.1%2eexample.org", "http://127.0.0.1%2eexample.org"),
        ] as [(String, String?)]
    )
    func refusals(_ servers: String, _ refused: String?) throws {
        func problem(_ cluster: SettingsCluster) -> String? {
            do throws(SettingsError) {
                try cluster.validate()
                return nil
            } catch {
                return "\(error)"
            }
        }
        let problem = problem(.etcd(servers, user: "app", password: "hunter2"))
        #expect((problem == nil) == (refused == nil))
        if let refused, let problem {
            #expect(problem.contains(" \(refused) "))
            #expect(problem.contains("allowsCleartextPassword: true"))
            #expect(problem.contains("PDEFAULTS_CLUSTER_CLEARTEXT_PASSWORD=1"))
            #expect(!problem.contains("hunter2"))
        }
        try SettingsCluster.etcd(servers).validate()
        try SettingsCluster.etcd(servers, user: "app", password: "hunter2", allowsCleartextPassword: true)
            .validate()
    }

    @Test("A password without a user is refused")
    func passwordAlone() {
        #expect(throws: SettingsError.self) {
            try SettingsCluster.etcd("https://a", password: "hunter2").validate()
        }
    }

    /// inet_aton(3) reads 127.1 as this machine. ServerAddress reads it as the name of another one.
    private func named(_ port: Int) -> String { "http://127.1:\(port)" }

    @Test("A refused configuration opens no connection, and an allowed one does")
    func noConnection() throws {
        let (listener, port) = try listeningSocket()
        defer { close(listener) }
        func hasConnection(within milliseconds: Int32) -> Bool {
            var request = pollfd(fd: listener, events: Int16(POLLIN), revents: 0)
            return poll(&request, 1, milliseconds) == 1
        }
        var cluster = SettingsCluster.etcd(named(port), user: "app", password: "hunter2")
        cluster.copies = .none
        cluster.patience = 1
        let suite = try SettingsSuite(named: "App", in: cluster)
        let observation = suite.observe { _ in }
        suite.set(1, forKey: "a")
        let errors = [
            #expect(throws: SettingsError.self) { try suite.synchronize() },
            #expect(throws: SettingsError.self) { _ = try cluster.suiteNames() },
            #expect(throws: SettingsError.self) { try cluster.history(ofKey: "a", in: SuiteName("App")) },
        ]
        for error in errors { #expect("\(try #require(error))".contains("allowsCleartextPassword: true")) }
        // The watch stream was tried too.
        #expect(
            eventually {
                if case .polling(let why) = suite.status.watching { why.contains("password") } else { false }
            }
        )
        #expect(!hasConnection(within: 0))
        cluster.allowsCleartextPassword = true
        // A busy machine may not even connect within the second that a request may take.
        let isConnected = eventually {
            #expect(throws: SettingsError.self) { try cluster.suiteNames() }
            return hasConnection(within: 0)
        }
        #expect(isConnected)
        withExtendedLifetime(observation) {}
    }

    @Test(
        "The commands refuse an unencrypted password, and say how to allow it",
        .enabled(if: EtcdServer.isInstalled, Comment(rawValue: EtcdServer.needs))
    )
    func commands() throws {
        let server = try EtcdServer.started()
        try server.requireUsers()
        let folder = try TemporaryFolder()
        let port = try #require(server.url.split(separator: ":").last.flatMap { Int($0) })
        func domains(_ more: [String: String] = [:]) throws -> ProgramResult {
            try run(
                builtProgram(named: "pdefaults"),
                ["suites", "--cluster", named(port)],
                environment: [
                    "HOME": folder.path, "PDEFAULTS_CLUSTER_USER": "root",
                    "PDEFAULTS_CLUSTER_PASSWORD": "top",
                ].merging(more) { $1 }
            )
        }
        let refused = try domains()
        #expect(refused.ending == .exit(1))
        #expect(refused.errors.contains("PDEFAULTS_CLUSTER_CLEARTEXT_PASSWORD=1"))
        #expect(try domains(["PDEFAULTS_CLUSTER_CLEARTEXT_PASSWORD": "1"]).ending == .exit(0))
    }
}
#endif
