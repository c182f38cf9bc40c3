/// A JSON value by itself, apart from any text: what a program builds to write it, or takes out of a
/// ``JSONDocument`` to change it as a whole.
public indirect enum JSONTree: Sendable, Hashable {
    case null
    case boolean(Bool)
    /// In its spelling, which RFC 8259 does not limit in size: `11`, `5.0`, `6e23`.
    case number(String)
    case string(String)
    case array([JSONTree])
    case object([String: JSONTree])
}

extension JSONTree {
    /// The value of a node. Of members with the same name the first counts, as for
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

    /// The value as a text over several lines, members sorted by name, each level indented by two
    /// spaces, with a line feed at its end: equal values have equal texts. Numbers must be spelled as
    /// JSON has them.
    public var indentedText: String {
        var text = ""
        append(to: &text, lineStart: "\n")
        return text + "\n"
    }

    /// The value in one line, members sorted by name, without white space.
    public var compactText: String {
        var text = ""
        append(to: &text, lineStart: nil)
        return text
    }

    /// - Parameter lineStart: what each member's line begins with, line feed included; nil for one
    ///   line.
    private func append(to text: inout String, lineStart: String?) {
        switch self {
        case .null: text += "null"
        case .boolean(let value): text += value ? "true" : "false"
        case .number(let spelling): text += spelling
        case .string(let value): text += jsonText(value)
        case .array(let elements):
            // A list of simple values is easier to read in one line.
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
