import Foundation
import PropertyList
import Testing

@testable import SettingsEditor

@Suite("Dates that are typed")
struct TypedDatesTests {
    private func desk(_ value: PropertyListValue, zone: Int = 0, typing text: String) -> Desk {
        var desk = Desk(["a": ["dt": value]], columns: 100, zone: zone, keys: "⏎⏎")
        desk.press(.control("u"))
        desk.type(text + "⏎")
        return desk
    }

    private static let today = PropertyListValue.date(Date(timeIntervalSinceReferenceDate: 0))

    @Test(
        "One outside the years that every reader of XML takes is refused with these",
        arguments: [
            "-0001-01-01", "-44-03-15 12:00", "\u{2212}0753-04-21", "0000-05-01", "0000-12-30T00:00:00Z",
            "0001-01-01 00:30 +01", "12024-01-01", "+12024-01-01", "9999-12-31 23:30 -01",
            "99999999999999999999999-01-01",
        ]
    )
    func outsideTheYears(text: String) {
        let desk = desk(Self.today, typing: text)
        #expect(desk.text.contains("lies outside the years 1 to 9999 in UTC"), "\(desk.text)")
        #expect(desk.files["a"] == ["dt": Self.today])
    }

    @Test(
        "What only begins like a year is no date",
        arguments: ["-0000-01-01", "+2024-01-01", "-1", "20240501"]
    )
    func noDate(text: String) {
        #expect(desk(Self.today, typing: text).text.contains("is not a date"))
    }

    @Test("The time of this place counts, in which it is typed")
    func zones() {
        let early = desk(Self.today, zone: -3600, typing: "0000-12-31 23:30")
        #expect(early.files["a"] == ["dt": .date(Date(timeIntervalSinceReferenceDate: -63_113_902_200))])
        for (zone, text) in [(3600, "0001-01-01 00:30"), (-3600, "9999-12-31 23:30")] {
            let desk = desk(Self.today, zone: zone, typing: text)
            #expect(desk.text.contains("lies outside the years 1 to 9999 in UTC"))
            #expect(desk.files["a"] == ["dt": Self.today])
        }
    }

    @Test("What is stored can be typed again, also of the year 0, in which programs have their distant past")
    func stored() {
        let past = PropertyListValue.date(.distantPast)
        let same = desk(past, typing: "0000-12-30 00:00 UTC")
        #expect(same.state.mode == .keys)
        #expect(same.files["a"] == ["dt": past])
        let other = desk(past, typing: "0000-12-29 00:00 UTC")
        #expect(other.text.contains("lies outside the years 1 to 9999 in UTC"))
        #expect(desk(past, typing: "0001-01-01 00:00 UTC").files["a"] != ["dt": past])
    }
}
