import Foundation
import ProgramHarness
import PropertyList
import SettingsStore
import SettingsStoreTesting
import Testing

/// The situation before a commit.
enum Setting: String, CaseIterable {
    case file, noFile, noFolder, linkedFile, othersWroteMeanwhile, leftoverOfAKilledWriter
    /// The storage has released its cache.
    case restingFile, othersWroteWhileItRested
    /// The new file has a name from the start, or gets it only at the second attempt.
    case namedAtOnce, namedAfterAll
    /// An unlocked writer has just written the file, so the commit has a second look.
    case contested

    /// The file system that the faulty one calls.
    var files: any FileSystem {
        switch self {
        case .namedAtOnce: InterferingFileSystem.aWhileLater(unnamedRefusal: EOPNOTSUPP)
        case .namedAfterAll: InterferingFileSystem.aWhileLater(linkRefusal: ENOENT)
        case .contested: InterferingFileSystem.withStoppedClock()
        default: InterferingFileSystem.aWhileLater()
        }
    }

    var rests: Bool { self == .restingFile || self == .othersWroteWhileItRested }

    /// The storage of a file in this situation.
    func storage(_ path: String, _ files: FaultyFileSystem) -> FileStorage {
        var storage = FileStorage(path: path, files: files)
        if rests { storage.largeFileSize = 0 }
        return storage
    }
}

@Suite("If any system call fails, the path has the complete old file or the complete new one")
struct CommitFaultTests {
    /// Every setting with every error in the long form. The short form has every setting and every error, but not each
    /// pair.
    static func pairs(_ errors: [Int32]) -> [(setting: Setting, error: Int32)] {
        let settings = Setting.allCases
        if isLong { return settings.flatMap { setting in errors.map { (setting, $0) } } }
        return (0..<max(settings.count, errors.count)).map {
            (settings[$0 % settings.count], errors[$0 % errors.count])
        }
    }

    @Test(
        "One call fails and the next commit succeeds",
        arguments: pairs([ENOSPC, EIO, EROFS, EDQUOT, EINTR, EACCES, ENOENT])
    )
    func once(_ setting: Setting, _ error: Int32) throws {
        try failEveryCall(setting) { .once(call: $0, error) }
    }

    @Test("A call and every later writing call fail", arguments: pairs([ENOSPC, EROFS]))
    func from(_ setting: Setting, _ error: Int32) throws {
        try failEveryCall(setting) { .from(call: $0, error) }
    }

    private func failEveryCall(_ setting: Setting, _ fault: (Int) -> FaultyFileSystem.Fault) throws {
        var call = 1
        while try fail(setting, fault(call)) { call += 1 }
        // Fewer would mean that the commit was not tested.
        #expect(call > 15)
    }

    /// Whether the fault happened.
    private func fail(_ setting: Setting, _ fault: FaultyFileSystem.Fault) throws -> Bool {
        let folder = try TemporaryFolder()
        let place = try Place(setting, in: folder)
        let files = FaultyFileSystem(setting.files)
        let suite = SettingsSuite(setting.storage(place.path, files), scheduler: ManualScheduler())
        #expect(suite.storedValues == place.loaded)
        try place.writeMeanwhile()

        suite.set("new", forKey: "changed")
        suite.set(nil, forKey: "removed")
        suite.set("new", forKey: "added")
        files.inject(fault)
        var failure: SettingsError?
        do throws(SettingsError) { try suite.synchronize() } catch { failure = error }
        let isAcknowledged = failure == nil
        let hasFailed = files.hasFailed
        files.inject(nil)

        // A power cut would leave the file as it is now.
        let values = try place.values()
        #expect(values == place.new || (!isAcknowledged && values == place.old), "\(fault): \(values)")
        if let failure, values == place.new { #expect("\(failure)".contains("change is in the file")) }
        #expect(files.openDescriptors.isEmpty, "\(fault)")
        #expect(suite.value(forKey: "changed") == "new")
        #expect(suite.value(forKey: "removed") == nil)
        #expect(isAcknowledged ? suite.status.pendingKeys == 0 : suite.status.pendingKeys == 3)

        try suite.synchronize()
        #expect(try place.values() == place.new, "\(fault)")
        #expect(suite.storedValues == place.new, "\(fault)")
        #expect(suite.status.pendingKeys == 0)
        #expect(files.openDescriptors.isEmpty)
        // The next write removes an old file that could not be removed.
        suite.set("newer", forKey: "added")
        try suite.synchronize()
        #expect(try !folder.names.contains(".pdefaults.new"), "\(fault)")
        return hasFailed
    }

    private struct Place {
        let setting: Setting
        let folder: TemporaryFolder
        let path: String
        let loaded: [String: PropertyListValue]
        /// The content of the file before the commit; nil if it does not exist.
        let old: [String: PropertyListValue]?
        let new: [String: PropertyListValue]

        init(_ setting: Setting, in folder: TemporaryFolder) throws {
            self.setting = setting
            self.folder = folder
            path = setting == .noFolder ? folder.file("x/y/suite.plist") : folder.suitePath
            let first: [String: PropertyListValue] = ["kept": 1, "changed": "old", "removed": true]
            switch setting {
            case .noFile, .noFolder:
                loaded = [:]
                old = nil
                new = ["changed": "new", "added": "new"]
                return
            case .othersWroteMeanwhile, .othersWroteWhileItRested:
                old = first.merging(["others": 1]) { $1 }
                new = ["kept": 1, "changed": "new", "added": "new", "others": 1]
            case .linkedFile:
                try folder.makeFolder("real")
                try folder.link("suite.plist", to: "real/target.plist")
                fallthrough
            default:
                old = first
                new = ["kept": 1, "changed": "new", "added": "new"]
            }
            loaded = first
            try folder.write(first)
            if setting == .leftoverOfAKilledWriter {
                try folder.write(bytes: [1, 2, 3], to: folder.file(".pdefaults.new"))
            }
        }

        func writeMeanwhile() throws {
            guard [.othersWroteMeanwhile, .othersWroteWhileItRested].contains(setting), let old else {
                return
            }
            try folder.write(old)
        }

        func values() throws -> [String: PropertyListValue]? {
            FileManager.default.fileExists(atPath: path) ? try folder.values(at: path) : nil
        }
    }

    @Test("A call that a signal interrupts is repeated", arguments: Setting.allCases)
    func interrupted(_ setting: Setting) throws {
        let repeatable: Set<String> = ["open", "openat", "read", "write", "flock"]
        var seen: Set<String> = []
        var call = 0
        var hasFailed = true
        while hasFailed {
            call += 1
            let folder = try TemporaryFolder()
            let place = try Place(setting, in: folder)
            let files = FaultyFileSystem(setting.files)
            let suite = SettingsSuite(setting.storage(place.path, files), scheduler: ManualScheduler())
            _ = suite.storedValues
            try place.writeMeanwhile()
            suite.set("new", forKey: "changed")
            files.inject(.once(call: call, EINTR))
            let isStored = (try? suite.synchronize()) != nil
            hasFailed = files.hasFailed
            let name = files.calls.filter { $0.name != "close" }.dropFirst(call - 1).first?.name ?? ""
            if hasFailed, repeatable.contains(name) {
                seen.insert(name)
                #expect(isStored, "\(name), call \(call)")
                #expect(try place.values()?["changed"] == "new")
            }
            files.inject(nil)
            try suite.synchronize()
        }
        // A missing file is not read.
        #expect(seen.isSuperset(of: ["open", "openat", "write", "flock"]))
    }

    @Test("A system that writes no byte at all is an error, and the write is not repeated forever")
    func noByte() throws {
        let folder = try TemporaryFolder()
        let files = FaultyFileSystem()
        let suite = makeSuite(folder.suitePath, files: files)
        _ = suite.storedValues
        suite.set(1, forKey: "a")
        files.inject(.short(0))
        #expect(throws: SettingsError.self) { try suite.synchronize() }
        #expect(try folder.names.isEmpty)
        files.inject(nil)
        try suite.synchronize()
        #expect(try folder.values() == ["a": 1])
    }

    @Test("A commit succeeds only after the new file and its name are on the disk")
    func order() throws {
        let folder = try TemporaryFolder()
        try folder.write(["a": 1])
        let files = FaultyFileSystem()
        let suite = makeSuite(folder.suitePath, files: files)
        _ = suite.storedValues
        suite.set(2, forKey: "a")
        files.inject(nil)
        try suite.synchronize()
        let steps = files.calls.filter { ["write", "fsync", "rename", "mkdir"].contains($0.name) }
        // The unchanged parts of the file and the new ones are written one after the other.
        let writes = steps.prefix { $0.name == "write" }
        let others = Array(steps.dropFirst(writes.count))
        #expect(!writes.isEmpty)
        #expect(others.map(\.name) == ["fsync", "rename", "fsync"])
        #expect(writes.allSatisfy { $0.descriptor == others[0].descriptor })
        #expect(others[1].descriptor == others[2].descriptor)
        #expect(others[0].descriptor != others[2].descriptor)
    }

    @Test("A file in an unreadable folder is reported as read-only before any write")
    func closedFolder() throws {
        let folder = try TemporaryFolder()
        let files = FaultyFileSystem()
        let storage = Setting.file.storage(folder.path + "/suite.plist", files)
        #expect(storage.readOnlyReason() == nil)
        for call in 1...2 {
            files.inject(.once(call: call, EACCES))
            #expect(storage.readOnlyReason() == "you may not read the folder")
        }
    }

    @Test("A new folder is durable before a commit succeeds")
    func madeFolders() throws {
        let folder = try TemporaryFolder()
        let files = FaultyFileSystem()
        let path = folder.file("x/y/suite.plist")
        let suite = makeSuite(path, files: files)
        suite.set(2, forKey: "a")
        files.inject(nil)
        try suite.synchronize()
        // The parents of the two folders, the file, and the folder of the file.
        #expect(files.calls.count { $0.name == "fsync" } == 4)
    }

    @Test(
        "A foreign value that is set again to the same value is made durable before the commit succeeds"
    )
    func sameValue() throws {
        let folder = try TemporaryFolder()
        try folder.write(["a": 1])
        let files = FaultyFileSystem()
        let suite = makeSuite(folder.suitePath, files: files)
        _ = suite.storedValues
        for fsyncs in [2, 0] {
            suite.set(1, forKey: "a")
            files.inject(nil)
            try suite.synchronize()
            #expect(files.calls.count { $0.name == "fsync" } == fsyncs)
            #expect(files.calls.count { $0.name == "write" } == 0)
        }
    }

    @Test("After a failed fsync the file is written again, because the system reports the failure only once")
    func unconfirmed() throws {
        let folder = try TemporaryFolder()
        try folder.write(["a": 1])
        let files = FaultyFileSystem()
        let suite = makeSuite(folder.suitePath, files: files)
        _ = suite.storedValues
        // The second and the third commit find the file as the one before has written it.
        for value: PropertyListValue in [2, 3] {
            suite.set(value, forKey: "a")
            files.inject(nil)
            try suite.synchronize()
        }
        let canFail = files.calls.filter { $0.name != "close" }
        let last = canFail.lastIndex { $0.name == "fsync" } ?? 0
        suite.set(4, forKey: "a")
        files.inject(.once(call: last + 1, EIO))
        #expect(throws: SettingsError.self) { try suite.synchronize() }
        #expect(try folder.values() == ["a": 4])
        files.inject(nil)
        try suite.synchronize()
        #expect(files.calls.count { $0.name == "write" } == 1)
        #expect(files.calls.count { $0.name == "fsync" } == 2)
    }

    @Test("A file that was just written is not read again, unless another process wrote it at the same time")
    func ownFile() throws {
        let folder = try TemporaryFolder()
        try folder.write(["a": 1])
        let files = FaultyFileSystem()
        let suite = makeSuite(folder.suitePath, files: files)
        suite.set(2, forKey: "a")
        try suite.synchronize()
        files.inject(nil)
        try suite.synchronize()
        #expect(files.calls.count { $0.name == "read" } == 0)

        for other: PropertyListValue in [3, 4, 5, 6, 7, 8, 9] {
            suite.set(2, forKey: "a")
            try suite.synchronize()
            // In place, with the same size, and within one tick of the kernel.
            try folder.write(["a": other])
            try suite.synchronize()
            #expect(suite.value(forKey: "a") == other)
        }
    }
}
