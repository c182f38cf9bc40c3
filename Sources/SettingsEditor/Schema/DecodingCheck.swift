import FoundationEssentials
import PropertyList
import SettingsStore

/// Finds the values of a suite that programs cannot decode.
struct DecodingCheck: Sendable, Hashable {
    let schema: SuiteSchema
    /// The keys with quarantined values, with the file of the newest one.
    let setAside: [String: String]
    /// The declared settings without a value. Their rows show a default.
    var unset: Set<String>

    /// Why programs cannot decode the value, or could not decode the previous one. Nil if there is no problem.
    func problem(with value: PropertyListValue, forKey key: String, _ budget: inout WorkBudget) -> String? {
        budget.spend(value)
        if !unset.contains(key) {
            let declaration = schema.declarations[key]
            if let problem = declaration?.problem(with: value) { return problem }
            if let doubt = declaration?.doubt(about: ValueChange(old: nil, new: value)) {
                return "programs might not read it: \(doubt)"
            }
            if declaration == nil, let problem = value.problemAsJSON { return problem }
        }
        return setAside[key].map { "a program could not read the previous value, which is kept in \($0)" }
    }
}

extension SuiteModel {
    var decodingCheck: DecodingCheck {
        DecodingCheck(
            schema: schema,
            setAside: setAside,
            unset: Set(schema.declarations.keys.filter(isWithoutValue))
        )
    }

    /// Why programs cannot decode a key's value, as far as can be told while the screen is drawn.
    func decodingProblem(of row: Row) -> String? {
        guard case .propertyList(let value) = row.shown.content else { return nil }
        if row.depth > 0 {
            return value.isQuicklyChecked ? declaration(at: row.path)?.problem(with: value) : nil
        }
        let key = row.path.key
        let isDeclared = declaration(of: key) != nil
        // JSON that is shown as JSON was parsed already.
        if row.shown.json != nil, !isDeclared, setAside[key] == nil { return nil }
        let isCollection = value.kind == .array || value.kind == .dictionary
        guard value.isQuicklyChecked || isCollection && !isDeclared else { return nil }
        let check = DecodingCheck(schema: schema, setAside: setAside, unset: isWithoutValue(key) ? [key] : [])
        var budget = WorkBudget.unlimited
        let problem = check.problem(with: value, forKey: key, &budget)
        // A key that was secret once is not quoted.
        return problem.map { hides(key) && declaration(of: key) == nil ? "programs can't read it" : $0 }
    }
}

extension PropertyListValue {
    /// Why data that starts like a JSON container is not JSON. Nil for all other values.
    fileprivate var problemAsJSON: String? {
        guard case .data(let data) = self, data.beginsLikeJSON else { return nil }
        do throws(PropertyListError) {
            _ = try JSONDocument(parsing: data)
            return nil
        } catch {
            return "it looks like JSON and is not: \(error)"
        }
    }

    /// Whether the check is quick enough to run while the screen is drawn.
    fileprivate var isQuicklyChecked: Bool {
        switch self {
        case .data(let data): data.count <= 1 << 14
        case .string(let text): text.utf8.count <= 1 << 14
        case .array(let elements): elements.count <= 100
        case .dictionary(let entries): entries.count <= 100
        default: true
        }
    }
}

extension WorkBudget {
    fileprivate mutating func spend(_ value: PropertyListValue) {
        spend(1)
        switch value {
        case .data(let data): spend(bytes: data.count)
        case .string(let text): spend(bytes: text.utf8.count)
        case .array(let elements): spend(elements.count)
        case .dictionary(let entries): spend(entries.count)
        default: break
        }
    }
}

extension Data {
    /// How a JSON container starts. Other data rarely starts like this by chance.
    fileprivate var beginsLikeJSON: Bool {
        var bytes = lazy.filter { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }.makeIterator()
        guard let first = bytes.next() else { return false }
        let second = bytes.next()
        return switch first {
        case UInt8(ascii: "{"): second == nil || second.map { "\"}".utf8.contains($0) } == true
        case UInt8(ascii: "["):
            second == nil || second.map { "{[\"-0123456789tfn]".utf8.contains($0) } == true
        default: false
        }
    }
}
