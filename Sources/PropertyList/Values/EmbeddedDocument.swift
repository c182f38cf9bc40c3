import FoundationEssentials

/// What `Data` or a string holds that has an inside of its own.
public enum EmbeddedDocument: Sendable {
    /// In data JSON of any kind, in a string an object or an array.
    case json(JSONDocument)
    /// In data alone: an array or a dictionary.
    case propertyList(PropertyListValue, PropertyListFormat)

    /// How many may lie inside each other. What lies deeper stays closed, so that no file makes a walk
    /// go deeper than the stack.
    static let deepest = 4

    /// Nil where there is none, which costs one look at the first bytes of most values.
    ///
    /// - Parameter level: how many the value lies in.
    init?(in value: PropertyListValue, level: Int) {
        guard level < Self.deepest else { return nil }
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

    /// Whether a value begins like a document that it may hold.
    static func mayBegin(in value: PropertyListValue) -> Bool {
        if case .data(let data) = value, beginsLikePropertyList(data) { return true }
        return beginsLikeJSON(value)
    }

    /// The text of a value that begins like JSON that it may hold: in data of any kind, in a string like an
    /// object or an array.
    static func possibleJSON(in value: PropertyListValue) -> [UInt8]? {
        guard beginsLikeJSON(value) else { return nil }
        switch value {
        case .data(let data): return [UInt8](data)
        case .string(let text): return Array(text.utf8)
        default: return nil
        }
    }

    private static func beginsLikeJSON(_ value: PropertyListValue) -> Bool {
        switch value {
        case .data(let data):
            guard let first = data.first(where: { !JSONString.isSpace($0) }) else { return false }
            switch first {
            case UInt8(ascii: "{"), UInt8(ascii: "["), UInt8(ascii: "\""), UInt8(ascii: "-"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "t"), UInt8(ascii: "f"),
                UInt8(ascii: "n"), 0xEF:
                return true
            default: return false
            }
        case .string(let text):
            let first = text.utf8.first { !JSONString.isSpace($0) }
            return first == UInt8(ascii: "{") || first == UInt8(ascii: "[")
        default: return false
        }
    }

    private static func beginsLikePropertyList(_ data: Data) -> Bool {
        let start = Array(data.prefix(8))
        return start.starts(with: Array("bplist".utf8)) || start.first == ASCII.less
    }

    /// The old OpenStep form is left out, since almost any text is a string of it.
    static func propertyList(in value: PropertyListValue) -> EmbeddedDocument? {
        guard case .data(let data) = value, beginsLikePropertyList(data),
            let (value, format) = try? PropertyListValue.read([UInt8](data)),
            format != .openStep, value.kind == .dictionary || value.kind == .array
        else { return nil }
        return .propertyList(value, format)
    }
}

extension PropertyListFormat {
    /// The bytes of a property list in this format with another value in place of the one that it holds.
    /// What is the same in both keeps its bytes where they are entries of a dictionary.
    ///
    /// - Throws: ``PropertyListError`` where the format has no place for the new value.
    public func bytes(
        of new: PropertyListValue,
        replacing old: PropertyListValue,
        in data: Data
    ) throws(PropertyListError) -> Data {
        guard case .dictionary(let oldEntries) = old, case .dictionary(let entries) = new else {
            return Data(try new.encoded(as: self))
        }
        var document = try PropertyListDocument.read([UInt8](data)).document
        var changes: [String: PropertyListValue?] = [:]
        for key in Set(oldEntries.keys).union(entries.keys) where oldEntries[key] != entries[key] {
            changes[key] = .some(entries[key])
        }
        try document.apply(changes)
        return Data(document.bytes)
    }
}
