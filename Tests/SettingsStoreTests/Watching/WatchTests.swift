import Foundation
import ProgramHarness
import PropertyList
import SettingsStore
import SettingsStoreTesting
import Synchronization
import Testing

@Suite("A watch notifies of everything that changes a path's file")
struct WatchTests {
    let folder: TemporaryFolder
    let hints = Hints()

    init() throws { folder = try TemporaryFolder() }

    final class Hints: Sendable {
        private let count = Atomic(0)

        func note() { count.add(1, ordering: .relaxed) }

        /// Whether a notification follows the work.
        func come(after work: () throws -> Void) rethrows -> Bool {
            let before = count.load(ordering: .relaxed)
            try work()
            return eventually { count.load(ordering: .relaxed) > before }
        }
    }

    @Test("A watch notifies when the file is made, written, replaced, made readable, renamed or removed")
    func file() throws {
        let watch = FolderWatcher.shared.watch(file: folder.suitePath) { [hints] in hints.note() }
        #expect(watch.watching == .events)
        #expect(try hints.come { try folder.write(["a": 1]) })
        #expect(try hints.come { try folder.write(["a": 2]) })
        #expect(
            try hints.come {
                try folder.write(["a": 3], to: folder.file("new"))
                try folder.rename("new", to: "suite.plist")
            }
        )
        #expect(hints.come { chmod(folder.suitePath, 0o640) })
        #expect(try hints.come { try folder.rename("suite.plist", to: "old") })
        #expect(try hints.come { try folder.rename("old", to: "suite.plist") })
        #expect(try hints.come { try folder.remove("suite.plist") })
        withExtendedLifetime(watch) {}
    }

    @Test("A watch notifies when a folder of the path is made, moved, made again or removed")
    func folders() throws {
        let path = folder.file("x/y/suite.plist")
        let watch = FolderWatcher.shared.watch(file: path) { [hints] in hints.note() }
        #expect(watch.watching == .events)
        for _ in 0..<3 {
            #expect(try hints.come { try folder.makeFolder("x") })
            #expect(try hints.come { try folder.makeFolder("x/y") })
            #expect(try hints.come { try folder.write(["a": 1], to: path) })
            #expect(try hints.come { try folder.rename("x", to: "away") })
            #expect(try hints.come { try folder.makeFolder("x/y") })
            #expect(try hints.come { try folder.write(["a": 2], to: path) })
            #expect(try hints.come { try folder.remove("x/y") })
            try folder.remove("x")
            try folder.remove("away")
        }
        withExtendedLifetime(watch) {}
    }

    @Test("A watch notifies when a link in the path is exchanged")
    func links() throws {
        try folder.makeFolder("one")
        try folder.makeFolder("two")
        try folder.write(["a": 1], to: folder.file("one/real.plist"))
        try folder.write(["a": 2], to: folder.file("two/real.plist"))
        try folder.link("current", to: "one")
        try folder.link("suite.plist", to: "current/real.plist")
        let suite = SettingsSuite(file: folder.suitePath)
        let observation = suite.observe { _ in }
        #expect(suite.value(forKey: "a") == 1)
        for target in [2, 1, 2] {
            try folder.link("next", to: target == 1 ? "one" : "two")
            try folder.rename("next", to: "current")
            #expect(eventually { suite.value(forKey: "a")?.number == target })
        }
        try folder.write(["a": 3], to: folder.file("two/real.plist"))
        #expect(eventually { suite.value(forKey: "a") == 3 })
        withExtendedLifetime(observation) {}
    }

    @Test("A watch on a folder notifies of new and removed suites")
    func suites() throws {
        let settings = SettingsFolder(path: folder.file("x"))
        let watch = settings.watch { [hints] in hints.note() }
        #expect(try settings.suiteNames() == [])
        #expect(try hints.come { try folder.makeFolder("x") })
        #expect(try hints.come { try folder.write(["a": 1], to: folder.file("x/b.plist")) })
        #expect(try hints.come { try folder.write(["a": 1], to: folder.file("x/a.plist")) })
        #expect(try settings.suiteNames().map(\.rawValue) == ["a", "b"])
        #expect(try hints.come { try folder.remove("x/b.plist") })
        #expect(try settings.suiteNames().map(\.rawValue) == ["a"])
        for name in ["c", "a"] {
            #expect(try hints.come { try folder.write("{}", to: "x/\(name).schema.json") })
        }
        #expect(try settings.suiteNames().map(\.rawValue) == ["a", "c"])
        withExtendedLifetime(watch) {}
    }

    @Test("A suite without observers learns of foreign changes a little later, and observing ends the delay")
    func lazily() throws {
        try folder.write(["a": 1])
        let scheduler = ManualScheduler()
        let suite = SettingsSuite(FileStorage(path: folder.suitePath), scheduler: scheduler)
        let changes = Recorder<PropertyListValue?>()
        let (initial, reader) = suite.observeLazily("a") { changes.note($0.new) }
        #expect(initial?.value == 1)
        #expect(suite.status.watching == .off)
        try folder.write(["a": 2])
        scheduler.advance(by: 0.1)
        #expect(suite.status.watching == .events)
        #expect(changes.all == [2])
        try folder.write(["a": 3])
        #expect(
            eventually {
                scheduler.advance()
                return changes.all == [2, 3]
            }
        )
        reader.cancel()

        let other = SettingsSuite(FileStorage(path: folder.suitePath), scheduler: scheduler)
        let otherReader = other.observeLazily("a") { _ in }.observation
        #expect(other.status.watching == .off)
        let observation = other.observe("a") { _ in }.observation
        #expect(other.status.watching == .events)
        withExtendedLifetime((otherReader, observation)) {}
    }
}

@Suite("Without events, the watcher polls")
struct PollTests {
    /// A system of watches that fails or makes up events as a test requests.
    final class FakeWatchSystem: InotifySystem {
        struct State {
            var refusal: Int32?
            var instanceRefusal: Int32?
            var type: Int?
            var events: [WatchEvent] = []
            /// The paths that were watched, in order.
            var added: [String] = []
            /// Called before a watch is added, with its path and mask.
            var beforeAdding: (@Sendable (String, UInt32) -> Void)?
        }

        let state = Mutex(State())
        /// Writing to this makes the watcher read events.
        private let pipe: (read: Int32, write: Int32)

        init() {
            var ends: [Int32] = [0, 0]
            _ = Glibc.pipe(&ends)
            pipe = (ends[0], ends[1])
        }

        func openInstance() throws(SystemError) -> Int32 {
            if let refusal = state.withLock(\.instanceRefusal) {
                throw SystemError("inotify_init1", "", refusal)
            }
            return pipe.read
        }

        func addWatch(_ instance: Int32, _ path: String, mask: UInt32) throws(SystemError) -> Int32 {
            state.withLock(\.beforeAdding)?(path, mask)
            let refusal = state.withLock { state in
                state.added.append(path)
                return state.refusal
            }
            if let refusal { throw SystemError("inotify_add_watch", path, refusal) }
            return Int32(truncatingIfNeeded: path.utf8.reduce(7) { $0 &* 31 &+ Int($1) } & 0xFFFF)
        }

        func removeWatch(_ instance: Int32, _ watch: Int32) {}

        func events(_ instance: Int32) -> [WatchEvent] {
            var byte: UInt8 = 0
            read(instance, &byte, 1)
            return state.withLock { state in
                defer { state.events = [] }
                return state.events
            }
        }

        func fileSystemType(of folder: String) -> Int? { state.withLock(\.type) }

        func send(_ event: WatchEvent) {
            state.withLock { $0.events.append(event) }
            var byte: UInt8 = 0
            write(pipe.write, &byte, 1)
        }
    }

    let folder: TemporaryFolder
    let system = FakeWatchSystem()
    let scheduler = ManualScheduler()
    let watcher: FolderWatcher
    let suite: SettingsSuite

    init() throws {
        folder = try TemporaryFolder()
        try folder.write(["a": 1])
        watcher = FolderWatcher(scheduler: scheduler, system: system)
        suite = SettingsSuite(
            FileStorage(path: folder.suitePath, watcher: watcher),
            scheduler: scheduler
        )
    }

    @Test("Without watches left, the watcher polls and reports the reason until there are some again")
    func noWatches() throws {
        system.state.withLock { $0.refusal = ENOSPC }
        let statuses = Recorder<SuiteStatus>()
        let observation = suite.observe { if case .status(let status) = $0 { statuses.note(status) } }
        #expect(suite.status.watching == .polling("your inotify watches are used up"))
        for value in 2...4 {
            try folder.write(["a": PropertyListValue(value)])
            scheduler.advance(by: FolderWatcher.pollInterval)
            #expect(suite.value(forKey: "a")?.number == value)
        }
        system.state.withLock { $0.refusal = nil }
        scheduler.advance(by: FolderWatcher.pollInterval)
        #expect(suite.status.watching == .events)
        #expect(statuses.all.last?.watching == .events)
        #expect(scheduler.waiting.isEmpty)
        withExtendedLifetime(observation) {}
    }

    @Test("Without an instance of inotify, the watcher polls and reports the reason until there is one")
    func noInstance() throws {
        system.state.withLock { $0.instanceRefusal = EMFILE }
        let observation = suite.observe { _ in }
        let reason = "your inotify instances, or the process's open files, are used up"
        #expect(suite.status.watching == .polling(reason))
        try folder.write(["a": 2])
        scheduler.advance(by: FolderWatcher.pollInterval)
        #expect(suite.value(forKey: "a") == 2)
        system.state.withLock { $0.instanceRefusal = nil }
        scheduler.advance(by: FolderWatcher.pollInterval)
        #expect(suite.status.watching == .events)
        withExtendedLifetime(observation) {}
    }

    @Test("A folder on a network file system is polled, and the reason names the file system")
    func remote() throws {
        system.state.withLock { $0.type = 0x6969 }
        let observation = suite.observe { _ in }
        guard case .polling(let reason) = suite.status.watching else {
            Issue.record("it is not polled")
            return
        }
        #expect(reason.contains("NFS"))
        try folder.write(["a": 2])
        scheduler.advance(by: FolderWatcher.pollInterval)
        #expect(suite.value(forKey: "a") == 2)
        #expect(scheduler.waiting == [FolderWatcher.pollInterval])
        observation.cancel()
    }

    @Test("Lost events make every watch notify")
    func overflow() throws {
        let observation = suite.observe { _ in }
        try folder.write(["a": 2])
        // IN_Q_OVERFLOW
        system.send(WatchEvent(watch: -1, mask: 0x4000, name: ""))
        #expect(
            eventually {
                scheduler.advance()
                return suite.value(forKey: "a") == 2
            }
        )
        withExtendedLifetime(observation) {}
    }

    /// Gives the watcher events, and returns once it has handled them: it then notifies of another file.
    private func hear(_ events: [WatchEvent]) throws {
        let hints = WatchTests.Hints()
        let other = watcher.watch(file: folder.file("other.plist")) { hints.note() }
        let watch = try system.addWatch(0, folder.path, mask: 0)
        for event in events { system.send(event) }
        let isHeard = hints.come {
            system.send(WatchEvent(watch: watch, mask: UInt32(IN_ATTRIB), name: "other.plist"))
        }
        #expect(isHeard)
        withExtendedLifetime(other) {}
    }

    @Test(
        "A new file that is about to replace a suite's file notifies nobody",
        arguments: [".pdefaults.new", ".pdefaults.new-2", ".pdefaults.new-8"]
    )
    func newFile(_ name: String) throws {
        let hints = Recorder<Int>()
        let watch = watcher.watch(file: folder.suitePath) { hints.note(1) }
        let watchOfFolder = try system.addWatch(0, folder.path, mask: 0)
        try hear(
            [IN_CREATE, IN_MODIFY, IN_ATTRIB, IN_CLOSE_WRITE].map {
                WatchEvent(watch: watchOfFolder, mask: UInt32($0), name: name)
            }
        )
        #expect(hints.all.isEmpty)
        #expect(scheduler.waiting.isEmpty)
        withExtendedLifetime(watch) {}
    }

    @Test("A file that its program leaves half-written is an error, which observers get once")
    func halfWritten() throws {
        let errors = Recorder<SettingsError>()
        let observation = suite.observe { if case .failed(let error) = $0 { errors.note(error) } }
        let watch = try system.addWatch(0, folder.path, mask: 0)
        for _ in 0..<3 {
            try folder.write(bytes: Array("<plist><dict>".utf8))
            try hear([WatchEvent(watch: watch, mask: UInt32(IN_CLOSE_WRITE), name: "suite.plist")])
            #expect(
                eventually {
                    scheduler.advance(by: 1)
                    return !errors.all.isEmpty
                }
            )
        }
        #expect(errors.all.count == 1)
        observation.cancel()
    }

    @Test("A folder that is made just before it is watched is not missed")
    func madeMeanwhile() throws {
        system.state.withLock { state in
            // These changes cause no event, because the folder is watched only after them.
            state.beforeAdding = { [folder] path, mask in
                let isForContent = mask & UInt32(IN_CREATE) != 0
                if isForContent, path == folder.path { try? folder.makeFolder("x/y") }
            }
        }
        let watch = watcher.watch(file: folder.file("x/y/suite.plist")) {}
        #expect(system.state.withLock(\.added).contains(folder.file("x/y")))
        withExtendedLifetime(watch) {}
    }

    @Test("Polling ends with the last watch")
    func end() throws {
        system.state.withLock { $0.refusal = ENOSPC }
        var watch: StorageWatch? = watcher.watch(file: folder.suitePath) {}
        #expect(scheduler.waiting == [FolderWatcher.pollInterval])
        withExtendedLifetime(watch) {}
        watch = nil
        scheduler.advance(by: FolderWatcher.pollInterval)
        #expect(scheduler.waiting.isEmpty)
    }
}
