import Foundation
import ProgramHarness
import PropertyList
import SettingsStore
import Testing

/// One declaration of each kind, with every property set.
let declaredSettings: [String: SettingDeclaration] = [
    "flag": SettingDeclaration(.boolean, defaultValue: false, title: "Flag"),
    "volume": SettingDeclaration(
        .integer(Bounds(0...11)),
        defaultValue: 5,
        title: "Volume",
        help: "How loud it is.",
        oldKeys: ["sound.volume"]
    ),
    "huge": SettingDeclaration(
        .integer(Bounds(0, PropertyListInteger(UInt64.max))),
        defaultValue: .integer(PropertyListInteger(UInt64.max))
    ),
    "zoom": SettingDeclaration(.real(Bounds(0.25, 4, excludesUpper: true)), defaultValue: 1.0),
    "name": SettingDeclaration(.string(StringShape(length: Bounds(1...20))), defaultValue: "Zoë \"🦊\""),
    "id": SettingDeclaration(.string(StringShape(format: .uuid))),
    "home": SettingDeclaration(.string(StringShape(format: .uri)), defaultValue: "https://example.org/"),
    "since": SettingDeclaration(
        .date(Bounds(Date(timeIntervalSince1970: 0), nil)),
        defaultValue: .date(Date(timeIntervalSince1970: 1_700_000_000.25))
    ),
    "bytes": SettingDeclaration(.data, defaultValue: .data(Data([0, 1, 255]))),
    "window": SettingDeclaration(.json, defaultValue: .data(Data(#"{"height":24,"width":80}"#.utf8))),
    "tags": SettingDeclaration(.array(of: .string()), defaultValue: ["swift", "linux"]),
    "ports": SettingDeclaration(.dictionary(of: .integer(Bounds(1...65535))), defaultValue: ["web": 80]),
    "place": SettingDeclaration(
        .record(["x": .init(.real()), "y": .init(.real()), "name": .init(.string(), isRequired: false)]),
        defaultValue: ["x": 0.0, "y": 1.5]
    ),
    "theme": SettingDeclaration(
        .string(),
        cases: [SettingCase("light"), SettingCase("dark")],
        defaultValue: "light",
        deprecation: "Use “look” instead."
    ),
    "direction": SettingDeclaration(
        .integer(),
        cases: [SettingCase(0, title: "north"), SettingCase(1, title: "west")]
    ),
    "token": SettingDeclaration(.string(), isSecret: true),
    "mixed": SettingDeclaration(.anything, defaultValue: ["a": [1, 2.5, true, "x"]]),
    "editor": SettingDeclaration(
        .record([
            "size": .init(
                .declared(SettingDeclaration(.integer(Bounds(6...100)), defaultValue: 14, title: "Size"))
            ),
            "fonts": .init(
                .array(
                    of: .declared(
                        SettingDeclaration(
                            .optional(.string()),
                            cases: [SettingCase("Mono")],
                            deprecation: ""
                        )
                    )
                ),
                isRequired: false
            ),
        ])
    ),
    "code": SettingDeclaration(.string(StringShape(pattern: "^[A-Z]{2}$"))),
]

@Suite("The schema of a suite")
struct SchemaTests {
    @Test("is written and read back without loss")
    func roundTrip() throws {
        let schema = SuiteSchema(declaredSettings)
        let read = try SuiteSchema(parsing: schema.text)
        for (key, declaration) in declaredSettings {
            #expect(read.declarations[key] == declaration, "\(key)")
        }
        #expect(read == schema)
        #expect(read.text == schema.text)
    }

    @Test("is plain text with sorted members")
    func text() throws {
        let schema = SuiteSchema(declaredSettings.filter { ["volume", "window"].contains($0.key) })
        let expected = """
            {
              "$schema": "https://json-schema.org/draft/2020-12/schema",
              "properties": {
                "volume": {
                  "default": 5,
                  "description": "How loud it is.",
                  "maximum": 11,
                  "minimum": 0,
                  "title": "Volume",
                  "type": "integer",
                  "x-oldKeys": ["sound.volume"]
                },
                "window": {
                  "contentEncoding": "base64",
                  "contentMediaType": "application/json",
                  "contentSchema": {
                    "default": {
                      "height": 24,
                      "width": 80
                    }
                  },
                  "type": "string"
                }
              },
              "type": "object"
            }

            """
        #expect(String(decoding: schema.text, as: UTF8.self) == expected)
    }

    @Test("does not contain the default of a secret")
    func secret() throws {
        let declaration = SettingDeclaration(.string(), defaultValue: "hunter2", isSecret: true)
        let text = String(decoding: SuiteSchema(["token": declaration]).text, as: UTF8.self)
        #expect(text.contains("\"writeOnly\": true") && !text.contains("hunter2"))
    }

    @Test("keeps unknown members and replaces known ones")
    func merging() throws {
        let old = """
            {"$comment": "by hand", "type": "object", "properties": {
              "volume": {"type": "string", "contentLanguage": "de", "maxLength": 3, "x-mine": [1.50, null]},
              "sound.volume": {"type": "integer"},
              "theirs": {"$ref": "#/$defs/a", "minimum": 1e400}, "on": true
            }, "$defs": {"a": {"type": "integer"}}}
            """
        let schema = SuiteSchema(declaredSettings.filter { $0.key == "volume" })
        let merged = try #require(try schema.merged(into: Data(old.utf8)))
        let expected = """
            {
              "$comment": "by hand",
              "$defs": {
                "a": {
                  "type": "integer"
                }
              },
              "$schema": "https://json-schema.org/draft/2020-12/schema",
              "properties": {
                "on": true,
                "theirs": {
                  "$ref": "#/$defs/a",
                  "minimum": 1e400
                },
                "volume": {
                  "contentLanguage": "de",
                  "default": 5,
                  "description": "How loud it is.",
                  "maximum": 11,
                  "minimum": 0,
                  "title": "Volume",
                  "type": "integer",
                  "x-mine": [1.50, null],
                  "x-oldKeys": ["sound.volume"]
                }
              },
              "type": "object"
            }

            """
        #expect(String(decoding: merged, as: UTF8.self) == expected)
        #expect(try schema.merged(into: merged) == nil)
    }

    @Test("from another tool is understood as far as its members are known")
    func foreign() throws {
        let text = #"""
            {"properties": {
              "a": {"type": ["integer", "null"], "exclusiveMinimum": 1, "maximum": 1e3},
              "b": {"type": ["integer", "string"], "format": "email"},
              "c": {"type": "string", "format": "email"},
              "d": {"enum": ["x", 1, true]},
              "e": {"type": "number", "minimum": 0, "exclusiveMinimum": 0, "default": 1},
              "f": {"oneOf": [{"type": "string"}, {"type": "integer"}]},
              "g": false, "h": {},
              "i": {"type": "object", "additionalProperties": false},
              "j": {"type": "integer", "default": "wrong", "minimum": -1e300, "maximum": 1e300}
            }}
            """#
        let schema = try SuiteSchema(parsing: Data(text.utf8)).declarations
        #expect(schema["a"]?.shape == .optional(.integer(Bounds(1, 1000, excludesLower: true))))
        #expect(schema["b"]?.shape == .anything)
        #expect(schema["c"] == SettingDeclaration(.string()))
        #expect(schema["d"]?.cases.map(\.value) == ["x", 1, true])
        #expect(schema["e"]?.shape == .real(Bounds(0, nil, excludesLower: true)))
        #expect(schema["e"]?.defaultValue == 1.0)
        #expect(schema["f"] == SettingDeclaration(.anything))
        #expect(schema["g"] == SettingDeclaration(.anything) && schema["h"] == schema["g"])
        #expect(schema["i"]?.shape == .dictionary(of: .anything))
        #expect(schema["j"]?.defaultValue == nil)
        #expect(schema["j"]?.problem(with: 7) == nil)
    }

    private let nested = #"""
        {"$ref": "#/definitions/Settings", "definitions": {
          "Settings": {"properties": {
            "editor": {"$ref": "#/definitions/Editor", "title": "The editor"},
            "all": {"allOf": [{"$ref": "#/definitions/Size"}, {"description": "All of it."}]},
            "elsewhere": {"$ref": "https://example.org/x.json"}, "nowhere": {"$ref": "#/definitions/None"},
            "list": {"type": "array", "items": [{"type": "integer"}]},
            "exact": {"const": 4},
            "both": {"allOf": [{"properties": {"a": {"type": "integer"}}}, {"properties": {"b": {"type": "boolean"}}}]},
            "draft4": {"type": "integer", "minimum": 0, "exclusiveMinimum": true}
          }},
          "Size": {"type": "integer", "minimum": 6, "maximum": 100, "default": 14, "title": "Size"},
          "Editor": {"type": "object", "required": ["size"], "properties": {
            "size": {"$ref": "#/definitions/Size"},
            "wrap": {"enum": ["off", "on", null]},
            "name": {"type": "string", "pattern": "^[a-z]+$"},
            "odd": {"type": "string", "pattern": "(?<=[" },
            "rulers": {"type": "array", "items": {"$ref": "#/definitions/Size"}},
            "old": {"type": "boolean", "deprecated": true, "x-deprecation": "Use “wrap”."},
            "token": {"type": "string", "writeOnly": true},
            "inner": {"$ref": "#/definitions/Editor"}
          }}
        }}
        """#

    @Test("describes members and elements as it describes keys, and follows references inside itself")
    func members() throws {
        let schema = try SuiteSchema(parsing: Data(nested.utf8))
        let size = schema.declaration(at: [.key("editor"), .key("size")])
        #expect(size == SettingDeclaration(.integer(Bounds(6...100)), defaultValue: 14, title: "Size"))
        #expect(schema.declaration(at: [.key("editor"), .key("rulers"), .index(7)]) == size)
        #expect(schema.declarations["editor"]?.title == "The editor")
        #expect(schema.declarations["all"]?.help == "All of it.")
        #expect(schema.declarations["all"]?.defaultValue == 14)
        #expect(
            schema.declaration(at: [.key("editor"), .key("wrap")])?.cases.map(\.value) == [
                "off", "on", .null,
            ]
        )
        #expect(schema.declaration(at: [.key("editor"), .key("unknown")]) == nil)
        #expect(schema.declaration(at: [.key("exact"), .key("x")]) == nil)
        #expect(schema.declaration(at: [.key("both"), .key("a")]) == SettingDeclaration(.integer()))
        #expect(schema.declaration(at: [.key("both"), .key("b")]) == SettingDeclaration(.boolean))
        // A key with a secret member is secret as a whole.
        #expect(schema.secretKeys == ["editor"])
        for key in ["elsewhere", "nowhere"] { #expect(schema.declarations[key]?.problem(with: "x") == nil) }
    }

    @Test(
        "checks members and elements, and ignores unknown rules",
        arguments: [
            ("editor", ["size": 5], "at /size: 5 is below 6, the smallest that is allowed"),
            ("editor", ["wrap": "on"], "“size” is missing"),
            ("editor", ["size": 6, "wrap": "no"], "at /wrap: the setting does not allow it"),
            ("editor", ["size": 6, "wrap": .null], nil),
            ("editor", ["size": 6, "name": .null], "at /name: found null, expected a string"),
            ("editor", ["size": 6, "name": "A"], "at /name: it does not match ^[a-z]+$"),
            ("editor", ["size": 6, "odd": "A", "inner": 3], nil),
            (
                "editor", ["size": 6, "rulers": [80, 101]], "at /rulers/1: 101 is above 100, the largest"
            ),
            ("list", ["x"], nil), ("exact", 4, nil), ("exact", 4.0, nil), ("exact", 5, "5 is not 4"),
            ("exact", .number("4.00"), nil), ("draft4", 0, nil), ("draft4", -1, "-1 is below 0"),
        ] as [(String, PropertyListValue, String?)]
    )
    func checkedMembers(key: String, value: PropertyListValue, problem: String?) throws {
        var declaration = try #require(try SuiteSchema(parsing: Data(nested.utf8)).declarations[key])
        declaration.isSecret = false
        let found = declaration.problem(with: value)
        if let problem, !problem.hasSuffix("allow it") {
            #expect(found?.hasPrefix(problem) == true, "\(found ?? "no problem")")
        } else {
            #expect((found == nil) == (problem == nil), "\(found ?? "no problem")")
        }
    }

    @Test("does not check members and elements that a change keeps")
    func unchangedProblems() throws {
        var declaration = try #require(try SuiteSchema(parsing: Data(nested.utf8)).declarations["editor"])
        declaration.isSecret = false
        let old: PropertyListValue = ["wrap": "no", "rulers": [1, 80]]
        func problem(_ new: PropertyListValue) -> String? { declaration.problem(with: new, replacing: old) }
        #expect(problem(["wrap": "no", "rulers": [90, 1]]) == nil)
        #expect(problem(["wrap": "on", "rulers": [1, 80]]) == nil)
        #expect(problem(["wrap": "bad", "rulers": [1, 80]]) != nil)
        #expect(
            problem(["wrap": "no", "rulers": [1, 2]])
                == "at /rulers/1: 2 is below 6, the smallest that is allowed"
        )
    }

    @Test("lists the stored values that are deprecated")
    func deprecations() throws {
        let schema = try SuiteSchema(parsing: Data(nested.utf8))
        let found = schema.deprecations(in: ["editor": ["old": true, "inner": ["old": true]], "other": 1])
        #expect(found.map { "\($0.path) \($0.sentence)" } == ["/editor/old Use “wrap”."])
    }

    @Test(
        "that is invalid is an error with position and reason",
        arguments: [
            ("", "line 1, column 1: found the end of the text where a value is expected"),
            ("[]", "line 1, column 1: found an array, expected a JSON object"),
            ("{\n  \"properties\": 3}", "line 2, column 17: “properties” must be an object"),
            (
                "{\"properties\": {\"a\":\n {\"minimum\": \"0\", \"type\": \"integer\"}}}",
                "line 2, column 14: “minimum” must be a number"
            ),
            (
                "{\"properties\": {\"a\": 1}}",
                "line 1, column 22: found a number, expected an object, true or false"
            ),
            (
                "{\"properties\": {\"a\": {\"type\": \"string\", \"minLength\": -1}}}",
                "line 1, column 54: “minLength” must be a whole number from 0 up"
            ),
            (
                "{\"properties\": {\"a\": {\"x-oldKeys\": [1]}}}",
                "line 1, column 37: found a number, expected a string"
            ),
        ]
    )
    func broken(text: String, problem: String) {
        let error = #expect(throws: PropertyListError.self) { try SuiteSchema(parsing: Data(text.utf8)) }
        #expect(error.map { "\($0)" } == problem)
    }

    @Test("with hostile content ends in a value or an error")
    func hostile() {
        let deep = String(repeating: #"{"items":"#, count: 100_000)
        let texts = [
            #"{"properties": {"a": {"type": "array", "items": \#(deep)"#,
            #"{"properties": {"a": "# + String(repeating: "[", count: 200),
            #"{"properties": {"": {}, "": {"type": 1}}}"#,
            #"{"properties": {"\ud800": {"type": "integer", "minimum": 1e999999999}}}"#,
            #"{"properties": {"a": {"type": "string", "minLength": 1e30}}}"#,
            #"{"properties": {"a": {"type": "integer", "enum": [1e400, -0.0, {}]}}}"#,
        ]
        for text in texts {
            guard let schema = try? SuiteSchema(parsing: Data(text.utf8)) else { continue }
            #expect((try? SuiteSchema(parsing: schema.text)) != nil)
        }
        var nested = #"{"type": "integer"}"#
        for _ in 0..<120 { nested = #"{"type":"array","items":\#(nested)}"# }
        #expect((try? SuiteSchema(parsing: Data(#"{"properties":{"a":\#(nested)}}"#.utf8)))?.isEmpty == false)
    }
}

@Suite("A declared setting accepts a value or says why not")
struct ValidationTests {
    @Test(
        "according to its shape and its cases",
        arguments: [
            ("flag", true, nil), ("flag", 1, nil),
            ("flag", 2, "found a whole number, expected a boolean"),
            ("volume", 0, nil), ("volume", 11, nil), ("volume", 7.0, nil),
            ("volume", 12, "12 is above 11, the largest that is allowed"),
            ("volume", -1, "-1 is below 0, the smallest that is allowed"),
            ("volume", 1.5, "1.5 is not a whole number"),
            ("volume", "7", "found a string, expected a whole number"),
            ("zoom", 1, nil), ("zoom", 4, "4.0 is not below 4.0"),
            ("zoom", .real(.nan), "nan is below 0.25, the smallest that is allowed"),
            ("name", "Ω", nil), ("name", "", "it has 0 characters, 1 to 20 are allowed"),
            ("id", "no", "it is not a UUID"), ("id", "E621E1F8-C36C-495A-93FC-0C247A3E6E5F", nil),
            ("since", .date(Date(timeIntervalSince1970: 1)), nil),
            (
                "since", .date(Date(timeIntervalSince1970: -1)),
                "1969-12-31 23:59:59 UTC is below 1970-01-01 00:00:00 UTC, the smallest that is allowed"
            ),
            (
                "window", .data(Data("[1".utf8)),
                "it is not JSON: line 1, column 3: found the end of the text where “,” or “]” is expected"
            ),
            ("window", .data(Data("[1]".utf8)), nil),
            ("window", "x", "found a string, expected data"),
            ("tags", ["a", 1], "at /1: found a whole number, expected a string"),
            ("ports", ["a/b": 0], "at /a~1b: 0 is below 1, the smallest that is allowed"),
            ("place", ["x": 1, "z": "other"], "“y” is missing"), ("place", ["x": 1, "y": 2], nil),
            ("theme", "dark", nil), ("theme", "blue", "“blue” is not “light” or “dark”"),
            ("direction", 1, nil), ("direction", 2, "2 is not 0 (north) or 1 (west)"),
            ("token", 1, "found a whole number, expected a string"),
            ("mixed", .data(Data()), nil),
            // Some programs store every value as JSON in data.
            ("volume", .data(Data("7".utf8)), nil),
            ("volume", .data(Data("70".utf8)), "70 is above 11, the largest that is allowed"),
            ("theme", .data(Data(#""dark""#.utf8)), nil),
        ] as [(String, PropertyListValue, String?)]
    )
    func values(key: String, value: PropertyListValue, problem: String?) {
        #expect(declaredSettings[key]?.problem(with: value) == problem)
        let schema = SuiteSchema(declaredSettings)
        if let problem {
            #expect(throws: InvalidValueError(key: key, problem: problem)) {
                try schema.validate(value, forKey: key)
            }
        } else {
            #expect(throws: Never.self) { try schema.validate(value, forKey: key) }
        }
    }

    @Test("and its limits can be described in words")
    func limits() {
        let texts = declaredSettings.compactMapValues(\.limitsText)
        #expect(
            texts == [
                "volume": "0 to 11", "huge": "at least 0", "zoom": "at least 0.25 and less than 4.0",
                "name": "1 to 20 characters", "id": "UUID", "home": "URI",
                "since": "at least 1970-01-01 00:00:00 UTC", "theme": "“light” or “dark”",
                "direction": "0 (north) or 1 (west)", "code": "matching ^[A-Z]{2}$",
            ]
        )
    }
}
