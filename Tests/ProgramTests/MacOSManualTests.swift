import Foundation
import ProgramHarness
import PropertyList
import Testing

/// A line of macOS's defaults(1): the commands, their output, and the values stored afterwards.
struct ManualCase: Sendable, CustomTestStringConvertible {
    let line: String
    let commands: [[String]]
    /// The output of the last command.
    var output = ""
    /// The values of the domain afterwards, or nil if it has no file.
    var stored: [String: PropertyListValue]?

    init(
        _ line: String,
        _ commands: [String]...,
        output: String = "",
        stored: [String: PropertyListValue]? = Self.start
    ) {
        (self.line, self.commands, self.output, self.stored) = (line, commands, output, stored)
    }

    var testDescription: String { line }

    /// The values of `com.companyname.appname` before the first command.
    static let start: [String: PropertyListValue] = ["Default Font": "Helvetica", "size": 12]

    static func start(and more: [String: PropertyListValue]) -> [String: PropertyListValue] {
        start.merging(more) { $1 }
    }
}

// ValueWordsTests and EditPlanTests have the types of values.
@Suite("Every line of macOS's manual page")
struct MacOSManualTests {
    private static let app = "com.companyname.appname"
    private static let commands = [
        ManualCase(
            "read",
            ["read"],
            output: """
                {
                    NSGlobalDomain =     {
                        Language = en;
                    };
                    "com.companyname.appname" =     {
                        "Default Font" = Helvetica;
                        size = 12;
                    };
                }

                """
        ),
        ManualCase(
            "read domain",
            ["read", app],
            output: "{\n    \"Default Font\" = Helvetica;\n    size = 12;\n}\n"
        ),
        ManualCase("read domain key", ["read", app, "Default Font"], output: "Helvetica\n"),
        ManualCase("read-type domain key", ["read-type", app, "size"], output: "Type is integer\n"),
        ManualCase(
            "write domain key 'value'",
            ["write", app, "Default Color", "(255, 0, 0)"],
            stored: ManualCase.start(and: ["Default Color": ["255", "0", "0"]])
        ),
        ManualCase(
            "write domain 'plist'",
            ["write", app, #"{ "Default Color" = (255, 0, 0); "Default Font" = Times; }"#],
            stored: ["Default Color": ["255", "0", "0"], "Default Font": "Times"]
        ),
        ManualCase(
            "rename domain old_key new_key",
            ["rename", app, "size", "Default Size"],
            stored: ["Default Font": "Helvetica", "Default Size": 12]
        ),
        ManualCase("delete domain", ["delete", app], stored: nil),
        ManualCase("delete domain key", ["delete", app, "Default Font"], stored: ["size": 12]),
        ManualCase("domains", ["domains"], output: "NSGlobalDomain\n\(app)\n"),
        ManualCase(
            "find word: names of domains",
            ["find", "COMPANY"],
            output:
                "Found 2 keys in domain '\(app)': {\n    \"Default Font\" = Helvetica;\n    size = 12;\n}\n"
        ),
        ManualCase(
            "find word: keys",
            ["find", "font"],
            output: "Found 1 keys in domain '\(app)': {\n    \"Default Font\" = Helvetica;\n}\n"
        ),
        ManualCase(
            "find word: values",
            ["find", "helv"],
            output: "Found 1 keys in domain '\(app)': {\n    \"Default Font\" = Helvetica;\n}\n"
        ),
    ]

    private static let domains = [
        ManualCase("-g", ["read", "-g", "Language"], output: "en\n"),
        ManualCase("-globalDomain", ["read", "-globalDomain", "Language"], output: "en\n"),
        ManualCase("NSGlobalDomain", ["read", "NSGlobalDomain", "Language"], output: "en\n"),
        ManualCase("filepath", ["read", "~/\(app)", "size"], output: "12\n"),
        ManualCase("filepath with its extension", ["read", "~/\(app).plist", "size"], output: "12\n"),
        ManualCase(
            "write ~/Desktop/TestFile foo bar",
            ["write", "~/Desktop/TestFile", "foo", "bar"],
            ["write", "~/Desktop/TestFile", "fox", "den"],
            ["read", "~/Desktop/TestFile.plist"],
            output: "{\n    foo = bar;\n    fox = den;\n}\n"
        ),
    ]

    @Test("Each line does what the manual says", arguments: commands + domains)
    func line(_ manual: ManualCase) throws {
        let folder = try TemporaryFolder()
        try folder.write(ManualCase.start, to: Self.app + ".plist")
        try folder.write(["Language": "en"], to: ".GlobalPreferences.plist")
        var output = ""
        for command in manual.commands {
            let result = try pdefaults(folder, command)
            #expect(result.errors == "")
            #expect(result.ending == .exit(0))
            output = result.output
        }
        #expect(output == manual.output)
        let file = (try? folder.bytes(of: Self.app + ".plist")).map { [UInt8]($0) }
        let values = try file.map { try PropertyListDocument.read($0).values }
        #expect(
            values.map { [String: PropertyListValue]($0) } == manual.stored
        )
    }

    @Test(
        "Each type has its name",
        arguments: [
            ("string", ["x"]), ("data", ["-data", "00"]), ("integer", ["-int", "1"]),
            ("float", ["-float", "1"]),
            ("boolean", ["-bool", "yes"]), ("date", ["-date", "2024-05-01"]), ("array", ["-array"]),
            ("dictionary", ["-dict"]),
        ]
    )
    func types(_ name: String, _ words: [String]) throws {
        let folder = try TemporaryFolder()
        #expect(try pdefaults(folder, ["write", "app", "key"] + words).ending == .exit(0))
        #expect(try pdefaults(folder, ["read-type", "app", "key"]).output == "Type is \(name)\n")
    }

    @Test(
        "A whole suite can be imported and exported through files and streams",
        arguments: [["-"], ["file"]]
    )
    func importAndExport(_ place: [String]) throws {
        let folder = try TemporaryFolder()
        try folder.write(ManualCase.start, to: "app.plist")
        try folder.write(["size": 1, "more": true], to: "other.plist")
        let file = place[0] == "-" ? "-" : folder.file("exported")
        let exported = try pdefaults(folder, ["export", "app", file])
        #expect(exported.ending == .exit(0))
        if file != "-" { #expect(try folder.bytes(of: "exported").starts(with: Data("bplist00".utf8))) }
        #expect(try pdefaults(folder, ["import", "other", file], input: exported.output).errors == "")
        let stored = try PropertyListDocument.read([UInt8](folder.bytes(of: "other.plist"))).values
        #expect(stored == ManualCase.start(and: ["more": true]))
    }

    @Test(
        "Errors have macOS's wording and status 1",
        arguments: [
            (["read", "none"], "Domain none does not exist"),
            (["read", "app", "none"], "The domain/default pair of (app, none) does not exist"),
            (["read-type", "app", "none"], "The domain/default pair of (app, none) does not exist"),
            (
                ["rename", "app", "none", "x"],
                "Key none does not exist in domain app; leaving defaults unchanged"
            ),
            (["delete", "none"], "Domain (none) not found.\nDefaults have not been changed."),
            (["delete", "app", "none"], "(app, none)"),
            (["delete", "none", "key"], "Domain (none) not found."),
            (["export", "none", "-"], "Domain none does not exist"),
            (["import", "app", "/nonexistent"], "Could not read data from /nonexistent"),
            (["import", "app", "-"], "Could not parse property list from -"),
            (
                ["write", "app", "size", "-array-add", "1"],
                "Value for key size is not an array; cannot append."
            ),
            (
                ["write", "app", "size", "-dict-add", "1", "2"],
                "Value for key size is not a dictionary; cannot append."
            ),
        ]
    )
    func failures(_ words: [String], _ sentence: String) throws {
        let folder = try TemporaryFolder()
        try folder.write(ManualCase.start, to: "app.plist")
        let before = try folder.bytes(of: "app.plist")
        let result = try pdefaults(folder, words)
        #expect(result.ending == .exit(1))
        #expect(result.output == "")
        #expect(result.errors.contains(sentence))
        #expect(try folder.bytes(of: "app.plist") == before)
        #expect(try folder.names == ["app.plist"])
    }
}
