import FoundationEssentials
import PropertyList

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

    /// The kinds of a suite in a JSON file.
    static let ofJSONFiles: [ValueKind] =
        [.string, .number, .boolean, .null, .array, .dictionary].map(ValueKind.propertyList)

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
        case .propertyList(.data), .propertyList(.null), .json(.null), .jsonData: name
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
        case .propertyList(.null): .propertyList(.null)
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
            .propertyList(.number), .propertyList(.boolean), .json(.number), .json(.boolean), .json(.object),
            .json(.array),
            .jsonData:
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
