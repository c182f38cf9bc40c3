import Foundation
import ProgramHarness
import PropertyList
import Testing

@Suite("Editing in a terminal")
struct EditingTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func editor(environment: [String: String] = [:]) throws -> Tmux {
        try Tmux(
            [builtProgram(named: "pdefaults"), "--directory", folder.path],
            columns: 100,
            rows: 20,
            environment: environment
        )
    }

    /// A program that edits a file, as a script of the shell whose `$1` the file is.
    private func editorProgram(_ script: String) throws -> String {
        let path = folder.file("editor")
        try Data("#!/bin/sh\n\(script)\n".utf8).write(to: URL(fileURLWithPath: path))
        try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: path)
        return path
    }

    @Test("The user's editor gets the screen and a text; what does not parse comes again with the reason")
    func outsideEditor() async throws {
        try folder.write(["sizes": ["width": 80]], to: "app.plist")
        let program = try editorProgram(
            """
            if grep -q '^// pdefaults: line 3' "$1"; then sed -i 's/80,/132/' "$1"
            else echo HERE IT IS; sed -i 's/80/80,/' "$1"; read answer; fi
            """
        )
        let tmux = try editor(environment: ["VISUAL": program, "TMPDIR": folder.path])
        try await tmux.waitFor("sizes")
        try tmux.send("Enter", "E")
        try await tmux.waitFor("HERE IT IS")
        #expect(try tmux.value(of: "#{alternate_on}") == "0")
        try tmux.send("Enter")
        let path = folder.file("app.plist")
        try await tmux.waitUntil("the new width in the file") { _ in
            try plistlibValue(path, "sizes") == "{'width': 132}"
        }
        try await tmux.waitFor("{1 key}")
        #expect(try folder.names.sorted() == ["app.plist", "editor"])
        try tmux.send("q")
        try await tmux.waitUntil("the program has ended") { try $0.ending() == .exit(0) }
    }

    @Test(
        "An editor that is left without a change, or that fails, writes nothing",
        arguments: ["true", "exit 3"]
    )
    func untouched(script: String) async throws {
        try folder.write(["text": "one\ntwo"], to: "app.plist")
        let before = try folder.bytes(of: "app.plist")
        let tmux = try editor(environment: ["VISUAL": "", "EDITOR": try editorProgram(script)])
        try await tmux.waitFor("text")
        try tmux.send("Enter", "E")
        try await tmux.waitFor(script == "true" ? "Unchanged." : "ended with status 3")
        #expect(try folder.bytes(of: "app.plist") == before)
    }

    @Test("Ctrl-C in an editor that has a use for it is that editor's own affair: what it leaves is written")
    func interrupted() async throws {
        try folder.write(["text": "Pitt"], to: "app.plist")
        let program = try editorProgram(
            "trap 'caught=1' INT; echo WAITING; until [ \"$caught\" ]; do read line; done; echo mine > \"$1\""
        )
        let tmux = try editor(environment: ["VISUAL": program, "TMPDIR": folder.path])
        try await tmux.waitFor("text")
        try tmux.send("Enter", "E")
        try await tmux.waitFor("WAITING")
        try tmux.send("C-c", "Enter")
        let path = folder.file("app.plist")
        try await tmux.waitUntil("what it left is in the file") { _ in
            try plistlibValue(path, "text") == "'mine'"
        }
    }

    @Test("d in the list of suites removes the file, and u brings its very bytes back")
    func deletedSuite() async throws {
        try folder.write(["size": 80, "name": "x"], to: "app.plist")
        try folder.write(["k": 1], to: "other.plist")
        let path = folder.file("app.plist")
        var text = String(decoding: try folder.bytes(of: "app.plist"), as: UTF8.self)
        text = text.replacing("<dict>", with: "<dict> <!-- by hand -->")
        try text.write(toFile: path, atomically: true, encoding: .utf8)
        let tmux = try editor(environment: ["TMPDIR": folder.path])
        try await tmux.waitFor("size")
        try tmux.send("d")
        try await tmux.waitFor("Delete the suite “app” with its 2 keys?")
        try tmux.send("y")
        try await tmux.waitUntil("the file is gone, and the list says so") {
            let screen = try $0.screen().joined(separator: "\n")
            return !FileManager.default.fileExists(atPath: path) && !screen.contains("size")
        }
        try tmux.send("u")
        try await tmux.waitUntil("it is there again") { _ in
            (try? String(contentsOfFile: path, encoding: .utf8)) == text
        }
        try await tmux.waitFor("size")
    }

    @Test("E in the list of suites gives the user's editor the whole suite; what differs is written")
    func wholeSuite() async throws {
        try folder.write(["size": 80, "name": "x", "gone": true, "list": [1, 2.5]], to: "app.plist")
        let program = try editorProgram(#"sed -i -e '/"gone"/d' -e 's/"x"/"y"/' "$1""#)
        let tmux = try editor(environment: ["VISUAL": program, "TMPDIR": folder.path])
        try await tmux.waitFor("size")
        try tmux.send("E")
        try await tmux.waitFor("Changed: 2 keys, 1 of them deleted; u takes it back.")
        let path = folder.file("app.plist")
        try await tmux.waitUntil("both are in the file") { _ in
            try plistlibValue(path, "name") == "'y'" && plistlibValue(path, "gone") == "None"
        }
        #expect(try plistlibValue(path, "list") == "[1, 2.5]")
        try tmux.send("u")
        try await tmux.waitUntil("all is as it was") { _ in
            try plistlibValue(path, "name") == "'x'" && plistlibValue(path, "gone") == "True"
        }
    }

    @Test(
        "A value that another program sets while the user's editor runs is not overwritten, and nothing is lost"
    )
    func outsideConflict() async throws {
        try folder.write(["text": "Pitt"], to: "app.plist")
        let program = try editorProgram("echo WAITING; read answer; echo mine > \"$1\"")
        let tmux = try editor(environment: ["VISUAL": program, "TMPDIR": folder.path])
        try await tmux.waitFor("text")
        try tmux.send("Enter", "E")
        try await tmux.waitFor("WAITING")
        try folder.write(["text": "theirs"], to: "app.plist")
        try tmux.send("Enter")
        try await tmux.waitFor("The file holds “theirs” now: overwrite with “mine”?")
        try await tmux.waitFor("In the file now")
        try tmux.send("y")
        let path = folder.file("app.plist")
        try await tmux.waitUntil("one's own is in the file") { _ in
            try plistlibValue(path, "text") == "'mine'"
        }
    }

    @Test(
        "What the user's editor leaves is kept and named where it can't be taken",
        arguments: ["printf 'a\\377b' > \"$1\"", "printf 'a\\377b' > \"$1\"; exit 3"]
    )
    func keptText(script: String) async throws {
        try folder.write(["text": "one"], to: "app.plist")
        let temporary = try TemporaryFolder()
        let tmux = try editor(environment: ["VISUAL": try editorProgram(script), "TMPDIR": temporary.path])
        try await tmux.waitFor("text")
        try tmux.send("Enter", "E")
        try await tmux.waitFor("What it left is kept in")
        let kept = try #require(try temporary.names.first)
        #expect(try temporary.bytes(of: "\(kept)/value.txt") == Data([0x61, 0xFF, 0x62]))
        #expect(try plistlibValue(folder.file("app.plist"), "text") == "'one'")
    }

    @Test("A value is copied into the terminal's clipboard, and a pasted property list gets a name")
    func copyAndPaste() async throws {
        try folder.write(["greeting": "Grüß dich 世界"], to: "app.plist")
        let tmux = try editor()
        try await tmux.waitFor("greeting")
        try tmux.send("Enter", "c")
        try await tmux.waitFor("Copy of “greeting”")
        try tmux.send("1")
        try await tmux.waitFor("Copied the value")
        try await tmux.waitUntil("the value is in the clipboard") { tmux in
            (try? tmux.clipboard()) == "Grüß dich 世界"
        }
        try tmux.paste(#"{"deep": [1, {"q": "d y"}]}"#)
        try await tmux.waitFor("A name for")
        try tmux.type("pasted")
        try tmux.send("Enter")
        let path = folder.file("app.plist")
        try await tmux.waitUntil("the pasted value is in the file") { _ in
            try plistlibValue(path, "pasted") == "{'deep': [1, {'q': 'd y'}]}"
        }
        #expect(try plistlibValue(path, "greeting") == "'Grüß dich 世界'")
    }

    @Test("A key is renamed, moves to another suite, and comes back with u; the history has it all")
    func renameMoveUndo() async throws {
        try folder.write(["old": 5], to: "app.plist")
        try folder.write(["other": 1], to: "second.plist")
        let (first, second) = (folder.file("app.plist"), folder.file("second.plist"))
        let tmux = try editor()
        try await tmux.waitFor("old")
        try tmux.send("Enter", "r", "C-u")
        try tmux.type("new")
        try tmux.send("Enter")
        try await tmux.waitUntil("the key has its new name") { _ in
            try plistlibValue(first, "new") == "5" && plistlibValue(first, "old") == "None"
        }
        try tmux.send("M")
        try await tmux.waitFor("Move “new” to")
        try tmux.send("1")
        try await tmux.waitUntil("the key is in the other suite alone") { _ in
            try plistlibValue(second, "new") == "5" && plistlibValue(first, "new") == "None"
        }
        try tmux.send("u", "u")
        try await tmux.waitUntil("all is as it was") { _ in
            try plistlibValue(first, "old") == "5" && plistlibValue(second, "new") == "None"
        }
        try tmux.send("H")
        try await tmux.waitFor("What has changed since the editor was opened")
        try await tmux.waitFor("app › old")
    }

    @Test("What is declared goes along with a suite's new name, and comes back with u")
    func renamedSuite() async throws {
        try folder.write(["size": 5], to: "app.plist")
        let schema = #"{"properties": {"size": {"type": "integer", "title": "How large"}}}"#
        try folder.write(schema, to: "app.schema.json")
        let tmux = try editor()
        try await tmux.waitFor("size")
        try tmux.send("r", "C-u")
        try tmux.type("new")
        try tmux.send("Enter")
        let names = folder
        try await tmux.waitUntil("both files have the new name") { _ in
            try names.names == ["new.plist", "new.schema.json"]
        }
        #expect(try folder.bytes(of: "new.schema.json") == Data(schema.utf8))
        try tmux.send("u")
        try await tmux.waitUntil("both have the old one") { _ in
            try names.names == ["app.plist", "app.schema.json"]
        }
        #expect(try folder.bytes(of: "app.schema.json") == Data(schema.utf8))
    }

    @Test("Where no file may grow, what can't be written is said, and the editor goes on")
    func fileLimit() async throws {
        try folder.write(["on": true, "text": "x"], to: "app.plist")
        let before = try folder.bytes(of: "app.plist")
        let program = try editorProgram("echo HERE IT IS; read answer")
        let pdefaults = try builtProgram(named: "pdefaults")
        let command = "ulimit -f 0; exec '\(pdefaults)' --directory '\(folder.path)'"
        let tmux = try Tmux(
            ["/bin/bash", "-c", command],
            columns: 100,
            rows: 20,
            environment: ["VISUAL": program, "TMPDIR": folder.path]
        )
        try await tmux.waitFor("text")
        try tmux.send("Enter", "Space")
        try await tmux.waitFor("File too large")
        #expect(try folder.bytes(of: "app.plist") == before)
        // For the user's editor a file is written first.
        try tmux.send("j", "E")
        try await tmux.waitFor("value.txt could not be")
        try tmux.send("q")
        try await tmux.waitUntil("the program has ended") { try $0.ending() == .exit(0) }
        #expect(try folder.names.sorted() == ["app.plist", "editor"])
    }

    @Test("A date whose fraction an XML file can't hold is told, and written once")
    func fractions() async throws {
        try folder.write(["date": .date(Date(timeIntervalSinceReferenceDate: 0))], to: "app.plist")
        let arrivals = try Arrivals(in: folder.path)
        let tmux = try editor(environment: ["TZ": "UTC"])
        try await tmux.waitFor("date")
        try tmux.send("Enter", "Enter", "C-u")
        try tmux.type("2024-05-01 10:20:30.25Z")
        try tmux.send("Enter")
        try await tmux.waitFor("XML holds whole seconds; the file has “date” without the fraction.")
        #expect(try tmux.screen().allSatisfy { !$0.contains("20:30.25") })
        #expect(arrivals.count(of: "app.plist") == 1)
        // It goes on from what the file has.
        try tmux.send("u", "C-r")
        try await tmux.waitFor("Done again: “date”")
        // What differs by the fraction alone is not written, nor taken back.
        try tmux.send("Enter", "C-u")
        try tmux.type("2024-05-01 10:20:30.75Z")
        try tmux.send("Enter")
        try await tmux.waitFor("Nothing is written: XML holds whole seconds")
        #expect(arrivals.count(of: "app.plist") == 3)
        try tmux.send("u")
        try await tmux.waitFor("Undone: “date” is 2001-01-01")
        // What is typed at once goes on from what it has, too.
        try tmux.send("Enter", "C-u")
        try tmux.type("2024-05-01 10:20:31.25Z\r\r\u{15}2024-05-01 10:20:32Z\r")
        try await tmux.waitUntil("the last date in the file") { _ in
            try folder.bytes(of: "app.plist").contains(Data("2024-05-01T10:20:32Z".utf8))
        }
    }

    @Test("A binary file keeps the fraction of a date, also when it was deleted and is brought back")
    func fractionsInBinary() async throws {
        let date = PropertyListValue.date(Date(timeIntervalSinceReferenceDate: 0.25))
        let bytes = try PropertyListValue.dictionary(["date": date]).encoded(as: .binary)
        try Data(bytes).write(to: URL(fileURLWithPath: folder.file("app.plist")))
        let tmux = try editor(environment: ["TZ": "UTC"])
        try await tmux.waitFor("00:00:00.25")
        try tmux.send("d")
        try await tmux.waitFor("Delete the suite")
        try tmux.send("y")
        let folder = folder
        try await tmux.waitUntil("no file") { _ in try folder.names == [] }
        try tmux.send("u")
        try await tmux.waitUntil("the file is back") { _ in try folder.names == ["app.plist"] }
        let written = try PropertyListDocument.read([UInt8](folder.bytes(of: "app.plist")))
        #expect(written.values["date"] == date)
    }

    @Test("Changes wait until they are written together")
    func staging() async throws {
        try folder.write(["on": true, "size": 1], to: "app.plist")
        let before = try folder.bytes(of: "app.plist")
        let path = folder.file("app.plist")
        let tmux = try editor()
        try await tmux.waitFor("size")
        try tmux.send("Enter", "S", "Space", "j", "Enter")
        try tmux.type("2")
        try tmux.send("Enter")
        try await tmux.waitFor("2 not written")
        #expect(try folder.bytes(of: "app.plist") == before)
        try tmux.send("W", "w")
        try await tmux.waitUntil("both are in the file") { _ in
            try plistlibValue(path, "on") == "False" && plistlibValue(path, "size") == "12"
        }
    }

    @Test("Declared settings are listed with their defaults, and cases are a list to choose from")
    func declared() async throws {
        try folder.write(["other": 1], to: "app.plist")
        let schema = """
            {"$schema": "https://json-schema.org/draft/2020-12/schema", "type": "object", "properties": {
            "theme": {"type": "string", "enum": ["light", "dark"], "default": "dark", "title": "Look"}}}
            """
        try Data(schema.utf8).write(to: URL(fileURLWithPath: folder.file("app.schema.json")))
        let tmux = try editor()
        try await tmux.waitFor("theme")
        try tmux.send("Enter", "G")
        try await tmux.waitFor("dark (default)")
        try tmux.send("Enter")
        try await tmux.waitFor("2 “dark”")
        try tmux.send("1")
        let path = folder.file("app.plist")
        try await tmux.waitUntil("the choice is in the file") { _ in
            try plistlibValue(path, "theme") == "'light'"
        }
        try tmux.send("=")
        try await tmux.waitUntil("nothing is stored any more") { _ in
            try plistlibValue(path, "theme") == "None"
        }
        try await tmux.waitFor("dark (default)")
    }
}
