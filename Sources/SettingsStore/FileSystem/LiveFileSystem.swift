import CLinux
import Glibc

/// The operating system's own file system.
public struct LiveFileSystem: FileSystem {
    /// Occupies the standard descriptors that are closed, before the first file is opened. Otherwise the program might
    /// print into a file.
    private static let hasStandard: Void = clinux_occupy_standard()

    public init() {}

    public func stat(_ path: String) throws(SystemError) -> FileInfo? {
        var info = emptyStat
        guard fileStatus(path, &info) == 0 else {
            if errno == ENOENT || errno == ENOTDIR { return nil }
            throw SystemError("stat", path, errno)
        }
        return FileInfo(info)
    }

    public func fstat(_ descriptor: Int32, _ path: String) throws(SystemError) -> FileInfo {
        var info = emptyStat
        var (seconds, nanoseconds): (Int64, Int64) = (0, 0)
        try check(clinux_status(descriptor, &info, &seconds, &nanoseconds), "fstat", path)
        var result = FileInfo(info)
        let born = seconds &* 1_000_000_000 &+ nanoseconds
        if born != 0 { result.born = Timestamp(nanoseconds: born) }
        return result
    }

    public func resolve(_ path: String) throws(SystemError) -> String {
        guard let resolved = realpath(path, nil) else {
            throw SystemError("realpath", path, errno)
        }
        defer { free(resolved) }
        guard let text = String(validatingCString: resolved) else {
            throw SystemError("realpath", path, EILSEQ)
        }
        return text
    }

    public func readlink(_ path: String) throws(SystemError) -> String? {
        // Most targets fit on the stack. In a fragmented heap, allocating a longer block may take milliseconds.
        let short = linkTarget(path, room: 1024)
        let target = short.length < 1024 ? short : linkTarget(path, room: Int(PATH_MAX))
        if target.length < 0, [EINVAL, ENOENT, ENOTDIR].contains(errno) { return nil }
        try check(target.length, "readlink", path)
        guard let text = target.text else { throw SystemError("readlink", path, EILSEQ) }
        return text
    }

    public func open(_ path: String, flags: Int32) throws(SystemError) -> Int32 {
        Self.hasStandard
        return try check(clinux_above_standard(Glibc.open(path, flags | O_CLOEXEC)), "open", path)
    }

    public func openat(_ folder: Int32, _ name: String, flags: Int32, mode: UInt32) throws(SystemError)
        -> Int32
    {
        Self.hasStandard
        return try check(
            clinux_above_standard(Glibc.openat(folder, name, flags | O_CLOEXEC, mode)),
            "open",
            name
        )
    }

    public func openUnnamed(in folder: Int32, mode: UInt32) throws(SystemError) -> Int32 {
        try check(clinux_open_unnamed(folder, mode), "open", "a file without a name")
    }

    public func linkat(_ descriptor: Int32, _ folder: Int32, _ name: String) throws(SystemError) {
        try check(clinux_link(descriptor, folder, name), "link", name)
    }

    public func close(_ descriptor: Int32) { _ = Glibc.close(descriptor) }

    public func read(_ descriptor: Int32, into buffer: UnsafeMutableRawBufferPointer) throws(SystemError)
        -> Int
    {
        try check(Glibc.read(descriptor, buffer.baseAddress, buffer.count), "read", "the file")
    }

    public func write(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) throws(SystemError) -> Int {
        try check(clinux_write(descriptor, bytes.baseAddress, bytes.count), "write", "the file")
    }

    public func fsync(_ descriptor: Int32) throws(SystemError) {
        try check(Glibc.fsync(descriptor), "fsync", "the file")
    }

    public func flock(_ descriptor: Int32, operation: Int32) throws(SystemError) {
        try check(lockFile(descriptor, operation), "flock", "the folder")
    }

    public func fchmod(_ descriptor: Int32, mode: UInt32) throws(SystemError) {
        try check(Glibc.fchmod(descriptor, mode), "fchmod", "the new file")
    }

    public func setExactTime(_ descriptor: Int32) throws(SystemError) -> Timestamp {
        var time = timespec()
        try check(clinux_set_exact_time(descriptor, &time), "futimens", "the new file")
        return Timestamp(time)
    }

    public func fchown(_ descriptor: Int32, owner: UInt32, group: UInt32) throws(SystemError) {
        try check(Glibc.fchown(descriptor, owner, group), "fchown", "the new file")
    }

    public func renameat(_ folder: Int32, from: String, to: String) throws(SystemError) {
        try check(Glibc.renameat(folder, from, folder, to), "rename", to)
    }

    public func renameatWithoutReplacing(_ folder: Int32, from: String, to: String) throws(SystemError) {
        try check(clinux_rename_without_replacing(folder, from, to), "renameat2", to)
    }

    public func renameatExchanging(_ folder: Int32, _ a: String, _ b: String) throws(SystemError) {
        try check(clinux_exchange(folder, a, b), "renameat2", b)
    }

    public func unlinkat(_ folder: Int32, _ name: String) throws(SystemError) {
        try check(Glibc.unlinkat(folder, name, 0), "unlink", name)
    }

    public func symlinkat(_ target: String, _ folder: Int32, _ name: String) throws(SystemError) {
        try check(Glibc.symlinkat(target, folder, name), "symlink", name)
    }

    public func mkdir(_ path: String, mode: UInt32) throws(SystemError) {
        try check(Glibc.mkdir(path, mode), "mkdir", path)
    }

    public func mkdirat(_ folder: Int32, _ name: String, mode: UInt32) throws(SystemError) {
        try check(Glibc.mkdirat(folder, name, mode), "mkdir", name)
    }

    public func refusalToWrite(_ path: String) -> SystemError? {
        do throws(SystemError) {
            try check(faccessat(AT_FDCWD, path, W_OK, AT_EACCESS), "access", path)
            return nil
        } catch {
            return error
        }
    }

    public var mayChangeOwners: Bool { clinux_may_change_owners() != 0 }

    public func lease(_ descriptor: Int32) -> Bool? {
        switch clinux_lease(descriptor) {
        case 0: false
        case 1: true
        default: nil
        }
    }

    public func isLeaseAwaited(_ descriptor: Int32) -> Bool { clinux_lease_is_awaited(descriptor) != 0 }

    public func endLease(_ descriptor: Int32) { clinux_end_lease(descriptor) }

    public func extendedAttributes(_ descriptor: Int32) throws(SystemError) -> [ExtendedAttribute] {
        let names: [UInt8]
        do throws(SystemError) {
            names = try attributeBytes("flistxattr", "the file") {
                clinux_list_attributes(descriptor, $0, $1)
            }
        } catch  where error.number == ENOTSUP {
            return []
        }
        var attributes: [ExtendedAttribute] = []
        for bytes in names.split(separator: 0) {
            let name = String(decoding: bytes, as: UTF8.self)
            let value = try attributeBytes("fgetxattr", name) {
                clinux_get_attribute(descriptor, name, $0, $1)
            }
            attributes.append(ExtendedAttribute(name, value))
        }
        return attributes
    }

    /// The bytes that a call puts into a buffer. Most fit into a small one; others need a call that asks for their size
    /// (flistxattr(2), fgetxattr(2)).
    private func attributeBytes(
        _ call: String,
        _ path: String,
        _ fill: (UnsafeMutablePointer<CChar>?, Int) -> Int
    ) throws(SystemError) -> [UInt8] {
        var size = 256
        while true {
            var error: Int32 = 0
            let bytes = [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
                let result = buffer.withMemoryRebound(to: CChar.self) { chars in
                    fill(chars.baseAddress, size)
                }
                if result < 0 { error = errno }
                count = max(0, result)
            }
            if error == 0 { return bytes }
            guard error == ERANGE else { throw SystemError(call, path, error) }
            // At least 1, since 0 asks for the size.
            size = max(1, try check(fill(nil, 0), call, path))
        }
    }

    public func setExtendedAttribute(_ descriptor: Int32, _ attribute: ExtendedAttribute)
        throws(SystemError)
    {
        try check(
            clinux_set_attribute(descriptor, attribute.name, attribute.value, attribute.value.count),
            "fsetxattr",
            attribute.name
        )
    }

    public func removeExtendedAttribute(_ descriptor: Int32, _ name: String) throws(SystemError) {
        try check(clinux_remove_attribute(descriptor, name), "fremovexattr", name)
    }

    public func names(in folder: String) throws(SystemError) -> [String] {
        guard let stream = opendir(folder) else { throw SystemError("opendir", folder, errno) }
        return try names(in: stream, folder)
    }

    public func names(inOpen folder: Int32) throws(SystemError) -> [String] {
        // Another descriptor, since the stream closes its own.
        let descriptor = try openat(folder, ".", flags: O_RDONLY | O_DIRECTORY, mode: 0)
        guard let stream = fdopendir(descriptor) else {
            defer { close(descriptor) }
            throw SystemError("fdopendir", "the folder", errno)
        }
        return try names(in: stream, "the folder")
    }

    private func names(in stream: OpaquePointer, _ folder: String) throws(SystemError) -> [String] {
        defer { closedir(stream) }
        var names: [String] = []
        errno = 0
        while let entry = readdir(stream) {
            // `d_name` reaches as far as its NUL, beyond the array that its C type declares.
            let start = UnsafeRawPointer(entry) + MemoryLayout<dirent>.offset(of: \.d_name)!
            let name = String(validatingCString: start.assumingMemoryBound(to: CChar.self))
            if let name, name != ".", name != ".." { names.append(name) }
            errno = 0
        }
        if errno != 0 { throw SystemError("readdir", folder, errno) }
        return names
    }

    public func now() -> Timestamp {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME_COARSE, &time)
        return Timestamp(time)
    }

    public func pause(_ seconds: Double) { usleep(UInt32(seconds * 1_000_000)) }
}

// Outside the type, because inside `stat` and `flock` are its own methods.
private let emptyStat = stat()
private func fileStatus(_ path: String, _ info: inout stat) -> Int32 { stat(path, &info) }
/// The target of a symbolic link, nil if it is no UTF-8, and its length, at most the room.
private func linkTarget(_ path: String, room: Int) -> (length: Int, text: String?) {
    withUnsafeTemporaryAllocation(byteCount: room, alignment: 1) { buffer in
        guard let start = buffer.baseAddress else { return (0, nil) }
        let length = readlink(path, start.assumingMemoryBound(to: CChar.self), room)
        guard length >= 0 else { return (length, nil) }
        return (length, String(validating: buffer[..<length], as: UTF8.self))
    }
}
private func lockFile(_ descriptor: Int32, _ operation: Int32) -> Int32 { flock(descriptor, operation) }

@discardableResult
private func check<Result: SignedInteger>(_ result: Result, _ call: String, _ path: String)
    throws(SystemError) -> Result
{
    if result < 0 { throw SystemError(call, path, errno) }
    return result
}

/// The system's message for an error number.
func message(ofErrorNumber number: Int32) -> String {
    var buffer = [CChar](repeating: 0, count: 256)
    guard strerror_r(number, &buffer, buffer.count) == 0 else { return "error \(number)" }
    return buffer.withUnsafeBufferPointer { $0.baseAddress.map { String(cString: $0) } ?? "" }
}

extension Timestamp {
    fileprivate init(_ time: timespec) {
        self.init(nanoseconds: Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec))
    }
}

extension FileInfo {
    fileprivate init(_ info: Glibc.stat) {
        switch info.st_mode & S_IFMT {
        case S_IFREG: kind = .file
        case S_IFDIR: kind = .folder
        default: kind = .other
        }
        identity = FileInfo.Identity(
            device: UInt64(info.st_dev),
            inode: UInt64(info.st_ino),
            size: Int64(info.st_size),
            modified: Timestamp(info.st_mtim),
            changed: Timestamp(info.st_ctim)
        )
        mode = info.st_mode & 0o7777
        owner = info.st_uid
        group = info.st_gid
    }
}
