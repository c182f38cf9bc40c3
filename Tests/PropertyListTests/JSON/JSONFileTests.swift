import Foundation
import Testing

@testable import PropertyList

@Suite("JSON files")
struct JSONFileTests {
    /// One edit: what the file is before, what is set or removed, and each byte after.
    struct Sample: CustomTestStringConvertible, Sendable {
        let name: String
        let before: String
        let changes: [String: PropertyListValue?]
        let after: String

        init(_ name: String, _ before: String, _ changes: [String: PropertyListValue?], _ after: String) {
            (self.name, self.before, self.changes, self.after) = (name, before, changes, after)
        }

        var testDescription: String { name }
    }

    private static let none: PropertyListValue? = nil

    private static func read(_ text: String) throws -> (
        document: PropertyListDocument, values: PropertyListEntries
    ) {
        try PropertyListDocument.read(Array(text.utf8), expecting: .json)
    }

    @Test(
        "An edit changes the bytes of what it changes, and no others",
        arguments: values + members + comments + layouts
    )
    func edit(_ sample: Sample) throws {
        var (document, old) = try Self.read(sample.before)
        try document.apply(sample.changes)
        #expect(String(decoding: document.bytes, as: UTF8.self) == sample.after)
        // The new file has the new values, and the other values are as before.
        let new = try Self.read(sample.after).values
        for (key, value) in sample.changes {
            guard let value else {
                #expect(new[key] == nil)
                continue
            }
            #expect(
                try JSONDocument(parsing: Data("[\(Self.spelling(of: new[key]))]".utf8)).root.child(0)
                    .isEqual(to: value)
            )
        }
        for (key, value) in old where sample.changes[key] == nil { #expect(new[key] == value) }
        #expect(
            new.count
                == Set(old.keys).union(sample.changes.keys).subtracting(
                    sample.changes.filter { $0.value == nil }.keys
                ).count
        )
    }

    private static func spelling(of value: PropertyListValue?) -> String { value?.jsonForm ?? "" }

    // MARK: - Values

    static let values: [Sample] = [
        Sample("a number", #"{"a": 1}"#, ["a": 2], #"{"a": 2}"#),
        Sample("an equal number with another spelling", #"{"a": 14.0}"#, ["a": 14], #"{"a": 14.0}"#),
        Sample("an equal number with an exponent", #"{"a": 1.4E1}"#, ["a": 14], #"{"a": 1.4E1}"#),
        Sample("an equal real number", #"{"a": 0.50}"#, ["a": 0.5], #"{"a": 0.50}"#),
        Sample(
            "a number beyond 64 bits",
            #"{"a": 1, "b": 2}"#,
            ["a": .number("123456789012345678901234567890")],
            #"{"a": 123456789012345678901234567890, "b": 2}"#
        ),
        Sample("minus zero", #"{"a": 0}"#, ["a": .real(-0.0)], #"{"a": -0.0}"#),
        Sample("a number too large for a real", #"{"a": 1e400, "b": 1}"#, ["b": 2], #"{"a": 1e400, "b": 2}"#),
        Sample("null in place of a text", #"{"a": "x"}"#, ["a": .null], #"{"a": null}"#),
        Sample("a text in place of null", #"{"a":null}"#, ["a": "x"], #"{"a":"x"}"#),
        Sample("null over null", #"{"a": null }"#, ["a": .null], #"{"a": null }"#),
        Sample("an equal text with escapes", #"{"a": "\u0041\/"}"#, ["a": "A/"], #"{"a": "\u0041\/"}"#),
        Sample(
            "a text with signs",
            #"{"a": ""}"#,
            ["a": "\"\\\n\u{1}é/"],
            "{\"a\": \"\\\"\\\\\\n\\u0001é/\"}"
        ),
        Sample("true", #"{"a": false}"#, ["a": true], #"{"a": true}"#),
        Sample(
            "a date",
            #"{"a": 1}"#,
            ["a": .string("2024-05-01T10:20:30Z")],
            #"{"a": "2024-05-01T10:20:30Z"}"#
        ),
        Sample(
            "one member of a value",
            #"{"window": {"width": 120,  "height":80}}"#,
            ["window": ["width": 130, "height": 80]],
            #"{"window": {"width": 130,  "height":80}}"#
        ),
        Sample(
            "one element of an array",
            "{\"list\": [1, 2,\n 3]}",
            ["list": [1, 5, 3]],
            "{\"list\": [1, 5,\n 3]}"
        ),
        Sample("an element in the middle", #"{"l": [1, 3]}"#, ["l": [1, 2, 3]], #"{"l": [1, 2, 3]}"#),
        Sample("an element at the start", #"{"l": [2, 3]}"#, ["l": [1, 2, 3]], #"{"l": [1, 2, 3]}"#),
        Sample("an element at the end", #"{"l":[1,2]}"#, ["l": [1, 2, 3]], #"{"l":[1,2,3]}"#),
        Sample("an element less", #"{"l": [1, 2, 3]}"#, ["l": [1, 3]], #"{"l": [1, 3]}"#),
        Sample("an array that becomes empty", "{\"l\": [\n  1\n]}", ["l": []], #"{"l": []}"#),
        Sample("an object in place of an array", #"{"a": [1]}"#, ["a": ["b": 1]], #"{"a": {"b": 1}}"#),
        Sample(
            "a member deep inside",
            #"{"a": {"b": [{"c": 1}, {"c": 2}]}}"#,
            ["a": ["b": [["c": 1], ["c": 3]]]],
            #"{"a": {"b": [{"c": 1}, {"c": 3}]}}"#
        ),
        Sample(
            "several keys at once",
            #"{"a": 1, "b": 2, "c": 3}"#,
            ["a": 10, "c": 30],
            #"{"a": 10, "b": 2, "c": 30}"#
        ),
        Sample("a name with escapes", #"{"\u0061": 1}"#, ["a": 2], #"{"\u0061": 2}"#),
        Sample("a name with signs", "{\n}", ["a\"/b": 1], "{\n  \"a\\\"/b\": 1\n}"),
        Sample("a byte order mark", "\u{FEFF}{\"a\": 1}", ["a": 2], "\u{FEFF}{\"a\": 2}"),
        Sample("the last of two members", #"{"a": 1, "a": 2}"#, ["a": 3], #"{"a": 1, "a": 3}"#),
        Sample(
            "one of two members is renamed",
            #"{"a": 1, "b": 0, "a": 2, "c": 3}"#,
            ["a": none, "d": 2],
            #"{"b": 0, "d": 2, "c": 3}"#
        ),
        Sample(
            "one of two members inside is renamed",
            "{\"o\": {\n  \"a\": 1,\n  // two\n  \"a\": 2,\n  \"b\": 0\n}}",
            ["o": ["d": 2, "b": 0]],
            "{\"o\": {\n  // two\n  \"d\": 2,\n  \"b\": 0\n}}"
        ),
        Sample("0 in place of -0", #"{"a": -0}"#, ["a": 0], #"{"a": 0}"#),
        Sample("an equal -0", #"{"a": -0, "b": 1}"#, ["a": .real(-0.0), "b": 2], #"{"a": -0, "b": 2}"#),
        Sample("both of two members are removed", #"{"a": 1, "b": 0, "a": 2}"#, ["a": none], #"{"b": 0}"#),
        Sample(
            "the last of two members inside",
            #"{"o": {"a": 1, "a": 2}}"#,
            ["o": ["a": 3]],
            #"{"o": {"a": 1, "a": 3}}"#
        ),
        Sample(
            "a lone surrogate elsewhere",
            #"{"a": "\ud800", "b": 1}"#,
            ["b": 2],
            #"{"a": "\ud800", "b": 2}"#
        ),
    ]

    // MARK: - Members without comments

    static let members: [Sample] = [
        Sample("a new file", "{}\n", ["a": 1], "{\n  \"a\": 1\n}\n"),
        Sample(
            "a new file with two keys",
            "{}\n",
            ["b": [1], "a": ["x": true]],
            """
            {
              "a": {
                "x": true
              },
              "b": [
                1
              ]
            }

            """
        ),
        Sample("behind the last member", "{\n  \"a\": 1\n}", ["b": 2], "{\n  \"a\": 1,\n  \"b\": 2\n}"),
        Sample(
            "behind the last member, sorted or not",
            "{\"b\": 1, \"c\": 2}",
            ["a": 3],
            "{\"b\": 1, \"c\": 2, \"a\": 3}"
        ),
        Sample("with tabs", "{\n\t\"a\": 1\n}", ["b": 2], "{\n\t\"a\": 1,\n\t\"b\": 2\n}"),
        Sample(
            "with the line ends of Windows",
            "{\r\n  \"a\": 1\r\n}",
            ["b": 2],
            "{\r\n  \"a\": 1,\r\n  \"b\": 2\r\n}"
        ),
        Sample("without a blank behind the colon", #"{"a":1}"#, ["b": 2], #"{"a":1,"b":2}"#),
        Sample("with blanks around the colon", #"{ "a" : 1 }"#, ["b": 2], #"{ "a" : 1, "b" : 2 }"#),
        Sample("with a comma at the end", "{\n  \"a\": 1,\n}", ["b": 2], "{\n  \"a\": 1,\n  \"b\": 2,\n}"),
        Sample(
            "the last one, with a comma at the end",
            "{\n  \"a\": 1,\n  \"b\": 2,\n}",
            ["b": none],
            "{\n  \"a\": 1,\n}"
        ),
        Sample("the first one", "{\n  \"a\": 1,\n  \"b\": 2\n}", ["a": none], "{\n  \"b\": 2\n}"),
        Sample(
            "the middle one",
            "{\n  \"a\": 1,\n  \"b\": 2,\n  \"c\": 3\n}",
            ["b": none],
            "{\n  \"a\": 1,\n  \"c\": 3\n}"
        ),
        Sample("the last one", "{\n  \"a\": 1,\n  \"b\": 2\n}", ["b": none], "{\n  \"a\": 1\n}"),
        Sample("the only one", "{\n  \"a\": 1\n}\n", ["a": none], "{}\n"),
        Sample(
            "an array in an object on one line",
            "{\n  \"o\": {\"a\": 1},\n  \"l\": [\n    0\n  ]\n}\n",
            ["o": ["a": 1, "b": [1, ["c": 2]]]],
            "{\n  \"o\": {\"a\": 1, \"b\": [1, {\"c\": 2}]},\n  \"l\": [\n    0\n  ]\n}\n"
        ),
        Sample(
            "an array in a file on one line",
            "{\"a\": 1}\n",
            ["b": [1, 2]],
            "{\"a\": 1, \"b\": [1, 2]}\n"
        ),
        Sample(
            "a new member below a line with a blank at its end",
            "{ \n  \"a\": 1, \n  \"b\": 2\n}",
            ["c": 3],
            "{ \n  \"a\": 1, \n  \"b\": 2,\n  \"c\": 3\n}"
        ),
        Sample("one of a line", #"{"a": 1, "b": 2, "c": 3}"#, ["b": none], #"{"a": 1, "c": 3}"#),
        Sample("one goes and one comes", "{\n  \"a\": 1\n}", ["a": none, "b": 2], "{\n  \"b\": 2\n}"),
        Sample("a key that is not there", #"{"a": 1}"#, ["b": none], #"{"a": 1}"#),
        Sample(
            "an empty object opens",
            "{\n    \"o\": {}\n}",
            ["o": ["a": 1]],
            "{\n    \"o\": {\n        \"a\": 1\n    }\n}"
        ),
        Sample(
            "an empty object on one line",
            #"{"o": {}, "p": {"q": 1}}"#,
            ["o": ["a": 1], "p": ["q": 1]],
            #"{"o": {"a": 1}, "p": {"q": 1}}"#
        ),
    ]

    // MARK: - Comments

    static let comments: [Sample] = [
        Sample("the value before a comment", "{\n  \"a\": 1 // one\n}", ["a": 2], "{\n  \"a\": 2 // one\n}"),
        Sample(
            "behind the comment of the last member",
            "{\n  // above\n  \"a\": 1 // one\n}",
            ["b": 2],
            "{\n  // above\n  \"a\": 1, // one\n  \"b\": 2\n}"
        ),
        Sample(
            "behind the comment of the last member, with a comma at the end",
            "{\n  \"a\": 1, // one\n}",
            ["b": 2],
            "{\n  \"a\": 1, // one\n  \"b\": 2,\n}"
        ),
        Sample(
            "before the comments below the last member",
            "{\n  \"a\": 1\n  // \"c\": 3\n}",
            ["b": 2],
            "{\n  \"a\": 1,\n  \"b\": 2\n  // \"c\": 3\n}"
        ),
        Sample(
            "a removed member takes its line and the comment behind it along",
            "{\n  // a\n  \"a\": 1, // one\n  // b\n  \"b\": 2, // two\n  \"c\": 3 // three\n}",
            ["b": none],
            "{\n  // a\n  \"a\": 1, // one\n  // b\n  \"c\": 3 // three\n}"
        ),
        Sample(
            "the first member",
            "{\n  // a\n  \"a\": 1, // one\n  \"b\": 2\n}",
            ["a": none],
            "{\n  // a\n  \"b\": 2\n}"
        ),
        Sample(
            "the last member takes the comma before it along",
            "{\n  \"a\": 1, // one\n  // b\n  \"b\": 2 // two\n}",
            ["b": none],
            "{\n  \"a\": 1 // one\n  // b\n}"
        ),
        Sample(
            "the last member, with a comma at the end",
            "{\n  \"a\": 1, // one\n  \"b\": 2, // two\n}",
            ["b": none],
            "{\n  \"a\": 1, // one\n}"
        ),
        Sample("the only member", "{\n  // a\n  \"a\": 1 // one\n}", ["a": none], "{\n  // a\n}"),
        Sample(
            "a member below a comment alone",
            "{\n  // nothing yet\n}\n",
            ["a": 1],
            "{\n  // nothing yet\n  \"a\": 1\n}\n"
        ),
        Sample(
            "a member behind a comment on the line",
            "{ // nothing yet\n}",
            ["a": 1],
            "{ // nothing yet\n  \"a\": 1\n}"
        ),
        Sample(
            "one goes and one comes",
            "{\n  // a\n  \"a\": 1 // one\n}",
            ["a": none, "b": 2],
            "{\n  // a\n  \"b\": 2\n}"
        ),
        Sample(
            "comments of several lines",
            "{\n  /* first\n     second */\n  \"a\": 1,\n  \"b\": 2\n}",
            ["b": none],
            "{\n  /* first\n     second */\n  \"a\": 1\n}"
        ),
        Sample(
            "comments on one line",
            "{\"a\": 1 /* one */, \"b\": 2 /* two */}",
            ["b": none],
            "{\"a\": 1 /* one */}"
        ),
        Sample(
            "a comment before a member of the line",
            "{\"a\": 1, /* two */ \"b\": 2, \"c\": 3}",
            ["c": none],
            "{\"a\": 1, /* two */ \"b\": 2}"
        ),
        Sample(
            "the last member of a line, without the blank before it",
            "{\n  \"a\": 1, \"b\": 2,\n  \"c\": 3 // three\n}",
            ["b": none],
            "{\n  \"a\": 1,\n  \"c\": 3 // three\n}"
        ),
        Sample(
            "the only member behind a comment, without the blank before it",
            "{ /* one */ \"a\": 1\n}",
            ["a": none],
            "{ /* one */\n}"
        ),
        Sample(
            "all members of a line",
            "{\n  \"a\": 1, \"b\": 2,\n  \"c\": 3 // three\n}",
            ["a": none, "b": none],
            "{\n\n  \"c\": 3 // three\n}"
        ),
        Sample(
            "a new member behind comments on one line",
            "{\"a\": 1 /* one */}",
            ["b": 2],
            "{\"a\": 1 /* one */, \"b\": 2}"
        ),
        Sample(
            "a new member behind a comment of the line, with a comma at the end",
            "{\"a\": 1, /* one */\n}",
            ["b": 2],
            "{\"a\": 1, /* one */\n  \"b\": 2,\n}"
        ),
        Sample(
            "neighbours on one line, with comments before and between them",
            "{\"a\": 1, /* two */ \"b\": 2, \"c\": 3}",
            ["b": none, "c": none],
            "{\"a\": 1 /* two */ }"
        ),
        Sample(
            "lines that end with a carriage return alone",
            "{\r// a\r\"a\": 1,\r\"b\": 2,\r\"c\": 3\r}\n",
            ["a": none, "b": none],
            "{\r// a\r\r\r\"c\": 3\r}\n"
        ),
        Sample(
            "a comment at the start and the end",
            "// start\n{\"a\": 1}\n// end\n",
            ["a": 2],
            "// start\n{\"a\": 2}\n// end\n"
        ),
        Sample(
            "comments around the colon",
            #"{"a" /* name */ : /* value */ 1}"#,
            ["a": 2],
            #"{"a" /* name */ : /* value */ 2}"#
        ),
        Sample(
            "the comments around the colon of a sibling are not copied",
            #"{"a" /* name */ : /* value */ 1}"#,
            ["b": 2],
            #"{"a" /* name */ : /* value */ 1, "b": 2}"#
        ),
        Sample(
            "signs of comments in texts",
            #"{"a": "// no /* comment */", "b": 1}"#,
            ["b": 2],
            #"{"a": "// no /* comment */", "b": 2}"#
        ),
        Sample(
            "an element with comments",
            "{\"l\": [\n  // one\n  1, // first\n  2 // second\n]}",
            ["l": [1]],
            "{\"l\": [\n  // one\n  1 // first\n]}"
        ),
        Sample(
            "a new element behind comments",
            "{\"l\": [\n  1 // first\n]}",
            ["l": [1, 2]],
            "{\"l\": [\n  1, // first\n  2\n]}"
        ),
        Sample(
            "a new element before others",
            "{\"l\": [\n  // two\n  2 // second\n]}",
            ["l": [1, 2]],
            "{\"l\": [\n  1,\n  // two\n  2 // second\n]}"
        ),
        Sample(
            "a new element between others",
            "{\"l\": [ // of the list\n  // one\n  1, // first\n\n  // three\n  3\n]}",
            ["l": [1, 2, 3]],
            "{\"l\": [ // of the list\n  // one\n  1, // first\n\n  2,\n  // three\n  3\n]}"
        ),
        Sample(
            "a new element before a comment of the line",
            "{\"l\": [ /* two */ 2 ]}",
            ["l": [1, 2]],
            "{\"l\": [ 1, /* two */ 2 ]}"
        ),
        Sample(
            "comments inside a value that changes",
            "{\n  \"o\": {\n    // x\n    \"x\": 1, // one\n    \"y\": 2\n  }\n}",
            ["o": ["x": 5, "y": 2]],
            "{\n  \"o\": {\n    // x\n    \"x\": 5, // one\n    \"y\": 2\n  }\n}"
        ),
        Sample(
            "a renamed member keeps its place and its comments",
            "{\n  // first\n  \"a\": [1, 2], // one\n  \"b\": 2\n}",
            ["a": nil, "c": [1, 2]],
            "{\n  // first\n  \"c\": [1, 2], // one\n  \"b\": 2\n}"
        ),
        Sample(
            "a renamed member inside a value",
            #"{"a": {"x": 1, "y": 2 /* y */}}"#,
            ["a": ["z": 1, "y": 2]],
            #"{"a": {"z": 1, "y": 2 /* y */}}"#
        ),
        Sample(
            "a member with another value is no renamed one",
            #"{"a": 1, "b": 2}"#,
            ["a": nil, "c": 3],
            #"{"b": 2, "c": 3}"#
        ),
        Sample(
            "the comments of a neighbour are not copied",
            "{\n  \"a\": 1, // one\n  // two\n  \"b\": 2\n}",
            ["c": 3],
            "{\n  \"a\": 1, // one\n  // two\n  \"b\": 2,\n  \"c\": 3\n}"
        ),
    ]

    // MARK: - The layout of new values

    static let layouts: [Sample] = [
        Sample(
            "objects on lines",
            "{\n  \"a\": {\n    \"x\": 1\n  }\n}",
            ["b": ["y": 2]],
            "{\n  \"a\": {\n    \"x\": 1\n  },\n  \"b\": {\n    \"y\": 2\n  }\n}"
        ),
        Sample(
            "arrays on one line, as the others",
            "{\n  \"a\": [1, 2]\n}",
            ["b": [3, 4]],
            "{\n  \"a\": [1, 2],\n  \"b\": [3, 4]\n}"
        ),
        Sample(
            "all on one line",
            #"{"a": {"x": 1}}"#,
            ["b": ["y": [1, 2]]],
            #"{"a": {"x": 1}, "b": {"y": [1, 2]}}"#
        ),
        Sample(
            "all without blanks",
            #"{"a":{"x":1}}"#,
            ["b": ["y": [1, 2]]],
            #"{"a":{"x":1},"b":{"y":[1,2]}}"#
        ),
        Sample(
            "empty containers",
            "{\n  \"a\": 1\n}",
            ["b": [:], "c": []],
            "{\n  \"a\": 1,\n  \"b\": {},\n  \"c\": []\n}"
        ),
    ]

    // MARK: - Reading

    @Test(
        "Everything that is not JSON with comments is refused, with its place",
        arguments: [
            ("{'a': 1}", "line 1, column 2: found “'”"), ("{a: 1}", "line 1, column 2"),
            (#"{"a": 1,,}"#, "line 1, column 9"), (#"{,}"#, "line 1, column 2"),
            (#"{"a": [1,,2]}"#, "line 1, column 10"),
            (#"{"a" 1}"#, "line 1, column 6"), (#"{"a": 1"#, "line 1, column 8"),
            ("{\"a\": 1} x", "line 1, column 10"),
            ("{\"a\": 1 /* x", "line 1, column 9: a comment starts here and has no closing “*/”"),
            ("{\"a\": 1 / 2}", "line 1, column 9: found “/”, but a comment begins with “//” or “/*”"),
            (#"{"a": 01}"#, "line 1, column 7"),
            (#"{"a": "x}"#, "line 1, column 7"), ("{\n  \"a\": nul\n}", "line 2, column 8"),
            ("[1]", "line 1, column 1: found an array where an object with the settings is expected"),
            ("\"text\"", "line 1, column 1: found a string where an object"), ("# x\n{}", "line 1, column 1"),
        ]
    )
    func refused(text: String, problem: String) throws {
        let error = try #require(throws: PropertyListError.self) { try Self.read(text) }
        #expect("\(error)".hasPrefix(problem), "\(error)")
    }

    @Test("Bytes that are not UTF-8 are refused in texts and in comments")
    func notUTF8() {
        for text in [#"{"a": "?"}"#, "{ // ?\n}", "{ /* ? */ \"a\": 1}"] {
            let bytes = Array(text.utf8).map { $0 == UInt8(ascii: "?") ? 0xFF : $0 }
            #expect(throws: PropertyListError.self) { try PropertyListDocument.read(bytes, expecting: .json) }
        }
    }

    @Test("Members with one name are found with their lines and values, and those inside the last one too")
    func repeatedMembers() throws {
        let text =
            "{\"a\": 1,\n\"o\": {\"x\": 0, \"x\": 1},\n\"a\": 2,\n\"o\": {\n\"x\": 5, \"x\": 6}, \"a\": null}"
        let x = [RepeatedMember(line: 5, value: 5), RepeatedMember(line: 5, value: 6)]
        #expect(
            try Self.read(text).document.repeatedMembers == [
                [.key("a")]: [
                    RepeatedMember(line: 1, value: 1), RepeatedMember(line: 3, value: 2),
                    RepeatedMember(line: 5, value: .null),
                ],
                [.key("o")]: [
                    RepeatedMember(line: 2, value: ["x": 1]), RepeatedMember(line: 4, value: ["x": 6]),
                ],
                [.key("o"), .key("x")]: x,
            ]
        )
    }

    @Test("Values have the kinds of the file, and numbers their spelling")
    func kinds() throws {
        let values = try Self.read(
            #"{"a": null, "b": true, "c": 1, "d": 1.5, "e": 1e3, "f": 0.50, "g": 18446744073709551616, "h": "x", "i": [null], "j": {"k": -0}}"#
        ).values
        let expected: [String: PropertyListValue] = [
            "a": .null, "b": true, "c": 1, "d": 1.5, "e": .number("1e3"), "f": .number("0.50"),
            "g": .number("18446744073709551616"), "h": "x", "i": [.null], "j": ["k": .number("-0")],
        ]
        #expect(values == expected)
        #expect(PropertyListValue.number("1e3").plainNumber == 1000)
        #expect(PropertyListValue.number("0.50").plainNumber == 0.5)
        #expect(PropertyListValue.number("-0").plainNumber == .real(-0.0))
        #expect(PropertyListValue.number("18446744073709551617").plainNumber == nil)
        #expect(PropertyListValue.number("1e400").plainNumber == nil)
    }

    @Test("The content tells the format, and the name only where the content fits several")
    func detection() throws {
        func format(_ text: String, _ expected: PropertyListFormat? = nil) throws -> PropertyListFormat {
            try PropertyListDocument.read(Array(text.utf8), expecting: expected).document.format
        }
        #expect(try format(#"{"a": 1}"#) == .json)
        #expect(try format("\u{FEFF} // x\n/* y */ { // z\n \"a\" /* b */ : 1}") == .json)
        #expect(try format(#"{"a" = 1;}"#) == .openStep)
        #expect(try format("{a = 1;}") == .openStep)
        #expect(try format("{}") == .openStep)
        #expect(try format("{}", .json) == .json)
        #expect(try format("<plist><dict/></plist>", .json) == .xml)
    }

    @Test("What JSON cannot hold is refused, and nothing changes")
    func unrepresentable() throws {
        var document = try Self.read(#"{"a": 1}"#).document
        for value: PropertyListValue in [
            .real(.infinity), .real(.nan), .uid(1), [.uid(1)], ["x": .real(-.infinity)],
        ] {
            #expect(throws: PropertyListError.self) { try document.apply(["b": value]) }
        }
        #expect(document.bytes == Array(#"{"a": 1}"#.utf8))
    }

    @Test("A date and data are stored as texts")
    func texts() throws {
        var document = try Self.read("{}").document
        try document.apply([
            "date": .date(Date(timeIntervalSince1970: 1_714_558_830)), "data": .data(Data("Pitt".utf8)),
        ])
        let text = String(decoding: document.bytes, as: UTF8.self)
        #expect(text == "{\n  \"data\": \"UGl0dA==\",\n  \"date\": \"2024-05-01T10:20:30Z\"\n}")
    }

    @Test("A comment belongs to the value below it or to the one whose line it ends")
    func commentsOfValues() throws {
        let text = """
            // the file
            { // the object
              // above a
              /* and
               * more */
              "a": 1, // behind a
              "o": { // of o
                "x": 1 // of x
              }, // behind o
              "l": [
                // of the first
                1
              ]
              // of nobody
            }
            """
        let document = try JSONDocument(parsing: Array(text.utf8), limits: .standard, .withComments)
        #expect(
            document.comments == [
                [.key("a")]: "the object\nabove a\nand\nmore\nbehind a", [.key("o")]: "behind o",
                [.key("o"), .key("x")]: "of o\nof x", [.key("l"), .index(0)]: "of the first",
            ]
        )
    }

    @Test(
        "No property list gets null or a number that it can't hold exactly",
        arguments: [PropertyListFormat.xml, .binary]
    )
    func inPropertyLists(format: PropertyListFormat) throws {
        #expect(throws: PropertyListError.self) {
            try PropertyListValue.dictionary(["a": .null]).encoded(as: format)
        }
        #expect(throws: PropertyListError.self) {
            try PropertyListValue.dictionary(["a": .number("123456789012345678901234567890")]).encoded(
                as: format
            )
        }
        let bytes = try PropertyListValue.dictionary(["a": .number("1e3"), "b": .number("0.50")]).encoded(
            as: format
        )
        #expect(try PropertyListValue.read(bytes).value == ["a": 1000, "b": 0.5])
    }
}
