import PropertyList

// Caches the bytes of a large file.
//
// Problem: the bytes of the file are the base of the next write and of the comparison with a foreign change, but a
// program that only reads its settings does not need them. Approach: after a while without writes they leave memory, and
// an outline with a hash of them stays. Without it, a process would keep each large file in memory twice, as bytes and as
// values.
extension FileStorage {
    /// The part of the file that is in memory.
    enum Content {
        /// Its bytes, the base of the next write.
        case document(PropertyListDocument)
        /// Its outline after a while without writes.
        case outline(PropertyListOutline)

        var format: PropertyListFormat {
            switch self {
            case .document(let document): document.format
            case .outline(let outline): outline.format
            }
        }
    }

    /// The file as last read or written, if its bytes are in memory.
    var document: PropertyListDocument? {
        get { if case .document(let document)? = content { document } else { nil } }
        _modify {
            var document = document
            // The only reference, so that the bytes are not copied.
            content = nil
            defer { content = document.map(Content.document) }
            yield &document
        }
    }

    public var hasReleasableCache: Bool { releasableDocument != nil }

    /// The document, if it can be released.
    private var releasableDocument: PropertyListDocument? {
        guard let document, onDiskDocument == nil, durability != .unconfirmed, document.size >= largeFileSize
        else {
            return nil
        }
        return document
    }

    public mutating func releaseCache() {
        if let outline = releasableDocument?.outline { content = .outline(outline) }
    }

    /// Reads a large file for the first time, in pieces, so that it is never in memory as a whole. Nil if it has to be
    /// read as a whole, from its start.
    mutating func readInPieces(_ descriptor: Int32, _ info: FileInfo) throws -> StorageReading? {
        let now = files.now()
        let read = try PropertyListDocument.readInPieces(expecting: Int(info.identity.size)) { count in
            try files.readPiece(descriptor, room: count)
        }
        // A program may have written it meanwhile.
        guard let (outline, values) = read, try files.fstat(descriptor, path).identity == info.identity
        else { return nil }
        seen = Seen(info, at: now)
        return found(.outline(outline), values)
    }
}
