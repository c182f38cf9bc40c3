import Foundation
import PropertyList
import Testing

@testable import SettingsEditor

@Suite("Typing dates")
struct TypedDatesTests {
    private func desk(_ value: PropertyListValue, zone: Int = 0, typing text: String) -> Desk {
        var desk = Desk(["a": ["dt": value]], columns: 100, zone: zone, keys: "⏎⏎")
        desk.press(.control("u"))
        desk.type(text + "⏎")
        return desk
    }

    private static let today = PropertyListValue.date(Date(timeIntervalSinceReferenceDate: 0))

    @Test(
        "A year that not every XML reader accepts is refused, and the message names the accepted years",
        arguments: [
            "-0001-01-01", "-44-03-15 12:00", "\u{2212}0753-04-21", "0000-05-01", "0000-12-30T00:00:00Z",
            "0001-01-01 00:30 +01", "12024-01-01", "+12024-01-01", "9999-12-31 23:30 -01",
            "99999999999999999999999-01-01",
        ]
    )
    func outsideTheYears(text: String) {
        let desk = desk(Self.today, typing: text)
        #expect(desk.text.contains("is outside the years 1 to 9999 in UTC"), "\(desk.text)")
        #expect(desk.files["a"] == ["dt": Self.today])
    }

    @Test(
        "A text that only begins like a year is not a date",
        arguments: ["-0000-01-01", "+2024-01-01", "-1", "20240501"]
    )
    func noDate(text: String) {
        #expect(desk(Self.today, typing: text).text.contains("is not a date"))
    }

    @Test("A typed date is in the local time zone")
    func zones() {
        let early = desk(Self.today, zone: -3600, typing: "0000-12-31 23:30")
        #expect(early.files["a"] == ["dt": .date(Date(timeIntervalSinceReferenceDate: -63_113_902_200))])
        for (zone, text) in [(3600, "0001-01-01 00:30"), (-3600, "9999-12-31 23:30")] {
            let desk = desk(Self.today, zone: zone, typing: text)
            #expect(desk.text.contains("is outside the years 1 to 9999 in UTC"))
            #expect(desk.files["a"] == ["dt": Self.today])
        }
    }

    @Test(
        "A date can be typed by its distance from now, or by the name of the day",
        arguments: [
            ("now", "2026-03-14 15:09:26 +00"), ("+3d", "2026-03-17 15:09:26 +00"),
            ("-2h", "2026-03-14 13:09:26 +00"), ("+ 90 m", "2026-03-14 16:39:26 +00"),
            ("-10s", "2026-03-14 15:09:16 +00"), ("+1w", "2026-03-21 15:09:26 +00"),
            ("Tomorrow", "2026-03-14 23:00 +00"), ("today", "2026-03-13 23:00 +00"),
            ("yesterday 10:20", "2026-03-13 09:20 +00"),
        ]
    )
    func fromNow(text: String, date: String) throws {
        #expect(desk(Self.today, zone: 3600, typing: text).files["a"] == ["dt": try .parse(date, as: .date)])
    }

    @Test(
        "Names and distances that are none are refused",
        arguments: ["+3", "3d", "+3x", "tomorrows", "tomorrow 25:00"]
    )
    func noDistance(text: String) {
        #expect(desk(Self.today, typing: text).foot.contains("is not a date"))
    }

    @Test("Every stored date can be typed again, even the year 0, where the distant past is")
    func stored() {
        let past = PropertyListValue.date(.distantPast)
        let same = desk(past, typing: "0000-12-30 00:00 UTC")
        #expect(same.state.mode == .keys)
        #expect(same.files["a"] == ["dt": past])
        let other = desk(past, typing: "0000-12-29 00:00 UTC")
        #expect(other.text.contains("is outside the years 1 to 9999 in UTC"))
        #expect(desk(past, typing: "0001-01-01 00:00 UTC").files["a"] != ["dt": past])
    }

    @Test("A typed date has whole seconds as in XML files, and a stored fraction stays until it is edited")
    func fractions() {
        func date(_ seconds: Double) -> PropertyListValue {
            .date(Date(timeIntervalSinceReferenceDate: seconds))
        }
        let rounded = desk(Self.today, typing: "2001-01-02T00:00:00.5Z")
        #expect(rounded.files["a"] == ["dt": date(86_400)])
        let early = desk(Self.today, typing: "2000-12-31T23:59:58.5Z")
        #expect(early.files["a"] == ["dt": date(-2)])
        let same = desk(date(0.5), typing: "2001-01-01T00:00:00.5Z")
        #expect(same.files["a"] == ["dt": date(0.5)])
        #expect(same.writes.isEmpty)
        // The same in the user's own editor.
        for (from, to, stored) in [("\"k\": 1", "\"k\": 2", 0.5), ("00:00:00.5Z", "00:00:07.5Z", 7)] {
            var suite = Desk(["a": ["dt": date(0.5), "k": 1]], columns: 100)
            suite.outsideAnswers = [{ .text($0.text.replacing(from, with: to)) }]
            suite.type("E")
            #expect(suite.files["a"]?["dt"] == date(stored))
        }
    }
}
