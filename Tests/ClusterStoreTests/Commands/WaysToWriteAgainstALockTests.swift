#if Cluster
import EtcdHarness
import Foundation
import ProgramHarness
import PropertyList
import SettingsStoreTesting
import Testing

// The ways of commands to write a locked key on a cluster. SettingsStoreTests says which modules have such a table.

private let mandatory = "/etc/pdefaults/mandatory/App.plist"

@Suite(
    "No command writes a locked key on a cluster",
    .enabled(if: LayeredMachine.isPermitted, Comment(rawValue: LayeredMachine.needs)),
    .enabled(if: EtcdServer.isInstalled, Comment(rawValue: EtcdServer.needs))
)
struct WaysToWriteAgainstALockTests {
    let server: EtcdServer
    let machine: LayeredMachine

    init() throws {
        server = try .started()
        machine = try LayeredMachine()
        for value in ["79", "80"] {
            #expect(try pdefaults(["write", "App", "volume", "-int", value]).errors == "")
        }
        #expect(try pdefaults(["write", "App", "other", "-int", "1"]).errors == "")
        #expect(try pdefaults(["write", "App", "list", "-array", "a"]).errors == "")
        try machine.write(["volume": 40, "list": [1], "fresh": 1], to: mandatory)
    }

    private func pdefaults(_ words: [String], input: String = "") throws -> ProgramResult {
        try machine.pdefaults([words[0], "--cluster", server.url] + words.dropFirst(), input: input)
    }

    private func stored() throws -> String { try pdefaults(["export", "App", "-", "--json"]).output }

    /// All commands that write to a cluster.
    static let writes: [[String]] = [
        ["write", "App", "volume", "-int", "80"], ["write", "App", "volume", "-int", "7"],
        ["write", "App", "volume", "-int", "7", "--if-equals", "80"],
        ["write", "App", "fresh", "7", "--if-absent"], ["write", "App", "list", "-array-add", "x"],
        ["write", "App", "list", "--at", "/0", "-int", "7"], ["write", "App", "{volume = 7; other = 2;}"],
        ["write", "App", "-"], ["import", "App", "-"], ["rename", "App", "other", "volume"],
        ["history", "App", "volume", "--to", "FIRST"],
    ]

    @Test("is refused, names the file that locks the key, and changes nothing", arguments: writes)
    func refused(_ line: [String]) throws {
        let before = try stored()
        let history = try pdefaults(["history", "App", "volume"]).output
        // The last line has the first revision.
        let first = history.split(separator: "\n").last?.split(separator: " ").first.map(String.init)
        let words = try line.map { try $0 == "FIRST" ? #require(first) : $0 }
        let input = line[0] == "import" ? "{volume = 7;}" : "other 2\nvolume 7\n"
        let result = try pdefaults(words, input: input)
        #expect(result.ending == .exit(1), "\(result)")
        #expect(result.errors.contains("“") && result.errors.contains(mandatory), "\(result.errors)")
        #expect(try stored() == before)
        #expect(try pdefaults(["history", "App", "volume"]).output == history)
    }

    @Test("Hidden values may be deleted, and other keys may be written")
    func allowed() throws {
        #expect(try pdefaults(["write", "App", "other", "-int", "2"]).errors == "")
        #expect(try pdefaults(["delete", "App", "volume"]).errors == "")
        #expect(try pdefaults(["delete", "App", "list"]).errors == "")
        #expect(try stored() == "{\n  \"other\": 2\n}\n")
        #expect(try pdefaults(["read", "App", "volume", "--effective"]).output == "40\n")
        try machine.remove(mandatory)
        #expect(try pdefaults(["write", "App", "volume", "-int", "7"]).errors == "")
        #expect(try pdefaults(["read", "App", "volume", "--effective"]).output == "7\n")
    }

    @Test("why prints the lock above the cluster's value, and read prints both")
    func why() throws {
        let lines = try pdefaults(["why", "App", "volume"]).output.split(separator: "\n").map(String.init)
        try #require(lines.count == 3, "\(lines)")
        #expect(lines[0] == "volume = 40")
        #expect(lines[1].hasPrefix("  mandatory  40  \(mandatory)") && lines[1].hasSuffix("  (locked)"))
        #expect(lines[2].hasPrefix("  user       80  ") && lines[2].hasSuffix("(hidden by the lock)"))
        #expect(lines[2].contains(server.url))
        #expect(try pdefaults(["read", "App", "volume"]).output == "80\n")
        #expect(try pdefaults(["read", "App", "volume", "--effective"]).output == "40\n")
    }

    @Test("The files of the user and of the site do not count")
    func noOtherLayers() throws {
        for path in ["~/.config/App.plist", "/etc/xdg/App.plist", "~/.config/.GlobalPreferences.plist"] {
            try machine.write(["free": 1], to: path)
        }
        #expect(try pdefaults(["read", "App", "free", "--effective"]).ending == .exit(1))
        let result = try pdefaults(["write", "App", "free", "1", "--layer", "site"])
        #expect(result.ending == .exit(1) && result.errors.contains("--layer"), "\(result.errors)")
    }

    @Test("watch prints the lock's value when the lock comes, and the cluster's when it goes")
    func watch() throws {
        try machine.remove(mandatory)
        let words = try machine.command([
            builtProgram(named: "pdefaults"), "watch", "--cluster", server.url, "App",
        ])
        let program = try RunningProgram(words[0], Array(words.dropFirst()), environment: machine.environment)
        var number = 1
        let hasBegun = try eventually {
            number += 1
            _ = try pdefaults(["write", "App", "other", "-int", "\(number)"])
            return try program.output.contains("App other: ")
        }
        #expect(hasBegun)
        try machine.write(["volume": 40], to: mandatory)
        #expect(try eventually { try program.output.contains(" App volume: 80 -> 40 (mandatory)\n") })
        try machine.remove(mandatory)
        #expect(try eventually { try program.output.contains(" App volume: 40 -> 80\n") })
    }
}
#endif
