import Glibc
import PropertyList
import Synchronization

// Caches the bytes of a large file.
//
// Problem: the bytes of the file are the base of the next write and of the comparison with a foreign change, but a
// program that only reads its settings does not need them. Approach: after a while without writes they leave memory, an
// outline with a hash of each value stays, and the file stays open to read them again. Without it, a process would keep
// each large file in memory twice, as bytes and as values.
extension FileStorage {
    /// The part of the file that is in memory.
    enum Content {
        /// Its bytes, the base of the next write.
        case document(PropertyListDocument)
        /// Its outline after a while without writes, and the open file, if it could be kept open.
        case outline(PropertyListOutline, HeldFile?)

        var format: PropertyListFormat {
            switch self {
            case .document(let document): document.format
            case .outline(let outline, _): outline.format
            }
        }
    }

    /// A file that is kept open. Its bytes can still be read after another file has taken its place, and comparing bytes
    /// takes a tenth of the time of comparing values.
    final class HeldFile: Sendable {
        private let descriptor: Int32
        private let files: any FileSystem
        /// How many files this process keeps open. Most processes may have a thousand descriptors.
        private static let count = Atomic(0)
        private static let limit = 64

        /// Nil if the file can't be opened, or is another version.
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

        /// The bytes of the file; nil if it can't be read. Can be called once.
        func read(expecting size: Int) -> [UInt8]? {
            (try? files.readAll(descriptor, expecting: size, limit: PropertyListLimits.standard.size)) ?? nil
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
        if let outline = releasableDocument?.outline { content = .outline(outline, nil) }
        if case .outline(let outline, nil)? = content, let seen {
            content = .outline(outline, HeldFile(path, seen.identity, files))
        }
    }

    /// The document that `content` was before its bytes left memory; nil if they are in memory, or can't be read again.
    var documentBeforeRelease: PropertyListDocument? {
        guard case .outline(let outline, let file?)? = content else { return nil }
        return file.read(expecting: outline.size).flatMap(outline.document)
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
        return found(.outline(outline, nil), values)
    }
}
