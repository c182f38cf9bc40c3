import Foundation
import PropertyList
import Testing

private func data(_ text: String) -> PropertyListValue { .data(Data(text.utf8)) }

/// A suite as programs write it: native values, and a `Codable` value as JSON in data.
private let settings: PropertyListValue = [
    "name": "Pitt",
    "sizes": [1, 2.5, ["deep": true]],
    "user": data(#"{ "emails" : [ "a@x", "b@x" ], "age" : 7.0 }"#),
    "blob": .data(Data([0x7B, 0xFF])),
    "mode": data("\"dark\"\n"),
]

@Suite("Values as a tree")
struct ValueTreeTests {
    @Test(
        "Data counts as JSON if all its bytes do",
        arguments: [
            ("{}", true, true), (" [1]\n", true, true), ("\u{FEFF}{}", true, true), ("5", true, false),
            ("\"a\"", true, false),
            ("null", true, false), ("", false, false), ("  ", false, false), ("{", false, false),
            ("bplist00", false, false),
            ("true!", false, false), ("<?xml", false, false), ("\u{FEFF}", false, false),
        ]
    )
    func dataCountsAsJSONIfAllItsBytesDo(_ text: String, _ isJSON: Bool, _ isContainer: Bool) throws {
        let node = ValueNode(data(text))
        #expect((node.embedded != nil) == isJSON)
        #expect(node.json?.source == (isJSON ? try JSONDocument(parsing: Data(text.utf8)).root.source : nil))
        #expect(node.isContainer == isContainer)
    }

    @Test("The children of a dictionary are sorted, and others keep their order")
    func childrenOfADictionaryAreSortedAndOthersKeepTheirOrder() {
        let root = ValueNode(settings)
        #expect(root.isContainer)
        #expect(root.childCount == 5)
        #expect(root.children.map(\.step) == ["blob", "mode", "name", "sizes", "user"].map { .key($0) })
        #expect(root.children.map(\.node.isContainer) == [false, false, false, true, true])
        #expect(root.children.map(\.node.childCount) == [0, 0, 0, 3, 2])
        #expect(root.children[4].node.children.map(\.step) == [.key("emails"), .key("age")])
        #expect(root.children[2].node.children.isEmpty)
        #expect(ValueNode([]).isContainer && ValueNode([:]).isContainer)
    }

    @Test(
        "A path leads through property lists into the JSON in data",
        arguments: [
            ([.key("name")], "Pitt"), ([.key("sizes"), .index(2), .key("deep")], "true"),
            ([.key("user")], "{2 members}"), ([.key("user"), .key("emails")], "[2 elements]"),
            ([.key("user"), .key("emails"), .index(1)], "b@x"), ([.key("user"), .key("age")], "7.0"),
            ([.key("mode")], "\"dark\""),
            ([], "{5 keys}"), ([.key("none")], nil), ([.index(0)], nil), ([.key("sizes"), .index(3)], nil),
            ([.key("sizes"), .index(-1)], nil), ([.key("name"), .index(0)], nil),
            ([.key("user"), .index(0)], nil),
            ([.key("mode"), .key("x")], nil), ([.key("blob"), .key("x")], nil),
        ] as [(ValuePath, String?)]
    )
    func pathLeadsThroughPropertyListsIntoTheJSONInData(_ path: ValuePath, _ text: String?) {
        #expect(ValueNode(settings).node(at: path)?.displayText() == text)
    }

    @Test("A path can start at a node inside JSON")
    func pathCanStartAtANodeInsideJSON() throws {
        let user = try #require(ValueNode(settings).node(at: [.key("user")]))
        let emails = try #require(user.node(at: [.key("emails")]))
        #expect(emails.node(at: [.index(0)])?.json?.source == "\"a@x\"")
        #expect(emails.node(at: []) == emails)
        #expect(user.node(at: []) == user)
    }

    @Test("An edit of a native value changes only its path")
    func editOfANativeValueChangesOnlyItsPath() throws {
        #expect(try settings.replacing(at: [.key("name")], with: .propertyList(1)).child("name") == 1)
        #expect(try settings.replacing(at: [], with: .propertyList("x")) == "x")
        let inner: ValuePath = [.key("sizes"), .index(2), .key("deep")]
        #expect(
            try settings.replacing(at: inner, with: .propertyList("no")).child("sizes") == [
                1, 2.5, ["deep": "no"],
            ]
        )
        #expect(try settings.removing(at: inner).child("sizes") == [1, 2.5, [:]])
        #expect(
            try settings.removing(at: [.key("sizes"), .index(0)]).child("sizes") == [2.5, ["deep": true]]
        )
        #expect(
            try settings.inserting(.propertyList("x"), at: [.key("sizes"), .index(0)]).child("sizes")
                == ["x", 1, 2.5, ["deep": true]]
        )
        #expect(
            try settings.inserting(.propertyList("x"), at: [.key("sizes"), .index(3)]).child("sizes")
                == [1, 2.5, ["deep": true], "x"]
        )
        #expect(try settings.inserting(.propertyList(1), at: [.key("new")]).child("new") == 1)
        let renamed = try settings.renaming(at: [.key("name")], to: "called")
        #expect(renamed.child("called") == "Pitt")
        #expect(renamed.child("name") == nil)
        #expect(try renamed.renaming(at: [.key("called")], to: "name") == settings)
    }

    @Test(
        "Data with a property list and strings with JSON can be expanded"
    )
    func dataWithAPropertyListAndStringsWithJSONCanBeExpanded() throws {
        let list: PropertyListValue = ["$objects": ["$null", "Pitt"], "n": 1]
        for format in [PropertyListFormat.xml, .binary] {
            let node = ValueNode(.data(Data(try list.encoded(as: format))))
            #expect(node.isContainer)
            #expect(node.children.map(\.step) == [.key("$objects"), .key("n")])
            #expect(node.node(at: [.key("$objects"), .index(1)])?.displayText() == "Pitt")
        }
        #expect(ValueNode(.string(#" {"a": [1]}"#)).node(at: [.key("a"), .index(0)])?.displayText() == "1")
        for text in ["5", "\"x\"", "{", "{a}", "", "<dict/>", "bplist00"] {
            #expect(!ValueNode(.string(text)).isContainer)
        }
        // An OpenStep text counts as a plain string. A property list with a single scalar has no
        // children.
        for text in ["{ a = 1; }", "(1, 2)", "<plist><string>x</string></plist>", "<plist>"] {
            #expect(!ValueNode(data(text)).isContainer)
        }
    }

    @Test("An edit inside a property list in data keeps its format and the other bytes")
    func editInsideAPropertyListInDataKeepsItsFormatAndTheOtherBytes() throws {
        let text =
            "<plist>  <dict><key>a</key> <integer>1</integer> <!-- kept --> <key>b</key><true/></dict></plist>"
        let outer: PropertyListValue = ["inner": .data(Data(text.utf8)), "x": 1]
        let edited = try outer.replacing(at: [.key("inner"), .key("b")], with: .propertyList(false))
        #expect(edited.child("x") == 1)
        let inner = try #require(edited.child("inner")?.text)
        #expect(inner.contains("<key>a</key> <integer>1</integer> <!-- kept -->"))
        #expect(inner.contains("<false/>"))
        let binary: PropertyListValue = .data(
            Data(try PropertyListValue.array([1, [2]]).encoded(as: .binary))
        )
        let longer = try binary.inserting(.propertyList("x"), at: [.index(1), .index(1)])
        #expect(ValueNode(longer).node(at: [.index(1), .index(1)])?.displayText() == "x")
        #expect(longer.text?.hasPrefix("bplist00") == true)
        #expect(try binary.replacing(at: [], with: .propertyList(5)) == 5)
        #expect(throws: ValueEditError.self) { try binary.removing(at: [.index(2)]) }
    }

    @Test("An edit of JSON in a string changes only its path")
    func editOfJSONInAStringChangesOnlyItsPath() throws {
        let value: PropertyListValue = ["s": #"{ "a" : 1.50, "b":[ ] }"#]
        let edited = try value.inserting(.json("null"), at: [.key("s"), .key("b"), .index(0)])
        #expect(edited.child("s") == #"{ "a" : 1.50, "b":[ null ] }"#)
        #expect(try value.replacing(at: [.key("s")], with: .propertyList("x")) == ["s": "x"])
    }

    @Test("Nested documents are opened down to a limited depth")
    func nestedDocumentsAreOpenedDownToALimitedDepth() throws {
        var value: PropertyListValue = ["x": 1]
        for _ in 0..<10 { value = ["x": .data(Data(try value.encoded(as: .binary)))] }
        var node = ValueNode(value)
        var depth = 0
        while let child = node.children.first?.node {
            node = child
            depth += 1
        }
        #expect(depth == 5)
        let path = ValuePath(Array(repeating: .key("x"), count: 5))
        #expect(ValueNode(value).node(at: path) != nil)
        #expect(try value.removing(at: path).child("x") != nil)
        #expect(throws: ValueEditError.self) { try value.removing(at: path.appending(.key("x"))) }
    }

    @Test(
        "A value that JSON can hold reads back the same from JSON",
        arguments: [
            [:], [], ["a": [1, 2.0, -0.5, true, "x\n\"", [:], []], "b": ["c": 1e300]], "text", 5, 1.0, -0.0,
            .integer(PropertyListInteger(UInt64.max)),
        ] as [PropertyListValue]
    )
    func valueThatJSONCanHoldReadsBackTheSameFromJSON(_ value: PropertyListValue) throws {
        let text = try #require(value.jsonForm)
        #expect(try PropertyListValue(JSONDocument(parsing: Data(text.utf8)).root) == value)
    }

    @Test("A value that JSON or a property list cannot hold is refused")
    func valueThatJSONOrAPropertyListCannotHoldIsRefused() throws {
        for value in [.data(Data()), .uid(1), .real(.nan), .date(Date(timeIntervalSince1970: 0))]
            as [PropertyListValue]
        { #expect(PropertyListValue.array([value]).jsonForm == nil) }
        for (text, place) in [
            (#"{"a": [null]}"#, "/a/0: a property list can't store null"),
            (#"{"a": 1, "a": 2}"#, "/a: the object has two members of this name"),
            ("[99999999999999999999]", "/0: the number 99999999999999999999 is too large"),
        ] {
            let error = #expect(throws: ValueEditError.self) {
                try PropertyListValue(JSONDocument(parsing: Data(text.utf8)).root)
            }
            #expect(error?.description == place)
        }
    }

    @Test("An edit inside JSON rewrites only its own bytes")
    func editInsideJSONRewritesOnlyItsOwnBytes() throws {
        let emails: ValuePath = [.key("user"), .key("emails")]
        let cases: [(PropertyListValue, String)] = [
            (
                try settings.replacing(at: emails.appending(.index(0)), with: .json("null")),
                #"{ "emails" : [ null, "b@x" ], "age" : 7.0 }"#
            ),
            (
                try settings.inserting(.json("1"), at: emails.appending(.index(2))),
                #"{ "emails" : [ "a@x", "b@x", 1 ], "age" : 7.0 }"#
            ),
            (
                try settings.inserting(.json("[]"), at: [.key("user"), .key("z")]),
                #"{ "emails" : [ "a@x", "b@x" ], "age" : 7.0, "z" : [] }"#
            ),
            (try settings.removing(at: emails), #"{ "age" : 7.0 }"#),
            (try settings.renaming(at: emails, to: "e"), #"{ "e" : [ "a@x", "b@x" ], "age" : 7.0 }"#),
            (try settings.replacing(at: [.key("user")], with: .json("[ ]")), "[ ]"),
            (try settings.replacing(at: [.key("user")], with: .propertyList(data("x"))), "x"),
        ]
        for (edited, text) in cases {
            #expect(edited.child("user") == data(text))
            #expect(edited.child("sizes") == settings.child("sizes"))
        }
        #expect(
            try settings.replacing(at: [.key("mode")], with: .json("\"light\"")).child("mode")
                == data("\"light\"\n")
        )
        #expect(try data(" 1 ").replacing(at: [], with: .json("2")) == data(" 2 "))
    }

    @Test(
        "An impossible edit is refused with the whole path",
        arguments: [
            (.replace([.key("none")]), "/none: there is nothing of this name"),
            (.remove([.key("none")]), "/none: there is nothing of this name"),
            (.replace([.key("none"), .key("x")]), "/none: there is nothing of this name"),
            (.insert([.key("name")]), "/name: this name is taken already"),
            (
                .insert([.key("sizes"), .index(4)]),
                "/sizes/4: there is no such element; the array has 3 elements"
            ),
            (
                .insert([.key("sizes"), .key("x")]),
                "/sizes/x: the elements of an array have numbers, not names"
            ),
            (.insert([.key("name"), .key("x")]), "/name/x: there is nothing inside a string"),
            (.insert([.key("blob"), .key("x")]), "/blob/x: there is nothing inside this data"),
            (.insert([.key("user"), .key("x")]), "/user/x: inside JSON only a JSON text can be put"),
            (.replace([.key("user"), .key("age")]), "/user/age: inside JSON only a JSON text can be put"),
            (
                .remove([.key("user"), .key("emails"), .index(2)]),
                "/user/emails/2: there is no such element; the array has 2 elements"
            ),
            (.remove([.key("mode"), .index(0)]), "/mode/0: there is nothing inside a string"),
            (
                .replaceWithJSON([.key("name")], "1"),
                "/name: a JSON text can only be put inside data that holds JSON"
            ),
            (
                .replaceWithJSON([.key("blob")], "1"),
                "/blob: a JSON text can only be put inside data that holds JSON"
            ),
            (
                .replaceWithJSON([.key("user"), .key("age")], "7."),
                "/user/age: the new text is not JSON: line 1, column 3: found the end of the text where a digit is expected"
            ),
            (
                .remove([]),
                "the outermost value can be replaced; it can't be removed, nothing be put beside it"
            ),
            (
                .insert([]),
                "the outermost value can be replaced; it can't be removed, nothing be put beside it"
            ),
            (.rename([.key("name")], "mode"), "/mode: this name is taken already"),
            (.rename([.key("user"), .key("age")], "emails"), "/user/emails: this name is taken already"),
            (
                .rename([.key("sizes"), .index(0)], "x"),
                "/sizes/0: only the entry of a dictionary and the member of an object have a name"
            ),
            (.rename([.key("none")], "x"), "/none: there is nothing of this name"),
        ] as [(TreeEdit, String)]
    )
    func impossibleEditIsRefusedWithTheWholePath(_ edit: TreeEdit, _ sentence: String) throws {
        let error = try #require(throws: ValueEditError.self) { _ = try edit.applied(to: settings) }
        #expect(error.description == sentence)
    }
}

enum TreeEdit: Sendable {
    case replace(ValuePath)
    case replaceWithJSON(ValuePath, String)
    case insert(ValuePath)
    case remove(ValuePath)
    case rename(ValuePath, String)

    func applied(to value: PropertyListValue) throws -> PropertyListValue {
        switch self {
        case .replace(let path): try value.replacing(at: path, with: .propertyList(1))
        case .replaceWithJSON(let path, let text): try value.replacing(at: path, with: .json(text))
        case .insert(let path): try value.inserting(.propertyList(1), at: path)
        case .remove(let path): try value.removing(at: path)
        case .rename(let path, let name): try value.renaming(at: path, to: name)
        }
    }
}

extension PropertyListValue {
    /// The bytes of data as text, if they are UTF-8.
    fileprivate var text: String? {
        if case .data(let data) = self { String(decoding: data, as: UTF8.self) } else { nil }
    }

    fileprivate func child(_ key: String) -> PropertyListValue? {
        guard case .dictionary(let entries) = self else { return nil }
        return entries[key]
    }
}
