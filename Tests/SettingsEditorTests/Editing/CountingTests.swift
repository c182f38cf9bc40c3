import Foundation
import PropertyList
import SettingsStore
import Testing

@testable import SettingsEditor

@Suite("Counting with + and -")
struct CountingTests {
    private static func date(_ seconds: Double) -> PropertyListValue {
        .date(Date(timeIntervalSinceReferenceDate: seconds))
    }

    @Test(
        "An integer goes up and down by one and a date by a day, or by the number before the key",
        arguments: [
            (5, "+", 6), (5, "-", 4), (5, "++-", 6), (0, "-", -1), (5, "12+", 17), (5, "10-", -5),
            (
                .integer(PropertyListInteger(UInt64(Int64.max))), "+",
                .integer(PropertyListInteger(UInt64(Int64.max) + 1))
            ),
            (json("41"), "+", json("42")), (date(0), "+", date(86_400)), (date(0.5), "-", date(0.5 - 86_400)),
            (date(0), "7+", date(7 * 86_400)),
        ] as [(PropertyListValue, String, PropertyListValue)]
    )
    func counting(value: PropertyListValue, keys: String, result: PropertyListValue) {
        var desk = Desk(["a": ["k": value]], keys: "⏎" + keys)
        #expect(desk.files["a"] == ["k": result])
        desk.type(String(repeating: "u", count: desk.writes.count))
        #expect(desk.files["a"] == ["k": value])
    }

    @Test("A member of JSON keeps the text around it")
    func inside() {
        let desk = Desk(["a": ["k": json(#"{ "n": 9, "z": 1.50 }"#)]], keys: "⏎lj+")
        #expect(jsonText(desk.files["a"]?["k"]) == #"{ "n": 10, "z": 1.50 }"#)
    }

    @Test(
        "Any other value, and a number that is too large, is refused with the reason",
        arguments: [
            (1.5, "+", "+ and - count integers and the days of dates. Press Enter to edit the value."),
            ("5", "-", "+ and - count integers and the days of dates. Press Enter to edit the value."),
            (
                .integer(PropertyListInteger(UInt64.max)), "+",
                "An integer can be from -9223372036854775808 to 18446744073709551615."
            ),
            (date(0), "999999999+", "would be outside the years 1 to 9999 in UTC."),
        ] as [(PropertyListValue, String, String)]
    )
    func refusals(value: PropertyListValue, keys: String, reason: String) {
        let desk = Desk(["a": ["k": value]], columns: 130, keys: "⏎" + keys)
        #expect(desk.foot.contains(reason))
        #expect(desk.writes.isEmpty)
    }

    @Test("A step out of the declared limits is asked about, as every change is")
    func limits() {
        let schema = SuiteSchema(["volume": SettingDeclaration(.integer(Bounds(0, 10)), defaultValue: 10)])
        var desk = Desk(["a": [:]], columns: 100, schemas: ["a": schema], keys: "⏎-")
        #expect(desk.files["a"] == ["volume": 9])
        desk.type("2+")
        #expect(desk.state.mode == .question)
        #expect(desk.files["a"] == ["volume": 9])
    }

    @Test(
        "An integer can be typed in hexadecimal",
        arguments: [("0x10", 16), ("0XfF", 255), ("-0x1", -1), (" 0x0 ", 0)]
    )
    func hexadecimal(text: String, number: Int) {
        for value: PropertyListValue in [7, json("7")] {
            let desk = Desk(["a": ["k": value]], keys: "⏎⏎\(text)⏎")
            #expect(
                desk.files["a"] == [
                    "k": value == 7 ? .integer(PropertyListInteger(number)) : json("\(number)")
                ]
            )
        }
    }
}
