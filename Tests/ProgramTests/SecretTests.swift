import Foundation
import ProgramHarness
import PropertyList
import Testing

@Suite("Values that are declared secret")
struct SecretTests {
    private static let secret = "hunter2"
    private static let schema = #"""
        {"properties": {
            "token": {"type": "string", "maxLength": 20, "writeOnly": true, "x-oldKeys": ["key"]},
            "pin": {"type": "array", "items": {"type": "integer"}, "writeOnly": true}
        }}
        """#
    private static let values: [String: PropertyListValue] = [
        "token": .string(secret), "key": .string("older " + secret), "pin": [4711, 4712], "user": "Pitt",
    ]

    let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        try folder.write(Self.values, to: "app.plist")
        try folder.write(Self.schema, to: "app.schema.json")
        try folder.write(["token": "another", "user": "Pitt"], to: "other.plist")
    }

    @Test(
        "A secret is hidden in lists, matches and differences unless its key was named",
        arguments: [
            ["read"], ["read", "app"], ["find", "token"], ["find", "pin"], ["find", "app"],
            ["diff", "app", "other"], ["diff", "other", "app"],
        ]
    )
    func hidden(_ words: [String]) throws {
        for form in [[], ["--json"]] {
            let result = try pdefaults(folder, words + form)
            #expect(!result.output.contains("hunter2") && !result.output.contains("471"))
            #expect(result.output.contains(form.isEmpty ? "••••••" : #"{"$hidden": true}"#))
            #expect(result.errors == "")
            let shown = try pdefaults(folder, words + form + ["--show-secrets"])
            #expect(shown.output.contains("hunter2") || shown.output.contains("4711"))
            #expect(!shown.output.contains("•") && !shown.output.contains("$hidden"))
        }
    }

    @Test("A search does not match the content of a secret", arguments: ["hunt", "47"])
    func guessed(_ part: String) throws {
        let guess = try pdefaults(folder, ["find", part])
        #expect(!guess.output.contains("token") && !guess.output.contains("pin"))
        let asked = try pdefaults(folder, ["find", part, "--show-secrets"])
        #expect(asked.output.contains("token") || asked.output.contains("pin"))
    }

    @Test("A list shows dots for a secret and all other values unchanged")
    func listing() throws {
        #expect(
            try pdefaults(folder, "read", "app").output
                == "{\n    key = ••••••;\n    pin = ••••••;\n    token = ••••••;\n    user = Pitt;\n}\n"
        )
        #expect(
            try pdefaults(folder, "diff", "other", "app").output
                == "+ key = ••••••\n+ pin = ••••••\n- token = ••••••\n+ token = ••••••\n"
        )
    }

    @Test(
        "A secret is printed if its key is named, and it is exported",
        arguments: [
            ["read", "app", "token"], ["read", "app", "token", "--json"], ["export", "app", "-"],
            ["export", "--json", "app", "-"],
        ]
    )
    func named(_ words: [String]) throws { #expect(try pdefaults(folder, words).output.contains("hunter2")) }

    @Test("The dots of a hidden secret are never stored", arguments: [["read", "app"], ["read"]])
    func readBack(_ words: [String]) throws {
        for form in [[], ["--json"]] {
            let printed = try pdefaults(folder, words + form).output
            let before = try folder.bytes(of: "other.plist")
            let result = try pdefaults(folder, ["import", "other", "-"], input: printed)
            #expect(result.ending == .exit(1))
            #expect(form.isEmpty || result.errors.contains("was hidden"))
            #expect(try folder.bytes(of: "other.plist") == before)
        }
        let exported = try pdefaults(folder, "export", "--json", "app", "-").output
        #expect(try pdefaults(folder, ["import", "copy", "-"], input: exported).ending == .exit(0))
        #expect(try pdefaults(folder, "diff", "app", "copy").ending == .exit(0))
    }

    @Test("Messages about refused writes do not quote a secret")
    func sentences() throws {
        let late = try pdefaults(folder, "write", "app", "token", "x", "--if-equals", "y")
        #expect(late.ending == .exit(3))
        #expect(late.errors == "Nothing was written: “token” has another value now.\n")
        let long = try pdefaults(folder, "write", "app", "token", "a long time ago " + Self.secret)
        #expect(long.ending == .exit(1))
        #expect(!long.errors.contains("hunter2"))
        let other = try pdefaults(folder, "write", "app", "token", "-int", "4711")
        #expect(other.errors.contains("found a whole number, expected a string"))
        #expect(!other.errors.contains("4711"))
    }

    @Test("If the declarations are unreadable, nothing of the suite is printed")
    func unknown() throws {
        try folder.write("{", to: "app.schema.json")
        for words in [
            ["read"], ["read", "app"], ["find", "hunter2"], ["diff", "app", "other"], ["watch", "app"],
        ] {
            let result = try pdefaults(folder, words)
            #expect(result.ending == .exit(words[0] == "diff" ? 2 : 1))
            #expect(!result.output.contains("hunter2"))
            #expect(result.errors.contains("line 1") && result.errors.contains("--show-secrets"))
        }
        #expect(try pdefaults(folder, "read", "app", "--show-secrets").output.contains("hunter2"))
        #expect(try pdefaults(folder, "read", "app", "token").output == "hunter2\n")
        let late = try pdefaults(folder, "write", "app", "token", "x", "--if-equals", "y")
        #expect(!late.errors.contains("hunter2"))
    }
}
