/// A document without its bytes: where its entries are, plus a hash of the bytes.
///
/// With an outline, a cache can drop the bytes of a large file and keep a small object. If the same bytes are read
/// again, the outline becomes the document again without parsing. Without it, a cache either holds
/// every file in memory or parses it again for each write.
public struct PropertyListOutline: Sendable {
    enum Form {
        // The documents have no entries of their own.
        case xml(XMLDocument)
        case binary(BinaryDocument)
    }

    let form: Form
    let fingerprint: Fingerprint

    public var format: PropertyListFormat { if case .binary = form { .binary } else { .xml } }

    /// Rebuilds the document, or returns nil if these are not exactly the bytes that it had.
    public func document(of bytes: [UInt8]) -> PropertyListDocument? {
        guard bytes.count == fingerprint.count, Fingerprint(of: bytes) == fingerprint else { return nil }
        switch form {
        case .xml(let outline):
            return PropertyListDocument(form: .xml(outline.with(bytes: bytes)))
        case .binary(let outline):
            // This succeeds, because the same bytes were read before.
            guard let file = try? BinaryFile(bytes) else { return nil }
            return PropertyListDocument(form: .binary(outline.with(file: file)))
        }
    }
}

extension PropertyListDocument {
    /// The document without its bytes. It is nil for a JSON file and for a format that is never written.
    public var outline: PropertyListOutline? {
        switch form {
        case .xml(let document):
            PropertyListOutline(
                form: .xml(document.with(bytes: [])),
                fingerprint: Fingerprint(of: document.bytes)
            )
        case .binary(let document):
            PropertyListOutline(
                form: .binary(document.with(file: BinaryFile())),
                fingerprint: Fingerprint(of: document.bytes)
            )
        case .json, .readOnly: nil
        }
    }

    /// Reads a file in pieces, so that the whole file is never in memory.
    ///
    /// - Parameters:
    ///   - size: The approximate number of bytes of the file.
    ///   - limits: The limits of the reader.
    ///   - next: Returns the given number of the next bytes of the file, or fewer at its end.
    /// - Returns: Nil if the file cannot be read this way: it is not XML in UTF-8, has no entries at
    ///   the top, or is invalid. ``read(_:expecting:limits:)`` then reads it or throws the error.
    /// - Throws: Only the errors of `next`.
    public static func readInPieces(
        expecting size: Int,
        limits: PropertyListLimits = .standard,
        _ next: (Int) throws -> [UInt8]
    ) throws -> (outline: PropertyListOutline, values: PropertyListEntries)? {
        guard size <= limits.size else { return nil }
        return try XMLWindowReader.read(expecting: size, limits: limits, next).map {
            outline,
            values,
            fingerprint in
            (PropertyListOutline(form: .xml(outline), fingerprint: fingerprint), values)
        }
    }
}
