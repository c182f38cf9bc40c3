#if Cluster
import ClusterStore
import Foundation
import ProgramHarness
import PropertyList
import SettingsStore
import SettingsStoreTesting
import Testing

@Suite(
    "Users, passwords and certificates",
    .enabled(if: EtcdServer.isInstalled, Comment(rawValue: EtcdServer.needs))
)
struct AuthenticationTests {
    /// The user `app` of a server that requires users from now on.
    ///
    /// - Parameter permission: the kind of access and the beginning of the keys.
    private func cluster(_ server: EtcdServer, allowing permission: String) throws -> SettingsCluster {
        try server.requireUsers(
            "user add app:secret",
            "role add settings",
            "role grant-permission --prefix=true settings \(permission)",
            "user grant-role app settings"
        )
        var cluster = SettingsCluster.etcd(server.url, user: "app", password: "secret")
        cluster.copies = .none
        return cluster
    }

    @Test(
        "The right password reads and writes, a wrong one is reported, and an expired token is renewed"
    )
    func users() throws {
        let server = try EtcdServer.started()
        let cluster = try cluster(server, allowing: "readwrite /pdefaults/")
        let suite = try SettingsSuite.separate("App", in: cluster)
        let changes = Recorder<Change>()
        let observation = suite.observe("a") { changes.note($0) }
        try suite.store(1, forKey: "a")
        // A restarted server has forgotten the token.
        try server.kill()
        try server.start()
        let root = ["--user", "root:top"]
        let path = "/pdefaults/App/a"
        #expect(eventually { (try? server.control("put", path, "2", options: root)) != nil })
        #expect(eventually { changes.all.map(\.new) == [1, "2"] })
        try suite.store(3, forKey: "a")
        for (user, password) in [("app", "wrong"), ("nobody", "secret")] {
            var other = cluster
            (other.user, other.password) = (user, Secret(password))
            do throws(SettingsError) {
                _ = try other.suiteNames()
                Issue.record("\(user) may read")
            } catch {
                guard case .notWritable(_, let reason) = error else {
                    Issue.record("\(error)")
                    continue
                }
                #expect(reason.contains("authentication failed"))
            }
        }
        var elsewhere = cluster
        elsewhere.prefix = "/other/"
        #expect(throws: SettingsError.self) {
            try SettingsSuite.separate("App", in: elsewhere).store(1, forKey: "a")
        }
        withExtendedLifetime(observation) {}
    }

    @Test("A user with permission for one suite reads, writes and receives changes without a stream")
    func oneSuiteAlone() throws {
        let server = try EtcdServer.started()
        var cluster = try cluster(server, allowing: "readwrite /pdefaults/App/")
        cluster.secondsBetweenChecks = 0.2
        let suite = try SettingsSuite.separate("App", in: cluster)
        let observation = suite.observe { _ in }
        try suite.store(1, forKey: "a")
        try suite.replace(["a": 2], expecting: ["a": 1])
        #expect(throws: SettingsError.conflict(current: ["a": 2])) {
            try suite.replace(["a": 3], expecting: ["a": 1])
        }
        try server.control("put", "/pdefaults/App/theirs", "x", options: ["--user", "root:top"])
        #expect(eventually { suite.storedValues == ["a": 2, "theirs": "x"] })
        #expect(
            eventually {
                if case .polling(let why) = suite.status.watching {
                    why.contains("permission")
                } else {
                    false
                }
            }
        )
        try suite.store(4, forKey: "a")
        #expect(!suite.isStale)
        do throws(SettingsError) {
            _ = try cluster.suiteNames()
            Issue.record("All suites are listed.")
        } catch {
            #expect("\(error)".contains("the user “app” has no right to this"))
        }
        withExtendedLifetime(observation) {}
    }

    @Test("A user with permission for one suite stays connected when its token expires")
    func endingTokens() throws {
        let server = try EtcdServer.started("--auth-token-ttl", "1")
        let cluster = try cluster(server, allowing: "readwrite /pdefaults/App/")
        let suite = try SettingsSuite.separate("App", in: cluster)
        let outages = Recorder<String>()
        let observation = suite.observe { event in
            switch event {
            case .status(let status): if case .stale(let reason) = status.content { outages.note(reason) }
            case .failed(let error): outages.note("\(error)")
            case .change, .layersChanged: break
            }
        }
        // Each round polls with an expired token.
        for round in 1...3 {
            let value = "\(round)"
            try server.control("put", "/pdefaults/App/theirs", value, options: ["--user", "root:top"])
            #expect(eventually { suite.storedValues == ["theirs": .string(value)] })
        }
        #expect(outages.all == [])
        withExtendedLifetime(observation) {}
    }

    @Test("A set without permission to write is undone at once if the program wants that")
    func takenBack() throws {
        let server = try EtcdServer.started()
        try server.control("put", "/pdefaults/App/volume", "10")
        var cluster = try cluster(server, allowing: "read /pdefaults/")
        cluster.whileUnreachable = .refuse
        let suite = try SettingsSuite.separate("App", in: cluster)
        let observation = suite.observe { _ in }
        for value in ["11", "12"] {
            suite.set(["volume": .string(value), "nick": "b"])
            #expect(eventually { suite.storedValues == ["volume": "10"] && suite.status.pendingKeys == 0 })
        }
        withExtendedLifetime(observation) {}
    }

    @Test(
        "A program that the cluster refuses starts with its cached values, and continues when it is accepted"
    )
    func refusedAtTheStart() throws {
        let server = try EtcdServer.started()
        let allowed = try self.cluster(server, allowing: "readwrite /pdefaults/")
        let folder = try TemporaryFolder()
        func cluster(_ user: String?, _ password: Secret?) -> SettingsCluster {
            var cluster = allowed
            (cluster.user, cluster.password) = (user, password)
            cluster.copies = .kept(SettingsFolder(path: folder.path))
            cluster.secondsBetweenChecks = 0.2
            return cluster
        }
        try SettingsSuite.separate("App", in: cluster("app", "secret")).store(5, forKey: "volume")
        let copy = SettingsSuite(file: folder.file(".user-app/App.plist"))
        let watch = copy.observe { _ in }
        #expect(eventually { copy.storedValues == ["volume": 5] })
        // A cache belongs to one user, because another one may lack the permission to read the values.
        let strangers: [(String?, Secret?, [String: PropertyListValue])] = [
            ("app", "wrong", ["volume": 5]), ("nobody", "secret", [:]), (nil, nil, [:]),
        ]
        for (user, password, values) in strangers {
            let suite = try SettingsSuite.separate("App", in: cluster(user, password))
            #expect(suite.storedValues == values)
            #expect(suite.isStale)
        }
        let root = ["--user", "root:top"]
        let revoke = ["role", "revoke-permission", "--prefix=true", "settings", "/pdefaults/"]
        try server.control(options: root + revoke)
        let suite = try SettingsSuite.separate("App", in: cluster("app", "secret"))
        let observation = suite.observe { _ in }
        #expect(suite.storedValues == ["volume": 5])
        guard case .stale(let reason) = suite.status.content else {
            Issue.record("\(suite.status)")
            return
        }
        #expect(reason.contains("the user “app” has no right to this"))
        try server.control("put", "/pdefaults/App/volume", "6", options: root)
        let grant = ["role", "grant-permission", "--prefix=true", "settings", "readwrite", "/pdefaults/"]
        try server.control(options: root + grant)
        #expect(eventually { suite.storedValues == ["volume": "6"] && !suite.isStale })
        withExtendedLifetime((observation, watch)) {}
    }

    @Test("A cluster that requires a user is reported with advice, until it accepts requests again")
    func usersForAWhile() throws {
        let server = try EtcdServer.started()
        let suite = try SettingsSuite.separate("App", in: .plain(server.url))
        let observation = suite.observe { _ in }
        try suite.store(1, forKey: "a")
        #expect(eventually { suite.status.watching == .events })
        try server.requireUsers()
        suite.set(2, forKey: "a")
        let error = #expect(throws: SettingsError.self) { try suite.synchronize() }
        #expect("\(try #require(error))".contains("PDEFAULTS_CLUSTER_USER"))
        #expect(eventually { suite.status.content != .stored })
        let root = ["--user", "root:top"]
        try server.control("auth", "disable", options: root)
        #expect(
            eventually {
                suite.status == SuiteStatus(content: .stored, watching: .events)
            }
        )
        #expect(try SettingsSuite.separate("App", in: .plain(server.url)).storedValues == ["a": 2])
        withExtendedLifetime(observation) {}
    }

    /// An authority with certificates for a server and its clients.
    private struct Certificates {
        let folder: TemporaryFolder

        var authority: String { folder.file("ca.pem") }

        init() throws {
            folder = try TemporaryFolder()
            try issue()
        }

        /// Replaces all certificates in the same files.
        func issue() throws {
            try folder.write("subjectAltName=IP:127.0.0.1\n", to: "names")
            let new = ["req", "-newkey", "rsa:2048", "-nodes"]
            try make(
                new + ["-x509", "-days", "2", "-subj", "/CN=test authority"]
                    + ["-keyout", folder.file("ca.key"), "-out", authority]
            )
            for name in ["server", "client"] {
                let request = folder.file("\(name).csr")
                try make(
                    new + ["-subj", "/CN=\(name)", "-keyout", folder.file("\(name).key"), "-out", request]
                )
                try make(
                    ["x509", "-req", "-in", request, "-out", folder.file("\(name).pem"), "-days", "2"]
                        + ["-CA", authority, "-CAkey", folder.file("ca.key"), "-CAcreateserial"]
                        + ["-extfile", folder.file("names")]
                )
            }
        }

        private func make(_ arguments: [String]) throws {
            let result = try run("openssl", arguments)
            guard result.ending == .exit(0) else { throw HarnessError(result.errors) }
        }

        /// A server that requires a certificate from its clients.
        func server(_ options: String...) throws -> EtcdServer {
            try EtcdServer(
                scheme: "https",
                options: [
                    "--cert-file", folder.file("server.pem"), "--key-file", folder.file("server.key"),
                    "--trusted-ca-file", authority, "--client-cert-auth",
                ] + options
            )
        }

        func cluster(_ server: EtcdServer) -> SettingsCluster {
            var cluster = SettingsCluster.etcd(
                server.url,
                authority: authority,
                certificate: folder.file("client.pem"),
                key: folder.file("client.key")
            )
            cluster.copies = .none
            return cluster
        }
    }

    @Test("TLS accepts certificates of the named authority, and shows the client's certificate")
    func certificates() throws {
        let certificates = try Certificates()
        let (folder, authority) = (certificates.folder, certificates.authority)
        let server = try certificates.server()
        try server.start()
        let cluster = certificates.cluster(server)
        #expect(eventually { (try? cluster.suiteNames()) != nil })
        let suite = try SettingsSuite.separate("App", in: cluster)
        let changes = Recorder<Change>()
        let observation = suite.observe("a") { changes.note($0) }
        try SettingsSuite.separate("App", in: cluster).store(1, forKey: "a")
        #expect(eventually { changes.all.map(\.new) == [1] })
        let plain = try EtcdServer.shared.get().url
        let key = folder.file("server.key")
        // The server does not know their authority.
        let others = try Certificates()
        for (stranger, reason) in [
            (SettingsCluster.etcd(server.url), "comes from an authority that is not trusted here"),
            (SettingsCluster.etcd(server.url, authority: authority), "it might require a certificate"),
            (
                SettingsCluster.etcd(
                    server.url,
                    authority: authority,
                    certificate: others.folder.file("client.pem"),
                    key: others.folder.file("client.key")
                ),
                "it might refuse the certificate"
            ),
            (
                SettingsCluster.etcd(server.url, authority: folder.file("missing.pem")),
                "the authority's certificates can't be read: \(folder.file("missing.pem"))"
            ),
            (
                SettingsCluster.etcd(
                    server.url,
                    authority: authority,
                    certificate: folder.file("client.pem"),
                    key: key
                ),
                "the key does not match the certificate"
            ),
            (
                SettingsCluster.etcd(
                    plain.replacingOccurrences(of: "http:", with: "https:"),
                    authority: authority
                ),
                "might not use TLS"
            ),
        ] {
            do throws(SettingsError) {
                _ = try stranger.suiteNames()
                Issue.record("\(stranger) has answered")
            } catch {
                // A server without TLS ends the connection or resets it. A reset has another possible cause.
                let keys = "(certificate: and key:, or _CERT and _KEY)"
                let reset = "it might require a certificate \(keys), or not use TLS"
                let isReset = reason == "might not use TLS" && "\(error)".contains(reset)
                #expect("\(error)".contains(reason) || isReset)
            }
        }
        withExtendedLifetime(observation) {}
    }

    @Test("A running program uses renewed certificates")
    func renewedCertificates() throws {
        let certificates = try Certificates()
        let server = try certificates.server()
        try server.start()
        let cluster = certificates.cluster(server)
        #expect(eventually { (try? cluster.suiteNames()) != nil })
        let suite = try SettingsSuite.separate("App", in: cluster)
        let changes = Recorder<Change>()
        let observation = suite.observe("a") { changes.note($0) }
        try server.kill()
        #expect(eventually { suite.isStale })
        try certificates.issue()
        try server.start()
        #expect(eventually { !suite.isStale })
        try suite.store(1, forKey: "b")
        // A separate process uses the new certificates.
        let result = try run(
            "etcdctl",
            ["--endpoints", server.url, "--cacert", certificates.authority]
                + ["--cert", certificates.folder.file("client.pem")]
                + ["--key", certificates.folder.file("client.key"), "put", "/pdefaults/App/a", "x"]
        )
        #expect(result.ending == .exit(0), "\(result.errors)")
        #expect(eventually { changes.all.map(\.new) == ["x"] })
        withExtendedLifetime(observation) {}
    }

    @Test("A refusal of the JSON gateway is reported with advice")
    func commonName() throws {
        let certificates = try Certificates()
        let server = try certificates.server()
        try server.start()
        var cluster = certificates.cluster(server)
        #expect(eventually { (try? cluster.suiteNames()) != nil })
        let trust = [
            "--cacert", certificates.authority, "--cert", certificates.folder.file("client.pem"), "--key",
            certificates.folder.file("client.key"),
        ]
        try server.requireUsers(options: trust)
        cluster.user = "root"
        cluster.password = "top"
        do throws(SettingsError) {
            _ = try cluster.suiteNames()
            Issue.record("It has answered.")
        } catch {
            #expect("\(error)".contains("refuses client certificates that have a CommonName"))
            #expect("\(error)".contains("HTTP status 400: CommonName of client"))
        }
    }
}
#endif
