import FoundationEssentials
import PropertyList
import SettingsStore
import TerminalCanvas
import Testing

@testable import SettingsEditor

@Suite("Copying a value as a command")
struct CopyingCommandTests {
    @Test(
        "Y copies the command that sets the value, and shows it",
        arguments: [
            ("Hello", "-string Hello"), ("it's 5 €", #"-string 'it'\''s 5 €'"#), ("", "-string ''"),
            ("a\tb", #"-string 'a'"$(printf '\011')"'b'"#), ("$HOME; `x`", "-string '$HOME; `x`'"),
            (5, "-int 5"), (.real(-0.5), "-float -0.5"), (true, "-bool true"),
            (.data(Data([0, 255])), "-data 00ff"), (json(#"{"a": [1]} "#), #"-json '{"a": [1]} '"#),
            (.date(Date(timeIntervalSinceReferenceDate: 0)), "-date 2001-01-01T00:00:00Z"),
            ([1, "x"], #"'(<*I1>, "x")'"#), (["k": [true]], #"'{"k" = (<*BY>);}'"#),
        ] as [(PropertyListValue, String)]
    )
    func values(value: PropertyListValue, words: String) {
        let desk = Desk(["s": ["k": value]], columns: 120, keys: "⏎Y")
        #expect(desk.effects.last == .copy("pdefaults write s k \(words)"))
        #expect(desk.text.contains("Copied: pdefaults write s k"))
    }

    @Test("A value inside a key is named with --at, also inside JSON")
    func inside() {
        var desk = Desk(["s": ["k": ["a/b": [1, 2]]]], columns: 120, keys: "⏎z9jjY")
        #expect(desk.effects.last == .copy("pdefaults write --at '/a~1b/0' s k -int 1"))
        desk = Desk(["s": ["k": json(#"{"a": "x"}"#)]], columns: 120, keys: "⏎z9jY")
        #expect(desk.effects.last == .copy(#"pdefaults write --at /a s k -json '"x"'"#))
    }

    @Test("A name that starts with a dash comes after --")
    func dash() {
        let desk = Desk(["s": ["-int": 1]], columns: 120, keys: "⏎Y")
        #expect(desk.effects.last == .copy("pdefaults write -- s -int -int 1"))
    }

    @Test("A secret is copied after a question only")
    func secret() {
        let schema = SuiteSchema(["k": SettingDeclaration(.string(), isSecret: true)])
        var desk = Desk(["s": ["k": "hush"]], columns: 120, schemas: ["s": schema], keys: "⏎Y")
        #expect(desk.text.contains("The command contains the secret “k”. Copy and show it?"))
        #expect(!desk.text.contains("hush"))
        desk.type("n")
        #expect(!desk.effects.contains { if case .copy = $0 { true } else { false } })
        desk.type("Yy")
        #expect(desk.effects.last == .copy("pdefaults write s k -string hush"))
    }

    @Test("In the history m marks a range, of which Y copies commands and c a settings file")
    func range() {
        var desk = Desk(
            ["s": ["a": 1, "b": ["x": 1, "y": 2], "c": "gone", "d": 0], "t": [:]],
            columns: 120,
            keys: "⏎"
        )
        desk.outside("s", "a", 2)
        desk.outside("s", "b", ["x": 5, "y": 2])
        desk.outside("s", "c", nil)
        desk.outside("s", "a", 3)
        desk.outside("s", "d", 7)
        // The newest is first. Everything but d is marked.
        desk.type("Hjm")
        #expect(desk.text.contains("Move to the other end. Then press Y or c to copy the changes."))
        desk.type("G")
        #expect(desk.text.components(separatedBy: "◇").count == 5)
        desk.type("Y")
        #expect(
            desk.effects.last
                == .copy(
                    "pdefaults write s a -int 3\npdefaults write --at /x s b -int 5\npdefaults delete s c"
                )
        )
        #expect(desk.text.contains("Copied 3 commands."))
        desk.type("c")
        #expect(
            desk.effects.last
                == .copy(
                    """
                    {
                      "s": {
                        "a": 3,
                        "b": {
                          "x": 5,
                          "y": 2
                        },
                        "c": {"$delete": true}
                      }
                    }

                    """
                )
        )
        #expect(desk.text.contains("Copied a settings file with 3 settings."))
        // The first m keeps the other end of the range, and the second one chooses none.
        desk.type("mmgc")
        #expect(desk.effects.last == .copy("{\n  \"s\": {\n    \"d\": 7\n  }\n}\n"))
    }

    @Test("Changes that cancel out have nothing to copy, and a secret is asked about")
    func nothingOrSecret() {
        let schema = SuiteSchema(["k": SettingDeclaration(.string(), isSecret: true)])
        var desk = Desk(["s": ["a": 1, "k": "old"]], columns: 120, schemas: ["s": schema], keys: "⏎")
        desk.outside("s", "a", 2)
        desk.outside("s", "a", 1)
        desk.type("HmGY")
        #expect(desk.text.contains("everything is as it was before"))
        desk.type("⎋")
        desk.outside("s", "k", "hush")
        desk.type("Hc")
        #expect(desk.text.contains("The text contains the secret “k”. Copy it?"))
        desk.type("y")
        #expect(desk.effects.last == .copy("{\n  \"s\": {\n    \"k\": \"hush\"\n  }\n}\n"))
        #expect(!desk.text.contains("hush"))
    }

    @Test("In the history Y copies the command that repeats the change, also of a deletion")
    func history() {
        var desk = Desk(["s": ["k": "old"]], columns: 120, keys: "⏎")
        desk.outside("s", "k", "new")
        desk.type("HY")
        #expect(desk.effects.last == .copy("pdefaults write s k -string new"))
        desk.type("⎋")
        desk.outside("s", "k", nil)
        desk.type("HY")
        #expect(desk.effects.last == .copy("pdefaults delete s k"))
    }
}
