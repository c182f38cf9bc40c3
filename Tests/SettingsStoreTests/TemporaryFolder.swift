import Foundation
import PropertyList
import SettingsStore

/// A folder of a test's own, removed with all that is in it when nobody holds it any more.
final class TemporaryFolder: Sendable {
    let path: String

    init(in parent: String = NSTemporaryDirectory()) throws {
        let parent = URL(fileURLWithPath: parent).resolvingSymlinksInPath().path
        path = parent + "/store-test-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    /// The path of a suite's file in it.
    var suitePath: String { path + "/suite.plist" }

    /// The values that a file has now.
    func values(at path: String? = nil) throws -> [String: PropertyListValue] {
        let data = try Data(contentsOf: URL(fileURLWithPath: path ?? suitePath))
        return try PropertyListDocument.read(Array(data)).values
    }

    /// Writes a suite's file as a program without locks does: truncated and written in place.
    func write(_ values: [String: PropertyListValue], to path: String? = nil) throws {
        try write(bytes: PropertyListValue.dictionary(values).encoded(as: .xml), to: path)
    }

    func write(bytes: [UInt8], to path: String? = nil) throws {
        let path = path ?? suitePath
        let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw CocoaError(.fileWriteUnknown) }
        let written = Glibc.write(descriptor, bytes, bytes.count)
        close(descriptor)
        guard written == bytes.count else { throw CocoaError(.fileWriteUnknown) }
    }

    var names: [String] { get throws { try FileManager.default.contentsOfDirectory(atPath: path).sorted() } }
}

extension PropertyListValue {
    /// The number in an integer.
    var number: Int? { if case .integer(let integer) = self { Int(exactly: integer) } else { nil } }
}
