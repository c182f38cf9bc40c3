import Foundation
import PropertyList
import Testing

@testable import CommandLanguage

@Suite("Parsing the words of a value")
struct ValueWordsTests {
    private static let date = PropertyListValue.date(Date(timeIntervalSinceReferenceDate: 736_251_630))

    @Test(
        "Values follow the grammar of macOS",
        arguments: [
            (["text"], "text"), (["hello world"], "hello world"), (["-5"], "-5"), ([""], ""), (["5"], "5"),
            (["(1, 2)"], ["1", "2"]), (["{ a = b; }"], ["a": "b"]), (["\"quoted\""], "quoted"),
            (["<0fbd77>"], .data(Data([0x0F, 0xBD, 0x77]))), (["<integer>5</integer>"], 5),
            (["<true/>"], true),
            (["<array><real>1</real></array>"], [1.0]), (["<*I5>"], 5),
            (["-string", "-int"], "-int"), (["-string", "(1)"], "(1)"), (["-string", ""], ""),
            (["-int", "-5"], -5), (["-integer", "+7"], 7), (["-float", "-.5"], -0.5), (["-float", "3"], 3.0),
            (["-bool", "YES"], true), (["-boolean", "false"], false), (["-bool", "TRUE"], true),
            (["-bool", "No"], false),
            (["-data", "DEad be"], .data(Data([0xDE, 0xAD, 0xBE]))), (["-data", ""], .data(Data())),
            (["-date", "2024-05-01T10:20:30Z"], date), (["-date", "2024-05-01 12:20:30 +0200"], date),
            (["-array"], []), (["-array", "a", "-int", "5", "(x)"], ["a", 5, ["x"]]),
            (["-array", "-string", "-int"], ["-int"]), (["-array", "--json"], ["--json"]),
            (["-dict"], [:]), (["-dict", "a", "1", "b", "-bool", "yes"], ["a": "1", "b": true]),
            (["-dict", "-string", "-int", "{x=y;}"], ["-int": ["x": "y"]]),
            (["-array", "-json", "{}"], [.data(Data("{}".utf8))]),
        ] as [([String], PropertyListValue)]
    )
    func values(_ words: [String], _ value: PropertyListValue) throws {
        #expect(try ValueOperation(words: words) == .set(.propertyList(value)))
    }

    @Test("Some types append, merge, delete or set JSON")
    func operations() throws {
        #expect(try ValueOperation(words: ["-array-add", "a", "-int", "1"]) == .append(["a", 1]))
        #expect(try ValueOperation(words: ["-dict-add", "a", "b"]) == .merge(["a": "b"]))
        #expect(try ValueOperation(words: ["-json", "[1]"]) == .set(.json("[1]")))
        #expect(try ValueOperation(words: ["-delete"]) == .delete)
    }

    @Test(
        "In a JSON file -json is a value and not data, and an object or array needs no type",
        arguments: [
            (["-json", #"{"a": [null]}"#], .set(.propertyList(["a": [.null]]))),
            (["-array", "-json", "{}", "x"], .set(.propertyList([[:], "x"]))),
            (["-array-add", "-json", "true"], .append([true])),
            (["-dict", "a", "-json", "[1]"], .set(.propertyList(["a": [1]]))),
            (["-dict-add", "a", "[1]"], .merge(["a": [1]])),
            ([#"{"a": 1}"#], .set(.propertyList(["a": 1]))), (["{a = 1;}"], .set(.propertyList(["a": "1"]))),
            (["(a)"], .set(.propertyList(["a"]))), (["1"], .set(.propertyList("1"))),
        ] as [([String], ValueOperation)]
    )
    func inJSONFile(_ words: [String], _ operation: ValueOperation) throws {
        #expect(try ValueOperation(words: words, inJSONFile: true) == operation)
    }

    @Test(
        "Wrong words are refused with advice",
        arguments: [
            (["a", "b"], "Unexpected argument “b”"), (["-int", "5", "6"], "Unexpected argument “6”"),
            (["-foo", "3"], "no type “-foo”"), (["-flaot", "3"], "Did you mean “-float”?"),
            (["-5", "3"], "Unexpected argument “3”"),
            (["-int"], "needs a value"), (["-int", "five"], "“five” is not a whole number"),
            (["-int", "18446744073709551616"], "above"), (["-bool", "maybe"], "true or false"),
            (["-float", "1e999"], "beyond"), (["-data", "123"], "half a byte"),
            (["-data", "xy"], "not hexadecimal"),
            (["-date", "tomorrow"], "is not a date"), (["-json", "{"], "not JSON"),
            (["-json", ""], "not JSON"),
            (["(1, 2"], "Could not parse: (1, 2."), (["5\" disk"], "-string"), (["{a}"], "Could not parse"),
            (["-array", "-int"], "needs a value"), (["-array", "-array", "a"], "cannot be nested"),
            (["-dict", "a"], "Key “a” lacks a corresponding value"),
            (["-dict", "-int", "1", "x"], "must be strings"),
            (["-array", "-delete"], "works only in a line"), ([], "value is missing"),
        ]
    )
    func refusals(_ words: [String], _ problem: String) {
        let error = #expect(throws: UsageError.self) { try ValueOperation(words: words) }
        #expect(error?.description.contains(problem) == true)
    }

    @Test(
        "A line is split into words as in a shell",
        arguments: [
            ("", []), ("  a\tb  ", ["a", "b"]), ("'a b' c", ["a b", "c"]), (#""a \"b\" \x""#, [#"a "b" \x"#]),
            (#"a\ b\\"#, [#"a b\"#]), (#"'it'\''s'"#, ["it's"]), ("a''", ["a"]), ("''", [""]),
            (#"k '"two\nlines"'"#, ["k", #""two\nlines""#]), ("a\r", ["a"]), ("é'😀'", ["é😀"]),
        ]
    )
    func lines(_ line: String, _ words: [String]) throws { #expect(try shellWords(line) == words) }

    @Test(
        "An open quotation mark is refused",
        arguments: ["'a", "\"a", "\"a\\", "a\\", "'a' \""]
    )
    func brokenLines(_ line: String) {
        #expect(throws: UsageError.self) { try shellWords(line) }
    }
}
