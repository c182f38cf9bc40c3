import CLinux
import CommandLanguage
import Glibc
import PropertyList
import SettingsStore

// Reads and writes the files of `import` and `export`. An export must replace its file completely or not at
// all, even if the disk is full or the power fails.

/// Returns the system's message for the current `errno`.
func lastSystemError() -> String { String(cString: strerror(errno)) }

/// Creates a folder that only the user may use, and returns its path.
///
/// - Parameter start: The path without the end of the name, which makes it unique.
func makePrivateFolder(_ start: String) throws(CommandError) -> String {
    var template = Array((start + "XXXXXX").utf8CString)
    guard mkdtemp(&template) != nil else {
        throw CommandError("Could not create the folder \(start)…: \(lastSystemError())")
    }
    return String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
}

/// Reads everything from a descriptor, up to the largest size of a property list.
func readAll(_ descriptor: Int32, _ name: String) throws -> [UInt8] {
    let limit = PropertyListLimits.standard.size
    var bytes: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 1 << 16)
    while true {
        let count = read(descriptor, &piece, piece.count)
        if count == 0 { return bytes }
        if count < 0 {
            if errno == EINTR { continue }
            throw CommandError("\(MacOSMessage.couldNotRead(name)): \(lastSystemError()).")
        }
        bytes += piece[..<count]
        if bytes.count > limit {
            throw CommandError("\(name) is larger than \(limit) bytes, the limit for a property list.")
        }
    }
}

/// Replaces a file atomically: writes a new file beside it and renames that.
///
/// A pipe or a device is written to directly. A symbolic link stays, and its target is replaced.
func replaceFile(_ path: String, with bytes: [UInt8]) throws {
    let path = (try? LiveFileSystem().resolve(path)) ?? path
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
        try check(madeDurable(descriptor), "store")
        try check(rename(new, path), "replace")
    } catch {
        unlink(new)
        throw error
    }
    try check(storeFolder(of: path), "store the folder of")
}

/// Syncs the folder, so that the new name survives a power failure (fsync(2)).
private func storeFolder(of path: String) -> Int32 {
    let folder = path.lastIndex(of: "/").map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
    let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    // A folder can be writable and not readable.
    if descriptor < 0 { return errno == EACCES ? 0 : -1 }
    defer { close(descriptor) }
    return madeDurable(descriptor)
}

/// Stores a file's or folder's content on the disk.
///
/// Some network and FUSE file systems return `EINVAL` or `ENOTSUP`. They can never confirm that the content is
/// stored, so these errors are ignored.
private func madeDurable(_ descriptor: Int32) -> Int32 {
    fsync(descriptor) == 0 || errno == EINVAL || errno == ENOTSUP ? 0 : -1
}

/// Writes all bytes. Returns false if that fails, with the reason in `errno`.
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
