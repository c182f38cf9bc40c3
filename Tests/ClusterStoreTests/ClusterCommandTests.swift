#if Cluster
import ClusterStore
import Foundation
import ProgramHarness
import PropertyList
import SettingsStore
import SettingsStoreTesting
import Testing

@Suite("pdefaults on a cluster")
struct ClusterCommandTests {
    let server: EtcdServer
    let folder: TemporaryFolder

    init() throws {
        server = try EtcdServer()
        try server.start()
        try server.wait()
        folder = try TemporaryFolder()
    }

    private var environment: [String: String] {
        ["XDG_CONFIG_HOME": folder.path, "HOME": folder.path, "LC_ALL": "C.UTF-8"]
    }

    private func pdefaults(_ arguments: String..., input: String = "") throws -> ProgramResult {
        try pdefaults(arguments, input: input)
    }

    private func pdefaults(_ arguments: [String], input: String = "") throws -> ProgramResult {
        let arguments = [arguments[0], "--cluster", server.url] + arguments.dropFirst()
        return try run(
            builtProgram(named: "pdefaults"),
            arguments,
            environment: environment,
            input: input,
            within: .seconds(60)
        )
    }

    private func output(_ arguments: String..., input: String = "") throws -> String {
        let all = [arguments[0], "--cluster", server.url] + arguments.dropFirst()
        let result = try run(
            builtProgram(named: "pdefaults"),
            all,
            environment: environment,
            input: input,
            within: .seconds(60)
        )
        #expect(result.ending == .exit(0), "\(arguments): \(result.errors)")
        return result.output
    }

    @Test("The commands do on a cluster what they do in a folder, and nothing to the folder")
    func commands() throws {
        #expect(try output("write", "App", "volume", "-int", "60") == "")
        #expect(try output("write", "App", "window", "-json", #"{"x": 120, "size": [1.0]}"#) == "")
        #expect(try output("write", "App", "window", "--at", "/size/0", "-float", "2") == "")
        #expect(try output("read", "App", "window", "--at", "/size") == "[2.0]\n")
        #expect(try output("read-type", "App", "volume") == "Type is integer\n")
        #expect(try output("rename", "App", "volume", "loudness") == "")
        #expect(try output("write", "Other", "-", input: "a 1\nb -int 2\n") == "")
        #expect(try output("domains") == "App\nOther\n")
        #expect(try output("find", "loud").hasPrefix("Found 1 keys in domain 'App'"))
        #expect(try output("check") == "2 domains are whole\n")
        #expect(try output("delete", "Other", "a") == "")
        #expect(try output("read", "--json", "Other") == "{\n  \"b\": 2\n}\n")
        #expect(try output("delete", "Other") == "")
        #expect(try output("domains") == "App\n")
        #expect(try pdefaults("delete", "Other").ending == .exit(1))
        #expect(try pdefaults("read", "App", "gone").errors.contains("does not exist"))
        #expect(try folder.names.isEmpty)
    }

    @Test("A condition that does not hold writes nothing, with status 3")
    func conditions() throws {
        #expect(try output("write", "App", "volume", "-int", "60", "--if-absent") == "")
        let refused = try pdefaults("write", "App", "volume", "-int", "80", "--if-equals", "50")
        #expect(refused.ending == .exit(3))
        #expect(refused.errors == "Nothing was written: volume is 60 now.\n")
        #expect(try output("write", "App", "volume", "-int", "80", "--if-equals", "60") == "")
        #expect(try output("read", "App", "volume") == "80\n")
    }

    @Test("A file goes to the cluster and comes back the same")
    func importAndExport() throws {
        let values: PropertyListValue = [
            "text": "é \"☃\"", "one": 1, "real": 1.0, "data": .data(Data(0...255)), "yes": true,
            "date": .date(Date(timeIntervalSinceReferenceDate: 0.25)), "deep": ["list": [[], [:], 1]],
        ]
        let file = folder.file("App.plist")
        try Data(try values.encoded(as: .binary)).write(to: URL(fileURLWithPath: file))
        #expect(try output("import", "App", file) == "")
        #expect(try output("diff", "App", file) == "")
        #expect(try output("export", "App", folder.file("back.plist")) == "")
        let back = try PropertyListValue.read([UInt8](folder.bytes(of: "back.plist"))).value
        #expect(back == values)
    }

    @Test("A file of more keys than fit into one step goes there in several")
    func largeImport() throws {
        let keys = (0..<5_000).map { ("key \($0)", PropertyListValue.integer(PropertyListInteger($0))) }
        let values = PropertyListValue.dictionary(Dictionary(uniqueKeysWithValues: keys))
        let file = folder.file("Large.plist")
        try Data(try values.encoded(as: .binary)).write(to: URL(fileURLWithPath: file))
        #expect(try output("import", "Large", file) == "")
        #expect(try output("diff", "Large", file) == "")
        #expect(try output("delete", "Large") == "")
        #expect(try output("domains") == "")
    }

    @Test("The history of a key is listed, and one goes back in it")
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

    @Test("One goes back further than is listed, but to nothing that the program does not take by now")
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

    @Test("check tells where a value is kept that no program could read")
    func kept() throws {
        for suite in ["App", "App2"] { _ = try output("write", suite, "volume", "5") }
        #expect(try output("check") == "2 domains are whole\n")
        try server.control("put", "/pdefaults/.kept/App/volume", "loud")
        for line in [["check"], ["check", "App"]] {
            let result = try pdefaults(line)
            #expect(result.ending == .exit(1))
            #expect(result.output.contains("App: a value that no program could read, overwritten since"))
            #expect(result.output.contains("/pdefaults/.kept/App/volume"))
        }
        #expect(try output("check", "App2") == "1 domain is whole\n")
    }

    @Test("What programs declare hides secrets, checks values and is printed")
    func declared() throws {
        let suite = try SettingsSuite.separate("App", in: .plain(server.url))
        var secret = SettingDeclaration(.string())
        secret.isSecret = true
        suite.declare(secret, forKey: "token")
        suite.declare(SettingDeclaration(.integer(Bounds(0...11)), defaultValue: 5), forKey: "volume")
        #expect(eventually { (try? suite.readSchema()) == suite.declared })
        #expect(try output("domains") == "App\n")
        #expect(try output("write", "App", "token", "hunter2") == "")
        #expect(try !output("read", "App").contains("hunter2"))
        #expect(try output("read", "App", "token") == "hunter2\n")
        let refused = try pdefaults("write", "App", "volume", "-int", "12")
        #expect(refused.ending == .exit(1))
        #expect(refused.errors.contains("11"))
        #expect(try output("write", "App", "volume", "-int", "11") == "")
        #expect(try output("schema", "App").contains("\"maximum\": 11"))
        #expect(try output("history", "App", "volume").split(separator: "\n").count == 1)
        #expect(try output("check") == "1 domain is whole\n")
        try server.control("put", "/pdefaults/App/volume", "loud")
        #expect(try pdefaults("check").ending == .exit(1))
        #expect(try output("delete", "App") == "")
        let again = try pdefaults("delete", "App")
        #expect(again.ending == .exit(1))
        #expect(again.errors.contains("programs have declared its settings"))
    }

    @Test("watch prints what others change, also in domains that are new")
    func watch() throws {
        _ = try output("write", "App", "volume", "-int", "1")
        let program = try RunningProgram(
            builtProgram(named: "pdefaults"),
            ["watch", "--cluster", server.url],
            environment: environment
        )
        // Its beginning can't be seen: what it prints first was changed after it.
        var number = 1
        let hasBegun = try eventually(within: .seconds(60)) {
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

    @Test("watch waits for a server, and prints what changes from then on", arguments: [[], ["App"]])
    func patientWatch(_ domain: [String]) throws {
        _ = try output("write", "App", "volume", "-int", "1")
        try server.kill()
        let program = try RunningProgram(
            builtProgram(named: "pdefaults"),
            ["watch", "--cluster", server.url] + domain,
            environment: environment
        )
        #expect(try eventually(within: .seconds(60)) { try program.errors.contains("when a server answers") })
        try server.start()
        try server.wait()
        var number = 1
        let hasBegun = try eventually(within: .seconds(60)) {
            number += 1
            _ = try output("write", "App", "volume", "-int", "\(number)")
            return try program.output.contains(" App volume: ")
        }
        #expect(hasBegun)
        #expect(try !program.output.contains("(none)"))
    }

    @Test("“--cluster -” takes the servers that the environment names, and nothing else does")
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
            #expect(files.errors.contains("“--cluster -” looks on the cluster of PDEFAULTS_CLUSTER"))
            #expect(try !pdefaults(line, servers: nil).errors.contains("cluster"))
        }
        let none = try pdefaults("read --cluster - App", servers: nil)
        #expect(none.ending == .exit(1))
        #expect(none.errors.contains("PDEFAULTS_CLUSTER"))
    }

    @Test(
        "Suites below another prefix are reached where the environment names that",
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
        #expect(try pdefaults("domains") == "App\n")
        #expect(try pdefaults("read", "App", "volume") == "60\n")
        _ = try pdefaults("write", "App", "volume", "-int", "61")
        #expect(try SettingsSuite.separate("App", in: place).storedValues == ["volume": 61])
        #expect(try output("read", "App", "volume") == "5\n")
    }

    @Test("A value that is too large is refused without advice that is about files")
    func tooLarge() throws {
        let line = "big " + String(repeating: "x", count: 1 << 20)
        let result = try pdefaults("write", "App", "-", input: line)
        #expect(result.ending == .exit(1))
        #expect(result.errors.contains("more than the 1048576 that a cluster takes"))
        #expect(!result.errors.contains("export"))
    }

    @Test("Without a server a command ends with a sentence, without the password")
    func noServer() throws {
        try server.kill()
        var environment = environment
        environment["PDEFAULTS_CLUSTER_USER"] = "root"
        environment["PDEFAULTS_CLUSTER_PASSWORD"] = "hunter2"
        for line in ["read App", "write App a 1", "domains", "history App a"] {
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

    @Test("The editor shows the cluster's suites, what others change, that it is stale, and a key's history")
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
        try await tmux.waitFor("What “name” has been")
        try await tmux.waitFor("“one” → “two”")
        try tmux.send("Enter")
        try await tmux.waitUntil("what was there before is put back") { _ in
            try output("read", "App", "name") == "two\n"
        }
        try tmux.send("Escape")
        try server.kill()
        try await tmux.waitFor("stale")
        try await tmux.waitFor("unreachable")
        try server.start()
        try await tmux.waitUntil("it is stale no more", within: .seconds(60)) { tmux in
            try !tmux.screen().contains { $0.contains("stale") || $0.contains("unreachable") }
        }
        try await tmux.waitFor("connected")
        try tmux.send("q")
    }

    @Test(
        "Suites are deleted, renamed and duplicated in their list, beside another editor and whoever writes"
    )
    func wholeSuitesInTheEditor() async throws {
        for (suite, key) in [("alpha", "a"), ("beta", "b")] { _ = try output("write", suite, key, "1") }
        _ = try output("import", "large", folder.largeFile())
        let domains = ["alpha", "beta", "large"]
        func stores(_ expected: [String], _ tmux: Tmux) async throws {
            try await tmux.waitUntil("there are \(expected)", within: .seconds(60)) { _ in
                try output("domains") == expected.map { $0 + "\n" }.joined()
            }
        }
        let program = try builtProgram(named: "pdefaults")
        let tmux = try Tmux([program, "--cluster", server.url], columns: 100, rows: 24)
        let other = try Tmux([program, "--cluster", server.url], columns: 100, rows: 24)
        for editor in [tmux, other] {
            try await editor.waitFor("connected")
            try await editor.waitFor("large")
        }
        // The last one is more than fits into one step.
        try tmux.send("G")
        try await tmux.waitFor("key10")
        let content = try output("read", "--json", "large")
        try tmux.send("d")
        try await tmux.waitFor("Delete the suite “large” with its 10 keys?")
        try tmux.send("y")
        try await stores(["alpha", "beta"], tmux)
        try await other.waitUntil("it is told as gone") { try !$0.screen()[3].hasPrefix("  large") }
        try tmux.send("u")
        try await stores(domains, tmux)
        try await tmux.waitUntil("all of it is there", within: .seconds(60)) { _ in
            try pdefaults("read", "--json", "large").output == content
        }
        try tmux.send("r")
        try await tmux.waitFor("Another name for “large”")
        try tmux.send("C-u", "zeta", "Enter")
        try await stores(["alpha", "beta", "zeta"], tmux)
        #expect(try output("read", "--json", "zeta") == content)
        try await other.waitFor("zeta")
        try tmux.send("D")
        try await tmux.waitFor("A name for a second “zeta”")
        try tmux.send("Enter")
        try await stores(["alpha", "beta", "zeta", "zeta copy"], tmux)
        try tmux.send("u")
        try await stores(["alpha", "beta", "zeta"], tmux)
        try tmux.send("u")
        try await stores(domains, tmux)
        #expect(try output("read", "--json", "large") == content)
        try tmux.send("C-r")
        try await stores(["alpha", "beta", "zeta"], tmux)
        // What somebody changes while it is asked keeps the suite, and is asked about.
        try tmux.send("g")
        try await tmux.waitFor("› alpha")
        try tmux.send("d")
        try await tmux.waitFor("Delete the suite “alpha” with its 1 key?")
        _ = try output("write", "alpha", "new", "2")
        try await tmux.waitFor("new")
        try tmux.send("y")
        try await tmux.waitFor("It has changed meanwhile. Delete the suite “alpha” with its 2 keys?")
        try tmux.send("y")
        try await stores(["beta", "zeta"], tmux)
        try tmux.send("q")
        try other.send("q")
    }

    @Test("The editor opens while no server says anything, and shows what there is when one does")
    func editorWithoutServer() async throws {
        _ = try output("write", "App", "name", "one")
        server.freeze()
        defer { server.thaw() }
        let program = try builtProgram(named: "pdefaults")
        for words in [["--cluster", server.url], ["edit", "App", "--cluster", server.url]] {
            server.freeze()
            let tmux = try Tmux([program] + words, columns: 100, rows: 24)
            try await tmux.waitUntil("it says that it waits", within: .seconds(60)) { tmux in
                try tmux.screen().contains { $0.contains("connecting") || $0.contains("unreachable") }
            }
            server.thaw()
            try await tmux.waitFor("one")
            try await tmux.waitFor("connected")
            try tmux.send("q")
        }
    }

    @Test("The editor that finds no server shows what programs have left here, without secrets, and says so")
    func editorWithCopies() async throws {
        let client = try builtProgram(named: "ClusterClient")
        let copies = SettingsCluster.etcd(server.url).copies(below: folder.file(".cache")).path
        let words = ["show", server.url, "/pdefaults/", copies]
        _ = try output("write", "App", "name", "one")
        _ = try output("write", "App", "secret", "hunter2")
        #expect(
            try run(client, words, within: .seconds(60)).output == "has name=one secret=hunter2\n"
        )
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

    @Test(
        "What the cluster refuses of an import is told with what was stored before, and room is made by deleting"
    )
    func wantOfRoom() throws {
        let small = try EtcdServer(options: ["--quota-backend-bytes", "\(4 << 20)"])
        try small.start()
        try small.wait()
        func pdefaults(_ words: String..., input: String = "") throws -> ProgramResult {
            try run(
                builtProgram(named: "pdefaults"),
                words + ["--cluster", small.url],
                environment: environment,
                input: input,
                within: .seconds(60)
            )
        }
        // What makes a suite is there as a whole or not at all.
        let whole = try pdefaults("import", "Whole", folder.largeFile(keys: 50))
        #expect(whole.ending == .exit(1))
        #expect(whole.errors.contains("alarm disarm"))
        #expect(try SettingsSuite.separate("Whole", in: .plain(small.url)).storedValues.isEmpty)
        try small.control("compaction", "\(small.revision())")
        try small.control("defrag")
        try small.control("alarm", "disarm")
        #expect(try pdefaults("write", "Big", "key00", "old").errors == "")
        let refused = try pdefaults("import", "Big", folder.largeFile(keys: 50))
        #expect(refused.ending == .exit(1))
        #expect(refused.errors.contains("alarm disarm"))
        let stored = try SettingsSuite.separate("Big", in: .plain(small.url)).storedValues.keys.sorted()
        #expect(!stored.isEmpty)
        let last = stored.last ?? ""
        let count = stored.count - 1
        #expect(refused.errors.contains("\(count) of 50 keys were stored before, up to “\(last)”"))
        #expect(
            try pdefaults("write", "Big", "more", String(repeating: "x", count: 100_000)).ending == .exit(1)
        )
        // One key is removed upon a condition, which leaves a mark else.
        #expect(try pdefaults("delete", "Big", last).errors == "")
        #expect(try pdefaults("delete", "Big").errors == "")
        #expect(try pdefaults("domains").output == "")
    }

    @Test(
        "An import to where nothing is that is killed in the middle leaves what counts as none, and is told of"
    )
    func killedImport() throws {
        let proxy = try Proxy(to: server.url)
        defer { proxy.end() }
        let importing = Recorder<Int32>()
        let killed = Recorder<Bool>()
        // What the third step stores.
        let word = Data(String(repeating: "36", count: 30).utf8).base64EncodedString()
        proxy.atRequest(with: word) {
            while importing.all.isEmpty { usleep(1000) }
            if let process = importing.all.first { kill(process, SIGKILL) }
            proxy.cut()
            killed.note(true)
        }
        let program = try RunningProgram(
            builtProgram(named: "pdefaults"),
            ["import", "--cluster", proxy.url, "Big", folder.largeFile(keys: 40)],
            environment: environment
        )
        importing.note(program.id)
        #expect(eventually(within: .seconds(60)) { !killed.all.isEmpty })
        #expect(try program.end(within: .seconds(60)).ending == .signal(SIGKILL))
        let words = "was being made by pdefaults (process \(program.id)), which has ended"
        for (line, expected) in [(["domains"], "Big\n"), (["domains", "--json"], "[\n  \"Big\"\n]\n")] {
            let result = try pdefaults(line)
            #expect(result.ending == .exit(0) && result.output == expected)
            #expect(result.errors.contains("Big \(words)"))
        }
        for command in [
            ["read", "Big"], ["export", "Big", "-"], ["check"], ["find", "key"], ["write", "Big", "a", "1"],
            ["history", "Big", "key10"],
        ] {
            let result = try pdefaults(command)
            #expect((result.output + result.errors).contains(words), "\(command)")
            #expect(!(result.output + result.errors).contains("1010101010"), "\(command)")
        }
        #expect(try output("delete", "Big") == "")
        #expect(try output("domains") == "")
        #expect(try output("import", "Big", folder.largeFile(keys: 40)) == "")
        #expect(try SettingsSuite.separate("Big", in: .plain(server.url)).storedValues.count == 40)
    }

    @Test("An import to where nothing is says what others have put there meanwhile, and ends")
    func disturbedImport() throws {
        let proxy = try Proxy(to: server.url)
        defer { proxy.end() }
        let word = Data(String(repeating: "36", count: 30).utf8).base64EncodedString()
        let server = server
        proxy.atRequest(with: word) {
            _ = try? server.control("put", "/pdefaults/Big/theirs", "<plist><string>old</string></plist>")
        }
        let result = try run(
            builtProgram(named: "pdefaults"),
            ["import", "--cluster", proxy.url, "Big", folder.largeFile(keys: 40)],
            environment: environment,
            within: .seconds(60)
        )
        #expect(result.ending == .exit(1))
        #expect(result.errors.contains("Others have stored “theirs” in domain (Big) meanwhile"))
        #expect(try output("read", "--json", "Big") == "{\n  \"theirs\": \"old\"\n}\n")
    }

    @Test(
        "An import to where nothing is says that others have removed some of it meanwhile, and leaves nothing"
    )
    func importWithoutAKey() throws {
        let proxy = try Proxy(to: server.url)
        defer { proxy.end() }
        let server = server
        proxy.atRequest(with: "keys_only") { _ = try? server.control("del", "/pdefaults/Big/key10") }
        let result = try run(
            builtProgram(named: "pdefaults"),
            ["import", "--cluster", proxy.url, "Big", folder.largeFile(keys: 40)],
            environment: environment,
            within: .seconds(60)
        )
        #expect(result.ending == .exit(1))
        #expect(result.errors.contains("others have removed “key10” while it was being made"))
        #expect(try output("domains") == "")
    }

    @Test("Keys that are equal in Unicode are one, whoever spells them how")
    func spellings() throws {
        for (one, other) in [("e\u{301}", "\u{e9}"), ("\u{212a}", "K")] {
            #expect(try output("write", "App", one, "first") == "")
            #expect(try output("read", "App", other) == "first\n")
            #expect(try output("write", "App", other, "second", "--if-equals", "first") == "")
            #expect(try output("read", "App", one) == "second\n")
            #expect(try output("write", "A\(one)", one, "third") == "")
            #expect(try output("read", "A\(other)", other) == "third\n")
            #expect(try server.control("get", "--prefix", "--keys-only", "/pdefaults/A").utf8.count < 50)
            // What somebody else has put there in the other spelling is nobody's, in nobody's way, and told of.
            try server.control("put", "/pdefaults/App/\(one)", "odd")
            #expect(try output("read", "App", one) == "second\n")
            #expect(try output("export", "App", "-").contains("second"))
            for words in [["read", "App"], ["export", "App", "-"], ["check"]] {
                let result = try pdefaults(words)
                #expect((result.output + result.errors).contains("is there too and not read"), "\(words)")
                #expect((result.ending == .exit(0)) == (words != ["check"]))
            }
            #expect(try output("delete", "App", one) == "")
            #expect(try output("delete", "A\(one)") == "")
            #expect(try output("domains") == "App\n")
            #expect(try output("delete", "App") == "")
            #expect(try output("domains") == "")
        }
    }

    @Test("Whoever may not read what is declared sees no value in the editor that was not asked for")
    func declarationsOutOfReach() async throws {
        let suite = try SettingsSuite.separate("App", in: .plain(server.url))
        suite.declare(SettingDeclaration(.string(), isSecret: true), forKey: "token")
        try suite.store("hunter2", forKey: "token")
        try suite.store("Pitt", forKey: "name")
        #expect(eventually { (try? suite.readSchema()) == suite.declared })
        try server.control("user", "add", "root:top")
        try server.control("user", "grant-role", "root", "root")
        try server.control("user", "add", "app:key")
        try server.control("role", "add", "one")
        try server.control("role", "grant-permission", "--prefix=true", "one", "readwrite", "/pdefaults/App/")
        try server.control("user", "grant-role", "app", "one")
        try server.control("auth", "enable")
        var environment = environment
        environment["PDEFAULTS_CLUSTER_USER"] = "app"
        environment["PDEFAULTS_CLUSTER_PASSWORD"] = "key"
        let tmux = try Tmux(
            [builtProgram(named: "pdefaults"), "edit", "App", "--cluster", server.url],
            columns: 180,
            rows: 24,
            environment: environment
        )
        try await tmux.waitFor("so all are hidden (v shows one)")
        try await tmux.waitFor("hidden, since what is declared can't be read")
        #expect(try !tmux.screen().contains { $0.contains("hunter2") || $0.contains("Pitt") })
        try tmux.send("v")
        try await tmux.waitFor("Pitt")
        #expect(try !tmux.screen().contains { $0.contains("hunter2") })
        // As soon as they may be read only secrets are hidden.
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
        try await tmux.waitFor("Ann", within: .seconds(60))
        #expect(try !tmux.screen().contains { $0.contains("hunter2") })
        try tmux.send("q")
    }

    @Test("The editor lists declared settings that are not stored, and hides secrets from the start")
    func declaredInTheEditor() async throws {
        let suite = try SettingsSuite.separate("App", in: .plain(server.url))
        var secret = SettingDeclaration(.string())
        secret.isSecret = true
        suite.declare(secret, forKey: "token")
        suite.declare(SettingDeclaration(.integer(Bounds(0...11)), defaultValue: 5), forKey: "volume")
        try suite.store("hunter2", forKey: "token")
        #expect(eventually { (try? suite.readSchema()) == suite.declared })
        let program = try builtProgram(named: "pdefaults")
        let tmux = try Tmux([program, "--cluster", server.url], columns: 100, rows: 24)
        try await tmux.waitFor("token")
        try await tmux.waitFor("volume")
        #expect(try !tmux.screen().contains { $0.contains("hunter2") })
        suite.declare(SettingDeclaration(.boolean, defaultValue: true), forKey: "isLoud")
        try await tmux.waitFor("isLoud")
        try tmux.send("q")
    }
}

extension TemporaryFolder {
    /// The path of a property list with keys of 150 KB.
    fileprivate func largeFile(keys: Int = 10) throws -> String {
        let pairs = (10..<10 + keys).map { number in
            ("key\(number)", PropertyListValue.string(String(repeating: "\(number)", count: 75_000)))
        }
        let values = PropertyListValue.dictionary(Dictionary(uniqueKeysWithValues: pairs))
        let path = file("large-\(keys).plist")
        try Data(try values.encoded(as: .binary)).write(to: URL(fileURLWithPath: path))
        return path
    }
}
#endif
