import FoundationEssentials

/// Writes property-list values as JSON that preserves every kind, so that reading it back gives the
/// same value. `JSONSerialization` refuses dates and data, and makes 5 and 5.0 equal.
///
/// | kind | JSON |
/// | --- | --- |
/// | string, boolean, array, dictionary | the same |
/// | integer | a number of digits alone |
/// | real | a number with a point or an exponent; `{"$real": "inf"}`, `-inf`, `nan` |
/// | date | `{"$date": "2024-05-01T10:20:30Z"}` with the fraction of its second; the number of seconds since 2001-01-01 UTC if a text would not be exact |
/// | data | `{"$data": "…"}` in Base64; optionally `{"$json": …}` for data that holds JSON |
/// | reference of a keyed archive | `{"$uid": 5}` |
/// | dictionary whose only key starts with `$`, or with a key that is a directive of `pdefaults apply` | `{"$dictionary": {…}}` |
/// | hidden value | `{"$hidden": true}`, which cannot be read back |
private enum TypedKey: String {
    case real = "$real"
    case date = "$date"
    case data = "$data"
    case json = "$json"
    case uid = "$uid"
    case dictionary = "$dictionary"
    case hidden = "$hidden"
}

extension [String: PropertyListValue] {
    /// Whether a reader might take the dictionary for a typed form, or `pdefaults apply` for a directive.
    fileprivate var needsEscape: Bool {
        if count == 1, keys.first?.hasPrefix("$") == true { return true }
        return PropertyListValue.directives.contains { self[$0] != nil }
    }
}

extension PropertyListValue {
    /// Returns the value as JSON that preserves every kind, with sorted keys.
    ///
    /// - Parameters:
    ///   - indented: Whether each member has its own line, with two spaces of indentation for each
    ///     level.
    ///   - hidden: The paths of values that must not be shown.
    ///   - opensJSON: Whether data that holds only JSON is shown as that JSON.
    public func typedJSON(
        indented: Bool = false,
        hiding hidden: Set<ValuePath> = [],
        openingJSON opensJSON: Bool = false
    ) -> String {
        JSONPrinter(isIndented: indented, hidden: hidden, opensJSON: opensJSON).printed(self)
    }

    /// Reads a text that ``typedJSON(indented:hiding:openingJSON:)`` wrote. White space and the order
    /// of keys may differ. Comments and a comma behind the last member are accepted, so that any JSON file can be imported.
    ///
    /// Null, and numbers that are no integer of 64 bits and no real, are read too. Only a JSON file can store them.
    ///
    /// - Throws: ``PropertyListError`` with line and column if the text is not JSON. With the path if
    ///   it contains a repeated name, an invalid typed form, or a hidden value.
    public static func read(typedJSON text: Data) throws(PropertyListError) -> PropertyListValue {
        let document = try JSONDocument(withComments: [UInt8](text))
        return try value(of: document.root, at: [])
    }

    /// The keys with which a settings file of `pdefaults apply` asks for a part of a value.
    package static let directives = ["$include", "$merge", "$delete"]
    /// The key around a dictionary that is not a typed form or a directive.
    package static let escape = TypedKey.dictionary.rawValue

    /// Reads typed JSON, or a property list of any format. No dictionary with an entry is valid in both.
    ///
    /// - Parameter keepsEscapes: Whether an escaped dictionary keeps its `$dictionary`, which tells it from a directive.
    /// - Returns: Also the root of JSON, which has the order of the text.
    /// - Throws: The error of the reader that came further in the text, because it knows what was meant.
    package static func readAnyFormat(
        _ bytes: [UInt8],
        keepsEscapes: Bool = false
    ) throws(PropertyListError) -> (value: PropertyListValue, root: JSONNode?) {
        var asJSON: PropertyListError?
        let bytes = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(bytes.dropFirst(3)) : bytes
        let first = bytes.first { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }
        if let first, "{[/".utf8.contains(first) {
            do {
                let root = try JSONDocument(withComments: bytes).root
                return (try value(of: root, at: [], keepsEscapes: keepsEscapes), root)
            } catch {
                guard case .line = error.place else { throw error }
                asJSON = error
            }
        }
        do {
            return (try read(bytes).value, nil)
        } catch {
            guard let asJSON, case .line(let line, let column) = asJSON.place else { throw error }
            if case .line(let other, let place) = error.place, (other, place) > (line, column) { throw error }
            throw asJSON
        }
    }
}

/// Writes values as JSON with sorted keys, and with two spaces of indentation for each level.
struct JSONPrinter {
    var isIndented = false
    var hidden: Set<ValuePath> = []
    var opensJSON = false
    /// Whether the text preserves every kind. Otherwise JSON must be able to hold the value.
    var isTyped = true
    /// Whether an array of simple values is on one line, which is easier to read.
    var joinsSimpleElements = false
    private(set) var text = ""

    func printed(_ value: PropertyListValue) -> String {
        var printer = self
        printer.append(value, level: 0, at: [])
        return printer.text
    }

    private mutating func append(_ value: PropertyListValue, level: Int, at path: ValuePath) {
        if !hidden.isEmpty, hidden.contains(path) { return append(.hidden, "true") }
        switch value {
        case .boolean(let value): text += value ? "true" : "false"
        case .integer(let value): text += "\(value)"
        case .real(let value):
            if value.isFinite { text += "\(value)" } else { append(.real, jsonText(self.text(of: value))) }
        case .string(let value): text += jsonText(value)
        case .date(let date): append(.date, self.text(of: date))
        case .data(let data):
            if opensJSON, case .json(let document) = EmbeddedDocument(in: value, level: 0),
                document.root.sourceBytes.count == data.count
            {
                return append(.json, document.root.source)
            }
            append(.data, "\"" + data.base64EncodedString() + "\"")
        case .uid(let number): append(.uid, "\(number)")
        case .null: text += "null"
        case .number(let spelling): text += spelling
        case .array(let elements):
            let isOneLine =
                joinsSimpleElements && !elements.contains { [.array, .dictionary].contains($0.kind) }
            appendList("[", "]", Array(elements.enumerated()), level: isOneLine ? nil : level) {
                printer,
                element in
                let inner = printer.path(.index(element.offset), in: path)
                printer.append(element.element, level: level + 1, at: inner)
            }
        case .dictionary(let entries):
            let isEscaped = isTyped && entries.needsEscape
            if isEscaped { text += "{" + jsonText(TypedKey.dictionary.rawValue) + colon }
            appendList("{", "}", entries.sorted { $0.key < $1.key }, level: level) { printer, entry in
                printer.text += jsonText(entry.key) + printer.colon
                printer.append(entry.value, level: level + 1, at: printer.path(.key(entry.key), in: path))
            }
            if isEscaped { text += "}" }
        }
    }

    private mutating func append(_ key: TypedKey, _ json: String) {
        text += "{" + jsonText(key.rawValue) + colon + json + "}"
    }

    private var colon: String { isIndented ? ": " : ":" }

    /// Paths are needed only if something is hidden.
    private func path(_ step: PathStep, in path: ValuePath) -> ValuePath {
        hidden.isEmpty ? path : path.appending(step)
    }

    /// - Parameter level: Nil for a list on one line.
    private mutating func appendList<Element>(
        _ open: String,
        _ close: String,
        _ elements: [Element],
        level: Int?,
        _ appendElement: (inout JSONPrinter, Element) -> Void
    ) {
        text += open
        for (index, element) in elements.enumerated() {
            if index > 0 { text += level == nil ? ", " : "," }
            if let level { startLine(level: level + 1) }
            appendElement(&self, element)
        }
        if let level, !elements.isEmpty { startLine(level: level) }
        text += close
    }

    private mutating func startLine(level: Int) {
        if isIndented { text += "\n" + String(repeating: "  ", count: level) }
    }

    private func text(of number: Double) -> String { PropertyListValue.real(number).editText ?? "" }

    private func text(of date: Date) -> String {
        let value = PropertyListValue.date(date)
        guard let text = value.editText, (try? PropertyListValue.parse(text, as: .date)) == value else {
            let seconds = date.timeIntervalSinceReferenceDate
            return seconds.isFinite ? "\(seconds)" : jsonText(self.text(of: seconds))
        }
        return jsonText(text)
    }
}

extension PropertyListValue {
    private static func value(
        of node: JSONNode,
        at path: ValuePath,
        keepsEscapes: Bool = false
    ) throws(PropertyListError) -> PropertyListValue {
        switch node.kind {
        case .boolean: return .boolean(node.source == "true")
        case .string: return .string(try string(node, at: path))
        case .number: return try number(node, at: path)
        case .null: return .null
        case .array:
            var elements: [PropertyListValue] = []
            elements.reserveCapacity(node.childCount)
            for (step, child) in node.children {
                elements.append(try value(of: child, at: path.appending(step), keepsEscapes: keepsEscapes))
            }
            return .array(elements)
        case .object:
            let children = node.children
            if children.count == 1, case .key(let name) = children[0].step, let key = TypedKey(rawValue: name)
            {
                return try typedValue(key, children[0].node, at: path, keepsEscapes)
            }
            return .dictionary(try entries(of: node, at: path, keepsEscapes))
        }
    }

    private static func entries(
        of node: JSONNode,
        at path: ValuePath,
        _ keepsEscapes: Bool
    ) throws(PropertyListError) -> [String: PropertyListValue] {
        var entries = [String: PropertyListValue](minimumCapacity: node.childCount)
        for case (.key(let name), let child) in node.children {
            let childPath = path.appending(.key(name))
            if child.hasTwin { throw refusal(childPath, "the object has this name twice") }
            if let problem = PropertyListLimits.standard.problem(withKey: name) {
                throw refusal(path, problem)
            }
            entries[name] = try value(of: child, at: childPath, keepsEscapes: keepsEscapes)
        }
        return entries
    }

    private static func string(_ node: JSONNode, at path: ValuePath) throws(PropertyListError) -> String {
        if let text = node.editText { return text }
        throw refusal(path, "the string has half of a character: \\ud800 to \\udfff come in pairs")
    }

    private static func number(_ node: JSONNode, at path: ValuePath) throws(PropertyListError)
        -> PropertyListValue
    {
        let isWhole = node.source.utf8.allSatisfy { ASCII.isDigit($0) || $0 == UInt8(ascii: "-") }
        if isWhole {
            return PropertyListInteger(node.source).map(PropertyListValue.integer) ?? .number(node.source)
        }
        guard let real = Double(node.source) else { throw refusal(path, "\(node.source) is not a number") }
        // The nearest real number would have other digits.
        let isExact = real.isFinite && isSameNumber(real.description, node.source)
        return isExact ? .real(real) : .number(node.source)
    }

    private static func typedValue(
        _ key: TypedKey,
        _ node: JSONNode,
        at path: ValuePath,
        _ keepsEscapes: Bool
    ) throws(PropertyListError) -> PropertyListValue {
        switch (key, node.kind) {
        case (.dictionary, .object):
            let inner = PropertyListValue.dictionary(try entries(of: node, at: path, keepsEscapes))
            return keepsEscapes ? .dictionary([key.rawValue: inner]) : inner
        case (.uid, .number): return try parsed(node.source, as: .uid, at: path)
        case (.real, .string): return try parsed(try string(node, at: path), as: .real, at: path)
        case (.date, .string):
            let text = try string(node, at: path)
            if let seconds = Double(text), !seconds.isFinite {
                return .date(Date(timeIntervalSinceReferenceDate: seconds))
            }
            return try parsed(text, as: .date, at: path)
        case (.date, .number):
            guard case .real(let seconds) = try parsed(node.source, as: .real, at: path) else { break }
            return .date(Date(timeIntervalSinceReferenceDate: seconds))
        case (.data, .string):
            let text = try string(node, at: path)
            do {
                return .data(Data(try Base64.decode(Array(text.utf8)[...])))
            } catch {
                throw refusal(path, "the data is not Base64: \(error.problem)")
            }
        case (.json, _): return .data(Data(node.sourceBytes))
        case (.hidden, _):
            throw refusal(path, "the value was hidden when this text was printed, because it is a secret")
        default: break
        }
        throw refusal(path, "found \(node.kind.withArticle) under “\(key.rawValue)”, which cannot hold it")
    }

    private static func parsed(
        _ text: String,
        as kind: Kind,
        at path: ValuePath
    ) throws(PropertyListError) -> PropertyListValue {
        do {
            return try parse(text, as: kind)
        } catch {
            throw refusal(path, error.problem)
        }
    }

    private static func refusal(_ path: ValuePath, _ problem: String) -> PropertyListError {
        PropertyListError(.path(path), .unsupported, problem)
    }
}
