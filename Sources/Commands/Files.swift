import CLinux
import Glibc
import PropertyList

/// The system's words for what went wrong last.
func lastSystemError() -> String { String(cString: strerror(errno)) }

/// Reads all that a descriptor gives, up to what a property list may be.
func readAll(_ descriptor: Int32, _ name: String) throws -> [UInt8] {
    let limit = PropertyListLimits.standard.size
    var bytes: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 1 << 16)
    while true {
        let count = read(descriptor, &piece, piece.count)
        if count == 0 { return bytes }
        if count < 0 {
            if errno == EINTR { continue }
            throw CommandError("Could not read data from \(name): \(lastSystemError()).")
        }
        bytes += piece[..<count]
        if bytes.count > limit { throw CommandError("\(name) has more than \(limit) bytes.") }
    }
}

/// Writes a file that is whole at every moment: beside it first, then in its place. What is no regular file
/// (a pipe, a device) is written into; a symbolic link stays, and what it leads to is replaced.
func replaceFile(_ path: String, with bytes: [UInt8]) throws {
    let path = resolved(path)
    func check(_ result: Int32, _ what: String) throws {
        if result < 0 { throw CommandError("Could not \(what) \(path): \(lastSystemError()).") }
    }
    var info = stat()
    if stat(path, &info) == 0, info.st_mode & S_IFMT != S_IFREG {
        let descriptor = open(path, O_WRONLY | O_CLOEXEC | O_NOCTTY)
        try check(descriptor, "open")
        defer { close(descriptor) }
        return try check(writeAll(descriptor, bytes) ? 0 : -1, "write")
    }
    var template = Array((path + ".XXXXXX").utf8CString)
    let descriptor = mkstemp(&template)
    try check(descriptor, "write a file beside")
    let new = template.withUnsafeBufferPointer { $0.baseAddress.map { String(cString: $0) } ?? "" }
    do {
        defer { close(descriptor) }
        let mask = umask(0)
        umask(mask)
        let isNew = info.st_ino == 0
        try check(fchmod(descriptor, isNew ? 0o666 & ~mask : info.st_mode & 0o7777), "set the mode of")
        try check(writeAll(descriptor, bytes) ? 0 : -1, "write")
        try check(fsync(descriptor), "store")
        try check(rename(new, path), "replace")
    } catch {
        unlink(new)
        throw error
    }
    try check(storeFolder(of: path), "store the folder of")
}

/// Has the new name of a file outlive a power cut (fsync(2): that needs one of the folder).
private func storeFolder(of path: String) -> Int32 {
    let folder = path.lastIndex(of: "/").map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
    let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    // One may write into a folder that one may not read.
    if descriptor < 0 { return errno == EACCES ? 0 : -1 }
    defer { close(descriptor) }
    // A file system that has no such thing says EINVAL.
    return fsync(descriptor) == 0 || errno == EINVAL ? 0 : -1
}

/// The path without symbolic links; the path itself where nothing is there.
private func resolved(_ path: String) -> String {
    guard let resolved = realpath(path, nil) else { return path }
    defer { free(resolved) }
    return String(cString: resolved)
}

/// Whether all was written; `errno` says why not.
func writeAll(_ descriptor: Int32, _ bytes: [UInt8]) -> Bool {
    bytes.withUnsafeBytes { bytes in
        var rest = bytes[...]
        while !rest.isEmpty {
            let part = UnsafeRawBufferPointer(rebasing: rest)
            let written = clinux_write(descriptor, part.baseAddress, part.count)
            if written < 0, errno != EINTR { return false }
            if written > 0 { rest = rest.dropFirst(written) }
        }
        return true
    }
}
