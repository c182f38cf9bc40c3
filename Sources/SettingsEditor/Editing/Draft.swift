import FoundationEssentials
import PropertyList

/// A value that is being typed in its row.
struct Draft: Sendable, Hashable {
    enum Purpose: Sendable, Hashable {
        /// Replaces the value that was there when the editing began.
        case replacing(ValueNode)
        case inserting
    }

    /// The id of the suite.
    let suite: String
    var path: ValuePath
    /// A foreign change of an array may have moved the value, so the path may be another element's.
    var isUnsure = false
    var purpose: Purpose
    let kind: ValueKind
    /// The text of the current value, which need not be written again; nil if any text is to be written.
    var original: String?
    var line: LineEditor
    /// Whether no value was stored when the editing began, so that the row showed the default.
    var isOverDefault = false
    /// Whether the draft is a secret.
    var isHidden = false
    /// The form in which data is typed.
    var form = DataForm.hex
    /// Why the text was refused.
    var problem: String?

    init(suite: String, path: ValuePath, purpose: Purpose, kind: ValueKind, text: String) {
        self.suite = suite
        self.path = path
        self.purpose = purpose
        self.kind = kind
        original = purpose == .inserting ? nil : text
        line = LineEditor(text, isSelected: kind.isTypedAnew)
    }

    /// Whether the text equals the current value, byte by byte.
    var isUnchanged: Bool { original.map { line.text.hasSameBytes(as: $0) } ?? false }

    /// The value to be replaced.
    var base: ValueNode? { if case .replacing(let node) = purpose { node } else { nil } }
}

/// The kinds of value that can be typed or chosen.
enum ValueKind: Sendable, Hashable {
    case propertyList(PropertyListValue.Kind)
    /// A value inside JSON.
    case json(JSONNode.Kind)
    /// A new `Data` that holds JSON of any kind.
    case jsonData

    init(of node: ValueNode) {
        if let json = node.json {
            self = .json(json.kind)
        } else if case .propertyList(let value) = node.content {
            self = .propertyList(value.kind)
        } else {
            self = .jsonData
        }
    }

    static let ofPropertyLists: [ValueKind] =
        [.string, .integer, .real, .boolean, .date, .data, .array, .dictionary]
        .map(ValueKind.propertyList) + [.jsonData]

    static let ofJSON: [ValueKind] = [.string, .number, .boolean, .null, .object, .array].map(ValueKind.json)

    var name: String {
        switch self {
        case .propertyList(let kind): kind.rawValue
        case .json(let kind): kind.rawValue
        case .jsonData: "JSON"
        }
    }

    /// The name with its article, for a sentence.
    var nameInSentence: String {
        switch self {
        case .propertyList(.integer), .propertyList(.array), .json(.object), .json(.array): "an \(name)"
        case .propertyList(.data), .json(.null), .jsonData: name
        case .propertyList(.uid): "a UID"
        case .propertyList(.real): "a real number"
        case .propertyList, .json: "a \(name)"
        }
    }

    /// The only value of a kind that has nothing to type.
    var onlyValue: NewValue? {
        switch self {
        case .propertyList(.array): .propertyList([])
        case .propertyList(.dictionary): .propertyList([:])
        case .json(.null): .json("null")
        case .json(.object): .json("{}")
        case .json(.array): .json("[]")
        default: nil
        }
    }

    /// The first text in the line when a value of this kind is added.
    var firstText: String {
        switch self {
        case .propertyList(.boolean), .json(.boolean): "false"
        case .jsonData: "{}"
        default: ""
        }
    }

    /// Whether a value of this kind is usually replaced and not extended, so that its text is selected at first.
    var isTypedAnew: Bool {
        switch self {
        case .propertyList(.integer), .propertyList(.real), .propertyList(.date), .propertyList(.uid),
            .json(.number), .json(.object), .json(.array), .jsonData:
            true
        case .propertyList, .json: false
        }
    }

    var isContainer: Bool {
        switch self {
        case .propertyList(.array), .propertyList(.dictionary), .json(.object), .json(.array): true
        case .propertyList, .json, .jsonData: false
        }
    }

    var isBoolean: Bool { self == .propertyList(.boolean) || self == .json(.boolean) }

    func newValue(_ text: String) throws -> NewValue {
        switch self {
        case .propertyList(let kind): return .propertyList(try PropertyListValue.parse(text, as: kind))
        case .json(let kind): return .json(try jsonText(fromEdited: text, as: kind))
        case .jsonData:
            do throws(PropertyListError) {
                return .propertyList(.data(try JSONDocument(parsing: Data(text.utf8)).text))
            } catch {
                throw ValueTextError("the text is not JSON: \(error)")
            }
        }
    }
}

extension NewValue {
    /// The value as the whole value of a key.
    var asWhole: PropertyListValue {
        switch self {
        case .propertyList(let value): value
        case .json(let text): .data(Data(text.utf8))
        }
    }

    /// The value as a node, to be shown before it is written.
    var node: ValueNode { ValueNode(asWhole) }
}

extension ValueNode {
    /// The toggled boolean; nil for any other value.
    var flipped: NewValue? {
        if let json { return json.kind == .boolean ? .json(json.source == "true" ? "false" : "true") : nil }
        guard case .propertyList(.boolean(let value)) = content else { return nil }
        return .propertyList(.boolean(!value))
    }
}
