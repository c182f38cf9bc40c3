import Foundation
import ProgramHarness
import Testing

@Suite("The editor's preferences, imports and exports in a terminal")
struct PreferencesProgramTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private var environment: [String: String] { ["XDG_CONFIG_HOME": folder.path, "HOME": folder.path] }

    private func pdefaults(_ arguments: String...) throws -> ProgramResult {
        try run(builtProgram(named: "pdefaults"), arguments, environment: environment)
    }

    private func editor(_ arguments: String...) throws -> Tmux {
        try Tmux(
            [builtProgram(named: "pdefaults")] + arguments,
            columns: 120,
            rows: 30,
            environment: environment
        )
    }

    @Test("The running editor follows its preferences, and one command resets the keys")
    func live() async throws {
        _ = try pdefaults("write", "app", "name", "-string", "Pitt")
        let tmux = try editor()
        try await tmux.waitFor("Pitt")
        try tmux.send("Enter")
        #expect(try pdefaults("write", "pdefaults", "key.duplicate", "Z").ending == .exit(0))
        try await tmux.waitUntil("Z duplicates") { tmux in
            try tmux.send("Z")
            return try tmux.screen().contains { $0.contains("name copy") }
        }
        try tmux.send("Escape")
        try await tmux.waitUntil("the prompt is gone") {
            try !$0.screen().contains { $0.contains("name copy") }
        }
        try tmux.send(":")
        try tmux.type("reset keys")
        try tmux.send("Enter")
        try await tmux.waitUntil("the key is reset") { _ in
            try pdefaults("read", "pdefaults", "key.duplicate").ending != .exit(0)
        }
        #expect(try pdefaults("help", "--man").output.contains("Duplicate the row."))
    }

    @Test("The preferences open as a declared suite, from the editor and from the command line")
    func opening() async throws {
        _ = try pdefaults("write", "app", "name", "-string", "Pitt")
        let tmux = try editor()
        try await tmux.waitFor("Pitt")
        try tmux.send(",")
        try await tmux.waitFor("key.add")
        let single = try editor("pdefaults")
        try await single.waitFor("key.add")
    }

    @Test("A command refuses a key that another command of the editor has, and a wrong theme")
    func refusal() throws {
        let taken = try pdefaults("write", "pdefaults", "key.delete", "a")
        #expect(taken.ending == .exit(1))
        #expect(taken.errors == "a is already the key of “add”. Choose another key.\n")
        #expect(try pdefaults("write", "pdefaults", "key.delete", "Z").ending == .exit(0))
        let second = try pdefaults("write", "pdefaults", "key.rename", "Z")
        #expect(second.errors == "Z is already the key of “delete”. Choose another key.\n")
        // Another suite of this name in another folder is none of the editor's.
        let other = folder.file("other")
        try FileManager.default.createDirectory(atPath: other, withIntermediateDirectories: true)
        #expect(
            try pdefaults("--directory", other, "write", "pdefaults", "key.delete", "a").ending == .exit(0)
        )
    }

    @Test("A suite is exported and imported in the editor, with Tab for the path")
    func files() async throws {
        _ = try pdefaults("write", "app", "name", "-string", "Pitt")
        _ = try pdefaults("write", "second", "size", "-int", "1")
        let tmux = try editor()
        try await tmux.waitFor("Pitt")
        try tmux.send(":")
        try tmux.type("export")
        try tmux.send("Enter")
        try await tmux.waitFor("Export to")
        try await tmux.waitFor("~/app.plist")
        try tmux.send("C-u")
        try tmux.type("~/backup.json")
        try tmux.send("Enter")
        try await tmux.waitFor("Exported 1 key to ~/backup.json.")
        // The exported file is a suite too, because it is JSON in the folder of suites.
        try await tmux.waitFor("  backup")
        try tmux.send("j", "j", ":")
        try tmux.type("import")
        try tmux.send("Enter")
        try tmux.type("back")
        try tmux.send("Tab")
        try await tmux.waitFor("Import from")
        try await tmux.waitFor("~/backup.json")
        try tmux.send("Enter")
        try await tmux.waitFor("Imported 1 key. Press u to undo.")
        try await tmux.waitUntil("the key is stored") { _ in
            try pdefaults("read", "second", "name").output == "Pitt\n"
        }
        #expect(try pdefaults("read", "second", "size").output == "1\n")
    }
}
