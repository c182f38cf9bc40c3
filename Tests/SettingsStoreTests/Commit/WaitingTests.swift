import Dispatch
import Foundation
import ProgramHarness
import PropertyList
import SettingsStore
import SettingsStoreTesting
import Testing

/// A folder that another process has locked, and a suite whose commit waits for it.
private struct LockedOut {
    let folder: TemporaryFolder
    let suite: SettingsSuite
    private let other: Int32

    init(_ values: [String: PropertyListValue]? = nil) throws {
        folder = try TemporaryFolder()
        if let values { try folder.write(values) }
        other = open(folder.path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        #expect(flock(other, LOCK_EX) == 0)
        let files = InterferingFileSystem()
        suite = SettingsSuite(FileStorage(path: folder.suitePath, files: files, watcher: FolderWatcher()))
        let begins = DispatchSemaphore(value: 0)
        let end = end
        files.interfere(before: .flock) {
            begins.signal()
            end.wait()
            end.signal()
        }
        begun = begins
    }

    private let begun: DispatchSemaphore
    private let end = DispatchSemaphore(value: 0)

    /// Returns when a commit waits for the lock.
    func waitForCommit() { begun.wait() }

    /// The other process releases its lock.
    func unlock() {
        close(other)
        end.signal()
    }
}

@Suite("While a commit waits for another process's lock")
struct WaitingTests {
    @Test("only calls that store wait")
    func calls() throws {
        let place = try LockedOut(["a": 1, "theirs": 1])
        let suite = place.suite
        suite.set(5, forKey: "a")
        place.waitForCommit()
        let calls: [(String, @Sendable () -> Void)] = [
            ("value", { #expect(suite.value(forKey: "a") == 5) }),
            ("storedValues", { #expect(suite.storedValues == ["a": 5, "theirs": 1]) }),
            ("status", { #expect(suite.status.pendingKeys == 1) }),
            ("set", { suite.set(6, forKey: "a") }),
            ("set several", { suite.set(["b": 1, "c": 1]) }),
            ("register", { suite.register(["d": 1]) }),
            ("refusal", { #expect(suite.refusal(of: "\u{1B}", forKey: "a") != nil) }),
            ("observe", { suite.observe("a") { _ in }.observation.cancel() }),
            ("observe lazily", { suite.observeLazily("a") { _ in }.observation.cancel() }),
            ("observe all", { suite.observe { _ in }.cancel() }),
            ("beginWatching", { suite.beginWatching() }),
            ("declare", { suite.declare(SettingDeclaration(.integer()), forKey: "a") }),
            ("validate", { try? suite.validate("text", forKey: "a") }),
            ("readSchema", { _ = try? suite.readSchema() }),
            ("move", { #expect(!suite.move(1, from: "theirs", to: "ours")) }),
            ("contentError", { #expect(suite.contentError == nil) }),
        ]
        for (name, call) in calls { mustReturn("\(name)", call) }
        place.unlock()
        try suite.synchronize()
        #expect(try place.folder.values() == ["a": 6, "b": 1, "c": 1, "ours": 1])
    }

    @Test("an observation begins, and gets foreign changes as soon as the lock is free")
    func observation() throws {
        let place = try LockedOut(["a": 1])
        place.suite.set(5, forKey: "mine")
        place.waitForCommit()
        let heard = Recorder<PropertyListValue?>()
        let (initial, observation) = place.suite.observe("a") { heard.note($0.new) }
        #expect(initial == 1)
        place.unlock()
        #expect(eventually { place.suite.status.watching == .events })
        try place.suite.synchronize()
        try place.folder.write(["a": 2, "mine": 5])
        #expect(eventually { heard.all == [2] })
        observation.cancel()
    }

    @Test("the first read does not wait, even if the suite was stored before it was read")
    func firstRead() throws {
        let place = try LockedOut(["a": 1])
        let suite = place.suite
        let isStored = DispatchSemaphore(value: 0)
        DispatchQueue(label: "synchronize").async {
            try? suite.synchronize()
            isStored.signal()
        }
        place.waitForCommit()
        mustReturn { _ = suite.value(forKey: "a") }
        #expect(suite.value(forKey: "a") == 1)
        place.unlock()
        isStored.wait()
    }

    @Test("a value under an old key is moved once the lock is free")
    func oldKey() throws {
        let folder = try TemporaryFolder()
        try folder.write(["old": 1])
        let other = open(folder.path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        #expect(flock(other, LOCK_EX) == 0)
        let files = InterferingFileSystem()
        let suite = makeSuite(folder.suitePath, files: files)
        _ = suite.move(1, from: "old", to: "new")
        #expect(files.paused == 0)
        #expect(suite.storedValues == ["old": 1])
        close(other)
        try suite.synchronize()
        #expect(try folder.values() == ["new": 1])
        #expect(suite.move(1, from: "new", to: "newer"))
        #expect(try folder.values() == ["newer": 1])
    }

    @Test("the old value is removed if the setting was set meanwhile")
    func oldKeySetMeanwhile() throws {
        let folder = try TemporaryFolder()
        try folder.write(["old": 1])
        let other = open(folder.path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        #expect(flock(other, LOCK_EX) == 0)
        let suite = makeSuite(folder.suitePath)
        #expect(!suite.move(1, from: "old", to: "new"))
        suite.set(2, forKey: "new")
        close(other)
        try suite.synchronize()
        #expect(try folder.values() == ["new": 2])
    }
}
