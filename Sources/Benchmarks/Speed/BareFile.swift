import Foundation

/// The fewest system calls that replace a file durably: write a new file, fsync it, and rename it over the
/// old one.
struct BareFile {
    private let path: String
    private var bytes: [UInt8]

    init(_ path: String) throws {
        self.path = path
        bytes = Array(try Data(contentsOf: URL(fileURLWithPath: path)))
    }

    /// Replaces the file with one of the same size that starts with the number.
    mutating func replace(number: Int, syncingFolder: Bool) throws {
        withUnsafeBytes(of: number) { bytes.replaceSubrange(0..<8, with: $0) }
        let descriptor = try check(
            open(path + ".new", O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600),
            "open"
        )
        defer { close(descriptor) }
        guard try check(write(descriptor, bytes, bytes.count), "write") == bytes.count else {
            throw BenchmarkFailure("the disk is full")
        }
        try check(fsync(descriptor), "fsync")
        try check(rename(path + ".new", path), "rename")
        guard syncingFolder else { return }
        let folder = try check(open(Self.folder(of: path), O_RDONLY | O_DIRECTORY | O_CLOEXEC), "open")
        defer { close(folder) }
        try check(fsync(folder), "fsync")
    }

    /// Waits for each replacement of the file, reads the whole file, and reports the number at its start.
    static func observe(_ path: String, _ receive: (Int) throws -> Void) throws {
        let watcher = try check(inotify_init1(Int32(IN_CLOEXEC)), "inotify_init1")
        defer { close(watcher) }
        try check(inotify_add_watch(watcher, folder(of: path), UInt32(IN_MOVED_TO)), "inotify_add_watch")
        var events = [UInt8](repeating: 0, count: 4096)
        var bytes = [UInt8](repeating: 0, count: try Data(contentsOf: URL(fileURLWithPath: path)).count)
        try receive(0)
        while true {
            try check(read(watcher, &events, events.count), "read")
            let descriptor = try check(open(path, O_RDONLY | O_CLOEXEC), "open")
            defer { close(descriptor) }
            try check(read(descriptor, &bytes, bytes.count), "read")
            try receive(bytes.withUnsafeBytes { $0.loadUnaligned(as: Int.self) })
        }
    }

    private static func folder(of path: String) -> String {
        URL(fileURLWithPath: path).deletingLastPathComponent().path
    }
}

@discardableResult
func check<Result: SignedInteger>(_ result: Result, _ call: String) throws -> Result {
    if result < 0 { throw BenchmarkFailure("\(call): \(String(cString: strerror(errno)))") }
    return result
}
