import Foundation
import ProgramHarness
import PropertyList
import Testing

@Suite("Recording settings as commands and files")
struct RecordCommandTests {
    let folder: TemporaryFolder
    let other: TemporaryFolder

    init() throws { (folder, other) = (try TemporaryFolder(), try TemporaryFolder()) }

    private static let values: [String: PropertyListValue] = [
        "it's": "two words\n$HOME", "list": ["a", 1, true, 2.5], "table": ["deep": ["a": [1]]], "number": 5,
        "json": .data(Data(#"{ "x": 1.50, "list": [1] }"#.utf8)), "escape": "\u{1B}[31m",
        "data": .data(Data([0, 255])),
        "date": .date(Date(timeIntervalSinceReferenceDate: 12)), "-dash": false,
        "$looks like": ["$include": [1]],
    ]

    /// Runs the text in a shell that finds this package's program, with the suites of the other folder.
    private func runInShell(_ script: String) throws {
        let program = URL(fileURLWithPath: try builtProgram(named: "pdefaults")).deletingLastPathComponent()
            .path
        let result = try run(
            "/bin/sh",
            ["-e"],
            environment: [
                "PATH": program + ":/usr/bin:/bin", "XDG_CONFIG_HOME": other.path, "HOME": other.path,
                "LC_ALL": "C.UTF-8",
            ],
            input: script
        )
        #expect(result.ending == .exit(0), "\(result.errors)")
    }

    private func values(_ folder: TemporaryFolder, _ name: String = "app") throws -> [String:
        PropertyListValue]
    {
        let bytes = try [UInt8](folder.bytes(of: name + ".plist"))
        return [String: PropertyListValue](try PropertyListDocument.read(bytes).values)
    }

    @Test("The commands of an export rebuild the suite, also with values that a new XML file could not store")
    func exportCommands() throws {
        var stored = Self.values
        stored["time"] = .date(Date(timeIntervalSinceReferenceDate: 12.25))
        try folder.write(stored, to: "app.plist", as: .binary)
        let exported = try pdefaults(folder, "export", "--commands", "app")
        #expect(exported.errors == "")
        try runInShell(exported.output)
        #expect(try values(other) == stored)
    }

    @Test("All suites are exported into one file, and imported or applied from it")
    func all() throws {
        try folder.write(Self.values, to: "app.plist", as: .binary)
        try folder.write(["a": 1], to: "second.plist")
        for words in [
            ["export", "--all"], ["export", "--all", "--json"], ["export", "--all", "--as-settings"],
        ] {
            let file = folder.file("all.file")
            #expect(try pdefaults(folder, words + [file]).errors == "")
            for command in [["import", "--all"], ["apply"]] where words.count > 2 || command[0] == "import" {
                #expect(try pdefaults(other, command + [file]).errors == "", "\(words) \(command)")
                #expect(try values(other) == Self.values)
                #expect(try values(other, "second") == ["a": 1])
                for name in try other.names { try FileManager.default.removeItem(atPath: other.file(name)) }
            }
            try FileManager.default.removeItem(atPath: file)
        }
        try folder.write(#"{"app": 5}"#, to: "wrong.json")
        let refused = try pdefaults(other, "import", "--all", folder.file("wrong.json"))
        #expect(refused.errors.contains("“app” is not a dictionary of keys"), "\(refused.errors)")
        #expect(try other.names == [])
    }

    @Test("Watched changes are printed as commands that repeat them, and a secret is not")
    func watch() throws {
        try folder.write(Self.values, to: "app.plist", as: .binary)
        try folder.write(
            #"{"properties": {"password": {"type": "string", "writeOnly": true}}}"#,
            to: "app.schema.json"
        )
        try other.write(Self.values, to: "app.plist", as: .binary)
        let program = try RunningProgram(
            builtProgram(named: "pdefaults"),
            ["watch", "--commands"],
            environment: ["XDG_CONFIG_HOME": folder.path, "HOME": folder.path, "LC_ALL": "C.UTF-8"]
        )
        try program.waitForOutput(repeating: { count in
            _ = try pdefaults(folder, "write", "app", "number", "-int", "\(count + 5)")
        })
        let changes: [([String], String)] = [
            (
                ["write", "app", "list", "-array-add", "last"],
                "pdefaults write app list -array-add -string last\n"
            ),
            (
                ["write", "app", "table", "--at", "/deep/b", "x"],
                "pdefaults write --at /deep/b app table -string x\n"
            ),
            (["delete", "app", "list", "--at", "/0"], "pdefaults delete --at /0 app list\n"),
            (
                ["write", "app", "json", "--at", "/x", "-int", "2"],
                "pdefaults write --at /x app json -json 2\n"
            ),
            (["delete", "app", "it's"], #"pdefaults delete app 'it'\''s'"# + "\n"),
            (["write", "new", "k", "v"], "pdefaults write new k -string v\n"),
            (
                ["write", "app", "password", "hunter2"],
                "# app password: The value is a secret. Use --show-secrets"
            ),
        ]
        for (words, expected) in changes {
            #expect(try pdefaults(folder, words).ending == .exit(0))
            try program.waitForOutput(expected)
        }
        let output = try program.output
        #expect(!output.contains("hunter2"))
        try runInShell(output)
        var expected = try values(folder)
        expected["password"] = nil
        #expect(try values(other) == expected)
        #expect(try values(other, "new") == ["k": "v"])
    }
}
