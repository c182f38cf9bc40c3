import Foundation
import Testing

@testable import PropertyList

@Suite("Calendar dates")
struct CivilDateTests {
    @Test(
        "Known moments have the right dates",
        arguments: [
            (0.0, 2001, 1, 1, 0, 0, 0, 0),
            (-978_307_200, 1970, 1, 1, 0, 0, 0, 0),
            (-978_307_200.5, 1969, 12, 31, 23, 59, 59, 500_000_000),
            (-31_622_400, 2000, 1, 1, 0, 0, 0, 0),
            (-26_524_801, 2000, 2, 28, 23, 59, 59, 0),
            (-26_524_800, 2000, 2, 29, 0, 0, 0, 0),
            (736_251_630.25, 2024, 5, 1, 10, 20, 30, 250_000_000),
            (-63_113_904_000, 1, 1, 1, 0, 0, 0, 0),
            (252_423_993_599, 9999, 12, 31, 23, 59, 59, 0),
        ] as [(Double, Int, Int, Int, Int, Int, Int, Int)]
    )
    func knownMomentsHaveTheRightDates(
        _ seconds: Double,
        _ year: Int,
        _ month: Int,
        _ day: Int,
        _ hour: Int,
        _ minute: Int,
        _ second: Int,
        _ nanosecond: Int
    ) throws {
        let civil = try #require(
            CivilDate(
                year: year,
                month: month,
                day: day,
                hour: hour,
                minute: minute,
                second: second,
                nanosecond: nanosecond
            )
        )
        #expect(civil.date.timeIntervalSinceReferenceDate == seconds)
        #expect(CivilDate(Date(timeIntervalSinceReferenceDate: seconds)) == civil)
    }

    @Test("Every day of eight centuries follows the previous one and converts back")
    func everyDayOfEightCenturiesFollowsThePreviousOneAndConvertsBack() throws {
        var expected = try #require(CivilDate(year: 1, month: 1, day: 1))
        let first = Int(expected.date.timeIntervalSinceReferenceDate) / 86400
        var wrong: [CivilDate] = []
        for day in first..<(first + 2 * 146_097) {
            let date = Date(timeIntervalSinceReferenceDate: Double(day) * 86400)
            if CivilDate(date) != expected || expected.date != date { wrong.append(expected) }
            expected =
                CivilDate(year: expected.year, month: expected.month, day: expected.day + 1)
                ?? CivilDate(year: expected.year, month: expected.month + 1, day: 1)
                ?? CivilDate(year: expected.year + 1, month: 1, day: 1)
                ?? expected
        }
        #expect(wrong.isEmpty)
        #expect(expected == CivilDate(year: 801, month: 1, day: 1))
    }

    @Test(
        "A day that does not exist cannot be created",
        arguments: [
            (2023, 2, 29), (1900, 2, 29), (2024, 2, 30), (2024, 4, 31), (2024, 13, 1), (2024, 0, 1),
            (2024, 1, 0), (-1, 12, 31), (10000, 1, 1), (Int.max, Int.max, Int.max),
        ]
    )
    func dayThatDoesNotExistCannotBeCreated(_ year: Int, _ month: Int, _ day: Int) {
        #expect(CivilDate(year: year, month: month, day: day) == nil)
    }

    @Test(
        "A moment outside the supported years has no calendar date",
        arguments: [
            .nan, .infinity, -.infinity, 1e300, 252_423_993_600, -63_145_526_401,
        ] as [Double]
    )
    func momentOutsideTheSupportedYearsHasNoCalendarDate(_ seconds: Double) {
        #expect(CivilDate(Date(timeIntervalSinceReferenceDate: seconds)) == nil)
    }

    @Test("A fraction never rounds up into the next second")
    func fractionNeverRoundsUpIntoTheNextSecond() {
        let civil = CivilDate(Date(timeIntervalSinceReferenceDate: (1.0).nextDown))
        #expect(civil == CivilDate(year: 2001, month: 1, day: 1, nanosecond: 999_999_999))
    }
}
