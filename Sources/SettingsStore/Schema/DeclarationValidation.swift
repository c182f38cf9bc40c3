import FoundationEssentials
import PropertyList

// Checks values against their declarations, so that neither the editor nor a command stores a value that the program
// can't use. The values are property lists, so a validator of JSON Schema could not check them.

extension SettingDeclaration {
    /// Why the setting can't have the value, as a sentence without its full stop; nil if it can.
    ///
    /// Numbers are checked as programs read them: 5 is also a real number, 5.0 is also a whole number, and 0 and 1 are
    /// also booleans. JSON in `Data` is checked as the value that it describes, because some programs store every value
    /// like that.
    ///
    /// - Parameter old: The value that is replaced. Members and elements that are equal in it are not checked, so that several
    ///   problems can be mended one at a time.
    public func problem(with value: PropertyListValue, replacing old: PropertyListValue? = nil) -> String? {
        problem(with: value, replacing: old, readsJSON: true)
    }

    fileprivate func problem(
        with value: PropertyListValue,
        replacing old: PropertyListValue?,
        readsJSON: Bool
    ) -> String? {
        if value == old { return nil }
        let problem =
            shape.problem(with: value, replacing: old, readsJSON: readsJSON) ?? problemWithCase(value)
        // A secret value is not quoted. Its kind is no secret.
        guard isSecret, let problem, problem != shape.kindProblem(with: value) else { return problem }
        return "the setting does not allow it"
    }

    /// The limits of the setting's values in words: `0 to 11`, `at most 20 characters`, `“light” or “dark”`. nil if it has
    /// none.
    public var limitsText: String? {
        if cases.isEmpty { return shape.limitsText }
        let names = cases.map { quoted($0.value, $0.title) }
        if names.count == 1 { return names[0] }
        return names.dropLast().joined(separator: ", ") + " or " + (names.last ?? "")
    }

    private func problemWithCase(_ value: PropertyListValue) -> String? {
        if cases.isEmpty || cases.contains(where: { isSame($0.value, value) }) { return nil }
        if case (.optional, .null) = (shape, value) { return nil }
        let values = jsonValue(of: value, shape) ?? value
        if cases.contains(where: { isSame($0.value, values) }) { return nil }
        return "\(quoted(value, nil)) is not \(limitsText ?? "")"
    }

    private func quoted(_ value: PropertyListValue, _ title: String?) -> String {
        let text = value.displayText(limit: 40)
        let quoted = if case .string = value { "“\(text)”" } else { text }
        return title.map { "\(quoted) (\($0))" } ?? quoted
    }
}

extension ValueShape {
    /// The kind of stored values of this shape; nil if it can be any.
    public var kind: PropertyListValue.Kind? {
        switch self {
        case .anything: nil
        case .boolean: .boolean
        case .integer: .integer
        case .real: .real
        case .string: .string
        case .date: .date
        case .data, .json: .data
        case .array: .array
        case .dictionary, .record: .dictionary
        case .optional, .declared: wrapped.kind
        }
    }

    var limitsText: String? {
        switch self {
        case .integer(let bounds):
            // The bounds of the integer type are not mentioned.
            var bounds = bounds
            if bounds.lower == PropertyListInteger(Int64.min) { bounds.lower = nil }
            if [PropertyListInteger(Int64.max), PropertyListInteger(UInt64.max)].contains(bounds.upper) {
                bounds.upper = nil
            }
            return bounds.text { "\($0)" }
        case .real(let bounds): return bounds.text { "\($0)" }
        case .date(let bounds): return bounds.text { PropertyListValue.date($0).displayText() }
        case .string(let shape):
            let length = shape.length.text { "\($0)" }.map { "\($0) characters" }
            let pattern = shape.pattern.map { "matching \($0)" }
            let texts = [shape.format?.name, length, pattern].compactMap(\.self)
            return texts.isEmpty ? nil : texts.joined(separator: ", ")
        case .optional, .declared: return wrapped.limitsText
        case .anything, .boolean, .data, .json, .array, .dictionary, .record: return nil
        }
    }

    func problem(
        with value: PropertyListValue,
        replacing old: PropertyListValue? = nil,
        readsJSON: Bool = false
    ) -> String? {
        switch (self, value) {
        case (.declared(let declaration), _):
            return declaration.problem(with: value, replacing: old, readsJSON: readsJSON)
        case (.optional, .null): return nil
        case (_, .number) where self != .anything:
            return problem(with: value.withPlainNumber, replacing: old, readsJSON: readsJSON)
        case (.optional(let shape), _):
            return shape.problem(with: value, replacing: old, readsJSON: readsJSON)
        case (.anything, _), (.boolean, .boolean), (.boolean, .integer(0)), (.boolean, .integer(1)),
            (.data, .data):
            return nil
        case (.integer(let bounds), .integer(let number)): return bounds.problem(with: number) { "\($0)" }
        case (.integer(let bounds), .real(let number)):
            guard let whole = PropertyListInteger(whole: number) else {
                return "\(number) is not a whole number"
            }
            return bounds.problem(with: whole) { "\($0)" }
        case (.real(let bounds), .real(let number)): return bounds.problem(with: number) { "\($0)" }
        case (.real(let bounds), .integer(let number)):
            return bounds.problem(with: Double(number)) { "\($0)" }
        case (.string(let shape), .string(let text)): return shape.problem(with: text)
        case (.date(let bounds), .date(let date)):
            return bounds.problem(with: date) { PropertyListValue.date($0).displayText() }
        case (.json, .data(let text)):
            do throws(PropertyListError) {
                _ = try JSONDocument(parsing: text)
                return nil
            } catch {
                return "it is not JSON: \(error)"
            }
        case (.array(let shape), .array(let elements)):
            var known: Set<PropertyListValue> = []
            if case .array(let old)? = old { known = Set(old) }
            return firstProblem(
                elements.enumerated().lazy.filter { !known.contains($1) }.map { (.index($0), shape, $1, nil) }
            )
        case (.dictionary(let shape), .dictionary(let entries)):
            return firstProblem(
                entries.sorted { $0.key < $1.key }.lazy.map { (.key($0), shape, $1, old?.member($0)) }
            )
        case (.record(let fields), .dictionary(let entries)):
            let names = fields.keys.sorted()
            let missing = names.first {
                fields[$0]?.isRequired == true && entries[$0] == nil
                    && (old == nil || old?.member($0) != nil)
            }
            if let missing { return "“\(missing)” is missing" }
            return firstProblem(
                names.lazy.compactMap { name in
                    guard let field = fields[name], let entry = entries[name] else { return nil }
                    return (.key(name), field.shape, entry, old?.member(name))
                }
            )
        case (_, .data) where readsJSON:
            guard let inner = jsonValue(of: value, self) else { break }
            return problem(with: inner)
        default: break
        }
        return kindProblem(with: value)
    }

    fileprivate func kindProblem(with value: PropertyListValue) -> String {
        "found \(value.kind.phrase), expected \(kind?.phrase ?? "another")"
    }

    private func firstProblem(
        _ parts: some Sequence<
            (step: PathStep, shape: ValueShape, value: PropertyListValue, old: PropertyListValue?)
        >
    ) -> String? {
        for part in parts where part.value != part.old {
            if let problem = part.shape.problem(with: part.value, replacing: part.old) {
                let place = "at \(ValuePath([part.step]))"
                return problem.hasPrefix("at /") ? place + problem.dropFirst(3) : "\(place): \(problem)"
            }
        }
        return nil
    }
}

extension PropertyListValue {
    fileprivate func member(_ name: String) -> PropertyListValue? {
        if case .dictionary(let entries) = self { entries[name] } else { nil }
    }
}

extension ValueShape {
    /// JSON without the nulls of missing elements and members.
    fileprivate func withoutNulls(_ json: PropertyListValue) -> PropertyListValue {
        switch (self, json) {
        case (.array(let shape), .array(let elements)):
            return .array(elements.compactMap { shape.withoutNull($0) })
        case (.dictionary(let shape), .dictionary(let members)):
            return .dictionary(members.compactMapValues { shape.withoutNull($0) })
        default: return json
        }
    }

    private func withoutNull(_ json: PropertyListValue) -> PropertyListValue? {
        guard json == .null else { return wrapped.withoutNulls(json) }
        switch self {
        case .optional, .anything: return nil
        default: return json
        }
    }
}

extension PropertyListValue.Kind {
    /// The kind with its article.
    fileprivate var phrase: String {
        switch self {
        case .boolean: "a boolean"
        case .integer: "a whole number"
        case .real: "a number"
        case .string: "a string"
        case .date: "a date"
        case .data: "data"
        case .array: "an array"
        case .dictionary: "a dictionary"
        case .uid: "a UID"
        case .null: "null"
        case .number: "a number"
        }
    }
}

extension StringShape.Format {
    fileprivate var name: String {
        switch self {
        case .uuid, .uri: rawValue.uppercased()
        case .dateTime: "a date"
        case .base64: "Base64"
        }
    }
}

extension StringShape {
    /// Bytes.
    private static let longestForPattern = 1 << 12

    func problem(with text: String) -> String? {
        switch format {
        case .uuid where UUID(uuidString: text) == nil: return "it is not a UUID"
        case .uri where URL(string: text) == nil: return "it is not a URL"
        case .dateTime where (try? PropertyListValue.parse(text, as: .date)) == nil: return "it is not a date"
        case .base64 where Data(base64Encoded: text) == nil: return "it is not Base64"
        default: break
        }
        if !length.isEmpty {
            let count = text.unicodeScalars.count
            if length.problem(with: count, { "\($0)" }) != nil {
                return "it has \(count) characters, \(length.text { "\($0)" } ?? "others") are allowed"
            }
        }
        return matchesPattern(text) ? nil : "it does not match \(pattern ?? "")"
    }

    /// Long texts are not checked. The time for some patterns grows with the square of the length, or faster.
    private func matchesPattern(_ text: String) -> Bool {
        guard let pattern, text.utf8.count <= Self.longestForPattern, let expression = try? Regex(pattern)
        else {
            return true
        }
        return text.contains(expression.matchingSemantics(.unicodeScalar))
    }
}

extension Bounds {
    func problem(with value: Bound, _ text: (Bound) -> String) -> String? {
        // No comparison with NaN is true, so it is not within any bounds.
        if let lower, excludesLower ? !(value > lower) : !(value >= lower) {
            return excludesLower
                ? "\(text(value)) is not above \(text(lower))"
                : "\(text(value)) is below \(text(lower)), the smallest that is allowed"
        }
        if let upper, excludesUpper ? !(value < upper) : !(value <= upper) {
            return excludesUpper
                ? "\(text(value)) is not below \(text(upper))"
                : "\(text(value)) is above \(text(upper)), the largest that is allowed"
        }
        return nil
    }

    func text(_ text: (Bound) -> String) -> String? {
        switch (lower, upper) {
        case (let lower?, let upper?) where !excludesLower && !excludesUpper:
            return "\(text(lower)) to \(text(upper))"
        case (nil, nil): return nil
        default:
            let least = lower.map { (excludesLower ? "more than " : "at least ") + text($0) }
            let most = upper.map { (excludesUpper ? "less than " : "at most ") + text($0) }
            return [least, most].compactMap(\.self).joined(separator: " and ")
        }
    }
}

extension PropertyListInteger {
    /// nil for numbers with a fraction or out of range.
    init?(whole number: Double) {
        guard let whole = Int128(exactly: number) else { return nil }
        self.init(exactly: whole)
    }
}

/// Converts JSON in `Data` to a value of the shape; nil if it is no JSON, or if the shape is data.
private func jsonValue(of value: PropertyListValue, _ shape: ValueShape) -> PropertyListValue? {
    guard case .data(let text) = value, shape.kind != .data,
        let document = try? JSONDocument(parsing: text)
    else { return nil }
    return shape.value(of: shape.withoutNulls(document.root.propertyListValue))
}
