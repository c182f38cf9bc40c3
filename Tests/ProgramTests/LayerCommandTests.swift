import Foundation
import ProgramHarness
import PropertyList
import Testing

private let app = "org.example.App"
private let mandatory = "/etc/pdefaults/mandatory/\(app).plist"
private let site = "/etc/xdg/\(app).plist"
private let user = "~/.config/\(app).plist"

@Suite(
    "Layers in commands",
    .enabled(if: LayeredMachine.isPermitted, Comment(rawValue: LayeredMachine.needs))
)
struct LayerCommandTests {
    let machine: LayeredMachine

    init() throws { machine = try LayeredMachine() }

    private func writeFourLayers() throws {
        try machine.write(["volume": 40], to: mandatory)
        try machine.write(["volume": 80, "name": "Pitt"], to: user)
        try machine.write(["volume": 60, "name": "nobody", "theme": "dark"], to: site)
        let schema = """
            {"properties": {"volume": {"type": "integer", "default": 50, "maximum": 100},
            "token": {"type": "string", "writeOnly": true}}}
            """
        try machine.write(Data(schema.utf8), to: "~/.config/\(app).schema.json")
    }

    @Test("why prints the effective value and then each layer")
    func why() throws {
        try writeFourLayers()
        let result = try machine.pdefaults("why", app, "volume")
        #expect(
            result.output == """
                volume = 40
                  mandatory  40  /etc/pdefaults/mandatory/org.example.App.plist  (locked)
                  user       80  ~/.config/org.example.App.plist                 (hidden by the lock)
                  site       60  /etc/xdg/org.example.App.plist
                  declared   50

                """
        )
        #expect(result.errors.contains("arguments and registered defaults are not shown"))
        #expect(result.ending == .exit(0))
        #expect(
            try machine.pdefaults("why", app, "theme").output.hasPrefix(
                "theme = dark\n  site  dark  /etc/xdg/"
            )
        )
    }

    @Test("why --json prints an array of objects")
    func whyJSON() throws {
        try writeFourLayers()
        let result = try machine.pdefaults("why", app, "volume", "--json")
        #expect(result.errors == "")
        let home = machine.home.path
        #expect(
            try PropertyListValue.read(typedJSON: Data(result.output.utf8)) == [
                [
                    "layer": "mandatory", "location": .string(mandatory), "value": 40, "locked": true,
                    "effective": true,
                ],
                [
                    "layer": "user", "location": .string(home + user.dropFirst()), "value": 80,
                    "locked": false, "effective": false,
                ],
                [
                    "layer": "site", "location": .string(site), "value": 60, "locked": false,
                    "effective": false,
                ],
                ["layer": "declared", "value": 50, "locked": false, "effective": false],
            ]
        )
    }

    @Test("why ends with status 1 if no layer has the key, and says where it has looked")
    func whyNothing() throws {
        try writeFourLayers()
        let result = try machine.pdefaults("why", app, "nosuch")
        #expect(result.ending == .exit(1))
        #expect(result.output == "")
        #expect(result.errors.contains("does not exist in any layer"))
        #expect(result.errors.contains("  /usr/local/etc/.GlobalPreferences.plist\n"))
        #expect(result.errors.contains("  ~/.config/ByHost/org.example.App..plist\n"))
    }

    @Test("why hides a secret unless it is asked for")
    func whySecret() throws {
        try writeFourLayers()
        try machine.write(["token": "hunter2"], to: site)
        #expect(
            try machine.pdefaults("why", app, "token").output.hasPrefix("token = ••••••\n  site  ••••••  ")
        )
        #expect(try machine.pdefaults("why", app, "token", "--json").output.contains(#"{"$hidden": true}"#))
        #expect(try machine.pdefaults("why", app, "token", "--show-secrets").output.contains("hunter2"))
    }

    @Test("read prints the user's layer, and read --effective what a program sees")
    func effective() throws {
        try writeFourLayers()
        #expect(try machine.pdefaults("read", app, "volume").output == "80\n")
        #expect(try machine.pdefaults("read", app, "volume", "--effective").output == "40\n")
        #expect(try machine.pdefaults("read", app, "theme").ending == .exit(1))
        #expect(try machine.pdefaults("read", app, "theme", "--effective").output == "dark\n")
        #expect(try machine.pdefaults("read-type", app, "theme", "--effective").output == "Type is string\n")
        #expect(
            try machine.pdefaults("read", app, "--effective", "--json").output
                == "{\n  \"name\": \"Pitt\",\n  \"theme\": \"dark\",\n  \"volume\": 40\n}\n"
        )
        try machine.write(["quiet": true], to: "~/.config/.GlobalPreferences.plist")
        #expect(
            try machine.pdefaults("read", app, "--effective", "--json").output.contains("\"quiet\": true")
        )
        #expect(try machine.pdefaults("read", app, "--layer", "site", "volume").output == "60\n")
    }

    @Test("A suite that only another layer has is listed and can be read")
    func suites() throws {
        try machine.write(["a": 1], to: "/etc/xdg/site.plist")
        try machine.write(["b": 2], to: "/etc/pdefaults/mandatory/locked.plist")
        try machine.write(["c": 3], to: "~/.config/ByHost/host..plist")
        try machine.write(["d": 4], to: "/usr/local/etc/local.plist")
        try machine.write(["e": 5], to: "~/.config/.GlobalPreferences.plist")
        try machine.write(
            Data("{\"properties\": {\"f\": {\"type\": \"integer\", \"default\": 6}}}".utf8),
            to: "~/data/pdefaults/schemas/packed.schema.json"
        )
        let variables = ["XDG_DATA_DIRS": machine.file("~/data")]
        let names = try machine.pdefaults(["suites"], variables: variables).output.split(separator: "\n")
        #expect(names == ["NSGlobalDomain", "host", "local", "locked", "packed", "site"])
        #expect(try machine.pdefaults("why", "locked", "b").output.hasPrefix("b = 2\n"))
        #expect(
            try machine.pdefaults(["read", "packed", "f", "--effective"], variables: variables).output
                == "6\n"
        )
        let all = try machine.pdefaults(["read", "--effective", "--json"], variables: variables).output
        #expect(all.contains("\"local\": {\n    \"d\": 4,\n    \"e\": 5\n  }"), "\(all)")
    }

    @Test("-g and NSGlobalDomain name the file that programs read")
    func global() throws {
        #expect(try machine.pdefaults("write", "-g", "volume", "-int", "7").errors == "")
        #expect(try machine.values(of: "~/.config/.GlobalPreferences.plist") == ["volume": 7])
        #expect(try machine.pdefaults("read", "NSGlobalDomain", "volume").output == "7\n")
        #expect(try machine.pdefaults("read", ".GlobalPreferences", "volume").output == "7\n")
        #expect(try machine.pdefaults("read", app, "volume", "--effective").output == "7\n")
        #expect(try machine.pdefaults("-currentHost", "write", "-g", "volume", "-int", "8").errors == "")
        #expect(try machine.values(of: "~/.config/ByHost/.GlobalPreferences..plist") == ["volume": 8])
        #expect(try machine.pdefaults("why", "-g", "volume").output.hasPrefix("volume = 8\n"))
        #expect(
            try machine.pdefaults("write", "-g", "a", "b", "--layer", "mandatory").errors
                .contains("no locks for all programs")
        )
    }

    @Test(
        "write, import and delete reach every layer",
        arguments: [
            ("user", user), ("host", "~/.config/ByHost/\(app)..plist"),
            ("global", "~/.config/.GlobalPreferences.plist"), ("site", site), ("mandatory", mandatory),
        ]
    )
    func otherLayers(_ layer: String, _ path: String) throws {
        #expect(try machine.pdefaults("write", app, "volume", "-int", "7", "--layer", layer).errors == "")
        #expect(try machine.values(of: path) == ["volume": 7])
        #expect(
            try machine.pdefaults(["import", app, "-", "--layer", layer], input: "{a = b;}").errors == ""
        )
        #expect(try machine.values(of: path) == ["volume": 7, "a": "b"])
        #expect(
            try machine.pdefaults("export", app, "-", "--layer", layer, "--json").output.contains(
                "\"a\": \"b\""
            )
        )
        #expect(try machine.pdefaults("rename", app, "a", "c", "--layer", layer).errors == "")
        #expect(try machine.pdefaults("why", app, "c").output.contains("  \(layer)  b  "))
        #expect(try machine.pdefaults("delete", app, "volume", "--layer", layer).errors == "")
        #expect(try machine.values(of: path) == ["c": "b"])
        #expect(try machine.pdefaults("delete", app, "--layer", layer).errors == "")
        #expect(!FileManager.default.fileExists(atPath: machine.file(path)))
        if layer == "host" {
            #expect(try machine.pdefaults("-currentHost", "write", app, "volume", "8").errors == "")
            #expect(try machine.values(of: path) == ["volume": "8"])
        }
    }

    @Test("Everyone can read the administrator's files, whatever the umask is")
    func modes() throws {
        for (layer, path) in [("mandatory", mandatory), ("site", "/etc/other/\(app).plist")] {
            for value in ["1", "2"] {
                let words = try machine.command([
                    "sh", "-c",
                    "umask 077; exec '\(builtProgram(named: "pdefaults"))' write \(app) a \(value) --layer \(layer)",
                ])
                let variables = ["XDG_CONFIG_DIRS": "/etc/other:/etc/xdg"]
                let result = try run(
                    words[0],
                    Array(words.dropFirst()),
                    environment: machine.environment.merging(variables) { $1 }
                )
                // The second write is refused, because the first one has locked the key.
                #expect(result.errors == "" || layer == "site")
                #expect(try machine.mode(of: path) == 0o644)
                chmod(machine.file(path), 0o600)
            }
            #expect(try machine.mode(of: (path as NSString).deletingLastPathComponent) == 0o755)
            if layer == "mandatory" { try machine.remove(path) }
        }
        #expect(try machine.mode(of: "/etc/pdefaults") == 0o755)
    }

    @Test("A layer is refused for a suite that has none")
    func noLayers() throws {
        try machine.write(["a": 1], to: "~/other/\(app).plist")
        for words in [["--directory", machine.file("~/other"), app], [machine.file("~/other/\(app)")]] {
            let result = try machine.pdefaults(["write"] + words + ["a", "-int", "2", "--layer", "site"])
            #expect(result.ending == .exit(1))
            #expect(result.errors.contains("--layer works only for suites in"))
            #expect(
                try machine.pdefaults(["why"] + words + ["a"]).output.hasPrefix("a = 1\n  user  1  ~/other/")
            )
        }
    }
}

@Suite("Locks in commands", .enabled(if: LayeredMachine.isPermitted, Comment(rawValue: LayeredMachine.needs)))
struct LockCommandTests {
    let machine: LayeredMachine

    init() throws {
        machine = try LayeredMachine()
        try machine.write(["volume": 40, "list": [1]], to: mandatory)
        try machine.write(["volume": 80, "other": 1], to: user)
    }

    @Test("The user's hidden value may be deleted, and other keys may be written")
    func allowed() throws {
        #expect(try machine.pdefaults("write", app, "other", "-int", "2").errors == "")
        #expect(try machine.pdefaults("delete", app, "volume").errors == "")
        #expect(try machine.values(of: user) == ["other": 2])
        #expect(try machine.pdefaults("read", app, "volume", "--effective").output == "40\n")
        #expect(
            try machine.pdefaults("write", app, "volume", "-int", "30", "--layer", "mandatory").errors == ""
        )
        #expect(try machine.pdefaults("read", app, "volume", "--effective").output == "30\n")
        #expect(try machine.pdefaults("delete", app, "--layer", "mandatory").errors == "")
        #expect(try machine.pdefaults("write", app, "volume", "-int", "80").errors == "")
    }

    @Test("A write does not make locks of what others have put into a mandatory file")
    func planted() throws {
        try machine.write(["planted": 1], to: mandatory)
        chmod(machine.file(mandatory), 0o666)
        let words = ["write", app, "volume", "-int", "30", "--layer", "mandatory"]
        let result = try machine.pdefaults(words)
        #expect(result.ending == .exit(1))
        #expect(result.errors.contains("Check them, then run: chmod go-w '\(mandatory)'"), "\(result.errors)")
        #expect(try machine.values(of: mandatory) == ["planted": 1])
        chmod(machine.file(mandatory), 0o644)
        #expect(try machine.pdefaults(words).errors == "")
        #expect(try machine.values(of: mandatory) == ["planted": 1, "volume": 30])
    }

    @Test("The same name in another folder is not locked")
    func otherFolder() throws {
        let words = ["write", "--directory", machine.home.file("else"), app, "volume", "-int", "7"]
        #expect(try machine.pdefaults(words).errors == "")
    }

    @Test("check names hidden values, files that do not count, and invalid values in any layer")
    func check() throws {
        #expect(
            try machine.pdefaults("check").output == """
                org.example.App: note: the user’s value of “volume” has no effect, because \(mandatory) locks the key
                1 suite OK

                """
        )
        chmod(machine.file(mandatory), 0o666)
        try machine.write(["volume": 200], to: site)
        let schema = #"{"properties": {"volume": {"type": "integer", "maximum": 100}}}"#
        try machine.write(Data(schema.utf8), to: "~/.config/\(app).schema.json")
        let result = try machine.pdefaults("check", app)
        #expect(result.ending == .exit(1))
        #expect(
            result.output.contains("\(app): \(mandatory): the mandatory file is ignored: "),
            "\(result.output)"
        )
        #expect(result.output.contains("\(site): “volume” can't have this value: 200 is above 100"))
        #expect(!result.output.contains("has no effect"))
        #expect(try machine.pdefaults("write", app, "volume", "-int", "7").errors == "")
    }
}

@Suite("Watching layers", .enabled(if: LayeredMachine.isPermitted, Comment(rawValue: LayeredMachine.needs)))
struct LayerWatchTests {
    let machine: LayeredMachine

    init() throws { machine = try LayeredMachine() }

    private func watch(_ words: String...) throws -> RunningProgram {
        let words = try machine.command([builtProgram(named: "pdefaults"), "watch"] + words)
        return try RunningProgram(words[0], Array(words.dropFirst()), environment: machine.environment)
    }

    /// Writes until the watch prints a line, because nothing else shows that it has started.
    private func waitForBeginning(of program: RunningProgram) throws {
        try program.waitForOutput(repeating: { count in
            _ = try machine.pdefaults("write", app, "begin", "-int", "\(count)")
        })
    }

    @Test("A change in any layer is printed with its layer if programs see it", arguments: [true, false])
    func layers(ofAllSuites: Bool) throws {
        try machine.write(["volume": 60], to: site)
        let program = try ofAllSuites ? watch() : watch(app)
        try waitForBeginning(of: program)
        try machine.write(["volume": 61], to: site)
        try program.waitForOutput(" \(app) volume: 60 -> 61 (site)\n")
        _ = try machine.pdefaults("write", app, "volume", "-int", "80")
        try program.waitForOutput(" \(app) volume: 61 -> 80\n")
        // Programs do not see this one.
        try machine.write(["volume": 62], to: site)
        try machine.write(["volume": 40], to: mandatory)
        try program.waitForOutput(" \(app) volume: 80 -> 40 (mandatory)\n")
        try machine.remove(mandatory)
        try program.waitForOutput(" \(app) volume: 40 -> 80\n")
        _ = try machine.pdefaults("delete", app, "volume")
        try program.waitForOutput(" \(app) volume: 80 -> 62 (site)\n")
        try machine.write(["volume": 5], to: "~/.config/.GlobalPreferences.plist")
        try program.waitForOutput(" \(app) volume: 62 -> 5 (global)\n")
        #expect(try !program.output.contains("61 -> 62"))
    }

    @Test("The end of a lock is printed, however soon it comes, while another layer changes")
    func shortLocks() throws {
        try machine.write(["volume": 80], to: user)
        let program = try watch(app)
        try waitForBeginning(of: program)
        for round in 1...300 {
            // Programs do not see the first change. It has the program read all layers while the lock comes and goes.
            try machine.write(["volume": .integer(PropertyListInteger(-round))], to: site)
            try machine.write(["volume": .integer(PropertyListInteger(round))], to: mandatory)
            try machine.remove(mandatory)
            try machine.write(["volume": 80, "round": .integer(PropertyListInteger(round))], to: user)
            try program.waitForOutput(" -> \(round)\n")
            try program.waitForOutput("The end of the lock") { output in
                let line = output.split(separator: "\n").last { $0.contains(" volume: ") }
                return line?.hasSuffix(" -> 80") ?? true
            }
        }
    }

    /// The files of all layers, with the names of their layers.
    static let files: [(layer: String, path: String)] = [
        ("mandatory", mandatory), ("host", "~/.config/ByHost/\(app)..plist"), ("user", user),
        ("global", "~/.config/ByHost/.GlobalPreferences..plist"),
        ("global", "~/.config/.GlobalPreferences.plist"), ("site", site),
        ("site", "/usr/local/etc/ByHost/\(app).plist"), ("site", "/usr/local/etc/\(app).plist"),
        ("siteGlobal", "/etc/xdg/.GlobalPreferences.plist"),
        ("siteGlobal", "/usr/local/etc/ByHost/.GlobalPreferences.plist"),
        ("siteGlobal", "/usr/local/etc/.GlobalPreferences.plist"),
    ]

    @Test("A file of any layer is made, replaced, written in place and removed", arguments: files)
    func life(_ layer: String, _ path: String) throws {
        let program = try watch(app)
        try waitForBeginning(of: program)
        let suffix = layer == "user" ? "" : " (\(layer))"
        try machine.write(["volume": 1], to: path)
        try program.waitForOutput(" \(app) volume: (none) -> 1\(suffix)\n")
        try machine.write(["volume": 2], to: path)
        try program.waitForOutput(" \(app) volume: 1 -> 2\(suffix)\n")
        try machine.writeInPlace(["volume": 3], to: path)
        try program.waitForOutput(" \(app) volume: 2 -> 3\(suffix)\n")
        try machine.remove(path)
        try program.waitForOutput(" \(app) volume: 3 -> (none)\n")
    }

    @Test("With --json the layer is a member")
    func json() throws {
        let program = try watch(app, "--json")
        try waitForBeginning(of: program)
        try machine.write(["volume": 61], to: site)
        try program.waitForOutput(#""key":"volume","layer":"site","new":61"#)
        try machine.remove(site)
        try program.waitForOutput(#""key":"volume","old":61"#)
        #expect(try program.output.contains(#""layer":"user""#))
    }

    @Test("A suite that an administrator makes is printed with all of its values")
    func newSuite() throws {
        let program = try watch()
        try waitForBeginning(of: program)
        try machine.write(["a": 1], to: "/etc/xdg/new.plist")
        try program.waitForOutput(" new a: (none) -> 1 (site)\n")
    }
}
