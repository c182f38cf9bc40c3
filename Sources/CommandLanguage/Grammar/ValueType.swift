import PropertyList

/// The types that can start the words of a value.
enum ValueType: String, CaseIterable {
    case string, data, integer, float, boolean, date
    case array, arrayAdd, dictionary, dictionaryAdd
    case json
    case delete

    /// Finds a type by its flag, such as `-int`.
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

    /// The kind of value that the next word is read as.
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

    /// Whether all remaining words belong to this type.
    var takesAll: Bool { [.array, .arrayAdd, .dictionary, .dictionaryAdd].contains(self) }

    /// The type and its argument as the help shows them.
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
            "A date: 2024-05-01, 2024-05-01 10:20, 2024-05-01T10:20:30Z or 2024-05-01 10:20:30 +0200. Without an offset it is UTC."
        case .array: "An array. A type before a value applies to that value."
        case .arrayAdd: "Append elements to an array. A missing array is created."
        case .dictionary: "A dictionary of keys and values. A type before a value applies to that value."
        case .dictionaryAdd:
            "Set members of a dictionary. A missing dictionary is created."
        case .json:
            "Data that contains this JSON, like a stored Codable value. In a JSON file, and with --at inside JSON, a JSON value."
        case .delete: "Delete the key, in a line of standard input."
        }
    }

    /// Takes the words that belong to the first word of a value.
    static func wordsAfter(_ word: String, from rest: inout ArraySlice<String>) throws(UsageError)
        -> [String]
    {
        guard let type = ValueType(flag: word), type != .delete else { return [] }
        if type.takesAll {
            defer { rest = [] }
            return Array(rest)
        }
        guard let next = rest.popFirst() else { throw UsageError("“\(word)” needs a value after it.") }
        return [next]
    }
}
