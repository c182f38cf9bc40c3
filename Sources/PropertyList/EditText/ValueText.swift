import FoundationEssentials

// Turns values into texts: a short one for lists and a complete one for editing in a line.
//
// The texts may contain control characters. The code that prints them must escape these, as with all
// text from files.
extension ValueNode {
    /// Returns the value as a short text for a list.
    ///
    /// A string is shown without quotes, data as `5 bytes  68656c6c6f`, and a container as its size,
    /// `{3 members}`. Data that holds JSON is shown as that JSON. A JSON string keeps its quotes,
    /// because `"5"` and `5` would look the same otherwise.
    ///
    /// - Parameter limit: The approximate number of Unicode scalars after which the text ends with `…`.
    ///   The work is limited too.
    public func displayText(limit: Int = 200) -> String {
        guard case .propertyList(let value) = content else { return json?.displayText(limit: limit) ?? "" }
        guard let json else { return value.displayText(limit: limit) }
        let text = json.displayText(limit: limit)
        return json.kind == .string ? "\"\(text)\"" : text
    }

    /// The complete text of the value for editing in one line. ``newValue(fromEdited:)`` reads it back.
    ///
    /// Data that holds a single JSON value is edited as that value. The text is nil for containers, and
    /// for JSON strings with half a surrogate pair, which no `String` can hold.
    public var editText: String? {
        if let json { return json.editText }
        guard case .propertyList(let value) = content else { return nil }
        return value.editText
    }
}

extension PropertyListValue {
    /// Returns the value as a short text for a list, like ``ValueNode/displayText(limit:)``. Data is
    /// shown as bytes.
    public func displayText(limit: Int = 200) -> String {
        switch self {
        case .string(let string): shortened(string, limit)
        case .date(let date): readableForm(of: date)
        case .data(let data): readableForm(of: data, limit: limit)
        case .array(let elements): "[\(counted(elements.count, "item"))]"
        case .dictionary(let entries): "{\(counted(entries.count, "key"))}"
        case .boolean, .integer, .real, .uid, .null: editText ?? ""
        case .number(let spelling): shortened(spelling, limit)
        }
    }

    /// The complete text of the value for editing in one line, or nil for arrays and dictionaries.
    ///
    /// ``parse(_:as:)`` reads it back to the same value, with two exceptions. A date within seven weeks
    /// of 2001-01-01 is rounded to nanoseconds, because `Date` is more precise there. A date outside
    /// the years 0 to 9999 cannot be read back.
    public var editText: String? {
        switch self {
        case .boolean(let value): value ? "true" : "false"
        case .integer(let value): value.description
        // A NaN with a payload has a longer form, such as `nan(0x1)`.
        case .real(let value): value.isNaN ? value.debugDescription : value.description
        case .string(let value): value
        case .date(let value):
            CivilDate(value).map { "\($0.dayText)T\($0.timeText(for: value))Z" } ?? readableForm(of: value)
        case .data(let value): hex(value)
        case .uid(let value): String(value)
        case .null: "null"
        case .number(let spelling): spelling
        case .array, .dictionary: nil
        }
    }
}

extension JSONNode {
    /// Returns the value as a short text for a list, like ``ValueNode/displayText(limit:)``.
    public func displayText(limit: Int = 200) -> String {
        switch kind {
        case .object: "{\(counted(childCount, "member"))}"
        case .array: "[\(counted(childCount, "element"))]"
        case .string:
            // One scalar more than is shown tells whether the text must be shortened.
            shortened(
                JSONString.decoded(
                    storage.bytes,
                    at: range.lowerBound,
                    limit: min(max(0, limit), .max - 1) + 1
                ),
                limit
            )
        case .number:
            // The source of a number is ASCII.
            shortened(
                String(decoding: sourceBytes.prefix(min(max(0, limit), .max - 1) + 1), as: UTF8.self),
                limit
            )
        case .boolean, .null: source
        }
    }

    /// The complete text of the value for editing in one line. ``jsonText(fromEdited:as:)`` reads it
    /// back.
    ///
    /// A string is shown without quotes and escapes, and a number with its own digits. The text is nil
    /// for objects and arrays, and for strings with half a surrogate pair, which no `String` can hold.
    public var editText: String? {
        switch kind {
        case .object, .array: nil
        case .string: JSONString.hasLoneSurrogate(storage.bytes, at: range.lowerBound) ? nil : string
        case .number, .boolean, .null: source
        }
    }
}

private func counted(_ count: Int, _ noun: String) -> String {
    count == 1 ? "1 \(noun)" : "\(count) \(noun)s"
}

func shortened(_ text: String, _ limit: Int) -> String {
    let scalars = text.unicodeScalars
    guard let end = scalars.index(scalars.startIndex, offsetBy: max(0, limit), limitedBy: scalars.endIndex),
        end < scalars.endIndex
    else { return text }
    return String(scalars[..<end]) + "…"
}

private func readableForm(of data: Data, limit: Int) -> String {
    guard !data.isEmpty else { return "0 bytes" }
    let shown = data.prefix(max(1, limit / 2))
    return counted(data.count, "byte") + "  " + hex(shown) + (shown.count < data.count ? "…" : "")
}

private func hex(_ data: Data) -> String {
    let digits = Array("0123456789abcdef".utf8)
    return String(unsafeUninitializedCapacity: 2 * data.count) { text in
        var position = 0
        for byte in data {
            text[position] = digits[Int(byte >> 4)]
            text[position + 1] = digits[Int(byte & 15)]
            position += 2
        }
        return position
    }
}

private func readableForm(of date: Date) -> String {
    guard let civil = CivilDate(date) else {
        return "\(date.timeIntervalSinceReferenceDate) seconds after 2001-01-01 00:00:00 UTC"
    }
    return "\(civil.dayText) \(civil.timeText(for: date)) UTC"
}

extension CivilDate {
    fileprivate var dayText: String {
        "\(padded(year, 4))-\(padded(month, 2))-\(padded(day, 2))"
    }

    /// The time of day, with as many decimals as are needed to get the same `Date` back, at most nine.
    fileprivate func timeText(for date: Date) -> String {
        let time = "\(padded(hour, 2)):\(padded(minute, 2)):\(padded(second, 2))"
        var unit = 1_000_000_000
        for decimals in 0...9 {
            let count = (nanosecond + unit / 2) / unit
            let rounded = CivilDate(
                year: year,
                month: month,
                day: day,
                hour: hour,
                minute: minute,
                second: second,
                nanosecond: count * unit
            )
            if decimals == 9 || rounded?.date == date {
                return decimals == 0 ? time : "\(time).\(padded(count, decimals))"
            }
            unit /= 10
        }
        return time
    }
}

private func padded(_ number: Int, _ width: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, width - digits.count)) + digits
}
