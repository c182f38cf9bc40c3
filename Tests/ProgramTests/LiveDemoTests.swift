import Foundation
import ProgramHarness
import PropertyList
import SettingsStore
import Testing

@Suite("The demonstration of the library")
struct LiveDemoTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// Runs LiveDemo in a shell that prints the terminal's settings afterwards.
    private func demo() throws -> Tmux {
        let command = try shellQuoted(builtProgram(named: "LiveDemo")) + " --directory "
        // The shell also gets the terminal's signals and must not end.
        let before = "trap : INT QUIT; "
        let after = "; echo ended with $?; stty -a; cat"
        return try Tmux(
            ["sh", "-c", before + command + shellQuoted(folder.path) + after],
            columns: 100,
            rows: 40
        )
    }

    private func suite() -> SettingsSuite { SettingsSuite(file: folder.file("LiveDemo.plist")) }

    @Test("It prints its own changes and those of another process")
    func changes() async throws {
        let tmux = try demo()
        try await tmux.waitFor("volume = 5 (default)")
        try await tmux.waitFor("visits = 1")
        try tmux.send("+", "p", "k")
        try await tmux.waitFor("volume = 6")
        try await tmux.waitFor("player = Red with 1 points")
        try await tmux.waitFor("user.nickname = \"Pitty\"")
        let suite = suite()
        suite.set(9, forKey: "volume")
        suite.set("Zoë", forKey: "user.name")
        try suite.synchronize()
        try await tmux.waitFor("volume = 9 (another process)")
        try await tmux.waitFor("user.name = \"Zoë\" (another process)")
        try tmux.send("r")
        try await tmux.waitFor("user.name = \"Pitt\" (default)")
        try tmux.send("q")
        try await tmux.waitFor("ended with 0")
        #expect(SettingsSuite(FileStorage(path: suite.location)).storedValues.isEmpty)
    }

    @Test("A name under the old key is migrated")
    func migration() async throws {
        let suite = suite()
        suite.set("Hubert", forKey: "username")
        try suite.synchronize()
        let tmux = try demo()
        try await tmux.waitFor("user.name = \"Hubert\"")
        try tmux.send("q")
        try await tmux.waitFor("ended with 0")
        let values = SettingsSuite(FileStorage(path: suite.location)).storedValues
        #expect(values["user.name"] == "Hubert" && values["username"] == nil)
    }

    @Test("The terminal is restored after every key that ends the program", arguments: ["C-c", "C-\\"])
    func endings(_ key: String) async throws {
        let tmux = try demo()
        try await tmux.waitFor("visits = 1")
        try tmux.send("+")
        try await tmux.waitFor("volume = 6")
        try tmux.send(key)
        try await tmux.waitFor("ended with 0")
        try await tmux.waitFor(" icanon")
        try await tmux.waitFor(" echo ")
        #expect(SettingsSuite(FileStorage(path: suite().location)).storedValues["volume"] == 6)
    }
}
