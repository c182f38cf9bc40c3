import FoundationEssentials

/// A JSON text or property list that a `Data` or string value holds.
///
/// Programs store `Codable` values this way. An editor can show and edit the inside of such a value
/// like any other array or dictionary.
public enum EmbeddedDocument: Sendable {
    /// Any JSON value in data; in a string only an object or an array.
    case json(JSONDocument)
    /// An array or a dictionary; only in data.
    case propertyList(PropertyListValue, PropertyListFormat)

    /// How many documents may be nested in one another. A document at a deeper level is not opened, so
    /// that no file can exhaust the stack of a recursive walk.
    static let maximumNesting = 4

    /// Looks for a document in a value. For most values this reads only the first bytes.
    ///
    /// - Parameter level: The number of documents around the value.
    /// - Returns: Nil if the value holds no document.
    init?(in value: PropertyListValue, level: Int) {
        guard level < Self.maximumNesting else { return nil }
        if let text = Self.possibleJSON(in: value),
            let document = try? JSONDocument(parsing: text, limits: .standard)
        {
            self = .json(document)
        } else if let list = Self.propertyList(in: value) {
            self = list
        } else {
            return nil
        }
    }

    /// Whether the first bytes of a value look like a document.
    static func looksLikeDocument(_ value: PropertyListValue) -> Bool {
        if case .data(let data) = value, looksLikePropertyList(data) { return true }
        return looksLikeJSON(value)
    }

    /// The text of a value whose first bytes look like JSON. In a string, only an object or an array
    /// counts.
    static func possibleJSON(in value: PropertyListValue) -> [UInt8]? {
        guard looksLikeJSON(value) else { return nil }
        switch value {
        case .data(let data): return [UInt8](data)
        case .string(let text): return Array(text.utf8)
        default: return nil
        }
    }

    private static func looksLikeJSON(_ value: PropertyListValue) -> Bool {
        switch value {
        case .data(let data):
            guard let first = data.first(where: { !ASCII.isWhiteSpace($0) }) else { return false }
            switch first {
            case UInt8(ascii: "{"), UInt8(ascii: "["), UInt8(ascii: "\""), UInt8(ascii: "-"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "t"), UInt8(ascii: "f"),
                UInt8(ascii: "n"), 0xEF:
                return true
            default: return false
            }
        case .string(let text):
            let first = text.utf8.first { !ASCII.isWhiteSpace($0) }
            return first == UInt8(ascii: "{") || first == UInt8(ascii: "[")
        default: return false
        }
    }

    private static func looksLikePropertyList(_ data: Data) -> Bool {
        let start = Array(data.prefix(8))
        return start.starts(with: Array("bplist".utf8)) || start.first == ASCII.less
    }

    /// Reads a property list from data. OpenStep does not count, because almost any text is a valid
    /// OpenStep string.
    static func propertyList(in value: PropertyListValue) -> EmbeddedDocument? {
        guard case .data(let data) = value, looksLikePropertyList(data),
            let (value, format) = try? PropertyListValue.read([UInt8](data)),
            format != .openStep, value.kind == .dictionary || value.kind == .array
        else { return nil }
        return .propertyList(value, format)
    }
}

extension PropertyListFormat {
    /// Replaces the value in a property list of this format and returns the new bytes.
    ///
    /// If both values are dictionaries, unchanged entries keep their bytes.
    ///
    /// - Throws: ``PropertyListError`` if the format cannot hold the new value.
    public func bytes(
        of new: PropertyListValue,
        replacing old: PropertyListValue,
        in data: Data
    ) throws(PropertyListError) -> Data {
        guard case .dictionary(let oldEntries) = old, case .dictionary(let entries) = new else {
            return Data(try new.encoded(as: self))
        }
        var document = try PropertyListDocument.read([UInt8](data)).document
        try document.apply(PropertyListEntries(entries).differences(from: PropertyListEntries(oldEntries)))
        return Data(document.bytes)
    }
}
