import FoundationEssentials
import PropertyList

/// The forms in which data is typed.
enum DataForm: String, Sendable, Hashable, CaseIterable {
    case hex, base64, text

    var next: DataForm {
        let all = Self.allCases
        return all[(all.firstIndex(of: self).map { $0 + 1 } ?? 0) % all.count]
    }

    /// The text; nil if the data has no such form.
    func text(of data: Data) -> String? {
        switch self {
        case .hex: PropertyListValue.data(data).editText
        case .base64: data.base64EncodedString()
        // The text must give the same bytes when it is read again.
        case .text: String(validating: data, as: UTF8.self)
        }
    }

    func data(from text: String) throws -> Data {
        switch self {
        case .hex:
            guard case .data(let data) = try PropertyListValue.parse(text, as: .data) else { return Data() }
            return data
        case .base64:
            guard let data = Data(base64Encoded: text.filter { !$0.isWhitespace }) else {
                throw Refusal("\(shortened(text)) is not Base64, such as SGVsbG8=")
            }
            return data
        case .text: return Data(text.utf8)
        }
    }
}

/// Formats and parses values for the screen and for typed lines. It works like `PropertyList`, but dates are in the
/// local time zone.
struct ValueFormat: Sendable {
    /// The current time; nil if it is not known.
    let date: Date?
    /// The offset from UTC in seconds at a moment.
    let zone: @Sendable (Date) -> Int

    /// A short text; see `ValueNode.displayText(limit:)`.
    func display(_ node: ValueNode, limit: Int = 200) -> String {
        localDate(node) ?? node.displayText(limit: limit)
    }

    /// The complete text for editing; nil if the value cannot be typed in a line.
    func editText(_ node: ValueNode) -> String? {
        localDate(node) ?? node.editText
    }

    /// - Parameter stored: The current value. Its own text is always accepted.
    /// - Throws: Why the text is no value of the kind.
    func value(
        _ text: String,
        as kind: ValueKind,
        _ form: DataForm = .hex,
        over stored: ValueNode? = nil
    ) throws -> NewValue {
        switch kind {
        case .propertyList(.data): return .propertyList(.data(try form.data(from: text)))
        case .propertyList(.date): return .propertyList(.date(try parseDate(text, over: stored)))
        case .propertyList(.integer), .propertyList(.uid), .propertyList(.number), .json(.number):
            return try kind.newValue(Self.decimal(text))
        default: return try kind.newValue(text)
        }
    }

    /// Foundation reads the year 0; Python's plistlib does not.
    private static let yearsOfAllReaders = 1...9999

    private func parseDate(_ text: String, over stored: ValueNode?) throws -> Date {
        if let date = try dateFromNow(text.filter { !$0.isWhitespace }.lowercased()) {
            return date.inWholeSeconds
        }
        let text = try nameOfDayReplaced(in: text)
        if case .propertyList(.date(let date))? = stored?.content,
            (try? PropertyListValue.parseDate(text, local: here)) == date
        {
            return date
        }
        return try PropertyListValue.parseDate(text, years: Self.yearsOfAllReaders, local: here)
            .inWholeSeconds
    }

    /// The date that is typed as “now”, or as a time from now: `+3d`, `-2h`; nil for any other text.
    private func dateFromNow(_ text: String) throws -> Date? {
        if text == "now" { return try now() }
        guard let match = text.wholeMatch(of: /([+-]\d{1,6})([smhdw])/), let count = Int(match.1) else {
            return nil
        }
        if let unit = ["s": 1, "m": 60, "h": 3600][match.2] {
            return try now().addingTimeInterval(Double(unit * count))
        }
        return try date(days: match.2 == "w" ? 7 * count : count, after: now())
    }

    /// The text with the date in place of “today”, “tomorrow” or “yesterday”. A time of day may follow.
    private func nameOfDayReplaced(in text: String) throws -> String {
        guard let match = text.wholeMatch(of: /\s*(yesterday|today|tomorrow)(.*)/.ignoresCase()) else {
            return text
        }
        let days = ["yesterday": -1, "tomorrow": 1][match.1.lowercased()] ?? 0
        let day = try date(days: days, after: now())
        let local = PropertyListValue.date(day.addingTimeInterval(Double(zone(day)))).editText ?? ""
        return String(local.prefix { $0 != "T" } + match.2)
    }

    private func now() throws -> Date {
        guard let date else { throw Refusal("The clock could not be read.") }
        return date
    }

    /// The same time of day on local clocks, so many days later.
    func date(days: Int, after date: Date) throws -> Date {
        let moment = here(date.addingTimeInterval(Double(zone(date) + 86_400 * days)))
        let text = PropertyListValue.date(moment).editText ?? ""
        guard (try? PropertyListValue.parseDate(text, years: Self.yearsOfAllReaders)) != nil else {
            throw Refusal("The date would be outside the years 1 to 9999 in UTC.")
        }
        return moment
    }

    /// A hexadecimal number such as `0x10` in decimal digits; any other text as it is.
    private static func decimal(_ text: String) -> String {
        guard let match = text.wholeMatch(of: /\s*(-?)0[xX]([0-9a-fA-F]{1,16})\s*/),
            let number = UInt64(match.2, radix: 16)
        else { return text }
        return "\(match.1)\(number)"
    }

    /// The moment at which local clocks show the time that UTC clocks show at a date.
    private func here(_ date: Date) -> Date {
        let guess = date.addingTimeInterval(-Double(zone(date)))
        return date.addingTimeInterval(-Double(zone(guess)))
    }

    /// A date in local time, if it can be read back. Nil in UTC, and for other values.
    private func localDate(_ node: ValueNode) -> String? {
        guard node.json == nil, case .propertyList(.date(let date)) = node.content else { return nil }
        let offset = zone(date)
        guard offset != 0, offset.isMultiple(of: 60),
            let shifted = PropertyListValue.date(date.addingTimeInterval(Double(offset))).editText,
            shifted.hasSuffix("Z")
        else { return nil }
        let minutes = abs(offset) / 60
        let rest = minutes.isMultiple(of: 60) ? "" : ":\(twoDigits(minutes % 60))"
        let zone = "\(offset < 0 ? "-" : "+")\(twoDigits(minutes / 60))\(rest)"
        let text = shifted.dropLast().replacing("T", with: " ") + " " + zone
        guard case .date(let back)? = try? PropertyListValue.parse(text, as: .date), back == date else {
            return nil
        }
        return text
    }
}

func twoDigits(_ number: Int) -> String { number < 10 ? "0\(number)" : String(number) }

extension EditorState {
    var format: ValueFormat { ValueFormat(date: clock.date, zone: options.zone) }

    func newValue(of draft: Draft) throws -> NewValue {
        try format.value(draft.line.text, as: draft.kind, draft.form, over: draft.base)
    }
}

extension Draft {
    /// Goes on to the next type, or to the next form of data. The text stays as it was typed.
    private mutating func changeKind() {
        problem = nil
        if kind == .propertyList(.data), form != DataForm.allCases.last {
            form = form.next
            return
        }
        let next = kinds[((kinds.firstIndex(of: kind) ?? -1) + 1) % kinds.count]
        if line.text == kind.firstText { line = LineEditor(next.firstText, isSelected: next.isTypedAnew) }
        (kind, form) = (next, .hex)
    }

    /// Shows typed data in the next form that can store it. A text whose type the user chose gets the next type.
    mutating func changeForm() {
        if !kinds.isEmpty { return changeKind() }
        guard kind == .propertyList(.data) else {
            problem = "Only data has several forms."
            return
        }
        do {
            let data = try form.data(from: line.text)
            let isUnchanged = isUnchanged
            var next = form.next
            while next != form, next.text(of: data) == nil { next = next.next }
            if let text = next.text(of: data), next != form {
                form = next
                line.replace(with: text)
                if isUnchanged { original = text }
            }
            problem = nil
        } catch {
            // The text was meant in another form. Any text is possible in the last one.
            var next = form.next
            while next != form, (try? next.data(from: line.text)) == nil { next = next.next }
            problem = next == form ? reason(of: error) : nil
            form = next
        }
    }

    /// The accepted texts, in a few words; nil if any text is possible.
    var hint: String? {
        switch kind {
        case .propertyList(.real): "such as 0.5, 1e-3, inf"
        case .propertyList(.date): "such as 2024-05-01 10:20 +02, tomorrow, +3d, or now"
        case .propertyList(.data):
            switch form {
            case .hex: "in hexadecimal"
            case .base64: "in Base64"
            case .text: "as text"
            }
        case .propertyList, .json, .jsonData: nil
        }
    }
}

// Typed dates have whole seconds, because XML files cannot store fractions.
extension Date {
    /// The date rounded down to whole seconds, as in XML files.
    fileprivate var inWholeSeconds: Date {
        Date(timeIntervalSinceReferenceDate: timeIntervalSinceReferenceDate.rounded(.down))
    }
}

extension PropertyListValue {
    /// The value with all dates in whole seconds, except dates that are stored already.
    func inWholeSeconds(except stored: Set<Date>) -> PropertyListValue {
        switch self {
        case .date(let date): .date(stored.contains(date) ? date : date.inWholeSeconds)
        case .array(let elements): .array(elements.map { $0.inWholeSeconds(except: stored) })
        case .dictionary(let entries): .dictionary(entries.mapValues { $0.inWholeSeconds(except: stored) })
        case .boolean, .integer, .real, .string, .data, .uid, .null, .number: self
        }
    }

    var dates: Set<Date> {
        switch self {
        case .date(let date): [date]
        case .array(let elements): elements.reduce(into: []) { $0.formUnion($1.dates) }
        case .dictionary(let entries): entries.values.reduce(into: []) { $0.formUnion($1.dates) }
        case .boolean, .integer, .real, .string, .data, .uid, .null, .number: []
        }
    }
}
