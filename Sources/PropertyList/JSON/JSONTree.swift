/// A JSON value that is independent of any text.
///
/// A program can build one to write it, or take one from a ``JSONDocument`` to change it as a whole. A value of
/// `JSONSerialization` could not keep the spelling of numbers.
public indirect enum JSONTree: Sendable, Hashable {
    case null
    case boolean(Bool)
    /// A number in its own spelling, which RFC 8259 does not limit in size: `11`, `5.0`, `6e23`.
    case number(String)
    case string(String)
    case array([JSONTree])
    case object([String: JSONTree])
}

extension JSONTree {
    /// Creates the value of a node. If members share a name, the first one counts, as in
    /// ``JSONDocument/node(at:)``.
    public init(_ node: JSONNode) {
        switch node.kind {
        case .null: self = .null
        case .boolean: self = .boolean(node.source == "true")
        case .number: self = .number(node.source)
        case .string: self = .string(node.string ?? "")
        case .array: self = .array(node.children.map { JSONTree($0.node) })
        case .object:
            let members = node.children.compactMap { step, child in
                if case .key(let name) = step { (name, JSONTree(child)) } else { nil }
            }
            self = .object(Dictionary(members) { first, _ in first })
        }
    }

    /// The value as a text of several lines, with members sorted by name, two spaces of indentation for
    /// each level, and a line feed at the end. Equal values have equal texts. The numbers must be valid
    /// JSON.
    public var indentedText: String {
        var text = ""
        append(to: &text, lineStart: "\n")
        return text + "\n"
    }

    /// The value on one line, with members sorted by name and without white space.
    public var compactText: String {
        var text = ""
        append(to: &text, lineStart: nil)
        return text
    }

    /// Appends the value.
    ///
    /// - Parameter lineStart: The start of each member's line, including the line feed, or nil for a
    ///   text on one line.
    private func append(to text: inout String, lineStart: String?) {
        switch self {
        case .null: text += "null"
        case .boolean(let value): text += value ? "true" : "false"
        case .number(let spelling): text += spelling
        case .string(let value): text += jsonText(value)
        case .array(let elements):
            // A list of simple values is easier to read on one line.
            let isSimple = elements.allSatisfy { !$0.isContainer }
            text += "["
            for (index, element) in elements.enumerated() {
                if index > 0 { text += lineStart != nil && isSimple ? ", " : "," }
                if let lineStart, !isSimple { text += lineStart + "  " }
                element.append(to: &text, lineStart: lineStart.map { $0 + "  " })
            }
            if let lineStart, !isSimple { text += lineStart }
            text += "]"
        case .object(let members):
            text += "{"
            for (index, name) in members.keys.sorted().enumerated() {
                if index > 0 { text += "," }
                if let lineStart { text += lineStart + "  " }
                text += jsonText(name) + (lineStart == nil ? ":" : ": ")
                members[name]?.append(to: &text, lineStart: lineStart.map { $0 + "  " })
            }
            if let lineStart, !members.isEmpty { text += lineStart }
            text += "}"
        }
    }

    private var isContainer: Bool {
        switch self {
        case .array, .object: true
        default: false
        }
    }
}

extension JSONTree: ExpressibleByStringLiteral {
    public init(stringLiteral value: String) { self = .string(value) }
}
