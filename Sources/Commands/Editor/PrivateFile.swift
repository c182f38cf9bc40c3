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
        var pattern = Array((parent + "/pdefaults-XXXXXX").utf8CString)
        guard mkdtemp(&pattern) != nil else {
            throw CommandError("Could not create a folder in \(parent): \(String(cString: strerror(errno)))")
        }
        folder = String(decoding: pattern.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
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
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw failure("written") }
            rest = rest.dropFirst(count)
        }
    }

    func read() throws -> [UInt8] {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw failure("read") }
        defer { close(descriptor) }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = Glibc.read(descriptor, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw failure("read") }
            if count == 0 { return bytes }
            bytes += buffer[..<count]
        }
    }

    private func failure(_ verb: String) -> CommandError {
        CommandError("\(path) could not be \(verb): \(String(cString: strerror(errno)))")
    }
}

/// Quotes a word for the shell.
func shellWord(_ word: String) -> String { "'" + word.replacing("'", with: "'\\''") + "'" }
