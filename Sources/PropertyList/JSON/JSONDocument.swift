import FoundationEssentials

/// A JSON text (RFC 8259) that can be changed in one place and keeps every other byte: white
/// space, order of members, spelling of numbers and strings.
///
/// Accepted and kept as they stand: a byte order mark at the start, numbers of any size, names that
/// repeat, and an escaped half of a surrogate pair without the other. Anything else that RFC 8259
/// has no place for is an error, and so are bytes that are not UTF-8.
public struct JSONDocument: Sendable {
    let storage: JSONStorage
    let limits: PropertyListLimits

    /// - Throws: ``PropertyListError`` with line and column, where the text is no JSON, holds
    ///   anything after its value, or exceeds a limit; the values are limited to 16777216.
    public init(parsing text: Data, limits: PropertyListLimits = .standard) throws(PropertyListError) {
        try self.init(parsing: [UInt8](text), limits: limits)
    }

    init(parsing bytes: [UInt8], limits: PropertyListLimits) throws(PropertyListError) {
        storage = JSONStorage(bytes, try JSONReader.read(bytes, limits: limits))
        self.limits = limits
    }

    /// What a reader has read to its end.
    init(_ reader: JSONReader, limits: PropertyListLimits) {
        storage = JSONStorage(reader.bytes, reader.index)
        self.limits = limits
    }

    /// The text as it stands, UTF-8.
    public var text: Data { Data(storage.bytes) }

    public var root: JSONNode { JSONNode(storage: storage, number: 0) }

    /// The node at a path; nil where there is none. Of members with the same name, the first.
    public func node(at path: ValuePath) -> JSONNode? { root.node(at: path) }
}

extension JSONDocument: Hashable {
    /// Documents are equal when their texts are.
    public static func == (a: JSONDocument, b: JSONDocument) -> Bool {
        a.storage === b.storage || a.storage.bytes == b.storage.bytes
    }

    public func hash(into hasher: inout Hasher) { hasher.combine(storage.bytes) }
}

/// A text and what lies where in it, shared by a document and its nodes.
final class JSONStorage: Sendable {
    let bytes: [UInt8]
    let index: JSONIndex

    init(_ bytes: [UInt8], _ index: JSONIndex) {
        self.bytes = bytes
        self.index = index
    }
}
