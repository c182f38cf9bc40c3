import Foundation
import ProgramHarness
import Testing

@Suite("JSON files in the commands and in the editor")
struct JSONFileProgramTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private var environment: [String: String] { ["XDG_CONFIG_HOME": folder.path, "HOME": folder.path] }

    private func pdefaults(_ arguments: String...) throws -> ProgramResult { try pdefaults(arguments) }

    private func pdefaults(_ arguments: [String]) throws -> ProgramResult {
        try run(builtProgram(named: "pdefaults"), arguments, environment: environment)
    }

    private func write(_ text: String) throws { try folder.write(text, to: "s.json") }

    private var text: String {
        get throws { String(decoding: try folder.bytes(of: "s.json"), as: UTF8.self) }
    }

    @Test("The commands read and change a JSON file, and keep its comments")
    func commands() throws {
        try write("{\n  // size\n  \"size\": 14, // points\n  \"window\": {\"x\": 1},\n  \"old\": null\n}\n")
        let path = folder.file("s.json")
        #expect(try pdefaults("read", path, "size").output == "14\n")
        #expect(try pdefaults("read-type", path, "old").output == "Type is null\n")
        #expect(try pdefaults("write", path, "size", "-int", "15", "--if-equals", "14").ending == .exit(0))
        #expect(try pdefaults("write", path, "size", "-int", "16", "--if-equals", "14").ending == .exit(3))
        #expect(try pdefaults("write", path, "window", "--at", "/y", "-int", "5").ending == .exit(0))
        #expect(try pdefaults("write", path, "list", "-json", "[1, null]").errors == "")
        #expect(try pdefaults("write", path, "list", "-json", "[1.00, null]").errors == "")
        #expect(
            try pdefaults("write", path, "list", #"[1,2]"#, "--if-equals", "-json", "[1, null]").errors == ""
        )
        #expect(try pdefaults("write", path, "list", "-json", "[1, null]").errors == "")
        #expect(try pdefaults("delete", path, "old").ending == .exit(0))
        #expect(
            try text
                == "{\n  // size\n  \"size\": 15, // points\n  \"window\": {\"x\": 1, \"y\": 5},\n  \"list\": [\n    1,\n    null\n  ]\n}\n"
        )
        #expect(try pdefaults("check", path).ending == .exit(0))
    }

    @Test(
        "The schema that a JSON file names is used by check and write; an old problem blocks no other change"
    )
    func schema() throws {
        try folder.write(
            #"{"properties": {"e": {"properties": {"size": {"minimum": 6, "type": "integer"}, "tab": {"minimum": 1, "type": "integer"}, "old": {"deprecated": true}}}}}"#,
            to: "x.schema.json"
        )
        try write(#"{"$schema": "./x.schema.json", "e": {"size": 4, "old": 1}}"#)
        let path = folder.file("s.json")
        let name = "e"
        #expect(
            try pdefaults("check", path).output
                == "\(path): “e” can't have this value: at /size: 4 is below 6, the smallest that is allowed\n"
                + "\(path): note: /e/old is deprecated\n"
        )
        try write(#"{"$schema": "./x.schema.json", "e": {"size": 4, "tab": 0, "old": 1}}"#)
        #expect(try pdefaults("check", path).output.split(separator: "\n").count == 3, "each wrong member")
        try write(#"{"$schema": "./x.schema.json", "e": {"size": 4, "old": 1}}"#)
        try folder.write(#"{"$schema": "./gone.json"}"#, to: "t.json")
        #expect(
            try pdefaults("check", folder.file("t.json")).output.contains(
                "gone.json, which $schema names, does not exist"
            )
        )
        #expect(try pdefaults("write", path, name, "--at", "/tab", "-int", "2").ending == .exit(0))
        #expect(
            try pdefaults("write", path, name, "--at", "/size", "-int", "5").errors.contains("5 is below 6")
        )
        #expect(try pdefaults("rename", path, name, "--at", "/old", "new").ending == .exit(0))
        #expect(
            try text == #"{"$schema": "./x.schema.json", "e": {"size": 4, "new": 1, "tab": 2}}"#
        )
    }

    @Test("An error names the place, and a file that is no suite is not to be moved aside")
    func errors() throws {
        try write("{\"a\": 1,, }")
        let malformed = try pdefaults("read", folder.file("s.json"))
        #expect(malformed.ending == .exit(1))
        #expect(
            malformed.errors.contains("line 1, column 9: found “,” where a name in double quotes is expected")
        )
        try write("")
        #expect(
            try pdefaults("read", folder.file("s.json")).errors.contains(
                "the end of the text where a value is"
            )
        )
        try write("[1]")
        let array = try pdefaults("read", folder.file("s.json"))
        #expect(array.errors.contains("found an array where an object with the settings is expected"))
        #expect(!array.errors.contains("recover"))
        let refused = try pdefaults("recover", folder.file("s.json"))
        #expect(refused.ending == .exit(1))
        #expect(refused.errors.contains("expected. The file is not damaged, so it stays in its place"))
        #expect(try text == "[1]")
    }

    @Test(
        "A word without a type is a text, and the command says so if it looks like something else",
        arguments: [
            (["15"], "“15”"), (["-array", "a", "2", "3"], "“2”"), (["-dict", "1", "true"], "“true”"),
            (["null"], "“null”"),
            (["-array-add", "-1e3"], "“-1e3”"), (["x"], nil), (["-string", "15"], nil),
            (["-json", "15"], nil),
            (["-array", "-int", "1", "-json", "2"], nil), (["[1, 2]"], nil),
        ] as [([String], String?)]
    )
    func texts(words: [String], text: String?) throws {
        try write("{}")
        let result = try pdefaults(["write", folder.file("s.json"), "key"] + words)
        #expect(result.ending == .exit(0))
        if let text {
            #expect(
                result.errors.hasPrefix(
                    "\(text) was stored as a text. To store it without quotation marks, write -json "
                )
            )
        } else {
            #expect(result.errors == "")
        }
        // The program of a declared setting wants a text.
        try folder.write(
            #"{"properties": {"key": {"type": ["string", "array", "object"]}}}"#,
            to: "s.schema.json"
        )
        #expect(try pdefaults(["write", folder.file("s.json"), "key"] + words).errors == "")
    }

    @Test(
        "A file is exported as JSON if its name is one of a JSON file",
        arguments: ["new.json", "new.JSON", "new.jsonc"]
    )
    func exported(name: String) throws {
        try write("{\"b\": null, \"a\": [1]}")
        #expect(try pdefaults("export", folder.file("s.json"), folder.file(name)).errors == "")
        let json = try String(contentsOfFile: folder.file(name), encoding: .utf8)
        #expect(json.hasPrefix("{") && json.contains("\"b\": null"), "\(json)")
    }

    @Test("A property list refuses null, and the error does not send the user to a binary file")
    func null() throws {
        try write("{\"a\": null}")
        let result = try pdefaults("import", "app", folder.file("s.json"))
        #expect(result.ending == .exit(1))
        #expect(result.errors.hasSuffix("/a: a property list can't store null.\n"))
    }

    @Test("check says which names occur twice, and which file is not read")
    func notes() throws {
        try write("{\"a\": 1,\n\"a\": 2}")
        #expect(
            try pdefaults("check", "s").output.contains(
                "/a occurs in line 1 and again in line 2, and only the last one counts"
            )
        )
        try folder.write("<plist><dict><key>b</key><integer>1</integer></dict></plist>", to: "s.plist")
        #expect(try pdefaults("read", "s", "b").output == "1\n")
        #expect(
            try pdefaults("check", "s").output.contains(
                "s.json is not read, because a property list has the same name"
            )
        )
    }

    @Test("A file that does not exist is opened in the editor, and created with its first key")
    func newFile() async throws {
        let tmux = try Tmux(
            [builtProgram(named: "pdefaults"), folder.file("fresh.json")],
            environment: environment
        )
        try await tmux.waitFor("fresh.json")
        try tmux.send("a")
        try await tmux.waitFor("A key for")
        try tmux.type("size")
        try tmux.send("Enter")
        try await tmux.waitFor("a letter, then Enter")
        try tmux.type("n")
        try tmux.send("Enter")
        try await tmux.waitUntil("the type is chosen") {
            try !$0.screen().joined().contains("a letter, then Enter")
        }
        try tmux.type("12")
        try tmux.send("Enter")
        try await tmux.waitUntil("the file is there") { _ in
            (try? folder.bytes(of: "fresh.json")) == Data("{\n  \"size\": 12\n}\n".utf8)
        }
    }

    @Test("A file in JSON with comments or a byte order mark is imported into another one")
    func importing() throws {
        try write("\u{FEFF}// all\n{\"a\": 1, // one\n \"b\": 1e400}\n")
        #expect(try pdefaults("import", folder.file("t.json"), folder.file("s.json")).errors == "")
        let text = String(decoding: try folder.bytes(of: "t.json"), as: UTF8.self)
        #expect(text == "{\n  \"a\": 1,\n  \"b\": 1e400\n}\n")
    }

    @Test("The editor shows null and the comments of a value, and a change keeps them")
    func editor() async throws {
        try write("{\n  // The look\n  \"theme\": \"dark\", // or light\n  \"telemetry\": null\n}\n")
        let tmux = try Tmux(
            [builtProgram(named: "pdefaults"), folder.file("s.json")],
            columns: 120,
            rows: 30,
            environment: environment
        )
        try await tmux.waitFor("telemetry")
        try tmux.send("j")
        try await tmux.waitFor("The look")
        try await tmux.waitFor("or light")
        try tmux.send("Enter", "C-u")
        try tmux.type("light")
        try tmux.send("Enter")
        try await tmux.waitUntil("the value is stored") { _ in
            try text == "{\n  // The look\n  \"theme\": \"light\", // or light\n  \"telemetry\": null\n}\n"
        }
    }
}
