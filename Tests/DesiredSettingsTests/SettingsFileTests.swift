import Foundation
import PropertyList
import Testing

@testable import DesiredSettings

@Suite("Settings files")
struct SettingsFileTests {
    private func settings(_ text: String) throws -> [DesiredSetting] {
        try SettingsFile(Array(text.utf8)).suites.flatMap(\.keys).flatMap(\.settings)
    }

    @Test("Suites and keys keep the order of a JSON file, and comments are skipped")
    func order() throws {
        let file = try SettingsFile(
            Array("// Mine\n{\"z\": {\"b\": 1, \"a\": 2}, /* more */ \"a\": {\"c\": true,},}\n".utf8)
        )
        #expect(file.suites.map(\.name) == ["z", "a"])
        #expect(file.suites[0].keys.map(\.key) == ["b", "a"])
    }

    @Test("A property list means the same as JSON")
    func propertyList() throws {
        let value: PropertyListValue = [
            "app": ["list": ["$include": ["x"]], "old": ["$delete": true], "size": 5]
        ]
        for format in [PropertyListFormat.xml, .binary] {
            let file = try SettingsFile(value.encoded(as: format))
            #expect(
                file.suites[0].keys.flatMap(\.settings) == [
                    DesiredSetting(SettingPath("list", element: "x"), "x"),
                    DesiredSetting(SettingPath("old"), nil),
                    DesiredSetting(SettingPath("size"), 5),
                ]
            )
        }
    }

    @Test(
        "Each directive asks for a part, and everything else for a whole value",
        arguments: [
            (#"5"#, [DesiredSetting(SettingPath("k"), 5)]),
            (
                #"{"$date": "2024-05-01"}"#,
                [DesiredSetting(SettingPath("k"), .date(Date(timeIntervalSince1970: 1_714_521_600)))]
            ),
            (#"{"a": {"b": 1}}"#, [DesiredSetting(SettingPath("k"), ["a": ["b": 1]])]),
            (
                #"{"$include": [1, "x", 1]}"#,
                [
                    DesiredSetting(SettingPath("k", element: 1), 1),
                    DesiredSetting(SettingPath("k", element: "x"), "x"),
                ]
            ),
            (
                #"{"$merge": {"a": 1, "b": {"$merge": {"c": 2}}, "d": {"$delete": true}}}"#,
                [
                    DesiredSetting(SettingPath("k", members: ["a"]), 1),
                    DesiredSetting(SettingPath("k", members: ["b", "c"]), 2),
                    DesiredSetting(SettingPath("k", members: ["d"]), nil),
                ]
            ),
            (
                #"{"$merge": {"list": {"$include": [1]}}}"#,
                [
                    DesiredSetting(SettingPath("k", members: ["list"], element: 1), 1)
                ]
            ),
            (#"{"$dictionary": {"$include": [1]}}"#, [DesiredSetting(SettingPath("k"), ["$include": [1]])]),
            (
                #"[{"$dictionary": {"$x": {"$dictionary": {"$delete": true}}}}]"#,
                [
                    DesiredSetting(SettingPath("k"), [["$x": ["$delete": true]]])
                ]
            ),
        ] as [(String, [DesiredSetting])]
    )
    func directives(_ text: String, _ expected: [DesiredSetting]) throws {
        #expect(try settings("{\"app\": {\"k\": \(text)}}") == expected)
    }

    @Test(
        "A mistake is refused with its position and with what to write",
        arguments: [
            (#"{"app": {"k": {"$incldue": [1]}}}"#, ["/app/k", "$incldue", "$include", "$dictionary"]),
            (#"{"app": {"k": {"$include": "x"}}}"#, ["/app/k", "a string under $include", "an array"]),
            (#"{"app": {"k": {"$merge": 5}}}"#, ["/app/k", "an integer under $merge", "a dictionary"]),
            (#"{"app": {"k": {"$delete": false}}}"#, ["/app/k", "a boolean under $delete", "true"]),
            (#"{"app": {"k": {"a": [{"$include": [1]}]}}}"#, ["/app/k/a/0", "$include"]),
            (#"{"app": {"k": {"$include": [1], "x": 2}}}"#, ["/app/k", "only member"]),
            (#"{"app": 5}"#, ["/app", "an integer", "dictionary of the suite’s keys"]),
            (#"[]"#, ["an array", "org.example.App"]), ("{\n\"app\": {]}", ["line 2"]),
            (#"{"app": {"k": 1, "k": 2}}"#, ["/app/k", "twice"]),
            ("{\n\"app\": {\n\"k\": {\"$incldue\": [1]}}}", ["/app/k in line 3"]),
            (
                "{\n\"app\": {\"k\": {\"$merge\": {\n\"a\": {\"$include\":\n5}}}}}",
                ["/app/k/a in line 3", "an integer under $include"]
            ),
            ("{\n\"app\": {\"k\": 1,\n\"d\": {\"$date\": \"x\"}}}", ["/app/d in line 3: “x” is not a date"]),
            ("{ app = { k = 1; }; b }", ["line 1, column 23"]),
            (#"{"$merge": {"app": {"k": 1}}}"#, ["“$merge” must be the only member"]),
            (#"{"app": {"$merge": {"k": 1}, "b": 1}}"#, ["/app in line 1", "“$merge” must be"]),
            (#"{"app": {"k": {"$merge": {"$include": [1], "b": 1}}}}"#, ["/app/k", "“$include” must be"]),
        ]
    )
    func mistakes(_ text: String, _ parts: [String]) throws {
        let error = try #require(throws: SettingsFileError.self) { try settings(text) }
        for part in parts { #expect("\(error)".contains(part), "\(error)") }
    }

    @Test("Suites and keys that look like directives are escaped too")
    func escapedNames() throws {
        for keys in [["$x": 1], ["$merge": 1, "k": 2], ["$dictionary": ["a": 1]]]
            as [[String: PropertyListValue]]
        {
            for name in ["app", "$delete", "$app"] {
                let text = PropertyListValue.dictionary([name: .dictionary(keys)]).typedJSON()
                let file = try SettingsFile(Array(text.utf8))
                #expect(file.suites.map(\.name) == [name], "\(text)")
                let settings = keys.sorted { $0.key < $1.key }.map {
                    DesiredSetting(SettingPath($0.key), $0.value)
                }
                #expect(file.suites.flatMap(\.keys).flatMap(\.settings) == settings, "\(text)")
            }
        }
    }

    @Test("A value that looks like a directive is escaped when it is written as JSON")
    func escapes() throws {
        let values: [PropertyListValue] = [
            ["$include": [1]], ["$other": 1], ["$merge": 1, "x": 2], ["a": ["$delete": true]],
            ["$dictionary": ["$x": 1]],
            ["$date": "x"], [["$archiver": "A", "$top": 1]],
        ]
        for value in values {
            let text = PropertyListValue.dictionary(["app": ["k": value]]).typedJSON(indented: true)
            #expect(try settings(text) == [DesiredSetting(SettingPath("k"), value)], "\(text)")
            #expect(try PropertyListValue.read(typedJSON: Data(text.utf8)) == ["app": ["k": value]])
        }
    }
}
