import FoundationEssentials

/// A moment in UTC by the proleptic Gregorian calendar, years 0 (where `Date.distantPast` lies) to
/// 9999, without leap seconds.
///
/// Only dates that exist can be made.
struct CivilDate: Sendable, Hashable {
    let year: Int
    /// 1 to 12.
    let month: Int
    /// From 1.
    let day: Int
    let hour: Int
    let minute: Int
    let second: Int
    let nanosecond: Int

    /// Nil where a part is out of its range, such as the 29th of February in a common year.
    init?(
        year: Int,
        month: Int,
        day: Int,
        hour: Int = 0,
        minute: Int = 0,
        second: Int = 0,
        nanosecond: Int = 0
    ) {
        guard 0...9999 ~= year, 1...12 ~= month, 1...Self.days(inMonth: month, of: year) ~= day,
            0...23 ~= hour, 0...59 ~= minute, 0...59 ~= second, 0...999_999_999 ~= nanosecond
        else { return nil }
        self.year = year
        self.month = month
        self.day = day
        self.hour = hour
        self.minute = minute
        self.second = second
        self.nanosecond = nanosecond
    }

    /// The moment to the nearest nanosecond of its own second, so that leaving the fraction out
    /// rounds down; nil outside the years 0 to 9999.
    init?(_ date: Date) {
        let interval = date.timeIntervalSinceReferenceDate
        let whole = interval.rounded(.down)
        // NaN fails this comparison as well.
        guard whole.magnitude < 1e12 else { return nil }
        let (days, secondOfDay) = Int(whole).dividedRoundingDown(by: 86400)
        let (year, month, day) = Self.civil(fromDays: days + Self.referenceDay)
        self.init(
            year: year,
            month: month,
            day: day,
            hour: secondOfDay / 3600,
            minute: secondOfDay / 60 % 60,
            second: secondOfDay % 60,
            nanosecond: min(999_999_999, Int(((interval - whole) * 1e9).rounded()))
        )
    }

    /// The nearest `Date`, which this century resolves a tenth of a microsecond.
    var date: Date {
        let days = Self.days(fromCivil: year, month, day) - Self.referenceDay
        let seconds = days * 86400 + hour * 3600 + minute * 60 + second
        return Date(timeIntervalSinceReferenceDate: Double(seconds) + Double(nanosecond) / 1e9)
    }

    /// How many days the month has; 0 for a month that doesn't exist.
    static func days(inMonth month: Int, of year: Int) -> Int {
        switch month {
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        case 4, 6, 9, 11: 30
        case 1...12: 31
        default: 0
        }
    }
}

// Counting days: a year is taken to start in March, which puts the leap day at its end, and the
// calendar repeats every 400 years or 146097 days.
extension CivilDate {
    private static let referenceDay = days(fromCivil: 2001, 1, 1)

    /// Days from the 1st of March of the year 0.
    private static func days(fromCivil year: Int, _ month: Int, _ day: Int) -> Int {
        let marchYear = month > 2 ? year : year - 1
        let (era, yearOfEra) = marchYear.dividedRoundingDown(by: 400)
        let dayOfYear = (153 * ((month + 9) % 12) + 2) / 5 + day - 1
        return era * 146097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    }

    private static func civil(fromDays days: Int) -> (year: Int, month: Int, day: Int) {
        let (era, dayOfEra) = days.dividedRoundingDown(by: 146097)
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36524 - dayOfEra / 146096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let marchMonth = (5 * dayOfYear + 2) / 153
        let month = (marchMonth + 2) % 12 + 1
        let year = era * 400 + yearOfEra + (month > 2 ? 0 : 1)
        return (year, month, dayOfYear - (153 * marchMonth + 2) / 5 + 1)
    }
}

extension Int {
    /// The quotient towards negative infinity, and the remainder that is never negative.
    fileprivate func dividedRoundingDown(by divisor: Int) -> (quotient: Int, remainder: Int) {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
    }
}
