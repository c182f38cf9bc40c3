import Foundation
import ProgramHarness
import PropertyList
import Testing

@Suite("Several places in the editor in a terminal")
struct PlacesProgramTests {
    let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        for name in ["config", "project"] {
            try FileManager.default.createDirectory(
                atPath: folder.file(name),
                withIntermediateDirectories: false
            )
        }
        try folder.write(#"{"color": "red"}"#, to: "x.json")
        try folder.write(["size": 1], to: "y.plist")
        try folder.write(["name": "Pitt"], to: "project/app.plist")
    }

    /// Places under the temporary folder are not remembered, so the test's folder is outside of it.
    private var environment: [String: String] {
        [
            "XDG_CONFIG_HOME": folder.file("config"), "HOME": folder.path, "TMPDIR": folder.file("tmp"),
        ]
    }

    private func editor(_ arguments: String...) throws -> Tmux {
        try Tmux(
            [builtProgram(named: "pdefaults")] + arguments,
            columns: 110,
            rows: 24,
            environment: environment
        )
    }

    private func pdefaults(_ arguments: String...) throws -> ProgramResult {
        try run(builtProgram(named: "pdefaults"), arguments, environment: environment)
    }

    private func text(of name: String) throws -> String {
        String(decoding: try folder.bytes(of: name), as: UTF8.self)
    }

    @Test("Two files and a folder are edited in one list: edit, copy, undo, close")
    func together() async throws {
        let tmux = try editor(folder.file("x.json"), folder.file("y.plist"), folder.file("project"))
        try await tmux.waitFor("~/y.plist")
        try await tmux.waitFor("▾ ~/project")
        try await tmux.waitFor("color")
        try tmux.send("Enter", "Enter", "C-u")
        try tmux.type("blue\n")
        try await tmux.waitUntil("the first file is changed") { _ in try text(of: "x.json").contains("blue") }
        try tmux.send("Tab", "Down", "Enter", "Enter", "C-u")
        try tmux.type("2\n")
        let other = folder.file("y.plist")
        try await tmux.waitUntil("the second file is changed") { _ in try plistlibValue(other, "size") == "2"
        }
        try tmux.send("c", "Enter", "Tab", "Up", "Enter", "p", "Enter")
        try await tmux.waitUntil("the value is copied") { _ in try text(of: "x.json").contains(#""size": 2"#)
        }
        try tmux.send("u")
        try await tmux.waitUntil("the copy is undone") { _ in try !text(of: "x.json").contains("size") }
        try tmux.send("Tab", "G")
        try await tmux.waitFor("Pitt")
        try tmux.send("x")
        try await tmux.waitFor("Closed ~/project.")
        #expect(try !tmux.screen().contains { $0.contains("▾") })
    }

    @Test("O recalls the places that were opened before, until they are forgotten")
    func remembered() async throws {
        let first = try editor(folder.file("x.json"))
        try await first.waitFor("color")
        try await first.waitUntil("the file is remembered") { _ in
            try pdefaults("read", "pdefaults", "editor.places").output.contains("~/x.json")
        }
        try first.send("q")
        try await first.waitUntil("the program has ended") { try $0.ending() == .exit(0) }
        let tmux = try editor()
        try await tmux.waitFor("SUITES")
        try tmux.send("O", "Up", "Enter")
        try await tmux.waitFor("color")
        try tmux.send(":")
        try tmux.type("forget places\n")
        try await tmux.waitUntil("the places are forgotten") { _ in
            try pdefaults("read", "pdefaults", "editor.places").ending != .exit(0)
        }
    }

    @Test("The name of a suite opens its folder with this suite selected, and Left shows the list")
    func named() async throws {
        try folder.write(["port": 80], to: "config/one.plist")
        try folder.write(["depth": 3], to: "config/two.plist")
        let tmux = try editor("two")
        try await tmux.waitFor("depth")
        try tmux.send("Left", "Up")
        try await tmux.waitFor("port")
        let missing = try pdefaults("two", "nosuch")
        #expect(missing.errors.contains("There is no command or suite “nosuch”"))
        let path = try editor()
        try await path.waitFor("port")
        try path.send(":")
        try path.type("open \(folder.path)/nothing\n")
        try await path.waitFor("Not opened:")
    }
}
