import Foundation
import ProgramHarness
import Testing

@testable import PropertyList

private func date(_ seconds: Double) -> PropertyListValue {
    .date(Date(timeIntervalSinceReferenceDate: seconds))
}

private func data(_ text: String) -> PropertyListValue { .data(Data(text.utf8)) }

@Suite("Texts of values")
struct ValueTextTests {
    @Test(
        "A list shows a value in one short form",
        arguments: [
            (true, "true"), (false, "false"), (-42, "-42"), (1.0, "1.0"), (.real(.infinity), "inf"),
            ("two\nlines", "two\nlines"), ("", ""),
            (.string(String(repeating: "x", count: 31)), "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxx…"),
            (.string(String(repeating: "x", count: 30)), "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"),
            (date(736_251_630), "2024-05-01 10:20:30 UTC"),
            (date(736_251_630.25), "2024-05-01 10:20:30.25 UTC"),
            (date(1e300), "1e+300 seconds after 2001-01-01 00:00:00 UTC"),
            (.data(Data([1, 0xAB])), "2 bytes  01ab"), (.data(Data([0])), "1 byte  00"),
            (.data(Data()), "0 bytes"),
            (.data(Data(0..<20)), "20 bytes  000102030405060708090a0b0c0d0e…"), (.uid(7), "7"),
            ([], "[0 items]"), ([1], "[1 item]"), ([:], "{0 keys}"), (["a": 1], "{1 key}"),
            (["a": 1, "b": 2], "{2 keys}"),
            // JSON in data.
            (data("{}"), "{0 members}"), (data(#"{"a":1}"#), "{1 member}"), (data("[1,2]"), "[2 elements]"),
            (data(#""h\u00e9""#), "\"hé\""), (data(#""5""#), "\"5\""), (data(" 1.50 "), "1.50"),
            (data("null"), "null"),
            (data("true"), "true"),
            (
                .data(Data("\"\(String(repeating: "é", count: 31))\"".utf8)),
                "\"" + String(repeating: "é", count: 30) + "…\""
            ),
            (.data(Data(String(repeating: "9", count: 31).utf8)), String(repeating: "9", count: 30) + "…"),
        ] as [(PropertyListValue, String)]
    )
    func listShowsAValueInOneShortForm(_ value: PropertyListValue, _ text: String) {
        #expect(ValueNode(value).displayText(limit: 30) == text)
    }

    @Test("Any limit of the display text is accepted", arguments: [Int.min, -1, 0, 1, Int.max - 1, Int.max])
    func anyLimitOfTheDisplayTextIsAccepted(_ limit: Int) {
        let values: [PropertyListValue] = ["abc", data("\"abc\""), data("12345"), .data(Data([0, 1])), [1]]
        for value in values {
            let whole = ValueNode(value).displayText(limit: 1000)
            let text = ValueNode(value).displayText(limit: limit)
            #expect(limit > 10 ? text == whole : !text.isEmpty)
        }
    }

    @Test(
        "The edit text is complete and reads back as the same value",
        arguments: [
            (true, "true"), (false, "false"), (0, "0"), (-42, "-42"),
            (.integer(PropertyListInteger(Int64.min)), "-9223372036854775808"),
            (.integer(PropertyListInteger(UInt64.max)), "18446744073709551615"),
            (1.0, "1.0"), (0.1, "0.1"), (-0.0, "-0.0"), (1e300, "1e+300"), (.real(.pi), "3.141592653589793"),
            (.real(.leastNonzeroMagnitude), "5e-324"), (.real(.infinity), "inf"), (.real(-.infinity), "-inf"),
            (.real(.nan), "nan"), (.real(-.nan), "-nan"),
            (.real(Double(nan: 5, signaling: false)), "nan(0x5)"),
            (" a\n ", " a\n "), ("", ""), ("true", "true"),
            (date(0), "2001-01-01T00:00:00Z"), (date(736_251_630.25), "2024-05-01T10:20:30.25Z"),
            (date(736_251_630.1), "2024-05-01T10:20:30.1Z"), (date(-0.5), "2000-12-31T23:59:59.5Z"),
            (date(-63_113_904_000), "0001-01-01T00:00:00Z"), (date(252_423_993_599), "9999-12-31T23:59:59Z"),
            (.data(Data([0, 0xAB, 0xFF])), "00abff"), (.data(Data()), ""),
            (.uid(UInt64.max), "18446744073709551615"),
        ] as [(PropertyListValue, String)]
    )
    func editTextIsCompleteAndReadsBackAsTheSameValue(_ value: PropertyListValue, _ text: String) throws {
        #expect(value.editText == text)
        #expect(try PropertyListValue.parse(text, as: value.kind) == value)
    }

    @Test("The same moment is the same date with any offset")
    func sameMomentIsTheSameDateWithAnyOffset() throws {
        for decimals in ["1", "3", "123456789", "999999999"] {
            let utc = try PropertyListValue.parse("2024-05-01T23:20:30.\(decimals)Z", as: .date)
            #expect(try PropertyListValue.parse("2024-05-02 01:20:30.\(decimals)+02:00", as: .date) == utc)
        }
    }

    @Test("Any recent date and any real reads back as itself")
    func anyRecentDateAndAnyRealReadsBackAsItself() throws {
        var random = SeededGenerator(seed: 1)
        for _ in 0..<2_000 {
            let interval =
                Double.random(in: 4e6...8e9, using: &random) * (Bool.random(using: &random) ? 1 : -1)
            let reals = [date(interval), .real(Double(bitPattern: random.next()))]
            for value in reals {
                let text = try #require(value.editText)
                #expect(try PropertyListValue.parse(text, as: value.kind) == value)
            }
        }
    }

    @Test("Containers have no edit text")
    func containersHaveNoEditText() {
        #expect(PropertyListValue.array([]).editText == nil)
        #expect(PropertyListValue.dictionary([:]).editText == nil)
        #expect(ValueNode(data("[]")).editText == nil)
        #expect(ValueNode(data("{}")).editText == nil)
    }

    @Test(
        "Typed texts are understood",
        arguments: [
            ("YES", true), ("True", true), ("1", true), (" no ", false), ("FALSE", false), ("0", false),
            (" +5 ", 5), ("007", 7),
            ("1", 1.0), (" .5", 0.5), ("1E3", 1000.0), ("Infinity", .real(.infinity)), ("-0", -0.0),
            ("0e-999", 0.0),
            ("2024-02-29", date(730_857_600)), ("2024-05-01 10:20", date(736_251_600)),
            ("2024-05-01t10:20:30z", date(736_251_630)), ("2024-05-01 10:20:30 UTC", date(736_251_630)),
            ("2024-05-01T10:20:30.250Z", date(736_251_630.25)),
            ("2024-05-01T10:20:30,25", date(736_251_630.25)),
            ("2024-05-01T10:20:30.2500000000000001", date(736_251_630.25)),
            ("2024-05-01T12:20:30+02:00", date(736_251_630)), ("2024-05-01T12:20+0200", date(736_251_600)),
            ("2024-05-01 08:20:30 -02", date(736_251_630)),
            ("2024-05-01 06:50:30\u{2212}03:30", date(736_251_630)),
            ("68 65\n6C6c\u{2003}", data("hell")), (" 0x6865 6c6c", data("hell")), ("", .data(Data())),
            ("0", .uid(0)),
        ] as [(String, PropertyListValue)]
    )
    func typedTextsAreUnderstood(_ text: String, _ value: PropertyListValue) throws {
        #expect(try PropertyListValue.parse(text, as: value.kind) == value)
    }

    @Test(
        "A text that does not fit the kind is refused with the expected form",
        arguments: [
            (.boolean, "maybe", "“maybe” is not a boolean: true or false is expected"),
            (.boolean, "", "“” is not a boolean: true or false is expected"),
            (.integer, "1.0", "“1.0” is not a whole number"), (.integer, "", "“” is not a whole number"),
            (.integer, "-", "“-” is not a whole number"), (.integer, "１", "“１” is not a whole number"),
            (.integer, "1 000", "“1 000” is not a whole number"),
            (
                .integer, "-9223372036854775809",
                "“-9223372036854775809” is below -9223372036854775808, the smallest integer"
            ),
            (
                .integer, "18446744073709551616",
                "“18446744073709551616” is above 18446744073709551615, the largest integer"
            ),
            (.uid, "-1", "-1 is below 0, the smallest UID"),
            (.real, "one", "“one” is not a number"), (.real, "1,5", "“1,5” is not a number"),
            (.real, "", "“” is not a number"),
            (.real, "1e400", "“1e400” is beyond ±1.7976931348623157e+308, the largest real number"),
            (.real, "-1e-400", "“-1e-400” is closer to zero than ±5e-324, the smallest real number"),
            (
                .date, "yesterday",
                "“yesterday” is not a date, such as 2024-05-01, 2024-05-01 10:20 or 2024-05-01T10:20:30.25Z"
            ),
            (
                .date, "2024-5-1",
                "“2024-5-1” is not a date, such as 2024-05-01, 2024-05-01 10:20 or 2024-05-01T10:20:30.25Z"
            ),
            (
                .date, "2024-05-01 10:20 CET",
                "“2024-05-01 10:20 CET” is not a date, such as 2024-05-01, 2024-05-01 10:20 or 2024-05-01T10:20:30.25Z"
            ),
            (
                .date, "2024-05-01T10:20:30ZZ",
                "“2024-05-01T10:20:30ZZ” is not a date, such as 2024-05-01, 2024-05-01 10:20 or 2024-05-01T10:20:30.25Z"
            ),
            (.date, "2024-13-01", "“2024-13-01” is not a date: the month must be from 1 to 12"),
            (.date, "2024-00-01", "“2024-00-01” is not a date: the month must be from 1 to 12"),
            (.date, "2023-02-29", "“2023-02-29” is not a date: this month has 28 days"),
            (.date, "2024-05-01 24:00", "“2024-05-01 24:00” is not a date: the hour must be from 0 to 23"),
            (.date, "2024-05-01 10:60", "“2024-05-01 10:60” is not a date: the minute must be from 0 to 59"),
            (
                .date, "2016-12-31 23:59:60",
                "“2016-12-31 23:59:60” is not a date: the second must be from 0 to 59"
            ),
            (
                .date, "2024-05-01 10:20+24:00",
                "“2024-05-01 10:20+24:00” is not a date: the offset from UTC must be less than a day"
            ),
            (
                .date, "0000-01-01 00:00+01:00",
                "“0000-01-01 00:00+01:00” is outside the years 0 to 9999 in UTC"
            ),
            (.date, "-0044-03-15", "“-0044-03-15” is outside the years 0 to 9999 in UTC"),
            (.date, "12024-01-01", "“12024-01-01” is outside the years 0 to 9999 in UTC"),
            (.data, "0011zz", "byte 3: “zz” is not hexadecimal"),
            (.data, "00 1", "byte 2: “1” is half a byte, two digits are expected"),
            (.data, "é0", "byte 1: “é0” is not hexadecimal"),
            (.array, "[]", "an array can't be typed in one line"),
            (.dictionary, "{}", "a dictionary can't be typed in one line"),
            (
                .integer, String(repeating: "x", count: 100),
                "“\(String(repeating: "x", count: 40))…” is not a whole number"
            ),
        ] as [(PropertyListValue.Kind, String, String)]
    )
    func textThatDoesNotFitTheKindIsRefusedWithTheExpectedForm(
        _ kind: PropertyListValue.Kind,
        _ text: String,
        _ sentence: String
    ) {
        #expect(throws: ValueTextError(sentence)) { try PropertyListValue.parse(text, as: kind) }
    }

    @Test(
        "A JSON string is edited without quotes and escapes",
        arguments: [
            (#""a\n\u00e9""#, "a\né", "b\"\n", #""b\"\n""#), ("1.50", "1.50", " -0 ", "-0"),
            ("1e400", "1e400", "2e400", "2e400"),
            ("true", "true", "No", "false"), ("null", "null", "null", "null"),
        ]
    )
    func jsonStringIsEditedWithoutQuotesAndEscapes(
        _ source: String,
        _ text: String,
        _ edited: String,
        _ new: String
    ) throws {
        let node = ValueNode(data(source))
        #expect(node.editText == text)
        #expect(try node.newValue(fromEdited: edited) == .json(new))
    }

    @Test(
        "A text that is not JSON of the kind is refused",
        arguments: [
            (.number, "01", "“01” is not a JSON number, such as -1, 0.5 or 6e23"),
            (.number, "inf", "“inf” is not a JSON number, such as -1, 0.5 or 6e23"),
            (.number, "", "“” is not a JSON number, such as -1, 0.5 or 6e23"),
            (.null, "nil", "“nil” is not null"),
            (.boolean, "2", "“2” is not a boolean: true or false is expected"),
            (.object, "[]", "the text is not a JSON object, which starts with “{”"),
            (
                .array, "[1",
                "the text is not JSON: line 1, column 3: found the end of the text where “,” or “]” is expected"
            ),
        ] as [(JSONNode.Kind, String, String)]
    )
    func textThatIsNotJSONOfTheKindIsRefused(_ kind: JSONNode.Kind, _ text: String, _ sentence: String) {
        #expect(throws: ValueTextError(sentence)) { try jsonText(fromEdited: text, as: kind) }
    }

    @Test("A JSON string with half a surrogate pair is shown but cannot be edited")
    func jsonStringWithHalfASurrogatePairIsShownButCannotBeEdited() {
        let node = ValueNode(data(#""a\ud800""#))
        #expect(node.displayText() == "\"a\u{FFFD}\"")
        #expect(node.editText == nil)
        #expect(ValueNode(data(#""\ud83d\ude00\\""#)).editText == "😀\\")
    }
}
