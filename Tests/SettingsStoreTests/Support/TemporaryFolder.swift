import Foundation
import ProgramHarness
import PropertyList
import SettingsStoreTesting

@testable import SettingsStore

extension TemporaryFolder {
    /// The path of a suite's file in the folder.
    var suitePath: String { file("suite.plist") }

    /// The values in a file.
    func values(at path: String? = nil) throws -> [String: PropertyListValue] {
        let data = try Data(contentsOf: URL(fileURLWithPath: path ?? suitePath))
        return [String: PropertyListValue](try PropertyListDocument.read(Array(data)).values)
    }

    /// Writes a suite's file as a program without locks does: it truncates the file and writes it in place.
    func write(_ values: [String: PropertyListValue], to path: String? = nil) throws {
        try write(bytes: PropertyListValue.dictionary(values).encoded(as: .xml), to: path)
    }

    /// Writes the suite's file in place and sets its modification time back.
    func writeKeepingTime(_ values: [String: PropertyListValue]) throws {
        var old = stat()
        guard stat(suitePath, &old) == 0 else { throw CocoaError(.fileReadUnknown) }
        try write(values)
        guard utimensat(AT_FDCWD, suitePath, [old.st_atim, old.st_mtim], 0) == 0 else {
            throw CocoaError(.fileWriteUnknown)
        }
    }

    func write(bytes: [UInt8], to path: String? = nil) throws {
        let descriptor = open(path ?? suitePath, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        defer { close(descriptor) }
        guard descriptor >= 0, Glibc.write(descriptor, bytes, bytes.count) == bytes.count else {
            throw CocoaError(.fileWriteUnknown)
        }
    }

    func link(_ name: String, to target: String) throws {
        try FileManager.default.createSymbolicLink(atPath: file(name), withDestinationPath: target)
    }

    func target(ofLink name: String) -> String? {
        try? FileManager.default.destinationOfSymbolicLink(atPath: file(name))
    }

    func makeFolder(_ name: String) throws {
        try FileManager.default.createDirectory(atPath: file(name), withIntermediateDirectories: true)
    }

    func remove(_ name: String) throws { try FileManager.default.removeItem(atPath: file(name)) }

    /// Renames a file over another one in one step, without removing the other one first.
    func rename(_ old: String, to new: String) throws {
        guard Glibc.rename(file(old), file(new)) == 0 else { throw CocoaError(.fileWriteUnknown) }
    }
}

extension PropertyListValue {
    /// The number in an integer value.
    var number: Int? { if case .integer(let integer) = self { Int(exactly: integer) } else { nil } }

    init(_ number: Int) { self = .integer(PropertyListInteger(number)) }
}

/// A suite without threads of its own. The test decides when it stores.
func makeSuite(_ path: String, files: any FileSystem = LiveFileSystem()) -> SettingsSuite {
    SettingsSuite(FileStorage(path: path, files: files), scheduler: ManualScheduler())
}

extension SettingsSuite {
    /// Loses the pending changes, as a process that is killed does. Otherwise the end of the tests would store them.
    func losePendingChanges() { ExitFlush.shared.remove(core) }
}
