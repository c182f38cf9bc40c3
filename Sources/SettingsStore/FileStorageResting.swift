import PropertyList

// A large file's bytes are in memory only while they are of use: they are what the next write goes on
// from, and what another process's write is compared with.
extension FileStorage {
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
