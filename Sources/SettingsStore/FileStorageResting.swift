import Glibc
import PropertyList
import Synchronization

// A large file's bytes are in memory only while they are of use: they are what the next write goes on
// from, and what another process's write is compared with.
extension FileStorage {
    /// What of a file is in memory.
    enum Content {
        /// Its bytes, which the next write goes on from.
        case document(PropertyListDocument)
        /// What is left when nobody has written for a while, and the file itself, as long as that can be held.
        case outline(PropertyListOutline, HeldFile?)

        var format: PropertyListFormat {
            switch self {
            case .document(let document): document.format
            case .outline(let outline, _): outline.format
            }
        }
    }

    /// A file that is held open. When another one has come in its place, its bytes can still be read, and the new
    /// ones are compared with them: to compare values takes ten times as long.
    final class HeldFile: Sendable {
        private let descriptor: Int32
        private let files: any FileSystem
        /// How many this process holds: the system has no more than a thousand descriptors for most.
        private static let count = Atomic(0)
        private static let limit = 64

        /// Nil where it can't be opened, or is not the one that is meant.
        init?(_ path: String, _ identity: FileInfo.Identity, _ files: any FileSystem) {
            guard Self.count.load(ordering: .relaxed) < Self.limit,
                let opened = try? files.openUninterrupted(path, flags: O_RDONLY | O_NONBLOCK | O_NOCTTY)
            else { return nil }
            guard (try? files.fstat(opened, path).identity) == identity else {
                files.close(opened)
                return nil
            }
            Self.count.add(1, ordering: .relaxed)
            (descriptor, self.files) = (opened, files)
        }

        deinit {
            files.close(descriptor)
            Self.count.subtract(1, ordering: .relaxed)
        }

        /// What it holds, the first time that this is asked; nil where it can't be read.
        func read(expecting size: Int) -> [UInt8]? {
            (try? files.readAll(descriptor, expecting: size, limit: PropertyListLimits.standard.size)) ?? nil
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
        if let outline = spare?.outline { content = .outline(outline, nil) }
        if case .outline(let outline, nil)? = content, let seen {
            content = .outline(outline, HeldFile(path, seen.identity, files))
        }
    }

    /// What `content` was made of, and has let go of; nil where its bytes are in memory, or nowhere any more.
    var formerDocument: PropertyListDocument? {
        guard case .outline(let outline, let file?)? = content else { return nil }
        return file.read(expecting: outline.size).flatMap(outline.document)
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
        return found(.outline(outline, nil), values)
    }
}
