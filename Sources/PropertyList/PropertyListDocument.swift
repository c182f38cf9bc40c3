import FoundationEssentials

/// The spellings of a property list that can be read.
public enum PropertyListFormat: String, Sendable, Hashable, CaseIterable {
    case xml, binary
    /// The old ASCII form: read, never written; a file in it is written as XML.
    case openStep
}

/// The file of a suite: a dictionary at the top, in its encoded form, that can be changed key by
/// key and compared with another version of itself without reading it all again.
///
/// What nobody changed keeps its bytes. It holds no values, so that whoever keeps them in memory
/// has the only copy.
public struct PropertyListDocument: Sendable {
    public let format: PropertyListFormat

    /// The bytes of the file.
    public private(set) var bytes: [UInt8] = []

    /// An empty dictionary in a format that can be written.
    public init(format: PropertyListFormat) { fatalError() }

    /// Reads a file.
    ///
    /// - Throws: ``PropertyListError`` where the file follows no format, holds something other than
    ///   a dictionary, or exceeds a limit.
    public static func read(
        _ bytes: [UInt8],
        limits: PropertyListLimits = .standard
    ) throws(PropertyListError) -> (document: PropertyListDocument, values: [String: PropertyListValue]) {
        fatalError()
    }

    /// Takes over a newer version of the file and returns what differs, nil for keys that are gone.
    /// Work and memory beyond a comparison of bytes follow what differs. When it throws, the document
    /// is as it was.
    public mutating func update(
        to bytes: [UInt8],
        limits: PropertyListLimits = .standard
    ) throws(PropertyListError) -> [String: PropertyListValue?] { fatalError() }

    /// Sets keys, or removes them where the value is nil. When it throws, the document is as it was.
    public mutating func apply(_ changes: [String: PropertyListValue?]) throws(PropertyListError) {
        fatalError()
    }

    /// The value of one key, read from the bytes.
    public func value(forKey key: String) -> PropertyListValue? { fatalError() }
}

extension PropertyListValue {
    /// Reads a property list with any value at the top.
    public static func read(
        _ bytes: [UInt8],
        limits: PropertyListLimits = .standard
    ) throws(PropertyListError) -> (value: PropertyListValue, format: PropertyListFormat) { fatalError() }

    /// The value as a whole file. `openStep` is refused.
    public func encoded(as format: PropertyListFormat) throws(PropertyListError) -> [UInt8] { fatalError() }
}
