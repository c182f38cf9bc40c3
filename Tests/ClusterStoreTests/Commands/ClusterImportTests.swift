#if Cluster
import ClusterStore
import Foundation
import ProgramHarness
import PropertyList
import SettingsStore
import SettingsStoreTesting
import Testing

@Suite(
    "Importing files into a cluster",
    .enabled(if: EtcdServer.isInstalled, Comment(rawValue: EtcdServer.needs))
)
struct ClusterImportTests: ClusterCommands {
    let server: EtcdServer
    let folder: TemporaryFolder

    init() throws {
        server = try .started()
        folder = try TemporaryFolder()
    }

    @Test("A file is the same after an import and an export")
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

    @Test("A file with 5,000 keys is imported in several transactions")
    func largeImport() throws {
        let keys = (0..<5_000).map { ("key \($0)", PropertyListValue.integer(PropertyListInteger($0))) }
        let values = PropertyListValue.dictionary(Dictionary(uniqueKeysWithValues: keys))
        let file = folder.file("Large.plist")
        try Data(try values.encoded(as: .binary)).write(to: URL(fileURLWithPath: file))
        #expect(try output("import", "Large", file) == "")
        #expect(try output("diff", "Large", file) == "")
        #expect(try output("delete", "Large") == "")
        #expect(try output("suites") == "")
    }

    @Test("A value that is too large is refused without advice about files")
    func tooLarge() throws {
        let line = "big " + String(repeating: "x", count: 1 << 20)
        let result = try pdefaults("write", "App", "-", input: line)
        #expect(result.ending == .exit(1))
        #expect(result.errors.contains("more than the 1048576 that a cluster takes"))
        #expect(!result.errors.contains("export"))
    }

    @Test(
        "An import that exceeds the cluster's space reports what was stored, and deleting makes space"
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
                input: input
            )
        }
        // A new suite is imported as a whole or not at all.
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
        // This removal has a condition, and would otherwise store a receipt.
        #expect(try pdefaults("delete", "Big", last).errors == "")
        #expect(try pdefaults("delete", "Big").errors == "")
        #expect(try pdefaults("suites").output == "")
    }

    @Test(
        "An import that is killed leaves no suite, and is reported"
    )
    func killedImport() throws {
        let proxy = try Proxy(to: server.url)
        defer { proxy.end() }
        let importing = Recorder<Int32>()
        let killed = Recorder<Bool>()
        // A text in the request of the third step.
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
        #expect(eventually { !killed.all.isEmpty })
        #expect(try program.end(within: .seconds(60)).ending == .signal(SIGKILL))
        let words = "is unfinished: pdefaults (process \(program.id)) created it and has ended"
        for (line, expected) in [(["suites"], "Big\n"), (["suites", "--json"], "[\n  \"Big\"\n]\n")] {
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
        #expect(try output("suites") == "")
        #expect(try output("import", "Big", folder.largeFile(keys: 40)) == "")
        #expect(try SettingsSuite.separate("Big", in: .plain(server.url)).storedValues.count == 40)
    }

    @Test("An import into a new suite reports foreign keys and stops")
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
            environment: environment
        )
        #expect(result.ending == .exit(1))
        #expect(result.errors.contains("Another program has created Big meanwhile, with “theirs”"))
        #expect(try output("read", "--json", "Big") == "{\n  \"theirs\": \"old\"\n}\n")
    }

    @Test(
        "An import into a new suite is undone if another client removes one of its keys"
    )
    func importWithoutAKey() throws {
        let proxy = try Proxy(to: server.url)
        defer { proxy.end() }
        let server = server
        proxy.atRequest(with: "keys_only") { _ = try? server.control("del", "/pdefaults/Big/key10") }
        let result = try run(
            builtProgram(named: "pdefaults"),
            ["import", "--cluster", proxy.url, "Big", folder.largeFile(keys: 40)],
            environment: environment
        )
        #expect(result.ending == .exit(1))
        #expect(result.errors.contains("another program removed “key10” during the creation"))
        #expect(try output("suites") == "")
    }
}
#endif
