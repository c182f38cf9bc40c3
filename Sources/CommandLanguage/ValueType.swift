import PropertyList

/// The types that a value's words may start with.
enum ValueType: String, CaseIterable {
    case string, data, integer, float, boolean, date
    case array, arrayAdd, dictionary, dictionaryAdd
    case json
    case delete

    /// As it is written, with its dash.
    init?(flag: String) {
        guard let type = Self.allCases.first(where: { $0.flags.contains(flag) }) else { return nil }
        self = type
    }

    var flags: [String] {
        switch self {
        case .string: ["-string"]
        case .data: ["-data"]
        case .integer: ["-int", "-integer"]
        case .float: ["-float"]
        case .boolean: ["-bool", "-boolean"]
        case .date: ["-date"]
        case .array: ["-array"]
        case .arrayAdd: ["-array-add"]
        case .dictionary: ["-dict"]
        case .dictionaryAdd: ["-dict-add"]
        case .json: ["-json"]
        case .delete: ["-delete"]
        }
    }

    /// The kind that one word behind it is read as.
    var kind: PropertyListValue.Kind? {
        switch self {
        case .string: .string
        case .data: .data
        case .integer: .integer
        case .float: .real
        case .boolean: .boolean
        case .date: .date
        case .array, .arrayAdd, .dictionary, .dictionaryAdd, .json, .delete: nil
        }
    }

    /// Whether all words that follow are its own.
    var takesAll: Bool { [.array, .arrayAdd, .dictionary, .dictionaryAdd].contains(self) }

    /// As help has it.
    var usage: String {
        switch self {
        case .string: "-string <text>"
        case .data: "-data <hex digits>"
        case .integer: "-int[eger] <number>"
        case .float: "-float <number>"
        case .boolean: "-bool[ean] (true | false | yes | no)"
        case .date: "-date <date>"
        case .array: "-array <value> …"
        case .arrayAdd: "-array-add <value> …"
        case .dictionary: "-dict <key> <value> …"
        case .dictionaryAdd: "-dict-add <key> <value> …"
        case .json: "-json <JSON>"
        case .delete: "-delete"
        }
    }

    var effect: String {
        switch self {
        case .string: "A string, whatever it looks like."
        case .data: "Bytes, two hexadecimal digits each."
        case .integer: "A whole number from -9223372036854775808 to 18446744073709551615."
        case .float: "A floating-point number."
        case .boolean: "A boolean."
        case .date:
            "A date: 2024-05-01, 2024-05-01 10:20, 2024-05-01T10:20:30Z, 2024-05-01 10:20:30 +0200; UTC where nothing else is said."
        case .array: "An array. Each value may have a type of its own before it."
        case .arrayAdd: "Adds elements to the end of an array, which is made where there is none."
        case .dictionary: "A dictionary of keys and values. Each value may have a type of its own before it."
        case .dictionaryAdd:
            "Adds entries to a dictionary, which is made where there is none, or replaces them."
        case .json:
            "Data that holds this JSON, as Codable values are stored; with --at inside JSON, a JSON value."
        case .delete: "In a line of standard input: no value, the key goes."
        }
    }

    /// The words that belong to a value's first word.
    static func wordsBehind(_ word: String, from rest: inout ArraySlice<String>) throws(UsageError)
        -> [String]
    {
        guard let type = ValueType(flag: word), type != .delete else { return [] }
        if type.takesAll {
            defer { rest = [] }
            return Array(rest)
        }
        guard let next = rest.popFirst() else { throw UsageError("Behind “\(word)” the value is missing.") }
        return [next]
    }
}
