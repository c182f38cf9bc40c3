import Foundation
import ProgramHarness
import PropertyList
import Testing

// The ways of commands to write a locked key in a file. SettingsStoreTests says which modules have such a table.

private let app = "org.example.App"
private let mandatory = "/etc/pdefaults/mandatory/\(app).plist"
private let site = "/etc/xdg/\(app).plist"
private let user = "~/.config/\(app).plist"
private let stored: [String: PropertyListValue] = ["volume": 80, "other": 1, "list": [1]]

@Suite(
    "No command writes a locked key",
    .enabled(if: LayeredMachine.isPermitted, Comment(rawValue: LayeredMachine.needs))
)
struct WaysToWriteAgainstALockTests {
    let machine: LayeredMachine

    init() throws {
        machine = try LayeredMachine()
        try machine.write(["volume": 40, "list": [1], "dict": ["a": 1], "fresh": 1], to: mandatory)
        try machine.write(stored, to: user)
    }

    /// All commands that write, in each of their forms. `FILE` is the path of the user's file, `LINK` a link to it.
    static let writes: [[String]] = [
        ["write", app, "volume", "-int", "80"], ["write", app, "volume", "-int", "7"],
        ["write", app, "volume", "-int", "7", "--if-equals", "80"],
        ["write", app, "list", "-array-add", "x"],
        ["write", app, "list", "--at", "/0", "-int", "7"], ["write", app, "dict", "-dict-add", "x", "7"],
        ["write", app, "fresh", "7", "--if-absent"], ["write", app, "{volume = 7; other = 2;}"],
        ["write", app, "-"], ["import", app, "-"], ["rename", app, "other", "volume"],
        ["write", app, "volume", "7", "--layer", "user"], ["write", app, "volume", "7", "--layer", "host"],
        ["-currentHost", "write", app, "volume", "7"], ["write", app, "volume", "7", "--layer", "site"],
        ["write", app, "volume", "7", "--layer", "global"], ["import", app, "-", "--layer", "site"],
        ["write", "FILE", "volume", "7"], ["write", "LINK", "volume", "7"], ["import", "FILE", "-"],
        ["write", "--directory", "FOLDER", app, "volume", "7"],
        ["write", "--directory", "LINKED-FOLDER", app, "volume", "7"],
        ["write", "HARD-LINK-FOLDER/\(app)", "volume", "7"],
    ]

    private func words(_ words: [String]) -> [String] {
        let home = machine.home.path
        let names = [
            ("HARD-LINK-FOLDER", home + "/dots"), ("LINKED-FOLDER", home + "/linked"),
            ("FOLDER", home + "/.config"), ("FILE", home + "/.config/\(app)"), ("LINK", home + "/link.plist"),
        ]
        return words.map { word in
            names.first { word.hasPrefix($0.0) }.map { $0.1 + word.dropFirst($0.0.count) } ?? word
        }
    }

    @Test("No command writes a locked key, and the error names the file that locks it", arguments: writes)
    func refused(_ line: [String]) throws {
        let home = machine.home
        #expect(symlink(home.file(".config/\(app).plist"), home.file("link.plist")) == 0)
        #expect(symlink(home.file(".config"), home.file("linked")) == 0)
        if line[1].hasPrefix("HARD-LINK") {
            // The suite's file is a link to a file that a program manages elsewhere.
            try machine.write(stored, to: "~/dots/\(app).plist")
            try machine.remove(user)
            #expect(symlink(home.file("dots/\(app).plist"), machine.file(user)) == 0)
        }
        let before = try machine.values(of: user)
        for variables in [[:], ["XDG_CONFIG_DIRS": home.path, "PDEFAULTS_MANDATORY": home.path]] {
            let result = try machine.pdefaults(
                words(line),
                input: line[0] == "import" ? "{volume = 7;}" : "other 2\nvolume 7\n",
                variables: variables
            )
            #expect(result.ending == .exit(1), "\(result)")
            #expect(result.errors.contains(mandatory), "\(result.errors)")
            #expect(try machine.values(of: user) == before)
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: machine.file("~/.config/ByHost")) == [])
        #expect(!FileManager.default.fileExists(atPath: machine.file(site)))
    }
}
