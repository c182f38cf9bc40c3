#if Cluster
import ClusterStore
import Foundation
import ProgramHarness
import SettingsStore
import SettingsStoreTesting
import Testing

@Suite(
    "The editor on a cluster",
    .enabled(if: EtcdServer.isInstalled, Comment(rawValue: EtcdServer.needs))
)
struct ClusterEditorTests: ClusterCommands {
    let server: EtcdServer
    let folder: TemporaryFolder

    init() throws {
        server = try .started()
        folder = try TemporaryFolder()
    }

    @Test("The editor shows suites, foreign changes, an outage, and a key's history")
    func editor() async throws {
        for value in ["one", "two"] { _ = try output("write", "App", "name", value) }
        let tmux = try Tmux(
            [builtProgram(named: "pdefaults"), "--cluster", server.url],
            columns: 100,
            rows: 24
        )
        try await tmux.waitFor("two")
        try await tmux.waitFor("etcd \(server.url.dropFirst("http://".count)) · connected")
        _ = try output("write", "App", "name", "three")
        try await tmux.waitFor("three")
        try tmux.send("Enter", "V")
        try await tmux.waitFor("REVISIONS OF “name”")
        try await tmux.waitFor("“one” → “two”")
        try tmux.send("Enter")
        try await tmux.waitUntil("the old value is restored") { _ in
            try output("read", "App", "name") == "two\n"
        }
        try tmux.send("Escape")
        try server.kill()
        try await tmux.waitFor("stale")
        try await tmux.waitFor("unreachable")
        try server.start()
        try await tmux.waitUntil("the outage is over") { tmux in
            try !tmux.screen().contains { $0.contains("stale") || $0.contains("unreachable") }
        }
        try await tmux.waitFor("connected")
        try tmux.send("q")
    }

    @Test(
        "The list of suites deletes, renames and duplicates beside other editors and programs"
    )
    func wholeSuitesInTheEditor() async throws {
        for (suite, key) in [("alpha", "a"), ("beta", "b")] { _ = try output("write", suite, key, "1") }
        _ = try output("import", "large", folder.largeFile())
        let domains = ["alpha", "beta", "large"]
        func stores(_ expected: [String], _ tmux: Tmux) async throws {
            try await tmux.waitUntil("the suites are \(expected)") { _ in
                try output("suites") == expected.map { $0 + "\n" }.joined()
            }
        }
        let program = try builtProgram(named: "pdefaults")
        let tmux = try Tmux([program, "--cluster", server.url], columns: 100, rows: 24)
        let other = try Tmux([program, "--cluster", server.url], columns: 100, rows: 24)
        for editor in [tmux, other] {
            try await editor.waitFor("connected")
            try await editor.waitFor("large")
        }
        // The last suite takes several transactions.
        try tmux.send("G")
        try await tmux.waitFor("key10")
        let content = try output("read", "--json", "large")
        try tmux.send("d")
        try await tmux.waitFor("Delete the suite “large” with its 10 keys?")
        try tmux.send("y")
        try await stores(["alpha", "beta"], tmux)
        try await other.waitUntil("the other editor shows the removal") {
            try !$0.screen()[3].hasPrefix("  large")
        }
        try tmux.send("u")
        try await stores(domains, tmux)
        try await tmux.waitUntil("the whole suite exists") { _ in
            try pdefaults("read", "--json", "large").output == content
        }
        try tmux.send("r")
        try await tmux.waitFor("New name for “large”")
        try tmux.send("C-u", "zeta", "Enter")
        try await stores(["alpha", "beta", "zeta"], tmux)
        #expect(try output("read", "--json", "zeta") == content)
        try await other.waitFor("zeta")
        try tmux.send("D")
        try await tmux.waitFor("Name for the copy of “zeta”")
        try tmux.send("Enter")
        try await stores(["alpha", "beta", "zeta", "zeta copy"], tmux)
        try tmux.send("u")
        try await stores(["alpha", "beta", "zeta"], tmux)
        try tmux.send("u")
        try await stores(domains, tmux)
        #expect(try output("read", "--json", "large") == content)
        try tmux.send("C-r")
        try await stores(["alpha", "beta", "zeta"], tmux)
        // A suite that changes while the editor asks is not deleted, and the editor asks again.
        try tmux.send("g")
        try await tmux.waitFor("› alpha")
        try tmux.send("d")
        try await tmux.waitFor("Delete the suite “alpha” with its 1 key?")
        _ = try output("write", "alpha", "new", "2")
        try await tmux.waitFor("new")
        try tmux.send("y")
        try await tmux.waitFor("It has changed. Delete the suite “alpha” with its 2 keys?")
        try tmux.send("y")
        try await stores(["beta", "zeta"], tmux)
        try tmux.send("q")
        try other.send("q")
    }

    @Test("The editor opens without a server, and shows the suites when one answers")
    func editorWithoutServer() async throws {
        _ = try output("write", "App", "name", "one")
        server.freeze()
        defer { server.thaw() }
        let program = try builtProgram(named: "pdefaults")
        for words in [["--cluster", server.url], ["edit", "App", "--cluster", server.url]] {
            server.freeze()
            let tmux = try Tmux([program] + words, columns: 100, rows: 24)
            try await tmux.waitUntil("the editor says that it waits") { tmux in
                try tmux.screen().contains { $0.contains("connecting") || $0.contains("unreachable") }
            }
            server.thaw()
            try await tmux.waitFor("one")
            try await tmux.waitFor("connected")
            try tmux.send("q")
        }
    }

    @Test("Without a server the editor shows cached values without secrets")
    func editorWithCopies() async throws {
        let client = try builtProgram(named: "ClusterClient")
        let copies = SettingsCluster.etcd(server.url).copies(below: folder.file(".cache")).path
        let words = ["show", server.url, "/pdefaults/", copies]
        _ = try output("write", "App", "name", "one")
        _ = try output("write", "App", "secret", "hunter2")
        // A program stores its declarations in the background, and may end before that.
        let declared = eventually {
            guard (try? run(client, words).output) == "has name=one secret=hunter2\n" else { return false }
            return (try? String(contentsOfFile: copies + "/App.schema.json", encoding: .utf8))?.contains(
                "secret"
            ) == true
        }
        #expect(declared)
        try server.kill()
        let tmux = try Tmux(
            [builtProgram(named: "pdefaults"), "--cluster", server.url],
            columns: 100,
            rows: 24,
            environment: environment
        )
        try await tmux.waitFor("one")
        try await tmux.waitFor("unreachable")
        #expect(try !tmux.screen().contains { $0.contains("hunter2") })
        try server.start()
        try await tmux.waitFor("connected")
        _ = try output("write", "App", "name", "two")
        try await tmux.waitFor("two")
        try tmux.send("q")
    }

    @Test("Without permission for the declared settings the editor hides all values")
    func declarationsOutOfReach() async throws {
        let suite = try SettingsSuite.separate("App", in: .plain(server.url))
        suite.declare(SettingDeclaration(.string(), isSecret: true), forKey: "token")
        try suite.store("hunter2", forKey: "token")
        try suite.store("Pitt", forKey: "name")
        #expect(eventually { (try? suite.readSchema()) == suite.declared })
        try server.requireUsers(
            "user add app:key",
            "role add one",
            "role grant-permission --prefix=true one readwrite /pdefaults/App/",
            "user grant-role app one"
        )
        var environment = environment
        environment["PDEFAULTS_CLUSTER_USER"] = "app"
        environment["PDEFAULTS_CLUSTER_PASSWORD"] = "key"
        let tmux = try Tmux(
            [builtProgram(named: "pdefaults"), "edit", "App", "--cluster", server.url],
            columns: 180,
            rows: 24,
            environment: environment
        )
        try await tmux.waitFor("so all values are hidden. Press v to show one.")
        try await tmux.waitFor("Hidden, because the declarations are unreadable")
        #expect(try !tmux.screen().contains { $0.contains("hunter2") || $0.contains("Pitt") })
        try tmux.send("v")
        try await tmux.waitFor("Pitt")
        #expect(try !tmux.screen().contains { $0.contains("hunter2") })
        // With the permission only secrets are hidden.
        let root = ["--user", "root:top"]
        try server.control("put", "/pdefaults/App/other", "Ann", options: root)
        try await tmux.waitFor("other")
        #expect(try !tmux.screen().contains { $0.contains("Ann") })
        try server.control(
            "role",
            "grant-permission",
            "one",
            "read",
            "/pdefaults/.schema/App",
            options: root
        )
        try await tmux.waitFor("Ann")
        #expect(try !tmux.screen().contains { $0.contains("hunter2") })
        try tmux.send("q")
    }
}
#endif
