import FoundationEssentials

// Control characters are left in these texts: whoever puts them on a screen escapes them, with
// everything else that comes from a file.
extension ValueNode {
    /// The value in one short form for a list: a string as it is, `5 bytes  68656c6c6f`,
    /// `{3 members}`. Not more than about `limit` characters (Unicode scalars), `…` for the rest, and
    /// not more work than that takes. Data that holds JSON shows as the JSON, a string alone in its quotation
    /// marks, since nothing else would tell `"5"` from `5`.
    public func displayText(limit: Int = 200) -> String {
        guard case .propertyList(let value) = content else { return json?.displayText(limit: limit) ?? "" }
        guard let json else { return value.displayText(limit: limit) }
        let text = json.displayText(limit: limit)
        return json.kind == .string ? "\"\(text)\"" : text
    }

    /// The complete text of the value, to be edited in a line and read back by
    /// ``newValue(fromEdited:)``. Data that holds a single JSON value is edited as that value.
    ///
    /// Nil for containers, and for JSON strings that no text can hold (half a surrogate pair).
    public var editText: String? {
        if let json { return json.editText }
        guard case .propertyList(let value) = content else { return nil }
        return value.editText
    }
}

extension PropertyListValue {
    /// The value in one short form for a list; see ``ValueNode/displayText(limit:)``. Data shows as
    /// its bytes.
    public func displayText(limit: Int = 200) -> String {
        switch self {
        case .string(let string): shortened(string, limit)
        case .date(let date): readableForm(of: date)
        case .data(let data): readableForm(of: data, limit: limit)
        case .array(let elements): "[\(counted(elements.count, "item"))]"
        case .dictionary(let entries): "{\(counted(entries.count, "key"))}"
        case .boolean, .integer, .real, .uid: editText ?? ""
        }
    }

    /// The complete text of the value, to be edited in a line; ``parse(_:as:)`` reads it back to the
    /// same value, except that dates within seven weeks of 2001-01-01, where they are finer than a
    /// nanosecond, come back to the nanosecond, and dates outside the years 0 to 9999 are not read.
    ///
    /// Nil for arrays and dictionaries.
    public var editText: String? {
        switch self {
        case .boolean(let value): value ? "true" : "false"
        case .integer(let value): value.description
        // NaNs that carry something besides being none have a longer form, as `nan(0x1)`.
        case .real(let value): value.isNaN ? value.debugDescription : value.description
        case .string(let value): value
        case .date(let value): standardForm(of: value)
        case .data(let value): hex(value)
        case .uid(let value): String(value)
        case .array, .dictionary: nil
        }
    }
}

extension JSONNode {
    /// The value in one short form for a list; see ``ValueNode/displayText(limit:)``.
    public func displayText(limit: Int = 200) -> String {
        switch kind {
        case .object: "{\(counted(childCount, "member"))}"
        case .array: "[\(counted(childCount, "element"))]"
        case .string:
            // One more than is shown tells whether there is more.
            shortened(
                JSONString.decoded(
                    storage.bytes,
                    at: range.lowerBound,
                    limit: min(max(0, limit), .max - 1) + 1
                ),
                limit
            )
        case .number:
            // Its spelling is ASCII.
            shortened(
                String(decoding: sourceBytes.prefix(min(max(0, limit), .max - 1) + 1), as: UTF8.self),
                limit
            )
        case .boolean, .null: source
        }
    }

    /// The complete text of the value, to be edited in a line: a string without its quotes and
    /// escapes, a number in its spelling. ``jsonText(fromEdited:as:)`` reads it back.
    ///
    /// Nil for objects and arrays, and for strings that hold half a surrogate pair, which no text can.
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

private func standardForm(of date: Date) -> String {
    guard let civil = CivilDate(date) else { return readableForm(of: date) }
    return "\(civil.dayText)T\(civil.timeText(for: date))Z"
}

extension CivilDate {
    fileprivate var dayText: String {
        "\(padded(year, 4))-\(padded(month, 2))-\(padded(day, 2))"
    }

    /// The time with as many decimals as tell the date from others, of nine at the most.
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
