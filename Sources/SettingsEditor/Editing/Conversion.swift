import FoundationEssentials
import PropertyList

// Converting a value to another type.
extension EditorState {
    /// The menu of other types for a value.
    func changingType(of row: Row) throws -> Outcome {
        guard let suite else { return .nothing }
        if let refusal = refusal(forWritingTo: suite) { throw refusal }
        let kinds = row.node.isInsideJSON ? ValueKind.ofJSON : suite.kindsOfValues
        // Without a value only the declared type is offered.
        let isUnset = row.depth == 0 && suite.isWithoutValue(row.path.key)
        let declared = suite.kind(of: row)
        let items =
            isUnset
            ? kinds.filter { $0 != declared }.map { Menu.Item(text: $0.name, choice: .kind($0)) }
            : conversions(of: row, to: kinds, in: suite)
        var menu = Menu(
            suite: suite.id,
            path: row.path,
            title: "Change the type of “\(row.name)”",
            subject: .replacing(row.node),
            items: items
        )
        menu.selected = items.firstIndex { if case .value = $0.choice { true } else { false } } ?? 0
        return .open(.menu(menu))
    }

    /// The value in other types.
    private func conversions(of row: Row, to kinds: [ValueKind], in suite: SuiteModel) -> [Menu.Item] {
        let isSecret = suite.hides(row.path.key)
        let own = ValueKind(of: row.node)
        let others = kinds.filter { row.node.isInsideJSON ? $0 != own : !$0.isKind(of: row.node) }
        return others.map { kind in
            do {
                // A date without a zone is in the local time zone, as it is when typed.
                let value =
                    kind == .propertyList(.date)
                    ? try format.value(row.node.typedText ?? "", as: kind)
                    : try row.node.converted(to: kind)
                let detail =
                    if !isSecret, kind == .propertyList(.data), let text = row.node.typedText {
                        "the bytes of the text “\(PropertyListValue.string(text).displayText(limit: 60))”"
                    } else if !isSecret, case .propertyList(.string(let text)) = value {
                        // A string that contains JSON would show the number of its members.
                        "“\(PropertyListValue.string(text).displayText(limit: 60))”"
                    } else {
                        summary(value.node, of: row.path.key, in: suite.id)
                    }
                return Menu.Item(text: kind.name, detail: detail, choice: .value(value))
            } catch {
                let problem = isSecret ? "(not possible)" : "(\(reason(of: error)))"
                return Menu.Item(text: kind.name, detail: problem, choice: .kind(kind))
            }
        }
    }
}

extension Refusal {
    static let secret = Refusal("The value is a secret. Press v to show it.")
}

extension ValueKind {
    /// Whether a property-list value has this kind already.
    fileprivate func isKind(of node: ValueNode) -> Bool {
        guard case .propertyList(let value) = node.content else { return false }
        if self == .propertyList(.number) { return value.plainNumber != nil || value.kind == .number }
        return self == .jsonData ? value.kind == .data && node.json != nil : self == .propertyList(value.kind)
    }
}

extension ValueNode {
    /// A path inside JSON text, where only JSON is possible.
    var isInsideJSON: Bool { if case .json = content { true } else { false } }

    /// The text that a person would type for the value.
    var typedText: String? {
        if let json { return json.editText ?? json.source }
        guard case .propertyList(let value) = content else { return nil }
        if case .data(let data) = value { return DataForm.text.text(of: data) ?? value.editText }
        return value.editText ?? value.jsonForm
    }

    /// The value as another kind.
    ///
    /// - Throws: Why it cannot be converted.
    func converted(to kind: ValueKind) throws -> NewValue {
        guard let text = typedText else { throw Refusal("a text cannot hold it") }
        switch kind {
        case .json(.null): return .json("null")
        case .json: return .json(try convertedJSON(text, to: kind))
        case .jsonData:
            if let json { return .propertyList(.data(Data(json.source.utf8))) }
            guard case .propertyList(let value) = content else { return try kind.newValue(text) }
            if case .string(let string) = value, let new = try? kind.newValue(string) { return new }
            guard let form = value.jsonForm else { throw Refusal("JSON cannot hold all of it") }
            return try kind.newValue(form)
        case .propertyList(let kind): return .propertyList(try converted(text, to: kind))
        }
    }

    private func convertedJSON(_ text: String, to kind: ValueKind) throws -> String {
        switch (json?.kind, kind) {
        case (.boolean, .json(.number)): return text == "true" ? "1" : "0"
        case (.object, .json(.array)) where json?.childCount == 0: return "[]"
        case (.array, .json(.object)) where json?.childCount == 0: return "{}"
        default:
            guard case .json(let new) = try kind.newValue(text) else { throw Refusal("it is not JSON") }
            return new
        }
    }

    private func converted(_ text: String, to kind: PropertyListValue.Kind) throws -> PropertyListValue {
        guard case .propertyList(let value) = content else { return try .parse(text, as: kind) }
        switch (value, kind) {
        case (.boolean(let value), .integer): return value ? 1 : 0
        case (.boolean(let value), .real): return value ? 1.0 : 0.0
        case (.integer(let number), .real):
            guard let exact = Double(number.description), PropertyListInteger(exactlyOf: exact) == number
            else { throw Refusal("a real number would round it") }
            return .real(exact)
        case (.real(let number), .integer):
            guard let integer = PropertyListInteger(exactlyOf: number) else {
                throw Refusal("\(text) is not a whole number")
            }
            return .integer(integer)
        case (.data, .string) where json?.kind == .string: return .string(text)
        case (.data(let data), .string):
            guard let string = DataForm.text.text(of: data) else { throw Refusal("its bytes are not text") }
            return .string(string)
        case (.data, .array), (.data, .dictionary), (.string, .array), (.string, .dictionary):
            return try inside(kind)
        case (_, .data): return .data(Data(text.utf8))
        case (_, .array): return [value]
        case (_, .null): return .null
        case (.integer, .number), (.real, .number): return value
        default: break
        }
        return try .parse(text, as: kind)
    }

    /// The array or dictionary inside data or a string.
    private func inside(_ kind: PropertyListValue.Kind) throws -> PropertyListValue {
        let value: PropertyListValue
        if let json {
            value = try PropertyListValue(json)
        } else if case .propertyList(let list, _)? = embedded {
            value = list
        } else if kind == .array, case .propertyList(let own) = content {
            return [own]
        } else {
            throw Refusal("it contains none")
        }
        if value.kind == kind { return value }
        guard kind == .array else { throw Refusal("it contains none") }
        return [value]
    }
}

extension PropertyListInteger {
    /// The integer; nil if the number is not whole or too large.
    fileprivate init?(exactlyOf number: Double) {
        guard number == number.rounded() else { return nil }
        if let value = Int64(exactly: number) {
            self.init(value)
        } else if let value = UInt64(exactly: number) {
            self.init(value)
        } else {
            return nil
        }
    }
}
