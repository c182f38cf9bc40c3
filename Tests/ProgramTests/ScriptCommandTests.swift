import Foundation
import ProgramHarness
import PropertyList
import Testing

@Suite("Commands that macOS does not have")
struct ScriptCommandTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private static let everyKind: [String: PropertyListValue] = [
        "boolean": true, "one": 1, "real": 1.0, "largest": .integer(PropertyListInteger(UInt64.max)),
        "infinite": .real(-.infinity), "text": "é \"☃\"\n\u{7}", "data": .data(Data(0...255)), "uid": .uid(3),
        "date": .date(Date(timeIntervalSinceReferenceDate: 736_251_630.25)), "": ["list": [[], [:], 1, 1.0]],
        "json": .data(Data(#"{"a": [1, {"b": "x"}]}"#.utf8)), "like a date": ["$date": "x"],
    ]

    @Test("The output of --json can be imported without a change")
    func typedJSON() throws {
        try folder.write(Self.everyKind, to: "app.plist", as: .binary)
        let printed = try pdefaults(folder, "read", "app", "--json")
        #expect(printed.output == (try pdefaults(folder, "export", "--json", "app", "-")).output)
        try folder.write([:], to: "copy.plist", as: .binary)
        #expect(try pdefaults(folder, ["import", "copy", "-"], input: printed.output).errors == "")
        #expect(
            try PropertyListDocument.read([UInt8](folder.bytes(of: "copy.plist"))).values == Self.everyKind
        )
        let same = try pdefaults(folder, "diff", "app", "copy")
        #expect(same.ending == .exit(0))
        #expect(same.output == "")
    }

    @Test("A new suite is binary if XML would lose something, and XML otherwise")
    func newDomain() throws {
        try folder.write(Self.everyKind, to: "app.plist", as: .binary)
        let printed = try pdefaults(folder, "export", "app", "--json", "-")
        #expect(try pdefaults(folder, ["import", "copy", "-"], input: printed.output).errors == "")
        #expect(
            try PropertyListDocument.read([UInt8](folder.bytes(of: "copy.plist"))).values == Self.everyKind
        )
        for (name, words, isBinary) in [
            ("date", ["-date", "2024-05-01T10:20:30.25Z"], true), ("escape", ["-string", "\u{1B}[1m"], true),
            ("whole", ["-date", "2024-05-01T10:20:30Z"], false), ("text", ["-string", "é"], false),
            ("nan", ["-float", "nan"], false),
        ] {
            #expect(try pdefaults(folder, ["write", name, "key"] + words).errors == "")
            let bytes = try folder.bytes(of: name + ".plist")
            #expect(bytes.starts(with: Data("bplist".utf8)) == isBinary, "\(name)")
        }
        #expect(
            try pdefaults(folder, "read", "date", "key", "--json").output
                == "{\"$date\": \"2024-05-01T10:20:30.25Z\"}\n"
        )
        #expect(try pdefaults(folder, "export", "escape", "-").errors.contains("--json"))
        #expect(
            try pdefaults(folder, "write", "text", "key", "\u{1B}").errors.contains("pdefaults export text")
        )
        // An existing file keeps its format, and the loss is reported.
        let written = try pdefaults(folder, "write", "text", "when", "-date", "2024-05-01T10:20:30.25Z")
        #expect(written.ending == .exit(0))
        #expect(written.errors.contains("whole seconds. Rounded: “when”."), "\(written.errors)")
        #expect(try pdefaults(folder, "write", "text", "key", "-date", "2024-05-01T10:20:30Z").errors == "")
    }

    @Test("JSON output escapes everything that a terminal would act on, and remains the same JSON")
    func plainJSON() throws {
        let text = "a\u{9B}31m\u{202E}\u{2028}é👩‍💻"
        try folder.write(["key": .string(text)], to: "app.plist", as: .binary)
        let json = try pdefaults(folder, "read", "app", "key", "--json")
        #expect(json.output == "\"a\\u009b31m\\u202e\\u2028é👩‍💻\"\n")
        #expect(try PropertyListValue.read(typedJSON: Data(json.output.utf8)) == .string(text))
    }

    @Test(
        "A path inside a value is read, and JSON inside data is printed as JSON",
        arguments: [
            (["read", "app", "json", "--at", "/a/1/b"], "x\n"),
            (["read", "app", "json", "--at", "/a"], #"[1, {"b": "x"}]"# + "\n"),
            (["read", "app", "json", "--at", ""], #"{"a": [1, {"b": "x"}]}"# + "\n"),
            (["read", "--json", "app", "json", "--at", "/a/1/b"], "\"x\"\n"),
            (["read", "app", "", "--at", "/list/2"], "1\n"),
            (["read", "app", "date", "--json"], "{\"$date\": \"2024-05-01T10:20:30.25Z\"}\n"),
            (["read-type", "app", "json", "--at", "/a"], "Type is array\n"),
            (["read-type", "--json", "app", "real"], "\"float\"\n"),
            (["read-type", "app", "", "--at", "/list/3"], "Type is float\n"),
        ]
    )
    func places(_ words: [String], _ output: String) throws {
        try folder.write(Self.everyKind, to: "app.plist", as: .binary)
        let result = try pdefaults(folder, words)
        #expect(result.output == output)
        #expect(result.errors == "")
    }

    @Test("A condition that does not hold has its own exit status and writes nothing")
    func conditions() throws {
        try folder.write(["size": 12], to: "app.plist")
        #expect(
            try pdefaults(folder, "write", "app", "size", "-int", "13", "--if-equals", "12").ending
                == .exit(0)
        )
        let before = try folder.bytes(of: "app.plist")
        let late = try pdefaults(folder, "write", "app", "size", "-int", "14", "--if-equals", "12")
        #expect(late.ending == .exit(3))
        #expect(late.errors.contains("“size” is 13 now"))
        let lines = try pdefaults(folder, ["write", "app", "-"], input: "other 1\nsize 5 --if-absent\n")
        #expect(lines.ending == .exit(3))
        #expect(try folder.bytes(of: "app.plist") == before)
        let inside = ["write", "app", "window", "--at", "/x/y", "-int", "6", "--if-equals", "7"]
        #expect(try pdefaults(folder, "write", "app", "window", "{x = {y = <*I5>;};}").ending == .exit(0))
        #expect(try pdefaults(folder, inside).errors.contains("“window” at /x/y is 5 now"))
    }

    @Test("Lines of standard input are stored together or not at all")
    func lines() throws {
        try folder.write(["size": 12, "old": true], to: "app.plist")
        let lines = "size -int 13\n# comment\n'new key' -dict a -int 1\nold -delete\n"
        #expect(try pdefaults(folder, ["write", "app", "-"], input: lines).errors == "")
        let after = try folder.bytes(of: "app.plist")
        let stored: [String: PropertyListValue] = ["size": 13, "new key": ["a": 1]]
        #expect(try PropertyListDocument.read([UInt8](after)).values == stored)
        for (line, problem) in [
            ("size -int x", "Line 2"), ("k \u{1B}", "U+001B"), ("none -delete", "Line 2: The domain/default"),
            ("size 2 --if-absent", "Line 2: Nothing was written: “size” is 1 now"),
            ("k 'a", "Close the quotation mark ' in: k 'a"),
        ] {
            let refused = try pdefaults(folder, ["write", "app", "-"], input: "size 1\n\(line)\n")
            #expect(refused.ending != .exit(0))
            #expect(refused.errors.contains(problem))
            #expect(!refused.errors.contains("\u{1B}"))
            #expect(try folder.bytes(of: "app.plist") == after)
        }
    }

    @Test("Lines may have Windows line ends, a byte order mark, and any length")
    func otherLines() throws {
        let long = String(repeating: "ab", count: 500_000)
        let lines = "\u{FEFF}x -array a\r\ny b\r\n\r\nlong -string \(long)\r\n"
        #expect(try pdefaults(folder, ["write", "app", "-"], input: lines).errors == "")
        #expect(
            try PropertyListDocument.read([UInt8](folder.bytes(of: "app.plist"))).values
                == ["x": ["a"], "y": "b", "long": .string(long)]
        )
    }

    @Test("An error shortens a long argument")
    func longWord() throws {
        let result = try pdefaults(folder, "write", "app", "k", String(repeating: "(", count: 60_000))
        #expect(result.ending == .exit(64))
        #expect(result.errors.count < 1_000)
        #expect(
            try pdefaults(folder, ["import", "app", "-"], input: "[1]").errors.contains(
                "was not a dictionary"
            )
        )
    }

    @Test("Differences are printed for each key, with types if the values look alike")
    func differences() throws {
        try folder.write(["same": 1, "changed": "a", "type": 1, "gone": true], to: "a.plist")
        try folder.write(["same": 1, "changed": "b", "type": "1", "more": []], to: "b.plist", as: .binary)
        let result = try pdefaults(folder, "diff", "a", folder.file("b"))
        #expect(result.ending == .exit(1))
        #expect(
            result.output
                == "- changed = a\n+ changed = b\n- gone = 1\n+ more = ( )\n- type = 1\n+ type = \"1\"\n"
        )
        let json = try pdefaults(folder, "diff", "a", "b", "--json").output
        #expect(
            try PropertyListValue.read(typedJSON: Data(json.utf8))
                == [
                    "changed": ["old": "a", "new": "b"], "gone": ["old": true], "more": ["new": []],
                    "type": ["old": 1, "new": "1"],
                ]
        )
        #expect(try pdefaults(folder, "diff", "a", "none").ending == .exit(2))
    }

    @Test("An unreadable file is found by check, moved aside by recover, and written again")
    func checkAndRecover() throws {
        try folder.write(["size": 12], to: "app.plist")
        #expect(try pdefaults(folder, "check").ending == .exit(0))
        try folder.write(brokenFile, to: "broken.plist")
        let found = try pdefaults(folder, "check")
        #expect(found.ending == .exit(1))
        #expect(found.output.hasPrefix("broken: "))
        #expect(found.output.contains("line 5, column"))
        // The path appears only once.
        let path = folder.file("broken.plist")
        #expect(try pdefaults(folder, "check", path).output.components(separatedBy: path).count == 2)
        #expect(try pdefaults(folder, "check", "app").ending == .exit(0))
        let recovered = try pdefaults(folder, "recover", "broken")
        #expect(recovered.ending == .exit(0))
        let place = recovered.output.trimmingCharacters(in: .newlines)
        #expect(try String(contentsOfFile: place, encoding: .utf8) == brokenFile)
        #expect(try pdefaults(folder, "write", "broken", "size", "-int", "1").ending == .exit(0))
        #expect(try pdefaults(folder, "check").ending == .exit(0))
    }

    @Test("Declarations are printed, enforced by writes and verified by check")
    func schema() throws {
        try folder.write(["volume": 200, "other": 1], to: "app.plist")
        try folder.write(
            #"{"type": "object", "properties": {"volume": {"type": "integer", "minimum": 0, "maximum": 100}}}"#,
            to: "app.schema.json"
        )
        let schema = try pdefaults(folder, "schema", "app")
        #expect(schema.ending == .exit(0))
        #expect(schema.output.contains("\"maximum\": 100"))
        #expect(try pdefaults(folder, "schema", "none").ending == .exit(1))
        let found = try pdefaults(folder, "check")
        #expect(found.ending == .exit(1))
        #expect(found.output.contains("“volume” can't have this value"))
        let refused = try pdefaults(folder, ["write", "app", "-"], input: "other 2\nvolume -int 101\n")
        #expect(refused.ending == .exit(1))
        #expect(refused.errors.contains("“volume” can't have this value"))
        #expect(try pdefaults(folder, "read", "app", "other").output == "1\n")
        #expect(try pdefaults(folder, "write", "app", "volume", "-int", "100").ending == .exit(0))
        #expect(try pdefaults(folder, "check").output == "1 suite OK\n")
    }

    @Test(
        "check notes JSON without a default's member and keys in two Unicode forms"
    )
    func notes() throws {
        try folder.write(["player": .data(Data(#"{"name":"Bob"}"#.utf8))], to: "app.plist")
        try folder.write(
            #"""
            {"type": "object", "properties": {"player": {"type": "string", "contentEncoding": "base64",
            "contentMediaType": "application/json", "contentSchema": {"default": {"name": "Red", "score": 0}}}}}
            """#,
            to: "app.schema.json"
        )
        let doubt = "app: note: programs may not read “player”: “score” is missing, but its default has it\n"
        let found = try pdefaults(folder, "check")
        #expect(found.ending == .exit(0))
        #expect(found.output == doubt + "1 suite OK\n")
        #expect(try pdefaults(folder, "check", "--json").output.contains("\"note\": \"programs may not read"))
        try folder.write(
            "<plist><dict><key>\u{E9}</key><true/><key>e\u{301}</key><false/></dict></plist>",
            to: "twins.plist"
        )
        let twins = try pdefaults(folder, "check", "twins")
        #expect(twins.ending == .exit(0))
        let sentence =
            "“\u{E9}” exists in several Unicode forms, and only one is read; a change may drop the others. "
            + "To keep them, first rename them in \(folder.file("twins.plist"))"
        #expect(twins.output == "twins: note: \(sentence)\n1 suite OK\n")
        let exported = try pdefaults(folder, "export", "twins", "-")
        #expect(exported.ending == .exit(0))
        #expect(exported.errors == "twins: \(sentence).\n")
    }

    @Test("check notes an OpenStep file with two Unicode forms, because any change drops one")
    func formsInOpenStep() throws {
        try folder.write("{'\u{E9}' = 1; 'e\u{301}' = 2;}", to: "app.plist")
        let found = try pdefaults(folder, "check", "app")
        #expect(
            found.output.contains(
                "“\u{E9}” exists in several Unicode forms, and only one is read; a change may drop the others"
            )
        )
        #expect(try pdefaults(folder, "write", "app", "x", "-int", "1").errors == "")
        #expect(try pdefaults(folder, "check", "app").output == "1 suite OK\n")
    }

    @Test("check reports quarantined values until they are deleted")
    func kept() throws {
        try folder.write(["volume": 1], to: "app.plist")
        let place = folder.file(".pdefaults/app")
        try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: true)
        try folder.write(["volume": "much"], to: ".pdefaults/app/20240501T102030Z-000-volume.plist")
        let found = try pdefaults(folder, "check")
        #expect(found.ending == .exit(1))
        #expect(found.output.contains("a value that no program could read"))
        #expect(found.output.contains("20240501T102030Z-000-volume.plist"))
        try FileManager.default.removeItem(atPath: place)
        #expect(try pdefaults(folder, "check").ending == .exit(0))
    }

    @Test("Matches are printed although another file is unreadable, with status 1")
    func unreadableAmongOthers() throws {
        try folder.write(["size": 12], to: "app.plist")
        try folder.write(brokenFile, to: "broken.plist")
        for words in [["read"], ["find", "size"], ["read", "--json"], ["find", "--json", "size"]] {
            let result = try pdefaults(folder, words)
            #expect(result.ending == .exit(1))
            #expect(result.output.contains("12"))
            #expect(result.errors.contains("line 5, column"))
        }
    }

    @Test("A closed output ends a command without a message")
    func closedPipe() throws {
        let values = (0..<20_000).map { ("key\($0)", PropertyListValue.string("value \($0)")) }
        try folder.write(Dictionary(uniqueKeysWithValues: values), to: "app.plist")
        let program = try builtProgram(named: "pdefaults")
        for words in ["read app", "export app -", "read --json"] {
            let result = try run(
                "/bin/sh",
                ["-c", "'\(program)' --directory '\(folder.path)' \(words) | head -n 1"]
            )
            #expect(result.errors == "")
            #expect(result.output.count < 100)
        }
    }

    @Test("An export over a file keeps its mode and replaces it atomically")
    func exportOverFile() throws {
        try folder.write(["size": 12], to: "app.plist")
        try folder.write("old", to: "target")
        #expect(chmod(folder.file("target"), 0o640) == 0)
        #expect(symlink("target", folder.file("link")) == 0)
        #expect(try pdefaults(folder, "export", "app", folder.file("link"), "--json").ending == .exit(0))
        #expect(try folder.bytes(of: "target") == Data("{\n  \"size\": 12\n}\n".utf8))
        let mode = try FileManager.default.attributesOfItem(atPath: folder.file("target"))[.posixPermissions]
        #expect(mode as? Int == 0o640)
        #expect(try folder.names == ["app.plist", "link", "target"])
    }

    @Test("An export beyond the limit for file sizes is refused with a message")
    func exportBeyondLimit() throws {
        try folder.write(["text": .string(String(repeating: "x", count: 5_000))], to: "app.plist")
        try folder.write("old", to: "target")
        let program = try builtProgram(named: "pdefaults")
        let command = "ulimit -f 1; exec '\(program)' --directory '\(folder.path)' export app "
        for (place, complaint) in [
            ("'\(folder.file("target"))'", "Could not write \(folder.file("target")): File too large.\n"),
            ("- > '\(folder.file("other"))'", "File too large"),
        ] {
            let result = try run("/bin/bash", ["-c", command + place])
            #expect(result.ending == .exit(1))
            #expect(result.errors.contains(complaint), "\(result.errors)")
        }
        #expect(try folder.bytes(of: "target") == Data("old".utf8))
        #expect(try folder.names == ["app.plist", "other", "target"])
    }

    @Test("Deleting a suite removes its file, and deleting it again fails")
    func deletion() throws {
        try folder.write([:], to: "app.plist")
        #expect(try pdefaults(folder, "delete", "app").ending == .exit(0))
        #expect(try folder.names == [])
        #expect(try pdefaults(folder, "delete", "app").ending == .exit(1))
    }

    @Test("Help is printed for every command, and so is the version")
    func help() throws {
        #expect(try pdefaults(folder, "--version").output.hasPrefix("pdefaults "))
        #expect(try pdefaults(folder, "help").output == (try pdefaults(folder, "--help")).output)
        #expect(
            try pdefaults(folder, "help", "write").output == (try pdefaults(folder, "write", "--help")).output
        )
        #expect(try pdefaults(folder, "help", "--man").output.hasPrefix(".TH PDEFAULTS 1"))
        #expect(try pdefaults(folder, "help", "none").ending == .exit(64))
    }
}
