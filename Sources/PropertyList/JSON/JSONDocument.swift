import FoundationEssentials

/// A JSON text (RFC 8259) that can be changed in one place and keeps all other bytes: white space, the
/// order of members, and the spelling of numbers and strings.
///
/// Settings often hold `Codable` values as JSON, and a person edits one member of them.
/// `JSONSerialization` is not used because a round trip through it loses the order of members and the
/// spelling of numbers, turns 2^64 into a number of another type, and refuses 1e400. A parser that only
/// finds positions keeps all of that.
///
/// Some texts are accepted although a strict reader could refuse them: a byte order mark at the start,
/// numbers of any size, repeated names, and an escaped half of a surrogate pair. Any other deviation
/// from RFC 8259 is an error, and so are bytes that are not UTF-8.
public struct JSONDocument: Sendable {
    let storage: JSONStorage
    let limits: PropertyListLimits
    let dialect: JSONDialect

    /// Parses a JSON text.
    ///
    /// - Throws: ``PropertyListError`` with line and column if the text is not JSON, if anything
    ///   follows its value, or if it exceeds a limit. The number of values is limited to 16777216.
    public init(parsing text: Data, limits: PropertyListLimits = .standard) throws(PropertyListError) {
        try self.init(parsing: [UInt8](text), limits: limits)
    }

    init(
        parsing bytes: [UInt8],
        limits: PropertyListLimits,
        _ dialect: JSONDialect = .strict
    ) throws(PropertyListError) {
        storage = JSONStorage(bytes, try JSONReader.read(bytes, limits: limits, dialect))
        self.limits = limits
        self.dialect = dialect
    }

    /// Parses JSON with comments.
    package init(withComments text: [UInt8]) throws(PropertyListError) {
        try self.init(parsing: text, limits: .standard, .withComments)
    }

    /// Creates a document from a text whose positions are known.
    init(_ storage: JSONStorage, _ limits: PropertyListLimits, _ dialect: JSONDialect) {
        (self.storage, self.limits, self.dialect) = (storage, limits, dialect)
    }

    /// Creates a document from a reader that has finished.
    init(_ reader: JSONReader, limits: PropertyListLimits) {
        storage = JSONStorage(reader.bytes, reader.index)
        self.limits = limits
        dialect = .strict
    }

    /// The unchanged text in UTF-8.
    public var text: Data { Data(storage.bytes) }

    public var root: JSONNode { JSONNode(storage: storage, number: 0) }

    /// Returns the node at a path, or nil if there is none. A plain name means the first of several
    /// members with that name.
    public func node(at path: ValuePath) -> JSONNode? { root.node(at: path) }
}

extension JSONDocument: Hashable {
    /// Documents are equal if their texts are.
    public static func == (a: JSONDocument, b: JSONDocument) -> Bool {
        a.storage === b.storage || a.storage.bytes == b.storage.bytes
    }

    public func hash(into hasher: inout Hasher) { hasher.combine(storage.bytes) }
}

/// A text and the positions of its values, shared by a document and its nodes.
final class JSONStorage: Sendable {
    let bytes: [UInt8]
    let index: JSONIndex

    init(_ bytes: [UInt8], _ index: JSONIndex) {
        self.bytes = bytes
        self.index = index
    }
}
