import Glibc
import Synchronization

/// A file in a private folder. Both are deleted with this object, unless ``keep()`` was called.
final class PrivateFile: Sendable {
    let path: String
    private let folder: String
    private let isKept = Atomic(false)

    /// Creates the file.
    ///
    /// - Parameter name: The file's name. Its extension tells editors the type of the content.
    init(named name: String, holding bytes: [UInt8]) throws {
        let parent = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
        folder = try makePrivateFolder(parent + "/pdefaults-")
        path = folder + "/" + name
        try write(bytes)
    }

    deinit {
        if isKept.load(ordering: .relaxed) { return }
        unlink(path)
        rmdir(folder)
    }

    func keep() { isKept.store(true, ordering: .relaxed) }

    func write(_ bytes: [UInt8]) throws {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw failure("written") }
        defer { close(descriptor) }
        guard writeAll(descriptor, bytes) else { throw failure("written") }
    }

    func read() throws -> [UInt8] {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw failure("read") }
        defer { close(descriptor) }
        return try readAll(descriptor, path)
    }

    private func failure(_ verb: String) -> CommandError {
        CommandError("\(path) could not be \(verb): \(lastSystemError())")
    }
}
