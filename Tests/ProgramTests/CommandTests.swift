import Foundation
import ProgramHarness
import PropertyList
import Testing

@Suite("Commands for scripts")
struct CommandTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test(
        "A written value is read back, and plistlib reads the same value",
        arguments: [
            (["-string", "Pitt"], "Pitt\n", "'Pitt'"),
            (["-string", "-string"], "-string\n", "'-string'"),
            (["-string", ""], "\n", "''"),
            (["-string", "naïve ☃"], "naïve ☃\n", "'naïve ☃'"),
            (["-int", "5"], "5\n", "5"),
            (["-int", "-5"], "-5\n", "-5"),
            (["-int", "18446744073709551615"], "18446744073709551615\n", "18446744073709551615"),
            (["-int", "-9223372036854775808"], "-9223372036854775808\n", "-9223372036854775808"),
            (["-float", "0.5"], "0.5\n", "0.5"),
            (["-bool", "YES"], "1\n", "True"),
            (["-bool", "false"], "0\n", "False"),
        ]
    )
    func writeAndRead(value: [String], printed: String, python: String) throws {
        let program = try builtProgram(named: "pdefaults")
        let written = try run(
            program,
            ["write", "--directory", folder.path, "app", "user.name"] + value,
            environment: [:]
        )
        #expect(written.errors == "")
        #expect(written.ending == .exit(0))
        let read = try run(
            program,
            ["read", "--directory", folder.path, "app", "user.name"],
            environment: [:]
        )
        #expect(read.output == printed)
        #expect(try plistlibValue(folder.file("app.plist"), "user.name") == python)
    }

    @Test("A write is refused if the program's declaration does not allow the value")
    func declared() throws {
        let program = try builtProgram(named: "pdefaults")
        let write = ["write", "--directory", folder.path, "app", "volume", "-int", "12"]
        let schema = #"{"properties": {"volume": {"type": "integer", "maximum": 11}}}"#
        try folder.write(schema, to: "app.schema.json")
        let refused = try run(program, write, environment: [:])
        #expect(refused.ending != .exit(0))
        #expect(refused.errors.contains("“volume” can't have this value: 12 is above 11"))
        #expect(try folder.names == ["app.schema.json"])
        // An unreadable schema does not prevent a write.
        try folder.write("{", to: "app.schema.json")
        let written = try run(program, write, environment: [:])
        #expect(written.ending == .exit(0))
        #expect(written.errors.contains("not checked against the declarations of app"))
    }

    @Test(
        "A write keeps every other key, the format and the mode",
        arguments: ["XML", "BINARY"]
    )
    func writeKeepsTheRest(format: String) throws {
        let path = folder.file("app.plist")
        _ = try python(
            """
            import datetime
            plistlib.dump({'keep': [1, 2.5, True, b'x', datetime.datetime(2024, 5, 1)], 'change': 'old'},
                open(sys.argv[1], 'wb'), fmt=plistlib.FMT_\(format))
            """,
            path
        )
        #expect(chmod(path, 0o640) == 0)
        #expect(try pdefaults(folder, "write", "app", "change", "-string", "new").ending == .exit(0))
        #expect(try plistlibValue(path, "change") == "'new'")
        #expect(
            try plistlibValue(path, "keep") == "[1, 2.5, True, b'x', datetime.datetime(2024, 5, 1, 0, 0)]"
        )
        #expect(try folder.bytes(of: "app.plist").starts(with: Data("bplist".utf8)) == (format == "BINARY"))
        let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
        #expect(mode == 0o640)
        #expect(try folder.names == ["app.plist"])
    }

    @Test("A path names a file with or without its extension")
    func paths() throws {
        try folder.write(["size": 12], to: "app.plist")
        #expect(try pdefaults(folder, "read", folder.file("app.plist"), "size").output == "12\n")
        #expect(try pdefaults(folder, "read", folder.file("app"), "size").output == "12\n")
        #expect(try pdefaults(folder, "write", folder.file("app"), "size", "-int", "13").ending == .exit(0))
        #expect(try pdefaults(folder, "read", "app", "size").output == "13\n")
        #expect(try folder.names == ["app.plist"])
    }

    @Test("A key of a large file is read like any other, also if only a nested dictionary has its name")
    func largeFile() throws {
        let filling = PropertyListValue.string(String(repeating: "x", count: 300_000))
        try folder.write(["filling": filling, "size": 1, "window": ["width": 2]], to: "app.plist")
        #expect(try pdefaults(folder, "read", "app", "size").output == "1\n")
        let nested = try pdefaults(folder, "read", "app", "width")
        #expect(nested.ending == .exit(1))
        #expect(nested.errors.contains("does not exist"))
    }

    @Test("suites lists only visible property lists, one name a line and sorted")
    func domains() throws {
        for name in ["b.plist", "a.plist", "note.txt", ".hidden.plist", "世界.plist"] {
            try folder.write([:], to: name)
        }
        #expect(try pdefaults(folder, "suites").output == "a\nb\n世界\n")
    }

    @Test(
        "Scripts that split macOS's list of domains get the same names",
        arguments: ["tr ',' '\\n'", "sed 's/, /\\n/g'", "tr -s ', ' '\\n'", "tr -d ','"]
    )
    func listedDomains(_ filter: String) throws {
        for name in ["org.example.App", ".GlobalPreferences", "b"] {
            try folder.write([:], to: name + ".plist")
        }
        let program = try builtProgram(named: "pdefaults")
        let script = "'\(program)' domains | \(filter) | while read -r name; do echo \"<$name>\"; done"
        let result = try run(
            "sh",
            ["-c", script],
            environment: ["XDG_CONFIG_HOME": folder.path, "PATH": "/usr/bin:/bin"]
        )
        #expect(result.output == "<NSGlobalDomain>\n<b>\n<org.example.App>\n")
    }

    @Test("A suite exists as soon as its settings are declared")
    func declaredDomain() throws {
        try folder.write(["size": 12], to: "app.plist")
        try folder.write(
            #"{"properties": {"volume": {"type": "integer", "default": 5}}}"#,
            to: "new.schema.json"
        )
        #expect(try pdefaults(folder, "suites").output == "app\nnew\n")
        #expect(try pdefaults(folder, "read", "new").output == "{\n}\n")
        #expect(
            try pdefaults(folder, "read", "--json").output
                == "{\n  \"app\": {\n    \"size\": 12\n  },\n  \"new\": {}\n}\n"
        )
        #expect(
            try pdefaults(folder, "read", "new", "volume").errors.contains("(new, volume) does not exist")
        )
        #expect(try pdefaults(folder, "export", "new", "--json", "-").output == "{}\n")
        #expect(try pdefaults(folder, "check").output == "2 suites OK\n")
        #expect(try pdefaults(folder, "delete", "new").ending == .exit(1))
        #expect(try pdefaults(folder, "new").errors.contains("needs a terminal"))
        #expect(try pdefaults(folder, "complete", "bash", "write", "new", "v").output == "volume\n")
        #expect(try pdefaults(folder, "write", "new", "volume", "-int", "7").ending == .exit(0))
        #expect(try pdefaults(folder, "suites").output == "app\nnew\n")
    }

    @Test(
        "A word that is neither a command nor a suite is a usage error",
        arguments: ["raed", "domain", "-foo", "-version", "./none"]
    )
    func unknownWord(_ word: String) throws {
        try folder.write([:], to: "app.plist")
        let result = try pdefaults(folder, word)
        #expect(result.ending == .exit(64))
        #expect(result.errors.contains("There is no command"))
        #expect(result.errors.contains("Did you mean “domains”?") == (word == "domain"))
    }

    @Test("The name of a suite or key is printed in one line, whatever it contains")
    func names() throws {
        try folder.write(["two\nlines": 1], to: "a\nb.plist")
        try folder.write(["\u{1B}[31m": 2], to: "\"c\".plist", as: .binary)
        #expect(try pdefaults(folder, "suites").output == "\"\\\"c\\\"\"\n\"a\\nb\"\n")
        #expect(try pdefaults(folder, "suites", "--json").output == "[\n  \"\\\"c\\\"\",\n  \"a\\nb\"\n]\n")
        #expect(try pdefaults(folder, "read", "a\nb", "two\nlines").output == "1\n")
        #expect(
            try pdefaults(folder, "diff", "a\nb", "\"c\"").output
                == "+ \"\\U001b[31m\" = 2\n- \"two\\nlines\" = 1\n"
        )
        #expect(try pdefaults(folder, "find", "lines").output.contains("domain '\"a\\nb\"': {"))
    }

    @Test(
        "An impossible command prints an error and writes nothing",
        arguments: [
            (["read", "nosuch"], "does not exist"),
            (["read", "app", "nosuch"], "(app, nosuch) does not exist"),
            (["read", "../app"], "The suite name “../app” contains “/”"),
            (["read", "a/b"], "The suite name “a/b” contains “/”"),
            (["write", "", "k", "-int", "1"], "is empty"),
            (["write", ".x", "k", "-int", "1"], "starts with “.”"),
            (["write", "app", "k", "-int", "twelve"], "“twelve” is not a whole number"),
            (["write", "app", "k", "-int", "18446744073709551616"], "18446744073709551616"),
            (["write", "app", "k", "-bool", "maybe"], "maybe"),
            (["write", "app", "k"], "Rep argument is not a dictionary"),
            (["write", "app", "k", "-int", "1", "-bool", "yes"], "Unexpected argument “-bool”"),
            (["write", "app", "k", "(1, 2"], "Could not parse: (1, 2."),
            (["write", "-app", "App", "k", "v"], "no application bundles"),
            (["-host", "h", "read", "app"], "only the settings of this host"),
            (["-currentHost", "suites"], "-currentHost works only with commands that have"),
            (["write", "app", "k", "v", "--layer", "sites"], "Did you mean “site”?"),
            (["read", "app", "k", "--layer", "user", "--effective"], "Use either --effective or --layer"),
            (["read", "--layer", "site"], "--layer needs a suite"),
            (["write", "app", "size", "-int", "1", "--at", "/x"], "nothing inside an integer"),
            (["delete", "broken"], "line 5, column"),
            (["rename", "broken", "a", "b"], "line 5, column"),
            (["export", "broken", "-"], "line 5, column"),
            (["recover", "app"], "Nothing was done: app is readable"),
            (["diff", "app", "broken"], "line 5, column"),
            (["write", "app", "k", "-string", "a\u{1B}[31mb"], "U+001B"),
            (["read", "broken"], "line 5, column"),
            (["read", "broken"], "To move the file aside, run: pdefaults recover broken\n"),
            (["write", "broken", "k", "-int", "1"], "line 5, column"),
            (["read", "app", "\u{1B}[31mred"], "does not exist"),
            (["read", "--directory", "", "app"], "The folder after --directory is empty"),
            (["\u{1B}[31mred"], "no command or suite “\\u{1B}[31mred”"),
            (["app"], "needs a terminal"),
            (["--directory", "/nosuch", "read"], "no folder /nosuch"),
            (["--directory", "/etc/passwd", "suites"], "/etc/passwd is not a folder"),
            (["suites", "--directory", "/nosuch"], "no folder /nosuch"),
            (["write", "/", "k", "v"], "/ is a folder. Name a file in it, such as /name.plist"),
            (["write", "~/x/", "k", "v"], "~/x/ is a folder. Name a file in it, such as "),
            (["write", "./..", "k", "v"], "./.. is a folder. Name a file in it, such as "),
            (["write", "/tmp", "k", "v"], "To use the file beside it, write /tmp.plist"),
            (["edit", "nosuch"], "Domain nosuch does not exist"),
            (["edit"], "needs a terminal"),
            (["demo"], "needs a terminal"),
            ([], "needs a terminal"),
        ]
    )
    func refusals(arguments: [String], reason: String) throws {
        try folder.write(["size": 12], to: "app.plist")
        try folder.write(brokenFile, to: "broken.plist")
        let before = try (folder.bytes(of: "app.plist"), folder.bytes(of: "broken.plist"))
        let result = try run(
            builtProgram(named: "pdefaults"),
            arguments,
            environment: ["XDG_CONFIG_HOME": folder.path, "LC_ALL": "C.UTF-8"]
        )
        #expect(result.ending != .exit(0))
        #expect(result.output == "")
        #expect(result.errors.contains(reason))
        #expect(!result.errors.contains("\u{1B}"))
        #expect(try folder.bytes(of: "app.plist") == before.0)
        #expect(try folder.bytes(of: "broken.plist") == before.1)
        #expect(try folder.names == ["app.plist", "broken.plist"])
    }

    @Test("A wrong command line prints what is wrong and where to read more")
    func shortErrors() throws {
        let result = try pdefaults(folder, "write", "app", "k", "-int", "twelve")
        #expect(result.ending == .exit(64))
        #expect(
            result.errors
                == "-int: “twelve” is not a whole number.\nRun “pdefaults help write” to see how to write it.\n"
        )
        let help = try pdefaults(folder, "help").output
        #expect(help.contains("pdefaults help --man") && help.contains("pdefaults --version"))
    }

    @Test(
        "Arguments that are not UTF-8 are refused",
        arguments: [
            "write app k -string $'v\\xff'", "write app $'k\\xff' v", "write ./$'\\xff' k v", "read $'\\xff'",
        ]
    )
    func otherBytes(_ line: String) throws {
        let program = try builtProgram(named: "pdefaults")
        let result = try run(
            "bash",
            ["-c", "cd '\(folder.path)'; '\(program)' \(line)"],
            environment: ["XDG_CONFIG_HOME": folder.path, "PATH": "/usr/bin:/bin"]
        )
        #expect(result.ending == .exit(64))
        #expect(result.errors.contains("is not UTF-8; nothing was done"))
        #expect(try folder.names == [])
    }

    @Test("Broken and circular links are reported")
    func links() throws {
        #expect(symlink("nowhere", folder.file("dangling.plist")) == 0)
        #expect(symlink("circle.plist", folder.file("circle.plist")) == 0)
        let lines = try pdefaults(folder, "check").output.split(separator: "\n")
        #expect(lines.count == 2)
        #expect(lines[0].hasPrefix("circle: ") && lines[0].contains("Too many levels"))
        #expect(lines[1].contains("a link to nowhere, which does not exist"))
    }

    @Test(
        "Everything works without /proc",
        .enabled(if: canHideProc, "needs the right to mount")
    )
    func noProc() throws {
        let program = try builtProgram(named: "pdefaults")
        func run(_ line: String) throws -> ProgramResult {
            try ProgramHarness.run(
                "unshare",
                ["-m", "sh", "-c", "mount -t tmpfs none /proc && exec '\(program)' \(line)"],
                environment: ["XDG_CONFIG_HOME": folder.path, "PATH": "/usr/bin:/bin"]
            )
        }
        #expect(try run("write app size -int 5").errors == "")
        #expect(try run("read app size").output == "5\n")
        #expect(try run("--version").output.hasPrefix("pdefaults "))
    }

    @Test("Two hundred concurrent writes lose nothing")
    func writesAtOnce() throws {
        // Each write changes its own key and a key that all of them change.
        let script = """
            for n in $(seq 0 199); do
                printf 'key%d -int %d\\nall -array-add -int %d\\n' $n $n $n |
                    '\(try builtProgram(named: "pdefaults"))' --directory '\(folder.path)' write app - &
            done; wait
            """
        // Each of them waits for the lock, and one core runs them one after another.
        #expect(try run("sh", ["-c", script], within: .seconds(1_200)).errors == "")
        let count = try python(
            "p = plistlib.load(open(sys.argv[1], 'rb')); print(len(p), sorted(p['all']) == list(range(200)))",
            folder.file("app.plist")
        )
        #expect(count == "201 True\n")
    }

    @Test("A file that the user may not write is not changed")
    func anotherUsersFile() throws {
        try folder.write(["size": 12], to: "app.plist")
        // Root could write to the folder, so the program runs as another user if the tests run as root.
        let program = try builtProgram(named: "pdefaults")
        let isRoot = geteuid() == 0
        #expect(chmod(folder.path, 0o555) == 0)
        defer { chmod(folder.path, 0o700) }
        let prefix = isRoot ? ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"] : []
        let command = prefix + [program, "write", folder.file("app.plist"), "size", "-int", "13"]
        let result = try run(command[0], Array(command.dropFirst()))
        #expect(result.ending == .exit(1))
        #expect(result.errors.contains("app.plist"))
        #expect(try pdefaults(folder, "read", "app", "size").output == "12\n")
    }
}

private let canHideProc =
    (try? run("unshare", ["-m", "mount", "-t", "tmpfs", "none", "/proc"]).ending) == .exit(0)
