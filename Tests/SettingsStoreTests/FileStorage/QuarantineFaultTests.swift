import Foundation
import ProgramHarness
import PropertyList
import SettingsStoreTesting
import Testing

@testable import SettingsStore

@Suite("An unreadable value is never overwritten before it is in quarantine, whichever system call fails")
struct QuarantineFaultTests {
    private static let errors: [Int32] = [ENOSPC, EIO, EROFS, EDQUOT, EINTR, EACCES, ENOENT]

    /// The values in quarantine.
    enum Setting: CaseIterable {
        case nothing
        /// In quarantine are another value, the same value, and the leftover of a writer that was killed.
        case others
    }

    private static let unreadable: [String: PropertyListValue] = ["a": "many", "b": [1]]
    private static let old = unreadable.merging(["c": "theirs"]) { $1 }
    private static let new: [String: PropertyListValue] = ["a": 2, "c": "theirs"]

    @Test("One call fails", arguments: Setting.allCases, errors)
    func once(_ setting: Setting, _ error: Int32) throws {
        try failEveryCall(setting) { .once(call: $0, error) }
    }

    @Test(
        "A call and every later writing call fail, as on a full disk",
        arguments: Setting.allCases,
        [ENOSPC, EDQUOT, EROFS]
    )
    func from(_ setting: Setting, _ error: Int32) throws {
        try failEveryCall(setting) { .from(call: $0, error) }
    }

    private func failEveryCall(_ setting: Setting, _ fault: (Int) -> FaultyFileSystem.Fault) throws {
        var call = 1
        while try fail(setting, fault(call)) { call += 1 }
        // With fewer calls, the quarantine would not have been tested.
        #expect(call > 40)
    }

    /// Whether the fault happened.
    private func fail(_ setting: Setting, _ fault: FaultyFileSystem.Fault) throws -> Bool {
        let place = try Place(setting)
        let files = FaultyFileSystem(InterferingFileSystem.aWhileLater())
        let suite = place.suite(files)
        suite.set(2, forKey: "a")
        suite.set(nil, forKey: "b")
        files.inject(fault)
        let isAcknowledged = (try? suite.synchronize()) != nil
        let hasFailed = files.hasFailed
        files.inject(nil)

        let stored = try place.values()
        #expect(stored == Self.new || (!isAcknowledged && stored == Self.old), "\(fault): \(stored)")
        let kept = try place.kept()
        for (key, value) in Self.unreadable where stored[key] != value {
            #expect(kept.contains([key: value]), "\(fault)")
        }
        #expect(files.openDescriptors.isEmpty, "\(fault)")
        #expect(suite.storedValues == Self.new, "\(fault)")
        #expect(suite.status.pendingKeys == (isAcknowledged ? 0 : 2), "\(fault)")

        try suite.synchronize()
        #expect(try place.values() == Self.new, "\(fault)")
        #expect(try place.kept() == place.toBeKept, "\(fault)")
        #expect(files.openDescriptors.isEmpty)
        // The next write removes an old file that could not be removed.
        suite.set(3, forKey: "a")
        try suite.synchronize()
        #expect(try place.leftovers().isEmpty, "\(fault)")
        return hasFailed
    }

    @Test("A value in quarantine is durable, with its name, before the new file replaces the old one")
    func order() throws {
        let place = try Place(.nothing)
        let files = FaultyFileSystem(InterferingFileSystem.aWhileLater())
        let suite = place.suite(files)
        suite.set(2, forKey: "a")
        suite.set(nil, forKey: "b")
        files.inject(nil)
        try suite.synchronize()
        let calls = files.calls
        let replacing = try #require(calls.lastIndex { $0.name == "rename" })
        // Each of the two values is written to a file of its own, which is then renamed.
        #expect(calls[..<replacing].count { $0.name == "rename" } == 2)
        for (index, call) in calls[..<replacing].enumerated() {
            guard ["write", "rename"].contains(call.name) else { continue }
            let later = calls[index..<replacing].filter { $0.descriptor == call.descriptor }
            #expect(later.prefix { $0.name != "close" }.contains { $0.name == "fsync" })
        }
    }

    /// A suite with unreadable values, and its quarantine.
    private struct Place {
        let folder: TemporaryFolder
        let path: String
        let keptFolder: String
        let toBeKept: Set<[String: PropertyListValue]>

        init(_ setting: Setting) throws {
            folder = try TemporaryFolder()
            path = folder.file("app.plist")
            keptFolder = folder.file(".pdefaults/app")
            try folder.write(QuarantineFaultTests.old, to: path)
            let each = QuarantineFaultTests.unreadable.map { [$0: $1] }
            guard setting == .others else {
                toBeKept = Set(each)
                return
            }
            try folder.makeFolder(".pdefaults/app")
            try folder.write(["a": "few"], to: keptFolder + "/20240501T102030Z-000-a.plist")
            try folder.write(["b": [1]], to: keptFolder + "/20240501T102030Z-001-b.plist")
            try folder.write(bytes: [1, 2, 3], to: keptFolder + "/.new")
            toBeKept = Set(each + [["a": "few"]])
        }

        /// The suite after it was read by a program that could not read two values.
        func suite(_ files: FaultyFileSystem) -> SettingsSuite {
            let suite = makeSuite(path, files: files)
            #expect(suite.storedValues == QuarantineFaultTests.old)
            for (key, value) in QuarantineFaultTests.unreadable { suite.noteUnreadable(value, forKey: key) }
            return suite
        }

        func values() throws -> [String: PropertyListValue] { try folder.values(at: path) }

        private func names() throws -> [String] {
            guard FileManager.default.fileExists(atPath: keptFolder) else { return [] }
            return try FileManager.default.contentsOfDirectory(atPath: keptFolder)
        }

        /// The values in quarantine: whole values, each of them once.
        func kept() throws -> Set<[String: PropertyListValue]> {
            let all = try names().filter { !$0.hasPrefix(".") }.map {
                try folder.values(at: keptFolder + "/" + $0)
            }
            #expect(Set(all).count == all.count)
            return Set(all)
        }

        func leftovers() throws -> [String] {
            try names().filter { $0.hasPrefix(".") } + folder.names.filter { $0 == ".pdefaults.new" }
        }
    }
}

@Suite("Unreadable values are kept in a private folder only")
struct KeptValuePlaceTests {
    let folder: TemporaryFolder
    let path: String

    init() throws {
        folder = try TemporaryFolder()
        path = folder.file("app.plist")
        try folder.write(["a": "secret"], to: path)
    }

    /// Overwrites a value that the program can't read.
    private func overwrite() throws {
        let suite = makeSuite(path)
        suite.noteUnreadable("secret", forKey: "a")
        suite.set(2, forKey: "a")
        defer { suite.set(nil, forKey: "a") }
        try suite.synchronize()
    }

    private func refusal() throws -> String {
        let error = #expect(throws: SettingsError.self) { try overwrite() }
        #expect(try folder.values(at: path) == ["a": "secret"])
        return error.map { "\($0)" } ?? ""
    }

    @Test(
        "The store does not follow a symbolic link in the folder's place",
        arguments: [".pdefaults", ".pdefaults/app"]
    )
    func link(_ name: String) throws {
        try folder.makeFolder("elsewhere")
        if name.contains("/") { try folder.makeFolder(".pdefaults") }
        try folder.link(name, to: folder.file("elsewhere"))
        let words = try refusal()
        #expect(
            words.contains("\(folder.file(name)): it is a symbolic link; remove it, and write again"),
            "\(words)"
        )
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.file("elsewhere")).isEmpty)
        try folder.remove(name)
        try overwrite()
    }

    @Test("The store does not use another user's folder", .enabled(if: geteuid() == 0, "needs root"))
    func otherUser() throws {
        try folder.makeFolder(".pdefaults")
        chown(folder.file(".pdefaults"), 65_534, 65_534)
        let words = try refusal()
        #expect(words.contains("\(folder.file(".pdefaults")): another user owns this folder"), "\(words)")
        // The owner of the suite may see its values.
        chown(path, 65_534, 65_534)
        try overwrite()
        for name in [".pdefaults/app"] {
            #expect(try LiveFileSystem().stat(folder.file(name))?.owner == 65_534)
        }
    }

    @Test(
        "Only the owner can read the folder and the values in it, even if everyone can read the suite",
        arguments: [0o600, 0o644, 0o666]
    )
    func modes(_ mode: mode_t) throws {
        chmod(path, mode)
        try overwrite()
        let files = LiveFileSystem()
        for name in [".pdefaults", ".pdefaults/app"] {
            #expect(try files.stat(folder.file(name))?.mode == 0o700)
        }
        for name in try files.names(in: folder.file(".pdefaults/app")) {
            #expect(try files.stat(folder.file(".pdefaults/app/" + name))?.mode == 0o600)
        }
        #expect(try QuarantinedValues.files(besideSuite: path).count == 1)
    }
}
