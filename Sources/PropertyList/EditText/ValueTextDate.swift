import FoundationEssentials

/// Parses a date that a person types: ISO 8601, optionally without the end, and with a space in place
/// of the `T`.
///
/// Foundation's ISO 8601 parser accepts fewer forms and cannot say which part is wrong.
struct DateText {
    private static let examples = "2024-05-01, 2024-05-01 10:20 or 2024-05-01T10:20:30.25Z"

    private var rest: Substring.UnicodeScalarView

    /// Parses a date. See ``PropertyListValue/parseDate(_:years:local:)``.
    static func parse(
        _ text: String,
        years: ClosedRange<Int>,
        local: (Date) -> Date
    ) throws(ValueTextError) -> Date {
        var reader = DateText(rest: trimmed(text).unicodeScalars)
        guard let reading = reader.read(), reader.rest.isEmpty else {
            throw ValueTextError("\(quoted(text)) is not a date, such as \(examples)")
        }
        let outside = ValueTextError(
            "\(quoted(text)) is outside the years \(years.lowerBound) to \(years.upperBound) in UTC"
        )
        guard 0...9999 ~= reading.year else { throw outside }
        try reading.check(text)
        guard
            let civil = CivilDate(
                year: reading.year,
                month: reading.month,
                day: reading.day,
                hour: reading.hour,
                minute: reading.minute,
                second: reading.second
            )
        else { throw ValueTextError("\(quoted(text)) is not a date, such as \(examples)") }
        // The offset is applied to whole seconds, which are exact. So the same moment gives the same
        // `Date` for any offset.
        let second =
            reading.offset.map { civil.date.addingTimeInterval(Double(-60 * $0)) } ?? local(civil.date)
        let date = second.addingTimeInterval(Double(reading.nanosecond) / 1e9)
        guard let moment = CivilDate(date), years ~= moment.year else { throw outside }
        return date
    }

    private struct Reading {
        var year = 0
        var month = 0
        var day = 0
        var hour = 0
        var minute = 0
        var second = 0
        var nanosecond = 0
        /// Minutes east of Greenwich, or nil if the text has no offset.
        var offset: Int?

        func check(_ text: String) throws(ValueTextError) {
            func refusal(_ rule: String) -> ValueTextError {
                ValueTextError("\(quoted(text)) is not a date: \(rule)")
            }
            func check(_ part: String, _ value: Int, _ range: ClosedRange<Int>) throws(ValueTextError) {
                guard !range.contains(value) else { return }
                throw refusal("the \(part) must be from \(range.lowerBound) to \(range.upperBound)")
            }
            try check("month", month, 1...12)
            let days = CivilDate.days(inMonth: month, of: year)
            guard 1...days ~= day else { throw refusal("this month has \(days) days") }
            try check("hour", hour, 0...23)
            try check("minute", minute, 0...59)
            try check("second", second, 0...59)
            guard (offset ?? 0).magnitude < 24 * 60 else {
                throw refusal("the offset from UTC must be less than a day")
            }
        }
    }

    private mutating func read() -> Reading? {
        var reading = Reading()
        guard let year = year(), skip("-"), let month = number(2), skip("-"), let day = number(2) else {
            return nil
        }
        (reading.year, reading.month, reading.day) = (year, month, day)
        if rest.isEmpty { return reading }
        guard skip("T") || skip("t") || skip(" ") else { return nil }
        skipSpaces()
        guard let hour = number(2), skip(":"), let minute = number(2) else { return nil }
        (reading.hour, reading.minute) = (hour, minute)
        if skip(":") {
            guard let second = number(2) else { return nil }
            reading.second = second
            if skip(".") || skip(",") {
                guard let nanosecond = fraction() else { return nil }
                reading.nanosecond = nanosecond
            }
        }
        skipSpaces()
        if rest.isEmpty { return reading }
        if skip("Z") || skip("z") || (skip("U") && skip("T") && skip("C")) {
            reading.offset = 0
            return reading
        }
        let isWest = skipMinus()
        guard isWest || skip("+"), let hours = number(2) else { return nil }
        _ = skip(":")
        guard let minutes = rest.isEmpty ? 0 : number(2), minutes < 60 else { return nil }
        reading.offset = (isWest ? -1 : 1) * (60 * hours + minutes)
        return reading
    }

    private mutating func skip(_ scalar: Unicode.Scalar) -> Bool {
        guard rest.first == scalar else { return false }
        rest.removeFirst()
        return true
    }

    private mutating func skipMinus() -> Bool { skip("-") || skip("\u{2212}") }

    /// Reads four digits. A signed or longer number is read too, so that the error can say that the
    /// year is out of range.
    private mutating func year() -> Int? {
        let isNegative = skipMinus()
        let isSigned = isNegative || skip("+")
        var (year, count) = (0, 0)
        while let digit = digit() {
            year = min(year * 10 + digit, 1_000_000)
            count += 1
        }
        if isSigned ? year == 0 || !isNegative && year <= 9999 : count < 4 || count > 4 && year <= 9999 {
            return nil
        }
        return isNegative ? -year : year
    }

    private mutating func skipSpaces() {
        while skip(" ") {}
    }

    private mutating func digit() -> Int? {
        guard let scalar = rest.first, "0"..."9" ~= scalar else { return nil }
        rest.removeFirst()
        return Int(scalar.value - 0x30)
    }

    private mutating func number(_ count: Int) -> Int? {
        var number = 0
        for _ in 0..<count {
            guard let digit = digit() else { return nil }
            number = number * 10 + digit
        }
        return number
    }

    /// Reads decimals as nanoseconds.
    private mutating func fraction() -> Int? {
        guard var number = digit() else { return nil }
        var count = 1
        while let digit = digit() {
            guard count < 9 else { continue }
            number = number * 10 + digit
            count += 1
        }
        for _ in count..<9 { number *= 10 }
        return number
    }
}
