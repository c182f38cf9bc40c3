#if Cluster
import ClusterStore
import Foundation
import ProgramHarness
import PropertyList
import SettingsStore
import SettingsStoreTesting
import Testing

@Suite(
    "pdefaults on a cluster",
    .enabled(if: EtcdServer.isInstalled, Comment(rawValue: EtcdServer.needs))
)
struct ClusterCommandTests: ClusterCommands {
    let server: EtcdServer
    let folder: TemporaryFolder

    init() throws {
        server = try .started()
        folder = try TemporaryFolder()
    }

    @Test("The commands work on a cluster as on a folder, and leave the folder alone")
    func commands() throws {
        #expect(try output("write", "App", "volume", "-int", "60") == "")
        #expect(try output("write", "App", "window", "-json", #"{"x": 120, "size": [1.0]}"#) == "")
        #expect(try output("write", "App", "window", "--at", "/size/0", "-float", "2") == "")
        #expect(try output("read", "App", "window", "--at", "/size") == "[2.0]\n")
        #expect(try output("read-type", "App", "volume") == "Type is integer\n")
        #expect(try output("rename", "App", "volume", "loudness") == "")
        #expect(try output("write", "Other", "-", input: "a 1\nb -int 2\n") == "")
        #expect(try output("suites") == "App\nOther\n")
        #expect(try output("find", "loud").hasPrefix("Found 1 keys in domain 'App'"))
        #expect(try output("check") == "2 suites OK\n")
        #expect(try output("delete", "Other", "a") == "")
        #expect(try output("read", "--json", "Other") == "{\n  \"b\": 2\n}\n")
        #expect(try output("delete", "Other") == "")
        #expect(try output("suites") == "App\n")
        #expect(try pdefaults("delete", "Other").ending == .exit(1))
        #expect(try pdefaults("read", "App", "gone").errors.contains("does not exist"))
        #expect(try folder.names.isEmpty)
    }

    @Test("A write whose condition fails stores nothing and exits with 3")
    func conditions() throws {
        #expect(try output("write", "App", "volume", "-int", "60", "--if-absent") == "")
        let refused = try pdefaults("write", "App", "volume", "-int", "80", "--if-equals", "50")
        #expect(refused.ending == .exit(3))
        #expect(refused.errors == "Nothing was written: “volume” is 60 now.\n")
        #expect(try output("write", "App", "volume", "-int", "80", "--if-equals", "60") == "")
        #expect(try output("read", "App", "volume") == "80\n")
    }

    @Test("history lists a key's values and restores one of them")
    func history() throws {
        for value in ["one", "two", "three"] { _ = try output("write", "App", "name", value) }
        let lines = try output("history", "App", "name").split(separator: "\n")
        #expect(lines.map { $0.split(separator: " ")[1] } == ["three", "two", "one"])
        #expect(try output("history", "--json", "App", "name").contains("\"value\": \"two\""))
        let revision = String(lines[2].split(separator: " ")[0])
        #expect(try output("history", "App", "name", "--to", revision) == "")
        #expect(try output("read", "App", "name") == "one\n")
        #expect(try pdefaults("history", "App", "name", "--to", "1").ending == .exit(1))
        #expect(try pdefaults("history", "App", "never").ending == .exit(1))
    }

    @Test("history restores values that it does not list, but none that the declaration forbids")
    func longHistory() throws {
        let place = SettingsCluster.plain(server.url)
        let suite = try SettingsSuite.separate("App", in: place)
        for count in 0...110 { try suite.store(.integer(PropertyListInteger(count)), forKey: "count") }
        let all = try #require(try place.history(ofKey: "count", in: SuiteName("App"), limit: 1000))
        #expect(all.map(\.value) == (0...110).reversed().map { .integer(PropertyListInteger($0)) })
        let list = try pdefaults("history", "App", "count")
        #expect(list.output.split(separator: "\n").count == 100)
        #expect(list.errors.contains("These are the newest 100 revisions of “count”"))
        let (first, third) = (all[110].revision, all[108].revision)
        suite.declare(SettingDeclaration(.integer(Bounds(1...200))), forKey: "count")
        #expect(eventually { (try? suite.readSchema()) == suite.declared })
        let refused = try pdefaults("history", "App", "count", "--to", "\(first)")
        #expect(refused.ending == .exit(1))
        #expect(refused.errors.contains("0 is below 1"))
        #expect(try output("history", "App", "count", "--to", "\(third)") == "")
        #expect(try output("read", "App", "count") == "2\n")
    }

    @Test("check reports values in quarantine")
    func kept() throws {
        for suite in ["App", "App2"] { _ = try output("write", suite, "volume", "5") }
        #expect(try output("check") == "2 suites OK\n")
        try server.control("put", "/pdefaults/.kept/App/volume", "loud")
        for line in [["check"], ["check", "App"]] {
            let result = try pdefaults(line)
            #expect(result.ending == .exit(1))
            #expect(
                result.output.contains(
                    "App: a value that no program could read, kept before being overwritten"
                )
            )
            #expect(result.output.contains("/pdefaults/.kept/App/volume"))
        }
        #expect(try output("check", "App2") == "1 suite OK\n")
    }

    @Test("Declared settings hide secrets, restrict values and are printed")
    func declared() throws {
        let suite = try SettingsSuite.separate("App", in: .plain(server.url))
        var secret = SettingDeclaration(.string())
        secret.isSecret = true
        suite.declare(secret, forKey: "token")
        suite.declare(SettingDeclaration(.integer(Bounds(0...11)), defaultValue: 5), forKey: "volume")
        #expect(eventually { (try? suite.readSchema()) == suite.declared })
        #expect(try output("suites") == "App\n")
        #expect(try output("write", "App", "token", "hunter2") == "")
        #expect(try !output("read", "App").contains("hunter2"))
        #expect(try output("read", "App", "token") == "hunter2\n")
        let refused = try pdefaults("write", "App", "volume", "-int", "12")
        #expect(refused.ending == .exit(1))
        #expect(refused.errors.contains("11"))
        #expect(try output("write", "App", "volume", "-int", "11") == "")
        #expect(try output("schema", "App").contains("\"maximum\": 11"))
        #expect(try output("history", "App", "volume").split(separator: "\n").count == 1)
        #expect(try output("check") == "1 suite OK\n")
        try server.control("put", "/pdefaults/App/volume", "loud")
        #expect(try pdefaults("check").ending == .exit(1))
        #expect(try output("delete", "App") == "")
        let again = try pdefaults("delete", "App")
        #expect(again.ending == .exit(1))
        #expect(again.errors.contains("programs have declared its settings"))
    }

    @Test("watch prints foreign changes, also of new suites")
    func watch() throws {
        _ = try output("write", "App", "volume", "-int", "1")
        let program = try RunningProgram(
            builtProgram(named: "pdefaults"),
            ["watch", "--cluster", server.url],
            environment: environment
        )
        // The test can't see when the program begins to watch, so it writes until a change is printed.
        var number = 1
        let hasBegun = try eventually {
            number += 1
            _ = try output("write", "App", "volume", "-int", "\(number)")
            return try program.output.contains("App volume: ")
        }
        #expect(hasBegun)
        _ = try output("write", "New", "key", "value")
        #expect(try eventually { try program.output.contains("New key: (none) -> value") })
        _ = try output("delete", "App", "volume")
        #expect(try eventually { try program.output.contains("App volume: \(number) -> (none)") })
    }

    @Test("watch waits for a server, and prints the changes from then on", arguments: [[], ["App"]])
    func patientWatch(_ domain: [String]) throws {
        _ = try output("write", "App", "volume", "-int", "1")
        try server.kill()
        let program = try RunningProgram(
            builtProgram(named: "pdefaults"),
            ["watch", "--cluster", server.url] + domain,
            environment: environment
        )
        #expect(
            try eventually { try program.errors.contains("after a server answers") }
        )
        try server.start()
        try server.wait()
        var number = 1
        let hasBegun = try eventually {
            number += 1
            _ = try output("write", "App", "volume", "-int", "\(number)")
            return try program.output.contains(" App volume: ")
        }
        #expect(hasBegun)
        #expect(try !program.output.contains("(none)"))
    }

    @Test("“--cluster -” uses the servers of the environment, which are not used without it")
    func namedByTheEnvironment() throws {
        _ = try output("write", "App", "volume", "-int", "60")
        func pdefaults(_ line: String, servers: String?) throws -> ProgramResult {
            var environment = environment
            environment["PDEFAULTS_CLUSTER"] = servers
            let words = line.split(separator: " ").map { String($0) }
            return try run(builtProgram(named: "pdefaults"), words, environment: environment)
        }
        #expect(try pdefaults("read --cluster - App volume", servers: server.url).output == "60\n")
        for line in ["read App", "read App volume"] {
            let files = try pdefaults(line, servers: server.url)
            #expect(files.ending == .exit(1))
            #expect(files.errors.contains("use “--cluster -” to look on the cluster of PDEFAULTS_CLUSTER"))
            #expect(try !pdefaults(line, servers: nil).errors.contains("cluster"))
        }
        let none = try pdefaults("read --cluster - App", servers: nil)
        #expect(none.ending == .exit(1))
        #expect(none.errors.contains("PDEFAULTS_CLUSTER"))
    }

    @Test(
        "The environment chooses another prefix",
        arguments: ["/team/", "/team"]
    )
    func prefix(_ prefix: String) throws {
        let place = SettingsCluster.plain(server.url, prefix: "/team/")
        try SettingsSuite.separate("App", in: place).store(60, forKey: "volume")
        _ = try output("write", "App", "volume", "-int", "5")
        var environment = environment
        environment["PDEFAULTS_CLUSTER_PREFIX"] = prefix
        let program = try builtProgram(named: "pdefaults")
        func pdefaults(_ words: String...) throws -> String {
            let line = [words[0], "--cluster", server.url] + words.dropFirst()
            return try run(program, line, environment: environment).output
        }
        #expect(try pdefaults("suites") == "App\n")
        #expect(try pdefaults("read", "App", "volume") == "60\n")
        _ = try pdefaults("write", "App", "volume", "-int", "61")
        #expect(try SettingsSuite.separate("App", in: place).storedValues == ["volume": 61])
        #expect(try output("read", "App", "volume") == "5\n")
    }

    @Test("Without a server a command fails with a sentence that has no password")
    func noServer() throws {
        try server.kill()
        var environment = environment
        environment["PDEFAULTS_CLUSTER_USER"] = "root"
        environment["PDEFAULTS_CLUSTER_PASSWORD"] = "hunter2"
        for line in ["read App", "write App a 1", "suites", "history App a"] {
            let result = try run(
                builtProgram(named: "pdefaults"),
                line.split(separator: " ").map { String($0) } + ["--cluster", server.url],
                environment: environment
            )
            #expect(result.ending == .exit(1))
            #expect(result.errors.contains("Connection refused"))
            #expect(!result.errors.contains("hunter2"))
        }
    }

    @Test("Keys that are equal in Unicode are the same key")
    func spellings() throws {
        for (one, other) in [("e\u{301}", "\u{e9}"), ("\u{212a}", "K")] {
            #expect(try output("write", "App", one, "first") == "")
            #expect(try output("read", "App", other) == "first\n")
            #expect(try output("write", "App", other, "second", "--if-equals", "first") == "")
            #expect(try output("read", "App", one) == "second\n")
            #expect(try output("write", "A\(one)", one, "third") == "")
            #expect(try output("read", "A\(other)", other) == "third\n")
            #expect(try server.control("get", "--prefix", "--keys-only", "/pdefaults/A").utf8.count < 50)
            // A foreign entry in another spelling is reported, and changes nothing.
            try server.control("put", "/pdefaults/App/\(one)", "odd")
            #expect(try output("read", "App", one) == "second\n")
            #expect(try output("export", "App", "-").contains("second"))
            for words in [["read", "App"], ["export", "App", "-"], ["check"]] {
                let result = try pdefaults(words)
                #expect(
                    (result.output + result.errors).contains("is not text in Unicode’s normal form C"),
                    "\(words)"
                )
                #expect((result.ending == .exit(0)) == (words != ["check"]))
            }
            #expect(try output("delete", "App", one) == "")
            #expect(try output("delete", "A\(one)") == "")
            #expect(try output("suites") == "App\n")
            #expect(try output("delete", "App") == "")
            #expect(try output("suites") == "")
        }
    }
}
#endif
