import Foundation
import ProgramHarness
import PropertyList
import Testing

@Suite("Finding and watching in the editor")
struct FindingTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func editor() throws -> Tmux {
        try Tmux(
            [builtProgram(named: "pdefaults"), "--directory", folder.path],
            columns: 90,
            rows: 20,
            environment: [:]
        )
    }

    private func waitForSelection(_ key: String, in tmux: Tmux) async throws {
        try await tmux.waitUntil("\(key) is selected") { tmux in
            try tmux.screen().contains { $0.contains("»") && $0.contains(key) }
        }
    }

    @Test("A few letters find a key in another suite, and a value's text finds its path")
    func finding() async throws {
        try folder.write(["alpha": 1], to: "app.plist")
        try folder.write(["list": [["note": "a treasure"]], "window.width": 80], to: "other.plist")
        let tmux = try editor()
        try await tmux.waitFor("alpha")
        try tmux.send("f")
        try tmux.type("wiwi")
        try await tmux.waitFor("window.width")
        try tmux.send("Enter")
        try await waitForSelection("window.width", in: tmux)
        try tmux.send("F")
        try tmux.type("treas")
        try await tmux.waitFor("a treasure")
        try tmux.send("Enter")
        try await waitForSelection("note", in: tmux)
    }

    @Test("A secret in a suite that was not opened is hidden in the matches and when it is selected")
    func secret() async throws {
        try folder.write(["alpha": 1], to: "app.plist")
        try folder.write(["token": "hunter2", "note": "hunter's cabin"], to: "other.plist")
        try folder.write(
            #"{"properties": {"token": {"type": "string", "writeOnly": true}}}"#,
            to: "other.schema.json"
        )
        let tmux = try editor()
        try await tmux.waitFor("alpha")
        try tmux.send("F")
        try tmux.type("hunter")
        try await tmux.waitFor("hunter's cabin")
        try await tmux.waitFor("1 of 1")
        try tmux.send("C-u")
        try tmux.type("token")
        try await tmux.waitFor("••••••")
        #expect(try !tmux.screen().contains { $0.contains("hunter2") })
        try tmux.send("Enter")
        try await waitForSelection("token", in: tmux)
        #expect(try !tmux.screen().contains { $0.contains("hunter2") })
    }

    @Test("An unreadable file is moved aside on request")
    func recovering() async throws {
        try folder.write(brokenFile, to: "broken.plist")
        let tmux = try editor()
        try await tmux.waitFor("line 5")
        try tmux.send("R")
        try await tmux.waitFor("y yes")
        try tmux.send("y")
        try await tmux.waitUntil("it lies beside") { _ in
            try FileManager.default.contentsOfDirectory(atPath: folder.path).contains {
                $0.hasPrefix("broken.plist.broken-")
            }
        }
        try await tmux.waitUntil("the suite can be read") { tmux in
            try !tmux.screen().contains { $0.contains("line 5") }
        }
    }
}
