import PropertyList

// A large file's bytes are in memory only while they are of use: they are what the next write goes on
// from, and what another process's write is compared with.
extension FileStorage {
    /// What of a file is in memory.
    enum Content {
        /// Its bytes, which the next write goes on from.
        case document(PropertyListDocument)
        /// What is left when nobody has written for a while.
        case outline(PropertyListOutline)

        var format: PropertyListFormat {
            switch self {
            case .document(let document): document.format
            case .outline(let outline): outline.format
            }
        }
    }

    /// The file as last read or written, where its bytes are in memory.
    var document: PropertyListDocument? {
        get { if case .document(let document)? = content { document } else { nil } }
        _modify {
            var document = document
            // Held once only, so that the bytes are not copied.
            content = nil
            defer { content = document.map(Content.document) }
            yield &document
        }
    }

    public var holdsSpare: Bool { spare != nil }

    /// What can be let go of.
    private var spare: PropertyListDocument? {
        guard let document, standIn == nil, durability != .unconfirmed, document.size >= large else {
            return nil
        }
        return document
    }

    public mutating func letGo() {
        if let outline = spare?.outline { content = .outline(outline) }
    }

    /// Reads a file for the first time that is then not in memory as a whole. Nil where it has to be read
    /// in the other way, from its start.
    mutating func readInPieces(_ descriptor: Int32, _ info: FileInfo) throws -> StorageReading? {
        let now = files.now()
        let read = try PropertyListDocument.readInPieces(expecting: Int(info.identity.size)) { count in
            try files.readPiece(descriptor, room: count)
        }
        // Somebody may have been writing it.
        guard let (outline, values) = read, try files.fstat(descriptor, path).identity == info.identity
        else { return nil }
        seen = Seen(info, at: now)
        return found(.outline(outline), values)
    }
}
