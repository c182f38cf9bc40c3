import Foundation
import ProgramHarness
import PropertyList
import Testing

@Suite("The editor in a terminal")
struct EditorTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func editor(
        _ arguments: String...,
        columns: Int = 90,
        rows: Int = 20,
        environment: [String: String] = [:]
    ) throws -> Tmux {
        try Tmux(
            [builtProgram(named: "pdefaults")]
                + (arguments.isEmpty ? ["--directory", folder.path] : arguments),
            columns: columns,
            rows: rows,
            environment: environment
        )
    }

    /// Types `/`, a text and Enter, and so selects the first match.
    private func find(_ text: String, in tmux: Tmux) async throws {
        try tmux.send("/")
        try tmux.type(text)
        try tmux.send("Enter")
    }

    @Test("A string edited in its row is stored, and nothing else changes")
    func editString() async throws {
        try folder.write(["name": "Pitt", "size": 12, "when": .data(Data([1]))], to: "app.plist")
        let tmux = try editor()
        try await tmux.waitFor("Pitt")
        try tmux.send("Enter")
        try await find("name", in: tmux)
        try tmux.send("Enter", "C-u")
        try tmux.type("François 世界")
        try tmux.send("Enter")
        let path = folder.file("app.plist")
        try await tmux.waitUntil("the file holds the new value") { _ in
            try plistlibValue(path, "name") == "'François 世界'"
        }
        #expect(try plistlibValue(path, "size") == "12")
        #expect(try plistlibValue(path, "when") == "b'\\x01'")
        try await tmux.waitFor("François 世界")
    }

    @Test("The settings of all programs have one name, in the editor and in the list of suites")
    func globalName() async throws {
        try folder.write(["name": "Pitt"], to: ".GlobalPreferences.plist")
        let tmux = try editor()
        try await tmux.waitFor("» NSGlobalDomain")
        try await tmux.waitFor("Pitt")
        #expect(try !tmux.screen().contains { $0.contains("GlobalPreferences") })
        let listed = try pdefaults(folder, "suites")
        #expect(listed.output == "NSGlobalDomain\n")
    }

    @Test("An unreadable suite has its sign without being selected")
    func brokenSign() async throws {
        try folder.write(["name": "Pitt"], to: "app.plist")
        try "{ name = ".write(toFile: folder.file("broken.plist"), atomically: true, encoding: .utf8)
        let tmux = try editor()
        try await tmux.waitUntil("the suite has the sign of a problem") { tmux in
            try tmux.screen().contains { $0.contains(" broken ") && $0.contains("! │") }
        }
    }

    @Test("Space toggles a Boolean, u undoes it, d deletes, a adds with a type")
    func flipDeleteAdd() async throws {
        try folder.write(["on": true], to: "app.plist")
        let path = folder.file("app.plist")
        let tmux = try editor()
        try await tmux.waitFor("true")
        try tmux.send("Enter", "Space")
        try await tmux.waitUntil("false in the file") { _ in try plistlibValue(path, "on") == "False" }
        try tmux.send("u")
        try await tmux.waitUntil("true in the file") { _ in try plistlibValue(path, "on") == "True" }
        try tmux.send("d")
        try await tmux.waitFor("Deleted “on”")
        try await tmux.waitUntil("nothing in the file") { _ in try plistlibValue(path, "on") == "None" }
        try tmux.send("a")
        try tmux.type("count")
        try tmux.send("Enter")
        try await tmux.waitFor("integer")
        try tmux.send("Down", "Enter", "C-u")
        try tmux.type("41")
        try tmux.send("Enter")
        try await tmux.waitUntil("41 in the file") { _ in try plistlibValue(path, "count") == "41" }
    }

    @Test("A foreign change, a new suite and a deleted suite appear without a key")
    func othersChanges() async throws {
        try folder.write(["user.name": "Pitt"], to: "app.plist")
        let tmux = try editor()
        try await tmux.waitFor("Pitt")
        _ = try python(
            """
            import os
            plistlib.dump({'user.name': 'François'}, open(sys.argv[1] + '.new', 'wb'))
            os.rename(sys.argv[1] + '.new', sys.argv[1])
            """,
            folder.file("app.plist")
        )
        try await tmux.waitFor("François")
        // The mark in the row is gone after five seconds.
        try await tmux.waitFor("● 1 outside")
        try folder.write(["a": 1], to: "second.plist")
        try await tmux.waitFor("second")
        try FileManager.default.removeItem(atPath: folder.file("second.plist"))
        try await tmux.waitUntil("the second suite is gone") { tmux in
            try !tmux.screen().contains { $0.contains("second") }
        }
    }

    @Test("After a foreign change to the edited value, the draft stays and Enter asks before it overwrites")
    func conflict() async throws {
        try folder.write(["name": "Pitt"], to: "app.plist")
        let path = folder.file("app.plist")
        let tmux = try editor()
        try await tmux.waitFor("Pitt")
        try tmux.send("Enter", "Enter")
        try tmux.type("-mine")
        try await tmux.waitFor("Pitt-mine")
        #expect(try pdefaults(folder, "write", "app", "name", "-string", "theirs").ending == .exit(0))
        try await tmux.waitFor("theirs")
        #expect(try tmux.screen().contains { $0.contains("Pitt-mine") })
        try tmux.send("Enter")
        try await tmux.waitFor("y")
        #expect(try plistlibValue(path, "name") == "'theirs'")
        try tmux.send("y")
        try await tmux.waitUntil("the draft is stored") { _ in
            try plistlibValue(path, "name") == "'Pitt-mine'"
        }
    }

    @Test("An invalid file is shown with the error's place and reason, and is not changed")
    func brokenSuite() async throws {
        try folder.write(brokenFile, to: "broken.plist")
        let tmux = try editor()
        try await tmux.waitFor("line 5")
        try tmux.send("Enter", "a")
        try tmux.type("k")
        try tmux.send("Enter", "Enter")
        try tmux.type("v")
        try tmux.send("Enter")
        try tmux.send("q", "q")
        try await tmux.waitUntil("the program has ended") { try $0.ending() == .exit(0) }
        #expect(try String(decoding: folder.bytes(of: "broken.plist"), as: UTF8.self) == brokenFile)
    }

    @Test("A pipe in place of a suite is reported and does not block")
    func pipe() async throws {
        #expect(mkfifo(folder.file("pipe.plist"), 0o600) == 0)
        // So wide that the path of the folder does not break the sentence.
        let tmux = try editor(columns: 400)
        try await tmux.waitFor("not a")
        try await tmux.waitFor("unreadable")
    }

    @Test(
        "A confirmed change is stored before the editor ends, however it ends",
        arguments: [("q", 0), ("C-c", 130)]
    )
    func leavingAtOnce(key: String, code: Int32) async throws {
        try folder.write(["size": 1], to: "app.plist")
        let tmux = try editor()
        try await tmux.waitFor("size")
        // Another program locks the folder, which delays the write like a slow disk.
        let lock = open(folder.path, O_RDONLY | O_DIRECTORY)
        #expect(flock(lock, LOCK_EX) == 0)
        try tmux.send("Enter", "Enter", "C-u")
        try tmux.type("42")
        try tmux.send("Enter", key)
        // On a busy machine, the write might give up waiting for the lock after ten seconds.
        func tryAgain(_ tmux: Tmux) throws {
            guard key == "q", try tmux.ending() == nil else { return }
            if try tmux.screen().contains(where: { $0.contains("Press Enter to retry") }) {
                try tmux.send("Enter", key)
            }
        }
        if key == "q" {
            try await tmux.waitUntil("it waits for what it stores") { tmux in
                try tryAgain(tmux)
                return try tmux.screen().contains { $0.contains("Saving your last change") }
            }
        }
        // Read without another process, because the editor waits for the lock for ten seconds only.
        let stored = try PropertyListDocument.read([UInt8](folder.bytes(of: "app.plist"))).values
        #expect(stored == ["size": 1])
        close(lock)
        try await tmux.waitUntil("the program has ended") { tmux in
            try tryAgain(tmux)
            return try tmux.ending() == .exit(code)
        }
        #expect(try plistlibValue(folder.file("app.plist"), "size") == "42")
    }

    @Test("An empty folder and a missing folder show where the editor looked", arguments: ["", "/missing"])
    func nothingThere(rest: String) async throws {
        let path = folder.path + rest
        let tmux = try editor("--directory", path, columns: 200)
        // The temporary folder can be inside the home folder, which the editor shows as “~”.
        let home = ProcessInfo.processInfo.environment["HOME"] ?? "/"
        let isInHome = home != "/" && path.hasPrefix(home + "/")
        try await tmux.waitFor(isInHome ? "~" + path.dropFirst(home.count) : path)
        try tmux.send("q")
        try await tmux.waitUntil("the program has ended") { try $0.ending() == .exit(0) }
        #expect(try folder.names == [])
    }

    @Test(
        "The editor works without colours and on small and old terminals",
        arguments: [("vt100", "", 20, 5), ("vt100", "", 80, 24), ("tmux-256color", "1", 40, 10)]
    )
    func plainTerminals(type: String, noColor: String, columns: Int, rows: Int) async throws {
        try folder.write(["name": "Pitt"], to: "app.plist")
        let tmux = try editor(
            columns: columns,
            rows: rows,
            environment: ["TERM": type, "NO_COLOR": noColor]
        )
        try await tmux.waitFor("app")
        try tmux.send("Enter")
        try await tmux.waitFor("name")
        let color = /\e\[(3[0-7]|4[0-7]|9|10)/
        #expect(try !tmux.styledScreen().contains { $0.contains(color) })
        try tmux.send("Enter", "C-u")
        try tmux.type("X")
        try tmux.send("Enter")
        let path = folder.file("app.plist")
        try await tmux.waitUntil("X in the file") { _ in try plistlibValue(path, "name") == "'X'" }
    }

    @Test(
        "The terminal is restored after every kind of end",
        arguments: [
            ("q", 0), ("TERM", 143), ("HUP", 129), ("INT", 130), ("C-c", 130), ("SEGV", 139), ("ILL", 132),
        ]
    )
    func terminalIsWhole(way: String, code: Int) async throws {
        try folder.write(["name": "Pitt"], to: "app.plist")
        let program = try builtProgram(named: "pdefaults")
        let script = """
            stty -g > \(shellQuoted(folder.file("before"))); \
            \(shellQuoted(program)) --directory \(shellQuoted(folder.path)); echo ended $?; \
            stty -g > \(shellQuoted(folder.file("after"))); echo done; cat
            """
        let tmux = try Tmux(["sh", "-c", script], columns: 80, rows: 20)
        try await tmux.waitFor("Pitt")
        #expect(try tmux.value(of: "#{alternate_on}") == "1")
        if ["TERM", "HUP", "INT", "SEGV", "ILL"].contains(way) {
            // The program is the shell's only child.
            let shell = try tmux.value(of: "#{pane_pid}")
            let child = try String(contentsOfFile: "/proc/\(shell)/task/\(shell)/children", encoding: .utf8)
            let process = try #require(Int32(child.trimmingCharacters(in: .whitespaces)))
            let number = try #require(
                ["TERM": SIGTERM, "HUP": SIGHUP, "INT": SIGINT, "SEGV": SIGSEGV, "ILL": SIGILL][way]
            )
            kill(process, number)
        } else {
            try tmux.send(way)
        }
        try await tmux.waitFor("done")
        try await tmux.waitFor("ended")
        if code != 0 { #expect(try tmux.screen().contains { $0.contains("ended \(code)") }) }
        #expect(try tmux.value(of: "#{alternate_on}") == "0")
        #expect(try folder.bytes(of: "before") == folder.bytes(of: "after"))
        #expect(try tmux.cursor() != nil)
    }

    @Test("The demonstration shows its suites, changes them from a second process, and leaves no files")
    func demonstration() async throws {
        let tmux = try Tmux(
            [builtProgram(named: "pdefaults"), "demo"],
            columns: 100,
            rows: 24,
            environment: ["TMPDIR": folder.path]
        )
        try await tmux.waitFor("org.example.EveryKind")
        try await find("Player", in: tmux)
        try await tmux.waitUntil("the second process changes a value") { tmux in
            try tmux.screen().contains { $0.contains("●") && $0.contains("position") }
        }
        try tmux.send("q")
        try await tmux.waitUntil("the program has ended") { try $0.ending() == .exit(0) }
        #expect(try folder.names == [])
    }
}
