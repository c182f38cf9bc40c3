import Glibc
import ProgramHarness
import PropertyList
import SettingsStore
import SettingsStoreTesting
import Testing

@Suite("A write that failed stays pending and is retried")
struct RetryTests {
    let folder: TemporaryFolder
    let files = FaultyFileSystem()
    let scheduler = ManualScheduler()
    let suite: SettingsSuite

    init() throws {
        folder = try TemporaryFolder()
        try folder.write(["a": 1])
        let storage = FileStorage(path: folder.suitePath, files: files)
        suite = SettingsSuite(storage, scheduler: scheduler)
        _ = suite.storedValues
    }

    @Test("Retries become rarer, up to half a minute apart, until one succeeds")
    func waits() throws {
        files.inject(.from(call: 1, ENOSPC))
        suite.set(2, forKey: "a")
        scheduler.advance()
        var waits: [Double] = []
        while waits.count < 9 {
            #expect(scheduler.waiting.count == 1)
            waits += scheduler.waiting
            scheduler.advance(by: scheduler.waiting[0])
        }
        #expect(waits == [0.5, 1, 2, 4, 8, 16, 30, 30, 30])
        #expect(try folder.values() == ["a": 1])
        files.inject(nil)
        scheduler.advance(by: 30)
        #expect(try folder.values() == ["a": 2])
        // The first write schedules the beginning of the watch.
        scheduler.advance(by: 0.2)
        #expect(scheduler.waiting.isEmpty)
        #expect(suite.status.storingError == nil)

        // The next failure starts with the first interval again.
        files.inject(.from(call: 1, ENOSPC))
        suite.set(3, forKey: "a")
        scheduler.advance()
        #expect(scheduler.waiting == [0.5])
        files.inject(nil)
        try suite.synchronize()
    }

    @Test("A set after a success does not wait for a cancelled retry")
    func needlessTurn() throws {
        files.inject(.from(call: 1, ENOSPC))
        suite.set(2, forKey: "a")
        scheduler.advance()
        #expect(scheduler.waiting == [0.5])
        files.inject(nil)
        try suite.synchronize()
        suite.set(3, forKey: "a")
        scheduler.advance()
        #expect(try folder.values() == ["a": 3])
        scheduler.advance(by: 60)
        #expect(scheduler.waiting.isEmpty)
    }

    @Test("synchronize() throws, the status has the reason, and observers are notified once for each attempt")
    func told() throws {
        let events = Recorder<SuiteEvent>()
        let observation = suite.observe { events.note($0) }
        files.inject(.from(call: 1, ENOSPC))
        suite.set(2, forKey: "a")
        let error = #expect(throws: SettingsError.self) { try suite.synchronize() }
        #expect(error?.description.contains("No space left") == true)
        #expect(error?.description.contains(folder.suitePath) == true)
        #expect(suite.status.pendingKeys == 1)
        #expect(suite.status.storingError?.contains("No space left") == true)
        #expect(suite.value(forKey: "a") == 2)
        files.inject(nil)
        try suite.synchronize()
        #expect(suite.status.storingError == nil)
        let names = events.all.map { event in
            switch event {
            case .change: "change"
            case .layersChanged: "layers"
            case .status(let status): status.storingError == nil ? "well" : "ill"
            case .failed: "failed"
            }
        }
        #expect(names == ["change", "ill", "failed", "well"])
        withExtendedLifetime(observation) {}
    }

    @Test("A file that becomes readable is written at once, even if the next retry is far away")
    func readableAgain() throws {
        let observation = suite.observe { _ in }
        let whole = try PropertyListValue.dictionary(["a": 5]).encoded(as: .xml)
        try folder.write(bytes: Array("no property list <".utf8))
        suite.set(2, forKey: "b")
        scheduler.advance()
        #expect(suite.status.pendingKeys == 1)
        scheduler.advance(by: 20)
        #expect(suite.contentError != nil)
        try folder.write(bytes: whole)
        // The watcher is about to notify.
        #expect(
            eventually {
                scheduler.advance()
                return suite.status.pendingKeys == 0
            }
        )
        #expect(try folder.values() == ["a": 5, "b": 2])
        withExtendedLifetime(observation) {}
    }
}

@Suite("One commit at a time")
struct CommitTests {
    @Test("All sets during a commit are stored together by the next commit")
    func setMeanwhile() throws {
        let folder = try TemporaryFolder()
        let interfering = InterferingFileSystem()
        let files = FaultyFileSystem(interfering)
        let scheduler = ManualScheduler()
        let storage = FileStorage(path: folder.suitePath, files: files)
        let suite = SettingsSuite(storage, scheduler: scheduler)
        _ = suite.storedValues
        files.inject(nil)
        suite.set(0, forKey: "0")
        interfering.interfere(before: .rename) {
            for number in 0..<100 { suite.set(1, forKey: "\(number)") }
        }
        scheduler.advance()
        #expect(files.calls.count { $0.name == "rename" } == 2)
        #expect(suite.status.pendingKeys == 0)
        let expected = Dictionary(uniqueKeysWithValues: (0..<100).map { ("\($0)", PropertyListValue(1)) })
        #expect(try folder.values() == expected)
    }
}

extension CommitTests {
    @Test(
        "Foreign changes that a background commit finds are notified without a change notification of the watch"
    )
    func othersFound() throws {
        let folder = try TemporaryFolder()
        try folder.write(["a": 1])
        let scheduler = ManualScheduler()
        // This watcher never notifies.
        let watcher = FolderWatcher(scheduler: scheduler, system: PollTests.FakeWatchSystem())
        let suite = SettingsSuite(FileStorage(path: folder.suitePath, watcher: watcher), scheduler: scheduler)
        let changes = Recorder<PropertyListValue?>()
        let observation = suite.observe("a") { changes.note($0.new) }.observation
        try folder.write(["a": 2])
        suite.set(1, forKey: "b")
        #expect(changes.all.isEmpty)
        scheduler.advance()
        #expect(changes.all == [2])
        observation.cancel()
    }
}

@Suite("A value that the file can't store is taken back")
struct RefusalTests {
    let folder: TemporaryFolder
    let scheduler = ManualScheduler()
    let suite: SettingsSuite

    init() throws {
        folder = try TemporaryFolder()
        try folder.write(["a": "old"])
        suite = SettingsSuite(FileStorage(path: folder.suitePath), scheduler: scheduler)
    }

    @Test("A refusal in the background is thrown once by the next synchronize()")
    func refusedInBackground() throws {
        suite.set("\u{1B}[31m", forKey: "a")
        suite.set("new", forKey: "b")
        scheduler.advance()
        #expect(try folder.values() == ["a": "old", "b": "new"])
        // An error of another kind.
        try suite.replace(["c": 1], expecting: ["b": "new"])
        suite.set("newer", forKey: "b")
        let error = #expect(throws: SettingsError.self) { try suite.synchronize() }
        guard case .unrepresentable(folder.suitePath, "a", _)? = error else {
            Issue.record("threw \(String(describing: error))")
            return
        }
        #expect(try folder.values() == ["a": "old", "b": "newer", "c": 1])
        #expect(suite.storedValues == ["a": "old", "b": "newer", "c": 1])
        #expect(suite.status.pendingKeys == 0)
        try suite.synchronize()
    }

    @Test("A conditional write does not fail because of another key's refused value")
    func refusedBeside() throws {
        suite.set("\u{1B}[31m", forKey: "a")
        try suite.replace(["c": 1], expecting: [:])
        #expect(try folder.values() == ["a": "old", "c": 1])
        #expect(throws: SettingsError.self) { try suite.synchronize() }
    }

    @Test("The other keys of its transaction are taken back too, unless they were set again")
    func inOneStep() throws {
        let changes = Recorder<Change>()
        let observation = suite.observe { if case .change(let change) = $0 { changes.note(change) } }
        suite.set("before", forKey: "z")
        suite.set(["a": "new", "b": "\u{1B}", "c": 1, "d": 2])
        suite.set(3, forKey: "d")
        suite.set(["e": 4, "f": 5])
        let error = #expect(throws: SettingsError.self) { try suite.synchronize() }
        guard case .unrepresentable(folder.suitePath, "b", _)? = error else {
            Issue.record("threw \(String(describing: error))")
            return
        }
        let values: [String: PropertyListValue] = ["a": "old", "d": 3, "e": 4, "f": 5, "z": "before"]
        #expect(try folder.values() == values)
        #expect(suite.storedValues == values)
        let refused = changes.all.filter { $0.origin == .refused }
        #expect(refused.map(\.key) == ["a", "b", "c"])
        #expect(refused.map(\.new) == ["old", nil, nil])
        #expect(suite.status.pendingKeys == 0)
        try suite.synchronize()
        observation.cancel()
    }

    @Test("A binary file can store it")
    func binary() throws {
        try folder.write(bytes: PropertyListValue.dictionary(["a": "old"]).encoded(as: .binary))
        #expect(suite.value(forKey: "a") == "old")
        #expect(suite.refusal(of: "\u{1B}", forKey: "a") == nil)
        suite.set("\u{1B}", forKey: "a")
        try suite.synchronize()
        #expect(try folder.values() == ["a": "\u{1B}"])
    }

    @Test("A conditional write with such a value throws, and pending values are stored")
    func conditional() throws {
        suite.set("pending", forKey: "a")
        #expect(throws: SettingsError.self) {
            try suite.replace(["a": "\u{1B}", "b": "new"], expecting: ["a": "pending"])
        }
        #expect(try folder.values() == ["a": "pending"])
        #expect(suite.storedValues == ["a": "pending"])
        #expect(suite.status.storingError == nil)
    }
}

@Suite("The status of a suite is notified")
struct StatusTests {
    @Test("The status goes from absent to stored, and an observer starts the watch")
    func stored() throws {
        let folder = try TemporaryFolder()
        let suite = makeSuite(folder.suitePath)
        #expect(suite.status == SuiteStatus(content: .absent, watching: .off))
        let events = Recorder<SuiteStatus>()
        let observation = suite.observe { if case .status(let status) = $0 { events.note(status) } }
        suite.set(1, forKey: "a")
        #expect(suite.status == SuiteStatus(content: .absent, watching: .events, pendingKeys: 1))
        try suite.synchronize()
        #expect(suite.status == SuiteStatus(content: .stored, watching: .events))
        #expect(events.all == [SuiteStatus(content: .stored, watching: .events)])
        withExtendedLifetime(observation) {}
    }

    @Test("The removal of a missing key leaves the suite absent")
    func removal() throws {
        let folder = try TemporaryFolder()
        let suite = makeSuite(folder.suitePath)
        suite.set(nil, forKey: "a")
        try suite.synchronize()
        #expect(suite.status.content == .absent)
        #expect(try folder.names.isEmpty)
    }
}
