import FoundationEssentials

// Converts property-list values to plain JSON and back. `JSONSerialization` is not used, because it makes 5 and 5.0
// equal and does not say where in the text an error is.
extension PropertyListValue {
    /// The value as a JSON text of several lines, with sorted keys and two spaces of indentation for
    /// each level. ``init(_:)-(JSONNode)`` reads it back to the same value.
    ///
    /// The text is nil if the value contains something that JSON cannot hold: a date, data, a UID,
    /// infinity or NaN.
    public var jsonForm: String? {
        kindForeignToJSON == nil ? JSONPrinter(isIndented: true, isTyped: false).printed(self) : nil
    }

    /// The kind of the first value inside that JSON cannot hold.
    package var kindForeignToJSON: Kind? {
        switch self {
        case .date, .data, .uid: kind
        case .real(let number): number.isFinite ? nil : kind
        case .array(let elements): elements.lazy.compactMap(\.kindForeignToJSON).first
        case .dictionary(let entries): sortedByKey(entries).lazy.compactMap(\.value.kindForeignToJSON).first
        case .boolean, .integer, .string, .null, .number: nil
        }
    }

    /// The value as JSON on one line, with sorted keys and without white space. JSON must be able to hold it.
    package var compactJSON: String { JSONPrinter(isTyped: false).printed(self) }

    /// Like ``jsonForm``, with arrays of simple values on one line. JSON must be able to hold the value.
    package var indentedJSON: String {
        JSONPrinter(isIndented: true, isTyped: false, joinsSimpleElements: true).printed(self)
    }

    /// Converts JSON to a property-list value. A number without fraction and exponent becomes an
    /// integer, any other number a real, which is infinite if the number is too large for a `Double`.
    ///
    /// - Throws: ``ValueEditError`` with the path of a null, of an integer that is too large, or of a
    ///   name that occurs twice in its object.
    public init(_ node: JSONNode) throws(ValueEditError) { try self.init(node, at: []) }

    private init(_ node: JSONNode, at path: ValuePath) throws(ValueEditError) {
        switch node.kind {
        case .null: throw ValueEditError(path, "a property list can't store null")
        case .boolean: self = .boolean(node.source == "true")
        case .string: self = .string(node.string ?? "")
        case .number:
            if let integer = PropertyListInteger(node.source), node.source != "-0" {
                self = .integer(integer)
            } else if let real = Double(node.source),
                node.source.contains(where: { ".eE".contains($0) }) || node.source == "-0"
            {
                self = .real(real)
            } else {
                throw ValueEditError(path, "the number \(shortened(node.source, 40)) is too large")
            }
        case .array:
            var elements: [PropertyListValue] = []
            for (step, child) in node.children {
                elements.append(try PropertyListValue(child, at: path.appending(step)))
            }
            self = .array(elements)
        case .object:
            var entries: [String: PropertyListValue] = [:]
            for (step, child) in node.children {
                guard case .key(let name) = step else { continue }
                guard entries[name] == nil else {
                    throw ValueEditError(path.appending(step), "the object has two members of this name")
                }
                entries[name] = try PropertyListValue(child, at: path.appending(step))
            }
            self = .dictionary(entries)
        }
    }
}
