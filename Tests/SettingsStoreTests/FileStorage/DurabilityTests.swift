import Foundation
import ProgramHarness
import PropertyList
import SettingsStoreTesting
import Synchronization
import Testing

@testable import SettingsStore

/// The only tests that set the handler of the process.
@Suite("A file system that can't confirm that a file is on the disk", .serialized)
struct DurabilityTests {
    /// A file system where fsync(2) always fails with the same error, and which has its own device number.
    private final class Unconfirming: ForwardingFileSystem, @unchecked Sendable {
        private let number: Int32
        private let device: UInt64
        private let isFileRefused: Bool
        private let refusals = Atomic(0)

        init(_ number: Int32, device: UInt64, isFileRefused: Bool) {
            (self.number, self.device, self.isFileRefused) = (number, device, isFileRefused)
            super.init()
        }

        override func fsync(_ descriptor: Int32) throws(SystemError) {
            let isFolder = try fstat(descriptor, "").kind == .folder
            if isFolder || isFileRefused {
                refusals.add(1, ordering: .relaxed)
                throw SystemError("fsync", "", number)
            }
        }

        override func fstat(_ descriptor: Int32, _ path: String) throws(SystemError) -> FileInfo {
            var info = try super.fstat(descriptor, path)
            info.identity.device = device
            return info
        }

        override func stat(_ path: String) throws(SystemError) -> FileInfo? {
            var info = try super.stat(path)
            info?.identity.device = device
            return info
        }

        var count: Int { refusals.load(ordering: .relaxed) }
    }

    @Test(
        "Each write is stored once, and the missing guarantee is reported once for each file system",
        arguments: [(EINVAL, true), (EINVAL, false), (ENOTSUP, true), (ENOTSUP, false)]
    )
    func reported(_ number: Int32, _ isFileRefused: Bool) throws {
        let device = UInt64.random(in: 1 << 40..<1 << 50)
        let folder = try TemporaryFolder()
        let reports = Recorder<String>()
        let former = SettingsSuite.onFailure
        defer { SettingsSuite.onFailure = former }
        SettingsSuite.onFailure = { location, error in
            if case .notDurable = error, location.hasPrefix(folder.path) { reports.note(location) }
        }
        for name in ["first", "second"] {
            let files = Unconfirming(number, device: device, isFileRefused: isFileRefused)
            let path = folder.file("\(name).plist")
            let suite = makeSuite(path, files: files)
            for value: PropertyListValue in [1, 2] {
                suite.set(value, forKey: "a")
                try suite.synchronize()
                #expect(suite.status.pendingKeys == 0 && suite.status.storingError == nil)
                #expect(try folder.values(at: path) == ["a": value])
            }
            let count = files.count
            // Everything is confirmed now.
            try suite.synchronize()
            #expect(files.count == count && count > 0)
            try suite.remove(expecting: ["a": 2], origin: .set(by: nil))
        }
        #expect(eventually { !reports.all.isEmpty })
        #expect(reports.all == [folder.file("first.plist")])
        #expect(UnconfirmingFileSystems.problems.contains(.notDurable(path: folder.file("first.plist"))))
    }
}
