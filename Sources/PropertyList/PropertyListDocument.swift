import FoundationEssentials

/// The file of a suite: a dictionary at the top, in its encoded form, that can be changed key by
/// key and compared with another version of itself without reading it all again.
///
/// What nobody changed keeps its bytes. It holds no values, so that whoever keeps them in memory
/// has the only copy.
///
/// Keys are told apart as `String` tells them apart: two spellings that Unicode calls canonically
/// equivalent are one key. Of a key that a file has twice, the last one counts in text and the first
/// one in binary files, as for Foundation. Setting it leaves none that is spelled the same; one in another
/// Unicode form, which others may take for another key, stays as it is until the key is removed: then all go.
/// New files have their keys in sorted order. In an XML file that has another one every entry stays where
/// it is; binary files are put in order with their first change. <doc:WhatIsKept> says what becomes of everything
/// that a file can hold.
public struct PropertyListDocument: Sendable {
    enum Form {
        case xml(XMLDocument)
        case binary(BinaryDocument)
        /// OpenStep, or XML in another encoding than UTF-8: written as XML in UTF-8 with the first
        /// change.
        case foreign([UInt8], PropertyListFormat, PropertyListLimits)
    }

    var form: Form

    public var format: PropertyListFormat {
        switch form {
        case .xml: .xml
        case .binary: .binary
        case .foreign(_, let format, _): format
        }
    }

    /// The bytes of the file.
    public var bytes: [UInt8] {
        switch form {
        case .xml(let document): document.bytes
        case .binary(let document): document.bytes
        case .foreign(let bytes, _, _): bytes
        }
    }

    /// How many those are.
    public var size: Int { bytes.count }
}

extension PropertyListDocument {
    /// An empty dictionary. A file in OpenStep form is never written: for `openStep` it is XML.
    public init(format: PropertyListFormat) {
        form =
            format == .binary
            ? .binary(BinaryDocument(limits: .standard)) : .xml(XMLDocument(limits: .standard))
    }

    /// Reads a file.
    ///
    /// - Throws: ``PropertyListError`` where the file follows no format, holds something other than
    ///   a dictionary, or exceeds a limit.
    public static func read(
        _ bytes: [UInt8],
        limits: PropertyListLimits = .standard
    ) throws(PropertyListError) -> (document: PropertyListDocument, values: PropertyListEntries) {
        let encoding = try FileEncoding(of: bytes, limits: limits)
        let values: PropertyListEntries
        switch encoding {
        case .xml(.utf8):
            let (document, values) = try XMLDocument.read(bytes, limits: limits)
            return (PropertyListDocument(form: .xml(document)), values)
        case .binary:
            let (document, values) = try BinaryDocument.read(bytes, limits: limits)
            return (PropertyListDocument(form: .binary(document)), values)
        case .xml: values = try XMLDocument.read(TextEncoding.decode(bytes), limits: limits).values
        case .openStep:
            values = try OpenStepReader.readEntries(bytes, limits: limits)
        }
        return (PropertyListDocument(form: .foreign(bytes, encoding.format, limits)), values)
    }

    /// Takes over a newer version of the file and returns what differs, nil for keys that are gone.
    /// Work and memory beyond a comparison of bytes follow what differs, where both versions are XML in
    /// UTF-8 or both are binary, with their keys in sorted order. When it throws, the document is as it was.
    public mutating func update(
        to bytes: [UInt8],
        limits: PropertyListLimits = .standard
    ) throws(PropertyListError) -> [String: PropertyListValue?] {
        switch (form, try encoding(of: bytes, limits)) {
        case (.xml(var document), .xml(.utf8)):
            let differences = try document.update(to: bytes, limits: limits)
            form = .xml(document)
            return differences
        case (.binary(var document), .binary):
            let differences = try document.update(to: bytes, limits: limits)
            form = .binary(document)
            return differences
        default: break
        }
        let (document, values) = try Self.read(bytes, limits: limits)
        let oldValues = self.values
        self = document
        return values.differences(from: oldValues)
    }

    /// The encoding of a newer version, which the start of a file says.
    private func encoding(
        of bytes: [UInt8],
        _ limits: PropertyListLimits
    ) throws(PropertyListError) -> FileEncoding {
        if case .xml(let document) = form, bytes.count <= limits.size, document.hasSameStart(as: bytes) {
            return .xml(.utf8)
        }
        return try FileEncoding(of: bytes, limits: limits)
    }

    /// The value of one key, read from the bytes.
    public func value(forKey key: String) -> PropertyListValue? {
        switch form {
        case .xml(let document): document.value(forKey: key)
        case .binary(let document): document.value(forKey: key)
        case .foreign: values[key]
        }
    }

    /// All values, read from the bytes. What was read once can be read again.
    var values: PropertyListEntries {
        (try? Self.read(bytes, limits: limits).values) ?? PropertyListEntries()
    }

    private var limits: PropertyListLimits {
        switch form {
        case .xml(let document): document.limits
        case .binary(let document): document.limits
        case .foreign(_, _, let limits): limits
        }
    }
}
