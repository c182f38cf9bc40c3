import Foundation
import ProgramHarness
import PropertyList
import SettingsStore
import SettingsStoreTesting
import Testing

/// A small file system for one test.
private final class SmallDisk {
    static let canMount: Bool = (try? SmallDisk()) != nil

    private let folder: TemporaryFolder
    var path: String { folder.path }

    init(kilobytes: Int = 256) throws {
        folder = try TemporaryFolder()
        guard mount("tmpfs", folder.path, "tmpfs", 0, "size=\(kilobytes)k") == 0 else {
            throw HarnessError("mount: \(String(cString: strerror(errno)))")
        }
    }

    // MNT_DETACH, a macro that Swift does not import.
    deinit { umount2(folder.path, 2) }

    func fill() {
        let descriptor = open(path + "/filler", O_WRONLY | O_CREAT | O_APPEND, 0o600)
        let bytes = [UInt8](repeating: 1, count: 4_096)
        while write(descriptor, bytes, bytes.count) > 0 {}
        close(descriptor)
    }

    func empty() throws { try FileManager.default.removeItem(atPath: path + "/filler") }

    /// Makes it read-only, as the system does with a disk that has errors, or writable again.
    func setReadOnly(_ isReadOnly: Bool) throws {
        // MS_REMOUNT and MS_RDONLY, macros that Swift does not import.
        guard mount("tmpfs", path, "tmpfs", 32 | (isReadOnly ? 1 : 0), nil) == 0 else {
            throw HarnessError("mount: \(String(cString: strerror(errno)))")
        }
    }
}

@Suite("Suites on a disk of their own", .enabled(if: SmallDisk.canMount, "needs the right to mount a tmpfs"))
struct DiskTests {
    @Test(
        "Where it is full, the old file stays whole, the changes stay pending and are stored when there is room"
    )
    func full() throws {
        let disk = try SmallDisk()
        let folder = try TemporaryFolder()
        let path = disk.path + "/suite.plist"
        let old = Dictionary(uniqueKeysWithValues: (0..<200).map { ("key \($0)", PropertyListValue($0)) })
        try folder.write(old, to: path)
        let suite = makeSuite(path)
        #expect(suite.storedValues == old)
        disk.fill()
        suite.set("new", forKey: "new")
        let error = #expect(throws: SettingsError.self) { try suite.synchronize() }
        #expect(error?.description.contains("No space left on device") == true)
        #expect(try folder.values(at: path) == old)
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: disk.path).sorted() == [
                "filler", "suite.plist",
            ]
        )
        try disk.empty()
        try suite.synchronize()
        #expect(try folder.values(at: path) == old.merging(["new": "new"]) { $1 })
    }

    @Test("Eight processes that set different keys while the disk is full lose none of them")
    func manyWriters() throws {
        // For a moment the disk has both the old and the new file.
        let count = isLong ? 1_000 : 25
        let disk = try SmallDisk(kilobytes: isLong ? 4_096 : 256)
        let folder = try TemporaryFolder()
        let path = disk.path + "/suite.plist"
        try folder.write(["kept": 1], to: path)
        disk.fill()
        let writer = try builtProgram(named: "StoreWriter")
        let processes = try (0..<8).map {
            try RunningProgram(writer, ["insist", path, "writer \($0)", "\(count)"])
        }
        for process in processes {
            #expect(try eventually { try process.output.hasPrefix("refused\n") })
        }
        #expect(try folder.values(at: path) == ["kept": 1])
        func areDone() throws -> Bool { try processes.allSatisfy { try $0.output.contains("done") } }
        for _ in 0..<3 {
            try disk.empty()
            // Some of the writes succeed before the disk is full again.
            let stored = try folder.values(at: path).count
            #expect(
                try eventually {
                    try folder.values(at: path).count > stored || areDone()
                }
            )
            disk.fill()
        }
        try disk.empty()
        for process in processes {
            let result = try process.end()
            #expect(result.ending == .exit(0), "\(result.errors)")
        }
        let values = try folder.values(at: path)
        #expect(values.count == 8 * count + 1)
        for writer in 0..<8 {
            for index in 1...count { #expect(values["writer \(writer)/\(index)"]?.number == index) }
        }
    }

    @Test("On a disk that becomes read-only, writes fail and changes stay pending")
    func readOnly() throws {
        let disk = try SmallDisk()
        let folder = try TemporaryFolder()
        let path = disk.path + "/suite.plist"
        try folder.write(["a": 1], to: path)
        let suite = makeSuite(path)
        #expect(suite.status.readOnlyReason == nil)
        try disk.setReadOnly(true)
        suite.set(2, forKey: "a")
        let error = #expect(throws: SettingsError.self) { try suite.synchronize() }
        guard case .notWritable(path, _)? = error else {
            Issue.record("threw \(String(describing: error))")
            return
        }
        #expect(makeSuite(path).status.readOnlyReason?.contains("mounted read-only") == true)
        #expect(suite.status.pendingKeys == 1)
        #expect(try folder.values(at: path) == ["a": 1])
        try disk.setReadOnly(false)
        try suite.synchronize()
        #expect(try folder.values(at: path) == ["a": 2])
    }
}
