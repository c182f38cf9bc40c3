import FoundationEssentials

/// A moment in UTC in the proleptic Gregorian calendar, for the years 0 to 9999, without leap seconds.
///
/// A value of this type is always a date that exists. Foundation's `Calendar` is not used because it
/// moves a date that does not exist, such as February 30, to another day, and file formats need an
/// error instead. The year 0 is included because `Date.distantPast` is in it.
struct CivilDate: Sendable, Hashable {
    let year: Int
    /// 1 to 12.
    let month: Int
    /// 1 to the length of the month.
    let day: Int
    let hour: Int
    let minute: Int
    let second: Int
    let nanosecond: Int

    /// Creates a date, or returns nil if it does not exist, such as February 29 in a common year.
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

    /// Converts a date, rounded to the nearest nanosecond within its second. Dropping the fraction
    /// therefore rounds down. The result is nil outside the years 0 to 9999.
    init?(_ date: Date) {
        let interval = date.timeIntervalSinceReferenceDate
        let whole = interval.rounded(.down)
        // A NaN fails this comparison too.
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

    /// The nearest `Date`. For dates of this century, `Date` has a resolution of about a tenth of a
    /// microsecond.
    var date: Date {
        let days = Self.days(fromCivil: year, month, day) - Self.referenceDay
        let seconds = days * 86400 + hour * 3600 + minute * 60 + second
        return Date(timeIntervalSinceReferenceDate: Double(seconds) + Double(nanosecond) / 1e9)
    }

    /// The number of days of a month, or 0 if there is no such month.
    static func days(inMonth month: Int, of year: Int) -> Int {
        switch month {
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        case 4, 6, 9, 11: 30
        case 1...12: 31
        default: 0
        }
    }
}

// Days are counted with years that start in March, so that the leap day is the last day of a year. The
// calendar repeats every 400 years, which have 146097 days.
extension CivilDate {
    private static let referenceDay = days(fromCivil: 2001, 1, 1)

    /// The number of days since March 1 of the year 0.
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
    /// Divides and rounds toward negative infinity, so that the remainder is never negative.
    fileprivate func dividedRoundingDown(by divisor: Int) -> (quotient: Int, remainder: Int) {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
    }
}
