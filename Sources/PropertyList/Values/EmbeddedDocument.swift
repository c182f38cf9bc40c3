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
        switch value {
        case .data(let data):
            if let document = JSONDocument(inside: data) {
                self = .json(document)
            } else if let list = Self.propertyList(in: data) {
                self = list
            } else {
                return nil
            }
        case .string(let text):
            guard let first = text.utf8.first(where: { !JSONString.isSpace($0) }),
                first == UInt8(ascii: "{") || first == UInt8(ascii: "["),
                let document = try? JSONDocument(parsing: Array(text.utf8), limits: .standard)
            else { return nil }
            self = .json(document)
        default: return nil
        }
    }

    /// The old OpenStep form is left out, since almost any text is a string of it.
    private static func propertyList(in data: Data) -> EmbeddedDocument? {
        let start = Array(data.prefix(8))
        guard start.starts(with: Array("bplist".utf8)) || start.first == ASCII.less,
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
