/// A document without its bytes: what was found out about them, and what they are known again by. It
/// takes a small part of the room, and turns into the document again when the bytes are read again.
public struct PropertyListOutline: Sendable {
    enum Form {
        case xml(XMLOutline)
        case binary(BinaryOutline)
    }

    let form: Form
    let fingerprint: Fingerprint

    public var format: PropertyListFormat { if case .binary = form { .binary } else { .xml } }

    /// How many bytes the document had.
    public var size: Int { fingerprint.count }

    /// The document; nil where these are not the very bytes that it had.
    public func document(of bytes: [UInt8]) -> PropertyListDocument? {
        guard bytes.count == fingerprint.count, Fingerprint(of: bytes) == fingerprint else { return nil }
        switch form {
        case .xml(let outline):
            return PropertyListDocument(form: .xml(XMLDocument(bytes: bytes, outline)))
        case .binary(let outline):
            // What was read once can be read again.
            return (try? BinaryDocument(bytes: bytes, outline))
                .map { PropertyListDocument(form: .binary($0)) }
        }
    }
}

extension PropertyListDocument {
    /// What is left of it without its bytes; nil where that is nothing, in a form that is never written.
    public var outline: PropertyListOutline? {
        switch form {
        case .xml(let document):
            PropertyListOutline(form: .xml(document.outline), fingerprint: Fingerprint(of: document.bytes))
        case .binary(let document):
            PropertyListOutline(form: .binary(document.outline), fingerprint: Fingerprint(of: document.bytes))
        case .foreign: nil
        }
    }

    /// Reads a file a piece at a time, so that it is never in memory as a whole.
    ///
    /// - Parameters:
    ///   - size: About how many bytes it has.
    ///   - next: Its next so many bytes; fewer, or none, at its end.
    /// - Returns: Nil where that can't be done: what is not XML in UTF-8, has no dictionary with entries at
    ///   the top, or can't be read at all, as ``read(_:limits:)`` will say.
    public static func readInPieces(
        expecting size: Int,
        limits: PropertyListLimits = .standard,
        _ next: (Int) throws -> [UInt8]
    ) throws -> (outline: PropertyListOutline, values: PropertyListEntries)? {
        guard size <= limits.size else { return nil }
        return try XMLPieces.read(expecting: size, limits: limits, next).map { outline, values, fingerprint in
            (PropertyListOutline(form: .xml(outline), fingerprint: fingerprint), values)
        }
    }
}
