import Foundation
import Testing

@testable import PropertyList

private func document(_ text: String) throws -> JSONDocument {
    try JSONDocument(parsing: Data(text.utf8))
}

private func text(_ document: JSONDocument) -> String { String(decoding: document.text, as: UTF8.self) }

enum JSONEdit: Sendable {
    case replace(ValuePath, String)
    case insert(ValuePath, String)
    case remove(ValuePath)
    case rename(ValuePath, String)

    func applied(to document: JSONDocument) throws -> JSONDocument {
        switch self {
        case .replace(let path, let text): try document.editing(.replace(.json(text)), at: path)
        case .insert(let path, let text): try document.editing(.insert(.json(text)), at: path)
        case .remove(let path): try document.editing(.remove, at: path)
        case .rename(let path, let name): try document.editing(.rename(name), at: path)
        }
    }
}

@Suite("Editing JSON texts")
struct JSONEditingTests {
    @Test(
        "Replacing a value keeps all other bytes",
        arguments: [
            ("1", [], " [2] ", "[2]"),
            (" 1 ", [], "2", " 2 "),
            (
                #"{ "a" :1.50, "b":[ 1 ,2 ] }"#, [.key("b"), .index(0)], "\"x\"",
                #"{ "a" :1.50, "b":[ "x" ,2 ] }"#
            ),
            (#"{"a":{"b":1}}"#, [.key("a")], "null", #"{"a":null}"#),
            (#"{"\u0061":1}"#, [.key("a")], "\u{FEFF}2", #"{"\u0061":2}"#),
        ] as [(String, ValuePath, String, String)]
    )
    func replacingAValueKeepsAllOtherBytes(
        _ old: String,
        _ path: ValuePath,
        _ new: String,
        _ expected: String
    ) throws {
        #expect(text(try document(old).editing(.replace(.json(new)), at: path)) == expected)
    }

    @Test(
        "An inserted value follows the style around it",
        arguments: [
            // Compact, spaced and indented objects.
            (#"{"a":1}"#, [.key("b")], #"{"a":1,"b":0}"#),
            (#"{"a": 1}"#, [.key("b")], #"{"a": 1, "b": 0}"#),
            (#"{ "a": 1 }"#, [.key("b")], #"{ "a": 1, "b": 0 }"#),
            (#"{"a": 1, "c": 2}"#, [.key("b")], #"{"a": 1, "c": 2, "b": 0}"#),
            ("{\n  \"a\" : 1\n}", [.key("b")], "{\n  \"a\" : 1,\n  \"b\" : 0\n}"),
            ("{\r\n\t\"a\": 1\r\n}\r\n", [.key("b")], "{\r\n\t\"a\": 1,\r\n\t\"b\": 0\r\n}\r\n"),
            ("{ \"a\": 1\n, \"c\": 2\n}", [.key("b")], "{ \"a\": 1\n, \"c\": 2\n, \"b\": 0\n}"),
            // Arrays.
            ("[1]", [.index(0)], "[0,1]"),
            ("[1]", [.index(1)], "[1,0]"),
            ("[1, 2]", [.index(0)], "[0, 1, 2]"),
            ("[1, 2]", [.index(1)], "[1, 0, 2]"),
            ("[1, 2]", [.index(2)], "[1, 2, 0]"),
            ("[\n  1,\n  2\n]", [.index(1)], "[\n  1,\n  0,\n  2\n]"),
            ("[\n 1,2,\n 3,4]", [.index(4)], "[\n 1,2,\n 3,4,0]"),
            ("[[1, 2], [3]]", [.index(1), .index(0)], "[[1, 2], [0, 3]]"),
            // Empty containers.
            ("{}", [.key("b")], #"{"b":0}"#),
            ("[]", [.index(0)], "[0]"),
            ("{ }", [.key("b")], #"{ "b":0 }"#),
            ("{\n}", [.key("b")], "{\n  \"b\": 0\n}"),
            (#"[{"a": 1}, {}]"#, [.index(1), .key("b")], #"[{"a": 1}, {"b": 0}]"#),
            (#"[{ "a": 1 }, {}]"#, [.index(1), .key("b")], #"[{ "a": 1 }, { "b": 0 }]"#),
            ("{\n    \"a\": {}\n}", [.key("a"), .key("b")], "{\n    \"a\": {\n        \"b\": 0\n    }\n}"),
            (#"[1, {}]"#, [.index(1), .key("b")], #"[1, {"b": 0}]"#),
            (
                "{ \"a\": 1\n, \"c\": {}\n}", [.key("c"), .key("b")],
                "{ \"a\": 1\n, \"c\": { \"b\": 0 }\n}"
            ),
            // Foundation writes an empty array this way if the output is indented.
            (
                "{\n  \"a\" : [\n\n  ]\n}", [.key("a"), .index(0)],
                "{\n  \"a\" : [\n    0\n  ]\n}"
            ),
            (
                "{\n\t\"a\": [1, 2],\n\t\"c\": []\n}", [.key("c"), .index(0)],
                "{\n\t\"a\": [1, 2],\n\t\"c\": [0]\n}"
            ),
            (
                "\u{FEFF}{\n\"a\": []\n}", [.key("a"), .index(0)],
                "\u{FEFF}{\n\"a\": [\n0\n]\n}"
            ),
            // A name that needs escapes.
            (#"{"a":1}"#, [.key("\"\n")], #"{"a":1,"\"\n":0}"#),
        ] as [(String, ValuePath, String)]
    )
    func insertedValueFollowsTheStyleAroundIt(_ old: String, _ path: ValuePath, _ expected: String) throws {
        #expect(text(try document(old).editing(.insert(.json(" 0 ")), at: path)) == expected)
    }

    @Test(
        "Removing a value removes its comma and white space",
        arguments: [
            (#"{"a":1}"#, [.key("a")], "{}"),
            ("{\n  \"a\": 1\n}", [.key("a")], "{}"),
            ("{\n  \"a\": 1,\n  \"b\": 2\n}", [.key("a")], "{\n  \"b\": 2\n}"),
            ("{\n  \"a\": 1,\n  \"b\": 2\n}", [.key("b")], "{\n  \"a\": 1\n}"),
            ("{ \"a\": 1\n, \"b\": 2\n, \"c\": 3\n}", [.key("b")], "{ \"a\": 1\n, \"c\": 3\n}"),
            ("[1, 2 ,3 ]", [.index(0)], "[2 ,3 ]"),
            ("[1, 2 ,3 ]", [.index(1)], "[1,3 ]"),
            ("[ 1 ,  2  ,   3   ]", [.index(0)], "[ 2  ,   3   ]"),
            ("[ 1 ,  2  ,   3   ]", [.index(1)], "[ 1 ,   3   ]"),
            ("[ 1 ,  2  ,   3   ]", [.index(2)], "[ 1 ,  2   ]"),
            ("{\"a\": [1],\n\n\"b\": \",\" ,\n\"c\": {}}", [.key("b")], "{\"a\": [1],\n\"c\": {}}"),
            ("[1, 2 ,3 ]", [.index(2)], "[1, 2 ]"),
            ("[[[1]]]", [.index(0), .index(0)], "[[]]"),
        ] as [(String, ValuePath, String)]
    )
    func removingAValueRemovesItsCommaAndWhiteSpace(_ old: String, _ path: ValuePath, _ expected: String)
        throws
    {
        #expect(text(try document(old).editing(.remove, at: path)) == expected)
    }

    @Test(
        "Renaming a member keeps its position and value",
        arguments: [
            (#"{"a" : 1.0,"b":2}"#, [.key("a")], "c", #"{"c" : 1.0,"b":2}"#),
            (#"{"\u0061":1}"#, [.key("a")], "a", #"{"\u0061":1}"#),
            (#"{"a":{"b":1}}"#, [.key("a"), .key("b")], "\"", #"{"a":{"\"":1}}"#),
            (#"{"é":1}"#, [.key("é")], "e\u{301}", "{\"e\u{301}\":1}"),
        ] as [(String, ValuePath, String, String)]
    )
    func renamingAMemberKeepsItsPositionAndValue(
        _ old: String,
        _ path: ValuePath,
        _ name: String,
        _ expected: String
    ) throws {
        let new = try document(old).editing(.rename(name), at: path)
        #expect(new.text == Data(expected.utf8))
    }

    @Test(
        "An impossible edit is refused with the path",
        arguments: [
            (.replace([.key("x")], "1"), "/x: there is nothing of this name"),
            (
                .replace([.key("a"), .index(2)], "1"),
                "/a/2: there is no such element; the array has 2 elements"
            ),
            (.replace([.index(0)], "1"), "/0: what is here has names, not numbers"),
            (
                .replace([.key("a"), .key("b")], "1"),
                "/a/b: the elements of an array have numbers, not names"
            ),
            (.remove([.key("a"), .index(0), .key("b")]), "/a/0/b: there is nothing inside a number"),
            (
                .replace([.key("a")], "[1"),
                "/a: the new text is not JSON: line 1, column 3: found the end of the text where “,” or “]” is expected"
            ),
            (
                .replace([.key("a")], "1,2"),
                "/a: the new text is not JSON: line 1, column 2: found “,” where the end of the text is expected"
            ),
            (.insert([.key("a")], "1"), "/a: this name is taken already"),
            (
                .insert([.key("a"), .index(3)], "1"),
                "/a/3: there is no such element; the array has 2 elements"
            ),
            (.insert([.key("t")], "1"), "/t: this name is taken already"),
            (.rename([.key("a")], "t"), "/t: this name is taken already"),
            (
                .rename([.key("a"), .index(0)], "t"),
                "/a/0: only the entry of a dictionary and the member of an object have a name"
            ),
            (
                .remove([]),
                "the outermost value can be replaced; it can't be removed, nothing be put beside it"
            ),
            (
                .replace([.key("t"), .key("u")], "1"),
                "/t: its object has several members of this name; edit the whole object instead"
            ),
            (
                .remove([.key("t")]),
                "/t: its object has several members of this name; edit the whole object instead"
            ),
        ] as [(JSONEdit, String)]
    )
    func impossibleEditIsRefusedWithThePath(_ edit: JSONEdit, _ sentence: String) throws {
        let old = try document(#"{"a": [1, 2], "t": {"u": 1}, "t": 2}"#)
        let error = try #require(throws: ValueEditError.self) { _ = try edit.applied(to: old) }
        #expect(error.description == sentence)
    }

    @Test("An edit that would exceed a limit of the document is refused")
    func editThatWouldExceedALimitOfTheDocumentIsRefused() throws {
        var limits = PropertyListLimits()
        limits.depth = 2
        let old = try JSONDocument(parsing: Data("[[1]]".utf8), limits: limits)
        let error = try #require(throws: ValueEditError.self) {
            try old.editing(.replace(.json("[]")), at: [.index(0), .index(0)])
        }
        #expect(
            error.description
                == "/0/0: the text would break a limit: objects and arrays are nested more than 2 deep"
        )
    }
}
