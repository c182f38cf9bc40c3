import Foundation
import Synchronization

/// A temporary folder of one test. It is deleted with this object, and once more at the end of the tests.
///
/// The second time is for a suite that stores a value in the background and makes the folder again. It is also for an object
/// that is never released, because a suite holds it whose scheduler has work left.
public final class TemporaryFolder: Sendable {
    /// All folders of this process.
    private static let paths = Mutex<[String]>([])
    private static let removesAtExit: Void = {
        _ = atexit { for path in TemporaryFolder.paths.withLock({ $0 }) { TemporaryFolder.remove(path) } }
    }()

    public let path: String

    /// - Parameter file: The file of the test. The folder's name contains it, so that a leftover shows its origin.
    public init(_ file: StaticString = #fileID) throws {
        let test = URL(fileURLWithPath: "\(file)").deletingPathExtension().lastPathComponent
        let url = FileManager.default.temporaryDirectory.appendingPathComponent(
            "\(test)-\(UUID().uuidString)"
        )
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: false)
        // Messages name the folder without the symbolic links that may lead to it.
        let path = url.resolvingSymlinksInPath().path
        self.path = path
        Self.removesAtExit
        Self.paths.withLock { $0.append(path) }
    }

    deinit { Self.remove(path) }

    private static func remove(_ path: String) { try? FileManager.default.removeItem(atPath: path) }

    /// Returns the path of a file in the folder.
    public func file(_ name: String) -> String { path + "/" + name }

    public func write(_ text: String, to name: String) throws {
        try Data(text.utf8).write(to: URL(fileURLWithPath: file(name)))
    }

    public func bytes(of name: String) throws -> Data {
        try Data(contentsOf: URL(fileURLWithPath: file(name)))
    }

    public var names: [String] {
        get throws { try FileManager.default.contentsOfDirectory(atPath: path).sorted() }
    }
}

/// Whether every user can enter the temporary folder. Root's home folder, for example, is private.
public let isTemporaryFolderOpen: Bool = {
    var url = FileManager.default.temporaryDirectory.resolvingSymlinksInPath()
    while true {
        var status = stat()
        guard stat(url.path, &status) == 0, status.st_mode & S_IXOTH != 0 else { return false }
        if url.path == "/" { return true }
        url.deleteLastPathComponent()
    }
}()
