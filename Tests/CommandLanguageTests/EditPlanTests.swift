import Foundation
import PropertyList
import Testing

@testable import CommandLanguage

@Suite("Changes to a suite")
struct EditPlanTests {
    private static let stored: [String: PropertyListValue] = [
        "number": 5, "text": "a", "list": ["x", "y"], "table": ["a": 1, "list": [1]],
        "json": .data(Data(#"{ "x": 1.50, "list": [1, "two"] }"#.utf8)), "real": 1.0,
    ]

    private func changes(_ line: String) throws -> [String: PropertyListValue?] {
        try EditPlan(ParsedCommand(shellWords(line))).changes(to: PropertyListEntries(Self.stored), of: "app")
    }

    @Test(
        "Elements and members are added to a default, and whole values replace it",
        arguments: [
            ("write app list -array-add b", ["a", "b"]), ("write app list --at /0 b", ["b"]),
            ("write app list -array b", ["b"]), ("write app list --if-absent -array b", ["b"]),
        ] as [(String, PropertyListValue)]
    )
    func defaults(_ line: String, _ value: PropertyListValue) throws {
        let plan = try EditPlan(ParsedCommand(shellWords(line)))
        let changes = try plan.changes(to: PropertyListEntries(), of: "app", defaultValue: { _ in ["a"] })
        #expect(changes == ["list": value])
    }

    private static func json(_ text: String) -> PropertyListValue { .data(Data(text.utf8)) }

    @Test(
        "A command changes the key or path that it names, and nothing else",
        arguments: [
            ("write app new -int 1", ["new": 1]), ("write app number x", ["number": "x"]),
            ("write app list -array-add z", ["list": ["x", "y", "z"]]),
            ("write app new -array-add z", ["new": ["z"]]),
            ("write app table -dict-add b -int 2 a 0", ["table": ["a": "0", "b": 2, "list": [1]]]),
            ("write app new -dict-add a b", ["new": ["a": "b"]]),
            ("write app number -json '[1]'", ["number": json("[1]")]),
            ("delete app number", ["number": nil]),
            ("rename app number n", ["number": nil, "n": 5]), ("rename app number number", ["number": 5]),
            ("rename app number text", ["number": nil, "text": 5]),
            (
                "write app '{a = b;}'",
                ["a": "b", "number": nil, "text": nil, "list": nil, "table": nil, "json": nil, "real": nil]
            ),
            // At a path inside a value.
            ("write app table --at /a -int 9", ["table": ["a": 9, "list": [1]]]),
            ("write app table --at /new v", ["table": ["a": 1, "list": [1], "new": "v"]]),
            ("write app table --at /list/- -bool yes", ["table": ["a": 1, "list": [1, true]]]),
            ("write app table --at /list -array-add q", ["table": ["a": 1, "list": [1, "q"]]]),
            ("write app list --at /0 -json '{}'", ["list": [json("{}"), "y"]]),
            ("write app list --at '' z", ["list": "z"]),
            ("delete app table --at /list/0", ["table": ["a": 1, "list": []]]),
            ("rename app table b --at /a", ["table": ["b": 1, "list": [1]]]),
            // Inside JSON. The other bytes of the JSON stay.
            ("write app json --at /x -int 2", ["json": json(#"{ "x": 2, "list": [1, "two"] }"#)]),
            (
                "write app json --at /x -json '{\"y\":null}'",
                ["json": json(#"{ "x": {"y":null}, "list": [1, "two"] }"#)]
            ),
            ("write app json --at /list/- 3", ["json": json(#"{ "x": 1.50, "list": [1, "two", "3"] }"#)]),
            (
                "write app json --at /list/1 -array 1 -bool no",
                ["json": json(#"{ "x": 1.50, "list": [1, ["1",false]] }"#)]
            ),
            (
                "write app json --at /new -float 0.5",
                ["json": json(#"{ "x": 1.50, "list": [1, "two"], "new": 0.5 }"#)]
            ),
            ("delete app json --at /x", ["json": json(#"{ "list": [1, "two"] }"#)]),
            ("rename app json z --at /x", ["json": json(#"{ "z": 1.50, "list": [1, "two"] }"#)]),
            // With a condition that holds.
            ("write app number -int 6 --if-equals 5", ["number": 6]),
            ("write app number -int 6 --if-equals -int 5", ["number": 6]),
            ("write app real -int 6 --if-equals 1", ["real": 6]),
            ("write app text b --if-equals a", ["text": "b"]),
            ("write app list z --if-equals '(x, y)'", ["list": "z"]),
            ("write app new z --if-absent", ["new": "z"]),
            (
                "write app json --at /x -int 2 --if-equals 1.50",
                ["json": json(#"{ "x": 2, "list": [1, "two"] }"#)]
            ),
            (
                "write app json --at /list/1 b --if-equals two",
                ["json": json(#"{ "x": 1.50, "list": [1, "b"] }"#)]
            ),
            (
                "write app json --at /n b --if-absent",
                ["json": json(#"{ "x": 1.50, "list": [1, "two"], "n": "b" }"#)]
            ),
            ("delete app number --if-equals 5", ["number": nil]),
        ] as [(String, [String: PropertyListValue?])]
    )
    func edits(_ line: String, _ expected: [String: PropertyListValue?]) throws {
        #expect(try changes(line) == expected)
    }

    @Test(
        "An impossible change is refused",
        arguments: [
            ("write app number -array-add 1", "Value for key number is not an array; cannot append."),
            ("write app number -dict-add 1 2", "Value for key number is not a dictionary; cannot append."),
            ("rename app none n", "Key none does not exist in domain app; leaving defaults unchanged"),
            ("delete app none", "(app, none) does not exist"),
            ("write app none --at /x 1", "“none” has no value, so it has no /x"),
            ("write app list --at /5 1", "“list” at /5: there is no such element; the array has 2 elements"),
            ("write app list --at /a 1", "have numbers, not names"),
            ("write app number --at /a 1", "nothing inside an integer"),
            ("delete app table --at /z", "nothing of this name"),
            ("write app json --at /x -date 2024-05-01", "JSON cannot store this date"),
            ("write app json --at /x -data 00", "JSON cannot store this data"),
            ("write app json --at /x -float inf", "JSON cannot store this real"),
            ("write app json --at /list -array-add 1", "POINTER/-"),
            ("rename app table list --at /a", "taken"),
        ]
    )
    func refusals(_ line: String, _ problem: String) {
        let error = #expect(throws: EditRefusal.self) { try changes(line) }
        #expect(error?.description.contains(problem) == true)
        #expect(error?.isConflict == false)
    }

    @Test(
        "A condition that does not hold is a conflict, and the message contains the current value",
        arguments: [
            ("write app number 6 --if-equals 6", "“number” is 5 now"),
            ("write app number 6 --if-equals -string 5", "is 5 now"),
            ("write app none 6 --if-equals 5", "“none” has no value now"),
            ("write app number 6 --if-absent", "“number” is 5"),
            ("write app json --at /x 6 --if-equals 1.5", "is 1.50 now"),
            ("delete app text --if-equals b", "“text” is a"),
            ("write app real 6 --if-equals -int 1", "is \"1\" now"),
        ]
    )
    func conflicts(_ line: String, _ problem: String) {
        let error = #expect(throws: EditRefusal.self) { try changes(line) }
        #expect(error?.isConflict == true)
        #expect(error?.description.contains(problem.replacing("\"1\"", with: "1")) == true)
    }

    @Test("Each line starts from the result of the previous one")
    func lines() throws {
        let plan = try EditPlan(
            lines: """
                # a comment
                number -int 6 --if-equals 5

                number -int 7 --if-equals 6
                  'a key' -array-add one
                'a key' -array-add "two three"
                table --at /a -delete
                text -delete
                text again --if-absent
                """
        )
        #expect(
            try plan.changes(to: PropertyListEntries(Self.stored), of: "app")
                == ["number": 7, "a key": ["one", "two three"], "table": ["list": [1]], "text": "again"]
        )
    }

    @Test(
        "One wrong line refuses all lines, and the message contains its number",
        arguments: [
            ("a 1\nb -int x", "Line 2: -int: “x” is not a whole number"),
            ("a", "Line 1: The value is missing"),
            ("a 'b", "Line 1: Close the quotation mark"), ("a b c", "Line 1: Unexpected argument “c”"),
            ("a 1 --json", "no option “--json”"), ("a 1 --directory /x", "no option “--directory”"),
            ("-", "The value is missing"),
        ]
    )
    func brokenLines(_ text: String, _ problem: String) {
        let error = #expect(throws: UsageError.self) { try EditPlan(lines: text) }
        #expect(error?.description.contains(problem) == true)
    }

    @Test(
        "Contradicting options are refused",
        arguments: [
            "write app k v --if-equals 1 --if-absent", "write app '{}' --at /x", "write app notadict",
            "write app k v --at x",
        ]
    )
    func contradictions(_ line: String) throws {
        let words = try ParsedCommand(shellWords(line))
        #expect(throws: UsageError.self) { try EditPlan(words) }
    }
}

@Suite("Searching for a word")
struct SearchTests {
    @Test(
        "A word is found in texts, keys, numbers and JSON, in any case",
        arguments: [
            ("pitt", "Herr Pitt", true), ("PITT", "Herr Pitt", true), ("42", 142, true), ("0.5", 0.5, true),
            ("pitt", [1, ["x": "PITT"]], true), ("pitt", ["PiTt": 1], true),
            ("pitt", .data(Data(#"{"pitt": 1}"#.utf8)), true), ("pitt", "other", false),
            ("pitt", [7, ["a": "b"]], false), ("pitt", .data(Data("pitt\0".utf8)), false),
            ("PITT", .data(Data("Herr Pitt".utf8)), true), ("pitt", .data(Data([0xFF] + "pitt".utf8)), false),
            ("2024-05", .date(Date(timeIntervalSinceReferenceDate: 736_251_630)), true),
        ] as [(String, PropertyListValue, Bool)]
    )
    func values(_ word: String, _ value: PropertyListValue, _ isFound: Bool) {
        #expect(Search(word).matches(value) == isFound)
    }
}
