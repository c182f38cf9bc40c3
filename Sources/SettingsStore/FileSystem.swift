import Glibc

/// The system calls that a suite's file needs, one method a call, so that a test can fail any of
/// them.
///
/// Names and meanings are those of the manual pages (section 2). Calls that are interrupted throw
/// `EINTR` like any other error; callers make again those that can be (opening, reading, writing,
/// locking).
public protocol FileSystem: Sendable {
    /// Follows symbolic links; nil where there is nothing.
    func stat(_ path: String) throws(SystemError) -> FileInfo?
    func fstat(_ descriptor: Int32, _ path: String) throws(SystemError) -> FileInfo
    /// The path without symbolic links (realpath(3)); `EILSEQ` where that is no UTF-8, since no `String`
    /// can name it.
    func resolve(_ path: String) throws(SystemError) -> String
    /// Where a symbolic link leads; nil where the path is none, or nothing is there. `EILSEQ` where that
    /// is no UTF-8.
    func readlink(_ path: String) throws(SystemError) -> String?
    func open(_ path: String, flags: Int32) throws(SystemError) -> Int32
    func openat(_ folder: Int32, _ name: String, flags: Int32, mode: UInt32) throws(SystemError) -> Int32
    /// Makes a file that has no name yet, open for writing (O_TMPFILE). Not every file system can:
    /// `EOPNOTSUPP` or `EISDIR`.
    func openUnnamed(in folder: Int32, mode: UInt32) throws(SystemError) -> Int32
    /// Gives such a file a name, and refuses (`EEXIST`) one that is taken (linkat(2)).
    func linkat(_ descriptor: Int32, _ folder: Int32, _ name: String) throws(SystemError)
    func close(_ descriptor: Int32)
    /// The bytes read; 0 at the end.
    func read(_ descriptor: Int32, into buffer: UnsafeMutableRawBufferPointer) throws(SystemError) -> Int
    /// The bytes written, which may be fewer than there are.
    func write(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) throws(SystemError) -> Int
    func fsync(_ descriptor: Int32) throws(SystemError)
    func flock(_ descriptor: Int32, operation: Int32) throws(SystemError)
    func fchmod(_ descriptor: Int32, mode: UInt32) throws(SystemError)
    /// Gives the file the present time, to the nanosecond, as that of its last modification
    /// (futimens(2)), with other last four digits, and returns it.
    func stamp(_ descriptor: Int32, digits: Int64) throws(SystemError) -> Timestamp
    func fchown(_ descriptor: Int32, owner: UInt32, group: UInt32) throws(SystemError)
    func renameat(_ folder: Int32, from: String, to: String) throws(SystemError)
    /// Like `renameat`, and refuses (`EEXIST`) where the new name is taken (renameat2(2),
    /// RENAME_NOREPLACE).
    func renameatWithoutReplacing(_ folder: Int32, from: String, to: String) throws(SystemError)
    /// Gives each of two files the name of the other in one step (renameat2(2), RENAME_EXCHANGE). Not every
    /// file system can: `EINVAL`.
    func renameatExchanging(_ folder: Int32, _ a: String, _ b: String) throws(SystemError)
    func unlinkat(_ folder: Int32, _ name: String) throws(SystemError)
    func symlinkat(_ target: String, _ folder: Int32, _ name: String) throws(SystemError)
    func mkdir(_ path: String, mode: UInt32) throws(SystemError)
    /// Why this process may not write the file, by its effective rights (faccessat(2)); nil where it may.
    func refusalToWrite(_ path: String) -> SystemError?
    /// Whether this process may give files to other users (chown(2)).
    var mayChangeOwners: Bool { get }
    /// Whether any process has the file open for writing; nil where the system does not tell. The
    /// descriptor must be open for reading only.
    func isOpenForWriting(_ descriptor: Int32) -> Bool?
    func extendedAttributes(_ descriptor: Int32) throws(SystemError) -> [ExtendedAttribute]
    func setExtendedAttribute(_ descriptor: Int32, _ attribute: ExtendedAttribute) throws(SystemError)
    func removeExtendedAttribute(_ descriptor: Int32, _ name: String) throws(SystemError)
    /// The names in a folder, without `.` and `..`, and without those that are no UTF-8, which no
    /// `String` can name.
    func names(in folder: String) throws(SystemError) -> [String]
    /// Seconds since 1970 by the clock that file times come from.
    func now() -> Timestamp
    /// Holds the calling thread up.
    func pause(_ seconds: Double)
}

/// One extended attribute of a file (xattr(7)).
public struct ExtendedAttribute: Sendable, Hashable {
    public var name: String
    public var value: [UInt8]

    public init(_ name: String, _ value: [UInt8]) {
        self.name = name
        self.value = value
    }
}

// Calls that a signal interrupted are made again where they can be: not fsync(2), which tells of an error
// only once, nor renaming, which may have taken place.
extension FileSystem {
    func openUninterrupted(_ path: String, flags: Int32) throws(SystemError) -> Int32 {
        try uninterrupted { () throws(SystemError) in try open(path, flags: flags) }
    }

    func openatUninterrupted(
        _ folder: Int32,
        _ name: String,
        flags: Int32,
        mode: UInt32
    ) throws(SystemError) -> Int32 {
        try uninterrupted { () throws(SystemError) in
            try openat(folder, name, flags: flags, mode: mode)
        }
    }

    func readUninterrupted(
        _ descriptor: Int32,
        into buffer: UnsafeMutableRawBufferPointer
    ) throws(SystemError) -> Int {
        try uninterrupted { () throws(SystemError) in try read(descriptor, into: buffer) }
    }

    /// All bytes of a file; nil where there are more than allowed.
    func readAll(_ descriptor: Int32, expecting size: Int, limit: Int) throws -> [UInt8]? {
        var bytes: [UInt8] = []
        // One byte more, to see the end without another round, and some for a change that makes it longer.
        var room = size + size / 16 + 1
        while true {
            if size > limit || bytes.count > limit { return nil }
            let piece = try readPiece(descriptor, room: room)
            if bytes.isEmpty { bytes = piece } else { bytes += piece }
            if piece.count < room { return bytes }
            room = bytes.count
        }
    }

    /// Reads until the room is full or the file ends.
    func readPiece(_ descriptor: Int32, room: Int) throws -> [UInt8] {
        try [UInt8](unsafeUninitializedCapacity: room) { buffer, count in
            while count < room {
                let rest = UnsafeMutableRawBufferPointer(
                    rebasing: UnsafeMutableRawBufferPointer(buffer)[count...]
                )
                let read = try readUninterrupted(descriptor, into: rest)
                if read == 0 { return }
                count += read
            }
        }
    }

    /// Writes pieces that follow each other, small ones together.
    func writeAll(_ descriptor: Int32, _ pieces: [ArraySlice<UInt8>]) throws {
        let room = 1 << 16
        var joined: [UInt8] = []
        for piece in pieces {
            if joined.count + piece.count > room {
                try writeAll(descriptor, joined[...])
                joined.removeAll(keepingCapacity: true)
            }
            if piece.count > room { try writeAll(descriptor, piece) } else { joined += piece }
        }
        try writeAll(descriptor, joined[...])
    }

    func writeAll(_ descriptor: Int32, _ bytes: ArraySlice<UInt8>) throws {
        try bytes.withUnsafeBytes { bytes in
            var rest = bytes
            while !rest.isEmpty {
                let written = try writeUninterrupted(descriptor, rest)
                // No system should; and to ask again would be to ask for ever.
                if written == 0 { throw SystemError("write", "the file", EIO) }
                rest = UnsafeRawBufferPointer(rebasing: rest[written...])
            }
        }
    }

    func writeUninterrupted(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) throws(SystemError) -> Int {
        try uninterrupted { () throws(SystemError) in try write(descriptor, bytes) }
    }

    func flockUninterrupted(_ descriptor: Int32, operation: Int32) throws(SystemError) {
        try uninterrupted { () throws(SystemError) in try flock(descriptor, operation: operation) }
    }

    /// Why this process may not write what is there, in words for the user; nil where it may.
    func reasonNotToWrite(_ path: String, called subject: String = "the file") -> String? {
        guard let refusal = refusalToWrite(path) else { return nil }
        let owner = ((try? stat(path)) ?? nil)?.owner
        return refusal.reason(for: subject, isOwn: owner == geteuid())
    }

    /// Why this process can't put a new file in the place of this one, in words for the user; nil where it may.
    func reasonNotToReplace(_ old: FileInfo) -> String? {
        old.owner == geteuid() || mayChangeOwners ? nil : reasonNotToHand(toOwnerOf: old)
    }

    /// Why a new file can't become the user's and group's that have the one whose place it is to take.
    func reasonNotToHand(toOwnerOf old: FileInfo) -> String {
        if old.owner == geteuid() {
            return
                "the file is of a group that this user is not in, and a write makes a new file, which would not be"
        }
        return "the file is another user's, and a write makes a new file, which would be this user's; "
            + "its owner and root can write it"
    }

    private func uninterrupted<Result>(
        _ call: () throws(SystemError) -> Result
    ) throws(SystemError) -> Result {
        while true {
            do {
                return try call()
            } catch {
                if error.number != EINTR { throw error }
            }
        }
    }
}

/// A time of a file, in nanoseconds since 1970.
public struct Timestamp: Sendable, Hashable, Comparable {
    public var nanoseconds: Int64

    public init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

    public static func < (a: Timestamp, b: Timestamp) -> Bool { a.nanoseconds < b.nanoseconds }

    var isWholeSecond: Bool { nanoseconds % 1_000_000_000 == 0 }
}

/// What stat(2) tells of a file.
public struct FileInfo: Sendable, Hashable {
    public enum Kind: Sendable, Hashable { case file, folder, other }

    /// What tells one version of a file from the next: equal identities mean an unchanged file,
    /// as far as the clock's grain can tell.
    public struct Identity: Sendable, Hashable {
        public var device: UInt64
        public var inode: UInt64
        public var size: Int64
        public var modified: Timestamp
        public var changed: Timestamp
    }

    public var kind: Kind
    public var identity: Identity
    /// Permission bits, set-user-ID and the like included.
    public var mode: UInt32
    public var owner: UInt32
    public var group: UInt32
    /// When it was made, of an open file where its file system keeps that: another file may have its inode's
    /// number as soon as it is gone.
    public var born: Timestamp?
}

extension FileInfo {
    /// Whether two are of one file, in whatever version.
    func isOfSameFile(as other: FileInfo) -> Bool {
        guard identity.device == other.identity.device, identity.inode == other.identity.inode else {
            return false
        }
        guard let born, let othersBorn = other.born else { return true }
        return born == othersBorn
    }
}
