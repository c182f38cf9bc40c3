import Foundation
import PropertyList
import Testing

@Suite("JSON that preserves every kind of value")
struct TypedJSONTests {
    private static let samples =
        Sample.everywhere + Sample.notInXML.map { ($0.0, $0.1) } + [
            ("fraction of a second", .date(Date(timeIntervalSinceReferenceDate: 736_251_630.25))),
            ("fine date", .date(Date(timeIntervalSinceReferenceDate: 0.1234567890123))),
            ("date without end", .date(Date(timeIntervalSinceReferenceDate: .infinity))),
            ("far date", .date(Date(timeIntervalSinceReferenceDate: 1e300))),
            ("NaN with a payload", .real(Double(nan: 7, signaling: false))),
            ("like a date", ["$date": "x"]), ("like a dictionary", ["$dictionary": ["$data": 1]]),
            ("of an archive", ["$archiver": "NSKeyedArchiver", "$top": [:]]),
        ]

    @Test("A written value reads back the same", arguments: samples)
    func writtenValueReadsBackTheSame(_ name: String, _ value: PropertyListValue) throws {
        for isIndented in [false, true] {
            let text = value.typedJSON(indented: isIndented)
            #expect(try PropertyListValue.read(typedJSON: Data(text.utf8)) == value)
            #expect(
                (try? JSONSerialization.jsonObject(with: Data(text.utf8), options: .fragmentsAllowed)) != nil
            )
        }
    }

    @Test(
        "Each kind has one form",
        arguments: [
            (true, "true"), (1, "1"), (1.0, "1.0"), ("é\n", #""é\n""#),
            (.real(.infinity), #"{"$real":"inf"}"#),
            (.date(Date(timeIntervalSinceReferenceDate: 736_251_630)), #"{"$date":"2024-05-01T10:20:30Z"}"#),
            (.data(Data([1, 2])), #"{"$data":"AQI="}"#), (.uid(3), #"{"$uid":3}"#),
            (["b": [1, []], "a": [:]], #"{"a":{},"b":[1,[]]}"#),
            (["$uid": 3], #"{"$dictionary":{"$uid":3}}"#),
        ] as [(PropertyListValue, String)]
    )
    func eachKindHasOneForm(_ value: PropertyListValue, _ text: String) { #expect(value.typedJSON() == text) }

    static let opened = [
        (#"{"a":[1.50,null],"a":"x"}"#, true), ("[]", true), ("[ 1,\n2 ]", true), (#"{"$data":"x"}"#, true),
        // Characters around the JSON would be lost.
        ("{} ", false), ("\n[]", false), ("{", false), ("", false), ("plain", false),
    ]

    @Test("JSON inside data can be shown and is read back byte for byte", arguments: opened)
    func jsonInsideDataCanBeShownAndIsReadBackByteForByte(_ json: String, isOpened: Bool) throws {
        let value: PropertyListValue = ["a": [.data(Data(json.utf8))]]
        for isIndented in [false, true] {
            let text = value.typedJSON(indented: isIndented, openingJSON: true)
            #expect(text.contains(#""$json":"#) == isOpened)
            #expect(!isOpened || text.contains(json))
            #expect(try PropertyListValue.read(typedJSON: Data(text.utf8)) == value)
            let named = PropertyListValue.dictionary(["$json": value])
            let other = named.typedJSON(indented: isIndented, openingJSON: true)
            #expect(try PropertyListValue.read(typedJSON: Data(other.utf8)) == named)
        }
    }

    @Test("In the indented form, each level has two more spaces")
    func inTheIndentedFormEachLevelHasTwoMoreSpaces() {
        let value: PropertyListValue = ["a": [1, ["b": .uid(1)]], "c": []]
        #expect(
            value.typedJSON(indented: true) == """
                {
                  "a": [
                    1,
                    {
                      "b": {"$uid": 1}
                    }
                  ],
                  "c": []
                }
                """
        )
    }

    @Test("A number that no real has exactly keeps its digits, and no property list takes it")
    func numbersBeyondDouble() throws {
        let numbers = ["1e400", "-1E400", "1e-400", "3.14159265358979323846"]
        let value = try PropertyListValue.read(typedJSON: Data("[\(numbers.joined(separator: ","))]".utf8))
        #expect(value == .array(numbers.map { .number($0) }))
        #expect(throws: PropertyListError.self) {
            try PropertyListValue.dictionary(["k": value]).encoded(as: .binary)
        }
        let exact = try PropertyListValue.read(typedJSON: Data("[1.50, 1e22, 0.1, -0.0]".utf8))
        #expect(exact == [1.5, 1e22, 0.1, .real(-0.0)])
    }

    @Test("Null and integers beyond 64 bits are read, because JSON files hold them")
    func onlyInJSONFiles() throws {
        let value = try PropertyListValue.read(typedJSON: Data("[null, 18446744073709551616]".utf8))
        #expect(value == [.null, .number("18446744073709551616")])
        #expect(value.typedJSON() == "[null,18446744073709551616]")
        #expect(throws: PropertyListError.self) { try value.encoded(as: .xml) }
    }

    @Test(
        "Invalid input is refused with its path",
        arguments: [
            ("{", "line 1, column 2"),
            (#"{"a": 1, "a": 2}"#, "/a: the object has this name twice"),
            (#"{"$date": "soon"}"#, "is not a date"),
            (#"{"$date": []}"#, "found an array under “$date”"), (#"{"$data": "?"}"#, "not Base64"),
            (#"{"$uid": -1}"#, "below 0"), (#"{"$dictionary": 1}"#, "$dictionary"),
            (#""\ud800""#, "half of a character"),
            ("", "line 1"),
        ]
    )
    func invalidInputIsRefusedWithItsPath(_ text: String, _ problem: String) {
        let error = #expect(throws: PropertyListError.self) {
            try PropertyListValue.read(typedJSON: Data(text.utf8))
        }
        #expect(error?.description.contains(problem) == true)
    }
}

@Suite("JSON Pointers")
struct JSONPointerTests {
    @Test(
        "The value decides whether a token is an index or a name",
        arguments: [
            ("", []), ("/a", [.key("a")]), ("/a~1b~0c", [.key("a/b~c")]), ("/", [.key("")]),
            ("/list/1", [.key("list"), .index(1)]), ("/list/-", [.key("list"), .index(2)]),
            ("/list/01", [.key("list"), .key("01")]), ("/list/-1", [.key("list"), .key("-1")]),
            ("/names/1", [.key("names"), .key("1")]),
            ("/json/list/0/x", [.key("json"), .key("list"), .index(0), .key("x")]),
            ("/json/list/-", [.key("json"), .key("list"), .index(1)]),
            ("/nothing/0", [.key("nothing"), .key("0")]),
        ] as [(String, [PathStep])]
    )
    func valueDecidesWhetherATokenIsAnIndexOrAName(_ text: String, _ steps: [PathStep]) throws {
        let value: PropertyListValue = [
            "a": 1, "list": [1, 2], "names": ["1": true], "json": .data(Data(#"{"list": [{"x": 1}]}"#.utf8)),
        ]
        #expect(try JSONPointer(text).path(in: value).steps == steps)
    }

    @Test("A text that is not a JSON Pointer is refused", arguments: ["a", "a/b", "/~", "/~2", "#/a"])
    func textThatIsNotAJSONPointerIsRefused(_ text: String) {
        #expect(throws: ValueTextError.self) { try JSONPointer(text) }
    }
}

@Suite("The old property-list style")
struct OldStyleTests {
    @Test("Nested containers are laid out like in the macOS command defaults")
    func nestedContainersAreLaidOutLikeInTheMacOSCommandDefaults() {
        let value: PropertyListValue = [
            "Default Color": ["255", 0], "empty": [:], "list": [["a": 1], [2]],
            "date": .date(Date(timeIntervalSinceReferenceDate: 736_251_630.75)), "whole": 2.0, "half": 0.5,
            "data": .data(Data([0xDE, 0xAD])), "text": "say \"☃\"\n", "none": "", "yes": true,
        ]
        #expect(
            value.oldStyle == #"""
                {
                    "Default Color" =     (
                        255,
                        0
                    );
                    data = {length = 2, bytes = 0xdead};
                    date = "2024-05-01 10:20:30 +0000";
                    empty =     {
                    };
                    half = "0.5";
                    list =     (
                                {
                            a = 1;
                        },
                                (
                            2
                        )
                    );
                    none = "";
                    text = "say \"\U2603\"\n";
                    whole = 2;
                    yes = 1;
                }
                """#
        )
        #expect(
            (["a": [1, -5, "b c"], "d": [:]] as PropertyListValue).oldStyleLine
                == #"{ a = ( 1, "-5", "b c" ); d = { }; }"#
        )
    }

    @Test(
        "A single string, number or date has no quotation marks",
        arguments: [
            ("a \"b\"", "a \"b\""), (-0.0, "-0"), (1e300, "1e+300"), (0.1, "0.1"), (3.0, "3"), (true, "1"),
            (-5, "-5"),
            (.date(Date(timeIntervalSinceReferenceDate: 0)), "2001-01-01 00:00:00 +0000"),
            (.data(Data([1])), "{length = 1, bytes = 0x01}"),
        ] as [(PropertyListValue, String)]
    )
    func singleStringNumberOrDateHasNoQuotationMarks(_ value: PropertyListValue, _ text: String) {
        #expect(value.loneText == text)
    }

    @Test("A hidden value never looks like a value")
    func hiddenValueNeverLooksLikeAValue() throws {
        let value: PropertyListValue = ["a": ["b": 1, "c": [2, 3]], "b": "seen"]
        let places: Set<ValuePath> = [
            [.key("a"), .key("b")], [.key("a"), .key("c"), .index(1)], [.key("none")],
        ]
        let json = value.typedJSON(hiding: places)
        #expect(json == #"{"a":{"b":{"$hidden":true},"c":[2,{"$hidden":true}]},"b":"seen"}"#)
        #expect(throws: PropertyListError.self) { try PropertyListValue.read(typedJSON: Data(json.utf8)) }
        let text = value.oldStyle(hiding: places)
        #expect(text.contains("b = ••••••;") && text.contains("2,\n") && text.contains("b = seen;"))
        #expect(throws: PropertyListError.self) { try PropertyListValue.read(Array(text.utf8)) }
        let named: PropertyListValue = ["$hidden": true]
        #expect(try PropertyListValue.read(typedJSON: Data(named.typedJSON().utf8)) == named)
    }

    @Test(
        "Printed strings can be read back",
        arguments: ["", "a", "a b", "é", "😀", "\"\\\n\t\u{1B}", "a;b=c"]
    )
    func printedStringsCanBeReadBack(_ text: String) throws {
        let value: PropertyListValue = ["k": [.string(text)], text: "v"]
        #expect(try PropertyListValue.read(Array(value.oldStyle.utf8)).value == value)
        #expect(try PropertyListValue.read(Array(value.oldStyleLine.utf8)).value == value)
    }
}
