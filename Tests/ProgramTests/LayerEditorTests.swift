import Foundation
import ProgramHarness
import PropertyList
import Testing

@Suite(
    "Layers in the running editor",
    .enabled(if: LayeredMachine.isPermitted, Comment(rawValue: LayeredMachine.needs))
)
struct LayerEditorTests {
    private static let app = "org.example.App"
    private let machine: LayeredMachine

    init() throws { machine = try LayeredMachine() }

    private func edit(_ words: String...) throws -> Tmux {
        try Tmux(
            machine.command([builtProgram(named: "pdefaults")] + words),
            columns: 120,
            environment: machine.environment.filter { $0.key != "PATH" }
        )
    }

    @Test("The list has the administrator's suites, if there are any")
    func listsSite() async throws {
        try machine.write(["volume": 1], to: "~/.config/\(Self.app).plist")
        try machine.write(["size": 2], to: "/etc/xdg/org.example.Other.plist")
        let tmux = try edit()
        try await tmux.waitFor("org.example.Other")
        let list = try tmux.screen().map { String($0.prefix(30)) }
        let heads = ["~/.config", "/etc/xdg"].map { head in list.firstIndex { $0.contains(head) } }
        #expect(heads[0] ?? 0 < heads[1] ?? 0, "\(list)")
        #expect(!list.contains { $0.contains("/usr/local/etc") }, "\(list)")
    }

    @Test("The editor follows every layer, and a locked row says which file locks it")
    func follows() async throws {
        let mandatory = "/etc/pdefaults/mandatory/\(Self.app).plist"
        let site = "/etc/xdg/\(Self.app).plist"
        try machine.write(["volume": 1180], to: "~/.config/\(Self.app).plist")
        try machine.write(["size": 1160], to: site)
        let tmux = try edit(Self.app)
        try await tmux.waitFor("1180")
        try await tmux.waitFor("1160")
        try machine.write(["volume": 1180, "own": 1182], to: "~/.config/\(Self.app).plist")
        try await tmux.waitFor("1182")
        try machine.write(["volume": 1180], to: "~/.config/\(Self.app).plist")
        try await tmux.waitUntil("the removed key is gone") {
            try !$0.screen().contains { $0.contains(" 1182") }
        }
        try machine.write(["size": 1161, "volume": 1150], to: site)
        try await tmux.waitFor("1161")
        try machine.write(["volume": 1140], to: mandatory)
        try await tmux.waitFor("1140")
        // To the row of the volume.
        try tmux.send("G", "Enter")
        try await tmux.waitFor("“volume” is locked by \(mandatory)")
        try machine.remove(mandatory)
        try await tmux.waitUntil("the user's value is back") {
            try $0.screen().contains { $0.contains(" 1180") }
        }
        try tmux.send("g", "Enter", "C-u")
        try tmux.type("7\n")
        try await tmux.waitUntil("the value is stored") { _ in
            (try? machine.values(of: "~/.config/\(Self.app).plist")) == ["volume": 1180, "size": 7]
        }
        #expect(try machine.values(of: site) == ["size": 1161, "volume": 1150])
        try tmux.send("=")
        try await tmux.waitUntil("the site's value is back") {
            try $0.screen().contains { $0.contains(" 1161") }
        }
    }

    @Test("A search in all suites finds the site's values of a suite that was not opened")
    func search() async throws {
        try machine.write(["aaa": 1170], to: "~/.config/\(Self.app).plist")
        try machine.write(["mine": "other"], to: "~/.config/other.plist")
        try machine.write(["note": "a treasure"], to: "/etc/xdg/other.plist")
        let tmux = try edit()
        try await tmux.waitFor("1170")
        try tmux.send("F")
        try tmux.type("treas")
        try await tmux.waitFor("a treasure")
    }

    @Test("A suite that only the administrator has made is listed and shown")
    func listed() async throws {
        try machine.write(["volume": 1180], to: "/etc/xdg/made.plist")
        let tmux = try edit()
        try await tmux.waitFor("made")
        try await tmux.waitFor("1180")
        try machine.write(["a": 1], to: "/etc/xdg/later.plist")
        try await tmux.waitFor("later")
    }
}
