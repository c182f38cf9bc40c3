import FoundationEssentials

/// A suite's file in its encoded form, with a dictionary at the top.
///
/// A document can change single keys and can tell how a newer version of the file differs. Both leave
/// the bytes of unchanged entries alone. A document stores bytes and no values, so that a caller that
/// caches the values holds the only copy.
///
/// This type exists because Foundation's `PropertyListSerialization` writes a whole file again and
/// cannot be trusted with a foreign file: binary files of under 200 bytes crash it or make it hang, and
/// it accepts text after `</plist>`. Reading 50,000 keys with it also takes 76 ms (binary) to 120 ms
/// (XML) and turns numbers into `NSNumber`, where `1` and `true` are hard to tell apart.
///
/// Two keys are equal if `String` compares them as equal, so two spellings that Unicode calls
/// canonically equivalent are one key. If a file has a key twice, the last one counts in text formats
/// and the first one in binary, as in Foundation. Setting a key removes its duplicates with the same
/// bytes. A duplicate in another Unicode form stays, because other programs may see it as a different
/// key. Removing a key removes all its forms.
///
/// New files have sorted keys. In an XML file with another order, every entry stays where it is. A
/// binary file is sorted by its first change. <doc:WhatIsKept> says what happens to everything else
/// that a file can hold.
public struct PropertyListDocument: Sendable {
    enum Form {
        case xml(XMLDocument)
        case binary(BinaryDocument)
        case json(JSONFile)
        /// OpenStep, or XML in an encoding other than UTF-8. The first change converts it to XML in
        /// UTF-8.
        case readOnly([UInt8], PropertyListFormat, PropertyListLimits)
    }

    var form: Form

    public var format: PropertyListFormat {
        switch form {
        case .xml: .xml
        case .binary: .binary
        case .json: .json
        case .readOnly(_, let format, _): format
        }
    }

    /// The bytes of the file.
    public var bytes: [UInt8] {
        switch form {
        case .xml(let document): document.bytes
        case .binary(let document): document.bytes
        case .json(let file): file.bytes
        case .readOnly(let bytes, _, _): bytes
        }
    }

    /// The comments of a JSON file by the paths of the values to which they belong: those above a value, and those behind it on
    /// its line. Empty for other formats.
    public var comments: [ValuePath: String] {
        if case .json(let file) = form { file.document.comments } else { [:] }
    }

    /// The members of a JSON file whose names occur several times in their object, in the order of the file. The last one counts.
    /// Empty for other formats.
    public var repeatedMembers: [ValuePath: [RepeatedMember]] {
        if case .json(let file) = form { file.repeatedMembers } else { [:] }
    }

    /// The number of bytes of the file.
    public var size: Int { bytes.count }
}

extension PropertyListDocument {
    /// Creates an empty dictionary. With `openStep`, the document is XML, because OpenStep is never
    /// written.
    public init(format: PropertyListFormat) {
        form =
            switch format {
            case .binary: .binary(BinaryDocument(limits: .standard))
            case .json: .json(JSONFile(limits: .standard))
            case .xml, .openStep: .xml(XMLDocument(limits: .standard))
            }
    }

    /// Reads a file.
    ///
    /// - Parameters:
    ///   - bytes: The file.
    ///   - expected: The format that the file's name tells. It decides only if the content fits several: `{}` is JSON in a file
    ///     that is called so.
    ///   - limits: The limits of the reader.
    /// - Throws: ``PropertyListError`` if the bytes follow no supported format, have no dictionary at
    ///   the top, or exceed a limit.
    public static func read(
        _ bytes: [UInt8],
        expecting expected: PropertyListFormat? = nil,
        limits: PropertyListLimits = .standard
    ) throws(PropertyListError) -> (document: PropertyListDocument, values: PropertyListEntries) {
        let encoding = try FileEncoding(of: bytes, expecting: expected, limits: limits)
        let values: PropertyListEntries
        switch encoding {
        case .xml(.utf8):
            let (document, values) = try XMLDocument.read(bytes, limits: limits)
            return (PropertyListDocument(form: .xml(document)), values)
        case .binary:
            let (document, values) = try BinaryDocument.read(bytes, limits: limits)
            return (PropertyListDocument(form: .binary(document)), values)
        case .json:
            let (file, values) = try JSONFile.read(bytes, limits: limits)
            return (PropertyListDocument(form: .json(file)), values)
        case .xml: values = try XMLDocument.read(TextEncoding.decode(bytes), limits: limits).values
        case .openStep:
            do throws(PropertyListError) {
                values = try OpenStepReader.readEntries(bytes, limits: limits)
            } catch {
                // JSON with an array or a scalar at the top has another problem than one of OpenStep's grammar.
                do throws(PropertyListError) { _ = try JSONFile.read(bytes, limits: limits) } catch let other
                {
                    if other.reason == .unsupported { throw other }
                }
                throw error
            }
        }
        return (PropertyListDocument(form: .readOnly(bytes, encoding.format, limits)), values)
    }

    /// Replaces the document by a newer version of the file and returns the differences.
    ///
    /// A value of nil means that the key was removed. If both versions are XML in UTF-8 and their keys
    /// are sorted, only the entries that differ are read. If this method throws, the document is
    /// unchanged.
    public mutating func update(
        to bytes: [UInt8],
        limits: PropertyListLimits = .standard
    ) throws(PropertyListError) -> [String: PropertyListValue?] {
        if case .xml(var document) = form, try encoding(of: bytes, limits) == .xml(.utf8),
            let differences = try document.update(to: bytes, limits: limits)
        {
            form = .xml(document)
            return differences
        }
        // Both versions are read completely.
        let (document, values) = try Self.read(bytes, expecting: format, limits: limits)
        let oldValues = self.values
        self = document
        return values.differences(from: oldValues)
    }

    /// Returns the encoding of a newer version. An unchanged start of the file answers that without a
    /// scan.
    private func encoding(
        of bytes: [UInt8],
        _ limits: PropertyListLimits
    ) throws(PropertyListError) -> FileEncoding {
        if case .xml(let document) = form, bytes.count <= limits.size, document.hasSameStart(as: bytes) {
            return .xml(.utf8)
        }
        return try FileEncoding(of: bytes, limits: limits)
    }

    /// Reads the value of one key from the bytes.
    public func value(forKey key: String) -> PropertyListValue? {
        switch form {
        case .xml(let document): document.value(forKey: key)
        case .binary(let document): document.value(forKey: key)
        case .json(let file): file.value(forKey: key)
        case .readOnly: values[key]
        }
    }

    /// All values. Of other formats than JSON the bytes are read again, which cannot fail, because they were read before.
    var values: PropertyListEntries {
        if case .json(let file) = form { return file.values }
        return (try? Self.read(bytes, expecting: format, limits: limits).values) ?? PropertyListEntries()
    }

    private var limits: PropertyListLimits {
        switch form {
        case .xml(let document): document.limits
        case .binary(let document): document.limits
        case .json(let file): file.limits
        case .readOnly(_, _, let limits): limits
        }
    }
}
