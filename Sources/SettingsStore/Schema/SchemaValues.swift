import FoundationEssentials
import PropertyList

// Values in a schema are JSON, which has fewer kinds of values than a property list. The shape says how to convert them:
// a date is a string of format `date-time`, data a string in Base64, a real number any number.

extension ValueShape {
    /// The value as JSON; nil if JSON can't express it, or if it would be read back as a different value. JSON in `Data`
    /// may be read back with its members in another order.
    func json(of value: PropertyListValue) -> JSONTree? {
        guard let tree = tree(of: value) else { return nil }
        return self == .json || self.value(of: tree) == value ? tree : nil
    }

    private func tree(of value: PropertyListValue) -> JSONTree? {
        switch value {
        case .boolean(let value): return .boolean(value)
        case .integer(let value): return .number("\(value)")
        case .real(let value): return value.isFinite ? .number("\(value)") : nil
        case .string(let value): return .string(value)
        case .date: return value.editText.map(JSONTree.string)
        case .data(let data):
            if self != .json { return .string(data.base64EncodedString()) }
            guard let document = try? JSONDocument(parsing: data) else { return nil }
            return JSONTree(document.root)
        case .array(let elements):
            let trees = elements.compactMap(element.tree(of:))
            return trees.count == elements.count ? .array(trees) : nil
        case .dictionary(let entries):
            let trees = entries.compactMap { key, entry in entryShape(key).tree(of: entry).map { (key, $0) } }
            return trees.count == entries.count ? .object(Dictionary(trees) { first, _ in first }) : nil
        case .null: return .null
        case .number(let spelling): return .number(spelling)
        case .uid: return nil
        }
    }

    /// Converts JSON to a value; nil if it is not of this shape's kind.
    func value(of tree: JSONTree) -> PropertyListValue? {
        switch (self, tree) {
        case (.json, _): return .data(Data(tree.compactText.utf8))
        case (.optional, _), (.declared, _): return wrapped.value(of: tree)
        case (.anything, .boolean(let value)), (.boolean, .boolean(let value)): return .boolean(value)
        case (.integer, .number(let spelling)):
            return PropertyListInteger(spelling: spelling).map(PropertyListValue.integer)
        case (.real, .number(let spelling)): return Double(spelling).map(PropertyListValue.real)
        case (.anything, .number(let spelling)):
            if let integer = PropertyListInteger(spelling) { return .integer(integer) }
            return Double(spelling).map(PropertyListValue.real)
        case (.anything, .null): return .null
        case (.anything, .string(let value)), (.string, .string(let value)): return .string(value)
        // The encoding of `Codable`.
        case (.date, .number(let spelling)):
            return Double(spelling).map { .date(Date(timeIntervalSinceReferenceDate: $0)) }
        case (.date, .string(let text)): return try? PropertyListValue.parse(text, as: .date)
        case (.data, .string(let text)): return Data(base64Encoded: text).map(PropertyListValue.data)
        case (.anything, .array(let trees)), (.array, .array(let trees)):
            let values = trees.compactMap(element.value(of:))
            return values.count == trees.count ? .array(values) : nil
        case (.anything, .object(let members)), (.dictionary, .object(let members)),
            (.record, .object(let members)):
            let entries = members.compactMap { key, member in
                entryShape(key).value(of: member).map { (key, $0) }
            }
            guard entries.count == members.count else { return nil }
            return .dictionary(Dictionary(entries) { first, _ in first })
        default: return nil
        }
    }

    private var element: ValueShape {
        if case .array(let shape) = self { shape.wrapped } else { .anything }
    }

    func entryShape(_ key: String) -> ValueShape {
        switch self {
        case .dictionary(let shape): shape.wrapped
        case .record(let fields): fields[key]?.shape.wrapped ?? .anything
        default: .anything
        }
    }
}

extension PropertyListInteger {
    /// A whole number in any spelling of JSON, also `1e3` and `5.0`.
    init?(spelling: String) {
        if let number = PropertyListInteger(spelling) {
            self = number
        } else if let number = Double(spelling), let whole = PropertyListInteger(whole: number) {
            self = whole
        } else {
            return nil
        }
    }
}
