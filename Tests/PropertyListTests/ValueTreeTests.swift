import Foundation
import PropertyList
import Testing

private func data(_ text: String) -> PropertyListValue { .data(Data(text.utf8)) }

/// A suite as programs leave it: native values, and a `Codable` one as JSON in data.
private let settings: PropertyListValue = [
    "name": "Pitt",
    "sizes": [1, 2.5, ["deep": true]],
    "user": data(#"{ "emails" : [ "a@x", "b@x" ], "age" : 7.0 }"#),
    "blob": .data(Data([0x7B, 0xFF])),
    "mode": data("\"dark\"\n"),
]

@Suite struct ValueTreeTests {
    @Test(
        "Data is JSON when all its bytes are",
        arguments: [
            ("{}", true, true), (" [1]\n", true, true), ("\u{FEFF}{}", true, true), ("5", true, false),
            ("\"a\"", true, false),
            ("null", true, false), ("", false, false), ("  ", false, false), ("{", false, false),
            ("bplist00", false, false),
            ("true!", false, false), ("<?xml", false, false), ("\u{FEFF}", false, false),
        ]
    )
    func recognised(_ text: String, _ isJSON: Bool, _ isContainer: Bool) {
        let node = ValueNode(data(text))
        #expect((node.document != nil) == isJSON)
        #expect(node.document.map(\.text) == (isJSON ? Data(text.utf8) : nil))
        #expect(node.isContainer == isContainer)
    }

    @Test("Containers show their children: keys sorted, the rest in their own order")
    func children() {
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
            ([.key("mode")], "dark"),
            ([], "{5 keys}"), ([.key("none")], nil), ([.index(0)], nil), ([.key("sizes"), .index(3)], nil),
            ([.key("sizes"), .index(-1)], nil), ([.key("name"), .index(0)], nil),
            ([.key("user"), .index(0)], nil),
            ([.key("mode"), .key("x")], nil), ([.key("blob"), .key("x")], nil),
        ] as [(ValuePath, String?)]
    )
    func lookup(_ path: ValuePath, _ text: String?) {
        #expect(ValueNode(settings).node(at: path)?.displayText() == text)
    }

    @Test("A node below data that holds JSON leads on from where it is")
    func lookupFromJSON() throws {
        let user = try #require(ValueNode(settings).node(at: [.key("user")]))
        let emails = try #require(user.node(at: [.key("emails")]))
        #expect(emails.node(at: [.index(0)])?.json?.source == "\"a@x\"")
        #expect(emails.node(at: []) == emails)
        #expect(user.node(at: []) == user)
    }

    @Test("An edit of native values changes its own place")
    func native() throws {
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

    @Test("An edit inside JSON rewrites only its own bytes of that data")
    func insideJSON() throws {
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
        "What can't be done is refused with the whole path and a sentence",
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
            (.insert([.key("blob"), .key("x")]), "/blob/x: there is nothing inside data that holds no JSON"),
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
    func refused(_ edit: TreeEdit, _ sentence: String) throws {
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
    fileprivate func child(_ key: String) -> PropertyListValue? {
        guard case .dictionary(let entries) = self else { return nil }
        return entries[key]
    }
}
