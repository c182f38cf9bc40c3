import Foundation
import ProgramHarness
import PropertyList
import Testing

@Suite("Editing in a terminal")
struct EditingTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func editor(columns: Int = 140, environment: [String: String] = [:]) throws -> Tmux {
        try Tmux(
            [builtProgram(named: "pdefaults"), "--directory", folder.path],
            columns: columns,
            rows: 20,
            environment: environment
        )
    }

    /// Creates an editor program from a shell script. `$1` is the file to edit.
    private func editorProgram(_ script: String) throws -> String {
        let path = folder.file("editor")
        try Data("#!/bin/sh\n\(script)\n".utf8).write(to: URL(fileURLWithPath: path))
        try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: path)
        return path
    }

    @Test(
        "The user's editor gets the terminal and the text, and reopens with the reason if the text is invalid"
    )
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
        try await tmux.waitFor("{width: 132}")
        #expect(try folder.names.sorted() == ["app.plist", "editor"])
        try tmux.send("q")
        try await tmux.waitUntil("the program has ended") { try $0.ending() == .exit(0) }
    }

    @Test(
        "An editor that changes nothing or fails writes nothing",
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

    @Test("Ctrl-C in the user's editor is handled there, and its result is written")
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

    @Test("d in the list of suites deletes the file, and u restores its exact bytes")
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

    @Test("E in the list of suites edits the whole suite, and only differences are written")
    func wholeSuite() async throws {
        try folder.write(["size": 80, "name": "x", "gone": true, "list": [1, 2.5]], to: "app.plist")
        let program = try editorProgram(#"sed -i -e '/"gone"/d' -e 's/"x"/"y"/' "$1""#)
        let tmux = try editor(environment: ["VISUAL": program, "TMPDIR": folder.path])
        try await tmux.waitFor("size")
        try tmux.send("E")
        try await tmux.waitFor("Changed: 2 keys, 1 of them deleted. Press u to undo.")
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
        "A foreign change while the user's editor runs is not overwritten, and nothing is lost"
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
        try await tmux.waitFor("Another program stored “theirs”. Overwrite it with “mine”?")
        try await tmux.waitFor("In the file now")
        try tmux.send("y")
        let path = folder.file("app.plist")
        try await tmux.waitUntil("one's own is in the file") { _ in
            try plistlibValue(path, "text") == "'mine'"
        }
    }

    @Test(
        "A result that cannot be used is kept in a file, and the message names the file",
        arguments: ["printf 'a\\377b' > \"$1\"", "printf 'a\\377b' > \"$1\"; exit 3"]
    )
    func keptText(script: String) async throws {
        try folder.write(["text": "one"], to: "app.plist")
        let temporary = try TemporaryFolder()
        // The message contains the folder, which may have a long path.
        let tmux = try editor(
            columns: 400,
            environment: ["VISUAL": try editorProgram(script), "TMPDIR": temporary.path]
        )
        try await tmux.waitFor("text")
        try tmux.send("Enter", "E")
        try await tmux.waitFor("What it left is kept in")
        let kept = try #require(try temporary.names.first)
        #expect(try temporary.bytes(of: "\(kept)/value.txt") == Data([0x61, 0xFF, 0x62]))
        #expect(try plistlibValue(folder.file("app.plist"), "text") == "'one'")
    }

    @Test("Declarations move with a renamed suite, and u moves them back")
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

    @Test("If the file may not grow, the editor reports the failed write and goes on")
    func fileLimit() async throws {
        try folder.write(["on": true, "text": "x"], to: "app.plist")
        let before = try folder.bytes(of: "app.plist")
        let program = try editorProgram("echo HERE IT IS; read answer")
        let pdefaults = try builtProgram(named: "pdefaults")
        let command = "ulimit -f 0; exec '\(pdefaults)' --directory '\(folder.path)'"
        let tmux = try Tmux(
            ["/bin/bash", "-c", command],
            columns: 140,
            rows: 20,
            environment: ["VISUAL": program, "TMPDIR": folder.path]
        )
        try await tmux.waitFor("text")
        try tmux.send("Enter", "Space")
        try await tmux.waitFor("File too large")
        #expect(try folder.bytes(of: "app.plist") == before)
        // A file for the user's editor is limited too.
        try tmux.send("j", "E")
        try await tmux.waitFor("value.txt could not be")
        try tmux.send("q")
        try await tmux.waitUntil("the program has ended") { try $0.ending() == .exit(0) }
        #expect(try folder.names.sorted() == ["app.plist", "editor"])
    }
}
