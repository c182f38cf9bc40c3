import Foundation
import ProgramHarness
import PropertyList
import Testing

@Suite("Watching from a script")
struct WatchCommandTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func watch(_ words: String...) throws -> RunningProgram {
        try RunningProgram(
            builtProgram(named: "pdefaults"),
            ["watch"] + words,
            environment: ["XDG_CONFIG_HOME": folder.path, "HOME": folder.path, "LC_ALL": "C.UTF-8"]
        )
    }

    /// Writes until the watch prints a line, because nothing else shows that it has started.
    private func waitForBeginning(of program: RunningProgram, _ domain: String, _ key: String) throws {
        try program.waitForOutput(repeating: { count in
            _ = try pdefaults(folder, "write", domain, key, "-int", "\(count)")
        })
    }

    @Test("Each change is a line with the old and the new value")
    func lines() throws {
        try folder.write(["size": 0, "list": [1]], to: "app.plist")
        let program = try watch("app")
        try waitForBeginning(of: program, "app", "size")
        _ = try pdefaults(folder, "write", "app", "list", "-array", "a b", "\u{1B}")
        _ = try pdefaults(folder, "write", "app", "list", "-array", "a b", "c")
        try program.waitForOutput("Z app list: ( 1 ) -> ( \"a b\", c )\n")
        _ = try pdefaults(folder, "write", "app", "type", "-string", "10")
        // Two writes in quick succession may be one change for the watch.
        try program.waitForOutput("Z app type: (none) -> 10\n")
        _ = try pdefaults(folder, "write", "app", "type", "-int", "10")
        try program.waitForOutput("Z app type: \"10\" -> 10\n")
        _ = try pdefaults(folder, "delete", "app", "list")
        try program.waitForOutput("Z app list: ( \"a b\", c ) -> (none)\n")
        _ = try pdefaults(folder, "write", "app", "two\nlines", "x")
        try program.waitForOutput("Z app \"two\\nlines\": (none) -> x\n")
        _ = try pdefaults(folder, "write", "app", "window", "-json", #"{"x": 1}"#)
        try program.waitForOutput(#"Z app window: (none) -> {"x":1}"# + "\n")
        for line in try program.output.split(separator: "\n") {
            #expect(line.prefix { $0 != " " }.count == "2026-01-31T12:00:00.000Z".count, "\(line)")
        }
    }

    /// Runs a command without any inotify watches.
    private static let unwatched = [
        "-Ur", "sh", "-c", "echo 0 > /proc/sys/user/max_inotify_instances && exec \"$@\"", "sh",
    ]

    @Test(
        "Polling is reported once",
        .enabled(
            if: (try? run("unshare", unwatched + ["true"]).ending) == .exit(0),
            "needs the right to make a namespace of users"
        )
    )
    func polling() throws {
        try folder.write(["size": 0], to: "app.plist")
        let program = try RunningProgram(
            "unshare",
            Self.unwatched + [try builtProgram(named: "pdefaults"), "watch", folder.file("app.plist")]
        )
        try waitForBeginning(of: program, folder.file("app.plist"), "size")
        let words = "changes may be reported late: "
        try program.waitForErrors(words)
        let errors = try program.errors
        #expect(errors.components(separatedBy: words).count == 2, "\(errors)")
    }

    @Test("With --json each change is an object in one line, and one key can be watched")
    func json() throws {
        try folder.write(["size": 0, "other": 1], to: "app.plist")
        let program = try watch("app", "size", "--json")
        try waitForBeginning(of: program, "app", "size")
        _ = try pdefaults(folder, "write", "app", "other", "-int", "5")
        _ = try pdefaults(folder, "write", "app", "size", "-float", "1")
        try program.waitForOutput(#""new":1.0"#)
        for line in try program.output.split(separator: "\n") {
            guard case .dictionary(let members) = try PropertyListValue.read(typedJSON: Data(line.utf8))
            else {
                throw HarnessError("\(line) is no object")
            }
            #expect(
                members["key"] == "size" && members["suite"] == "app" && members["from"] == "other process"
            )
            #expect(members["time"] != nil && members["old"] != nil && members["new"] != nil)
        }
    }

    @Test("A secret is hidden from its declaration on, unless its key was named")
    func secrets() throws {
        try folder.write(["size": 0], to: "app.plist")
        let (all, domain, key) = try (watch(), watch("app", "--json"), watch("app", "token"))
        for program in [all, domain] { try waitForBeginning(of: program, "app", "size") }
        try waitForBeginning(of: key, "app", "token")
        try folder.write(
            #"{"properties": {"token": {"type": "string", "writeOnly": true}}}"#,
            to: "app.schema.json"
        )
        _ = try pdefaults(folder, "write", "app", "token", "-string", "hunter2")
        _ = try pdefaults(folder, "write", "app", "size", "-int", "-77")
        try all.waitForOutput("Z app token: •••••• -> ••••••\n")
        let hidden = #""new":{"$hidden":true},"old":{"$hidden":true}"#
        try domain.waitForOutput(#""key":"token","layer":"user",\#(hidden)"#)
        try key.waitForOutput(" -> hunter2\n")
        try all.waitForOutput(" -> -77\n")
        try domain.waitForOutput(#""new":-77"#)
        #expect(try !(all.output + domain.output).contains("hunter2"))
    }

    @Test("A watch never restores overwritten values")
    func lookingOn() throws {
        let app = folder.file("app.plist")
        let program = try watch("app")
        try waitForBeginning(of: program, "app", "begin")
        try folder.write(["v": 1], to: "app.plist")
        let old = try folder.bytes(of: "app.plist")
        try program.waitForOutput("app v: (none) -> 1\n")
        for round in 2...4 {
            try folder.write(["v": .integer(PropertyListInteger(round))], to: "new")
            #expect(rename(folder.file("new"), app) == 0)
            try program.waitForOutput("app v: 1 -> \(round)\n")
            // Writes in place without the lock, like a program that does not know it.
            let file = try FileHandle(forWritingTo: URL(fileURLWithPath: app))
            try file.truncate(atOffset: 0)
            try file.write(contentsOf: old)
            try file.close()
            try program.waitForOutput("app v: \(round) -> 1\n")
        }
        #expect(try folder.bytes(of: "app.plist") == old)
    }

    @Test("Without a name, all suites are watched, including new ones")
    func allDomains() throws {
        try folder.write(["size": 0], to: "app.plist")
        let program = try watch()
        try waitForBeginning(of: program, "app", "size")
        _ = try pdefaults(folder, "write", "new", "a", "-int", "1")
        try program.waitForOutput("Z new a: (none) -> 1\n")
        _ = try pdefaults(folder, "write", "new", "a", "-int", "2")
        try program.waitForOutput("Z new a: 1 -> 2\n")
        _ = try pdefaults(folder, "delete", "new")
        try program.waitForOutput("Z new a: 2 -> (none)\n")
        let lines = try program.output.split(separator: "\n").filter { $0.contains(" new a: ") }
        #expect(lines.count == 3)
    }

    @Test("The watch ends without a message when its reader ends")
    func readerGoes() throws {
        try folder.write(["size": 0], to: "app.plist")
        let program = try builtProgram(named: "pdefaults")
        // The reader ends at once, and the watch never writes anything.
        let result = try run(
            "bash",
            ["-c", "'\(program)' --directory '\(folder.path)' watch app | true; echo ${PIPESTATUS[0]}"],
            // Otherwise bash would warn of a missing locale.
            environment: ["PATH": "/usr/bin:/bin", "HOME": folder.path]
        )
        #expect(result.output == "0\n")
        #expect(result.errors == "")
    }

    @Test("An unreadable suite is reported at once")
    func unreadable() throws {
        try folder.write(brokenFile, to: "broken.plist")
        let result = try pdefaults(folder, "watch", "broken")
        #expect(result.ending == .exit(1))
        #expect(result.errors.contains("line 5, column"))
    }
}
