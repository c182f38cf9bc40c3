#if Cluster
import ClusterStore
import Foundation
import ProgramHarness
import PropertyList
import SettingsStore
import SettingsStoreTesting
import Testing

@Suite(
    "Suites with different configurations share nothing",
    .enabled(if: EtcdServer.isInstalled, Comment(rawValue: EtcdServer.needs))
)
struct LoginTests {
    let server: EtcdServer
    let proxy: Proxy
    let folder: TemporaryFolder

    init() throws {
        server = try EtcdServer()
        try server.start()
        try server.wait()
        for words in [
            "user add root:top", "user grant-role root root", "user add app:secret", "user add two:secret",
            "role add settings", "role grant-permission --prefix=true settings readwrite /pdefaults/",
            "user grant-role app settings", "user grant-role two settings", "auth enable",
        ] {
            try server.control(options: words.split(separator: " ").map { String($0) })
        }
        proxy = try Proxy(to: server.url)
        folder = try TemporaryFolder()
    }

    private func cluster(_ user: String, _ password: Secret) -> SettingsCluster {
        var cluster = SettingsCluster.etcd(proxy.url, user: user, password: password)
        cluster.copies = .none
        return cluster
    }

    /// The values on the server, as the superuser reads them.
    private func stored() throws -> [String: PropertyListValue] {
        var cluster = SettingsCluster.etcd(server.url, user: "root", password: "top")
        cluster.copies = .none
        return try SettingsSuite.separate("App", in: cluster).storedValues
    }

    @Test(
        "A suite with a wrong password can't read or write through the login of another suite"
    )
    func wrongPassword() throws {
        defer { proxy.end() }
        let right = try SettingsSuite(named: "App", in: cluster("app", "secret"))
        try right.store("right", forKey: "a")
        let wrong = try SettingsSuite(named: "App", in: cluster("app", "wrong"))
        #expect(right != wrong)
        #expect(wrong.storedValues == [:])
        wrong.set("wrong", forKey: "a")
        let error = #expect(throws: SettingsError.self) { try wrong.synchronize() }
        #expect("\(try #require(error))".contains("authentication failed"))
        try right.synchronize()
        #expect(right.storedValues == ["a": "right"])
        #expect(try stored() == ["a": "right"])
    }

    @Test("A suite that refuses sets during an outage works beside one that keeps them pending")
    func refusing() throws {
        defer { proxy.end() }
        let keeping = try SettingsSuite(named: "App", in: cluster("app", "secret"))
        try keeping.store(1, forKey: "a")
        var place = cluster("app", "secret")
        place.whileUnreachable = .refuse
        let refusing = try SettingsSuite(named: "App", in: place)
        #expect(refusing.storedValues == ["a": 1])
        proxy.cut()
        for suite in [keeping, refusing] {
            suite.set(2, forKey: "a")
            #expect(throws: SettingsError.self) { try suite.synchronize() }
        }
        #expect(keeping.status.pendingKeys == 1)
        #expect(refusing.status.pendingKeys == 0)
        #expect(refusing.storedValues == ["a": 1])
        proxy.mend()
        #expect(eventually { (try? keeping.synchronize()) != nil })
    }

    @Test("Suites with equal configurations share their values, whatever the order of the servers")
    func sharing() throws {
        func suite(_ servers: String..., change: (inout SettingsCluster) -> Void = { _ in }) throws
            -> SettingsSuite
        {
            var cluster = SettingsCluster.etcd(
                servers.joined(separator: ","),
                prefix: "/p/",
                user: "app",
                password: "\u{E9}",
                authority: "/ca",
                certificate: "/cert",
                key: "/key"
            )
            cluster.copies = .none
            change(&cluster)
            return try SettingsSuite(named: "App", in: cluster)
        }
        let one = try suite("https://a", "https://b")
        #expect(try one == suite("https://a", "https://b"))
        #expect(try one == suite("b/", "HTTPS://A", "a"))
        let others = [
            try suite("https://a"),
            try suite("https://a", "https://b") { $0.prefix = "/q/" },
            try suite("https://a", "https://b") { $0.user = "two" },
            try suite("https://a", "https://b") { $0.user = nil },
            try suite("https://a", "https://b") { $0.password = "e" },
            // Equal as Swift strings, but different bytes for a server.
            try suite("https://a", "https://b") { $0.password = "e\u{301}" },
            try suite("https://a", "https://b") { $0.password = nil },
            try suite("https://a", "https://b") { $0.allowsCleartextPassword = true },
            try suite("https://a", "https://b") { $0.authorityPath = nil },
            try suite("https://a", "https://b") { $0.certificatePath = "/other" },
            try suite("https://a", "https://b") { $0.keyPath = "/other" },
            try suite("https://a", "https://b") { $0.whileUnreachable = .refuse },
            try suite("https://a", "https://b") { $0.copies = .kept(SettingsFolder(path: folder.path)) },
            try suite("https://a", "https://b") { $0.patience = 1 },
        ]
        #expect(Set(others + [one]).count == others.count + 1)
    }

    // MARK: - Pending writes on the disk

    private func environment(_ user: String, _ password: String) -> [String: String] {
        ProcessInfo.processInfo.environment.merging(
            ["PDEFAULTS_CLUSTER_USER": user, "PDEFAULTS_CLUSTER_PASSWORD": password]
        ) { $1 }
    }

    /// Starts a program that sets a key, and kills it after the pending key is on the disk.
    private func set(_ word: String, _ user: String, _ password: String) throws {
        let process = try RunningProgram(
            builtProgram(named: "ClusterClient"),
            ["set", proxy.url, "/pdefaults/", folder.path, word],
            environment: environment(user, password)
        )
        #expect(eventually { pendingFiles.contains { $0.hasSuffix(".plist") } })
        process.send(SIGKILL)
        _ = try process.end()
    }

    private func show(_ user: String, _ password: String) throws -> String {
        try run(
            builtProgram(named: "ClusterClient"),
            ["show", proxy.url, "/pdefaults/", folder.path],
            environment: environment(user, password)
        ).output
    }

    private var pendingFiles: [String] {
        let all = FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String } ?? []
        return all.filter { $0.contains(".pending/") }
    }

    @Test("Pending writes of a killed process are stored only by a process with the same login")
    func journal() throws {
        defer { proxy.end() }
        #expect(try show("app", "secret") == "has \n")
        proxy.cut()
        try set("a=left", "app", "secret")
        // A wrong password and another user adopt nothing, with and without a server.
        for _ in 0..<2 {
            #expect(try !show("app", "wrong").contains("left"))
            #expect(try !show("two", "secret").contains("left"))
            #expect(try stored() == [:])
            proxy.mend()
        }
        #expect(try show("app", "secret") == "has a=left\n")
        #expect(try stored() == ["a": "left"])
        #expect(pendingFiles == [])
    }

    @Test("Pending writes that were set with another password are set aside and reported")
    func otherPassword() throws {
        defer { proxy.end() }
        proxy.cut()
        try set("a=wrong", "app", "wrong")
        proxy.mend()
        let output = try show("app", "secret")
        #expect(output.contains("has \n"))
        #expect(output.contains("another password of the user “app”"))
        #expect(try stored() == [:])
        let file = try #require(pendingFiles.first)
        #expect(pendingFiles.count == 1 && file.hasSuffix(".plist.other-password"))
        #expect(output.contains(folder.file(file)))
        // The values can still be read, and the next process does not report them again.
        #expect(SettingsSuite(file: folder.file(file)).storedValues.keys.sorted() == ["a"])
        #expect(try show("app", "secret") == "has \n")
    }

    @Test("Pending writes are set aside and reported if the user's password was changed meanwhile")
    func changedPassword() throws {
        defer { proxy.end() }
        proxy.cut()
        try set("a=left", "app", "secret")
        let root = ["--user", "root:top"]
        for words in ["user delete app", "user add app:new", "user grant-role app settings"] {
            try server.control(options: root + words.split(separator: " ").map { String($0) })
        }
        proxy.mend()
        let output = try show("app", "new")
        #expect(output.contains("another password of the user “app”"))
        #expect(output.contains("has \n"))
        #expect(try stored() == [:])
        #expect(pendingFiles.allSatisfy { $0.hasSuffix(".plist.other-password") } && pendingFiles.count == 1)
    }

    @Test("A journal contains neither the password nor a fast hash of it")
    func journalWithoutPassword() throws {
        defer { proxy.end() }
        proxy.cut()
        try set("a=left", "app", "secret")
        let lock = try #require(pendingFiles.first { $0.hasSuffix(".lock") })
        let proof = try String(contentsOfFile: folder.file(lock), encoding: .utf8)
        #expect(!proof.contains("secret"))
        // crypt(5): one of the slow methods, with a salt.
        #expect(["$y$", "$gy$", "$7$", "$2b$", "$6$"].contains { proof.hasPrefix($0) }, "\(proof)")
        proxy.mend()
        #expect(try show("app", "secret") == "has a=left\n")
    }

    @Test("Pending writes are not kept if the cluster has refused the password")
    func refusedJournal() throws {
        defer { proxy.end() }
        let wrong = try run(
            builtProgram(named: "ClusterClient"),
            ["handle", proxy.url, "/pdefaults/", folder.path, "a=wrong"],
            environment: environment("app", "wrong")
        )
        #expect(wrong.errors.contains("Settings were not stored"))
        #expect(!wrong.errors.contains("The next start goes on"))
        #expect(pendingFiles == [])
        #expect(try show("app", "secret") == "has \n")
        #expect(try stored() == [:])
    }
}
#endif
