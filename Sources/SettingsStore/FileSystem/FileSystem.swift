import Glibc

/// The system calls that a suite's file needs, a method for each, so that a test can make any of them fail.
///
/// Names and meanings are those of the manual pages (section 2). Interrupted calls throw `EINTR` like any other error.
/// Callers repeat those that can be repeated: opening, reading, writing and locking.
///
/// `FileManager` has most of these calls only without their error numbers, and has no locks, leases, exchanges or
/// extended attributes. swift-system lacks them too.
public protocol FileSystem: Sendable {
    /// Follows symbolic links; nil if there is nothing.
    func stat(_ path: String) throws(SystemError) -> FileInfo?
    func fstat(_ descriptor: Int32, _ path: String) throws(SystemError) -> FileInfo
    /// The path without symbolic links (realpath(3)); `EILSEQ` if that is no UTF-8, because no `String` can name it.
    func resolve(_ path: String) throws(SystemError) -> String
    /// The target of a symbolic link; nil if the path is none, or there is nothing. `EILSEQ` if the target is no UTF-8.
    func readlink(_ path: String) throws(SystemError) -> String?
    func open(_ path: String, flags: Int32) throws(SystemError) -> Int32
    func openat(_ folder: Int32, _ name: String, flags: Int32, mode: UInt32) throws(SystemError) -> Int32
    /// Makes a file that has no name yet, open for writing (O_TMPFILE). Some file systems refuse that with `EOPNOTSUPP`
    /// or `EISDIR`.
    func openUnnamed(in folder: Int32, mode: UInt32) throws(SystemError) -> Int32
    /// Gives such a file a name (linkat(2)). Throws `EEXIST` if the name is taken.
    func linkat(_ descriptor: Int32, _ folder: Int32, _ name: String) throws(SystemError)
    func close(_ descriptor: Int32)
    /// Returns how many bytes were read; 0 at the end.
    func read(_ descriptor: Int32, into buffer: UnsafeMutableRawBufferPointer) throws(SystemError) -> Int
    /// Returns how many bytes were written, which may be fewer than given.
    func write(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) throws(SystemError) -> Int
    func fsync(_ descriptor: Int32) throws(SystemError)
    func flock(_ descriptor: Int32, operation: Int32) throws(SystemError)
    func fchmod(_ descriptor: Int32, mode: UInt32) throws(SystemError)
    /// Sets the file's modification time to the present, to the nanosecond (futimens(2)), and returns it.
    func setExactTime(_ descriptor: Int32) throws(SystemError) -> Timestamp
    func fchown(_ descriptor: Int32, owner: UInt32, group: UInt32) throws(SystemError)
    func renameat(_ folder: Int32, from: String, to: String) throws(SystemError)
    /// Like `renameat`, but throws `EEXIST` if the new name is taken (renameat2(2), RENAME_NOREPLACE).
    func renameatWithoutReplacing(_ folder: Int32, from: String, to: String) throws(SystemError)
    /// Exchanges the names of two files in one step (renameat2(2), RENAME_EXCHANGE). Some file systems refuse that with
    /// `EINVAL`.
    func renameatExchanging(_ folder: Int32, _ a: String, _ b: String) throws(SystemError)
    func unlinkat(_ folder: Int32, _ name: String) throws(SystemError)
    func symlinkat(_ target: String, _ folder: Int32, _ name: String) throws(SystemError)
    func mkdir(_ path: String, mode: UInt32) throws(SystemError)
    func mkdirat(_ folder: Int32, _ name: String, mode: UInt32) throws(SystemError)
    /// Why this process may not write the file, by its effective rights (faccessat(2)); nil if it may.
    func refusalToWrite(_ path: String) -> SystemError?
    /// Whether this process may give files to other users (chown(2)).
    var mayChangeOwners: Bool { get }
    /// Takes a read lease on the file (fcntl(2), F_SETLEASE), which the kernel refuses while a process has the file
    /// open for writing. While the lease lasts, a process that opens the file for writing waits. The descriptor must
    /// be open for reading only.
    ///
    /// - Returns: Whether the lease was granted; nil if the system gives no lease on this file.
    func lease(_ descriptor: Int32) -> Bool?
    /// Whether a process waits for the end of a lease.
    func isLeaseAwaited(_ descriptor: Int32) -> Bool
    func endLease(_ descriptor: Int32)
    func extendedAttributes(_ descriptor: Int32) throws(SystemError) -> [ExtendedAttribute]
    func setExtendedAttribute(_ descriptor: Int32, _ attribute: ExtendedAttribute) throws(SystemError)
    func removeExtendedAttribute(_ descriptor: Int32, _ name: String) throws(SystemError)
    /// The names in a folder, without `.` and `..`, and without names that are no UTF-8, because no `String` can be
    /// equal to them.
    func names(in folder: String) throws(SystemError) -> [String]
    /// The names in an open folder, even if the folder was moved after it was opened.
    func names(inOpen folder: Int32) throws(SystemError) -> [String]
    /// The time by the clock that file times come from.
    func now() -> Timestamp
    /// Suspends the calling thread.
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

// Calls that a signal has interrupted are repeated, except fsync(2), which reports an error only once, and renaming, which
// may have taken place.
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

    /// All bytes of a file; nil if there are more than the limit.
    func readAll(_ descriptor: Int32, expecting size: Int, limit: Int) throws -> [UInt8]? {
        var bytes: [UInt8] = []
        // One byte more, to find the end without another call, and some for a change that makes the file longer.
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

    /// Writes consecutive pieces, several small ones with one call.
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
                // No system should do that, and repeating the call might never end.
                if written == 0 { throw SystemError("write", "the file", EIO) }
                rest = UnsafeRawBufferPointer(rebasing: rest[written...])
            }
        }
    }

    func writeUninterrupted(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) throws(SystemError) -> Int {
        try uninterrupted { () throws(SystemError) in try write(descriptor, bytes) }
    }

    /// Makes written bytes, or names in a folder, survive a loss of power (fsync(2)).
    ///
    /// Some network and FUSE file systems refuse with `EINVAL` or `ENOTSUP`: they can't confirm it, now or later. That
    /// counts as done, because a repetition would end in the same way. It is reported once for each file system
    /// (``SettingsSuite/onFailure``).
    func makeDurable(_ descriptor: Int32, _ path: String) throws(SystemError) {
        do {
            try fsync(descriptor)
        } catch  where error.number == EINVAL || error.number == ENOTSUP {
            guard let device = try? fstat(descriptor, path).identity.device else { return }
            UnconfirmingFileSystems.found(device, path)
        }
    }

    func flockUninterrupted(_ descriptor: Int32, operation: Int32) throws(SystemError) {
        try uninterrupted { () throws(SystemError) in try flock(descriptor, operation: operation) }
    }

    /// Whether a process has the file open for writing; nil if the system does not say. The descriptor must be open
    /// for reading only.
    func isOpenForWriting(_ descriptor: Int32) -> Bool? {
        guard let isGranted = lease(descriptor) else { return nil }
        if isGranted { endLease(descriptor) }
        return !isGranted
    }

    /// Why this process may not write the file, in words for the user; nil if it may.
    func reasonNotToWrite(_ path: String, called subject: String = "the file") -> String? {
        guard let refusal = refusalToWrite(path) else { return nil }
        let owner = ((try? stat(path)) ?? nil)?.owner
        return refusal.reason(for: subject, isOwn: owner == geteuid())
    }

    /// Why this process can't put a new file in this one's place, in words for the user; nil if it can.
    func reasonNotToReplace(_ old: FileInfo) -> String? {
        old.owner == geteuid() || mayChangeOwners ? nil : reasonNotToHand(toOwnerOf: old)
    }

    /// Why a new file can't get the owner and group of the file that it replaces.
    func reasonNotToHand(toOwnerOf old: FileInfo) -> String {
        if old.owner == geteuid() {
            return
                "the file has a group that you are not in, and a write could not keep that group"
        }
        return "another user owns the file, and a write would change its owner; "
            + "only its owner or root can write it"
    }

    // Inlined, because otherwise each system call would create the metadata of generic types.
    @inline(__always)
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
