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
        let small = try EtcdServer.started("--quota-backend-bytes", "\(4 << 20)")
        func pdefaults(_ words: String..., input: String = "") throws -> ProgramResult {
            try run(
                builtProgram(named: "pdefaults"),
                words + ["--cluster", small.url],
                environment: environment,
                input: input
            )
        }
        let refused = try pdefaults("import", "Big", folder.largeFile(keys: 50))
        #expect(refused.ending == .exit(1))
        #expect(refused.errors.contains("alarm disarm"))
        let stored = try SettingsSuite.separate("Big", in: .plain(small.url)).storedValues.keys.sorted()
        #expect(!stored.isEmpty)
        let last = stored.last ?? ""
        let count = stored.count
        #expect(refused.errors.contains("\(count) of 50 keys were stored before, up to “\(last)”"))
        #expect(
            try pdefaults("write", "Big", "more", String(repeating: "x", count: 100_000)).ending == .exit(1)
        )
        // This removal has a condition, and would otherwise store a receipt.
        #expect(try pdefaults("delete", "Big", last).errors == "")
        #expect(try pdefaults("delete", "Big").errors == "")
        #expect(try pdefaults("suites").output == "")
    }
}
#endif
