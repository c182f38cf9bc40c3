import Foundation
import ProgramHarness
import PropertyList
import SettingsStoreTesting
import Synchronization
import Testing

@testable import SettingsStore

/// Data with a deallocator that runs an action.
private func data(_ byte: UInt8, _ action: @escaping @Sendable () -> Void) -> Data {
    let count = 1 << 12
    let bytes = UnsafeMutableRawPointer.allocate(byteCount: count, alignment: 1)
    bytes.initializeMemory(as: UInt8.self, repeating: byte, count: count)
    return Data(
        bytesNoCopy: bytes,
        count: count,
        deallocator: .custom { bytes, _ in
            bytes.deallocate()
            action()
        }
    )
}

@Suite("The program's code runs with no lock held, and may call the suite")
struct NoLockHeldTests {
    let folder: TemporaryFolder
    private let watcher = FolderWatcher()

    init() throws { folder = try TemporaryFolder() }

    private func suite(
        _ name: String = "suite",
        _ files: any FileSystem = LiveFileSystem(),
        scheduler: any WorkScheduler = LiveWorkScheduler()
    ) -> SettingsSuite {
        let storage = FileStorage(path: folder.file("\(name).plist"), files: files, watcher: watcher)
        return SettingsSuite(storage, scheduler: scheduler)
    }

    /// A call of the program's code to the suite.
    enum Deed: CaseIterable {
        case synchronize, replace, recover, set, observe, refusal

        func run(_ suite: SettingsSuite) {
            switch self {
            case .synchronize: try? suite.synchronize()
            case .replace: try? suite.replace(["other": 1], expecting: [:])
            case .recover: _ = try? suite.recover()
            case .set: suite.set(1, forKey: "other")
            case .observe: suite.observe { _ in }.cancel()
            case .refusal: _ = suite.refusal(of: "\u{1B}", forKey: "other")
            }
        }
    }

    // MARK: Releasing

    /// The ways in which a value is replaced.
    enum Replacement: CaseIterable {
        case set, conditionalWrite, foreignChange, otherSuite
    }

    @Test(
        "The deallocator of data that was set and is replaced may use the suite",
        arguments: Replacement.allCases,
        [false, true]
    )
    func deallocator(_ replacement: Replacement, isObserved: Bool) throws {
        let place = MemoryStorage.Place()
        let suite = replacement == .otherSuite ? SettingsSuite(MemoryStorage(place)) : suite()
        let observation = isObserved ? suite.observe { _ in } : nil
        let calls = Mutex(0)
        mustReturn { [folder] in
            let replaced: [PropertyListValue] = (1...2).map { number in
                let data = data(UInt8(number)) {
                    for deed in Deed.allCases { deed.run(suite) }
                    calls.withLock { $0 += 1 }
                }
                return number == 1 ? .data(data) : [["data": .data(data)]]
            }
            let other = SettingsSuite(MemoryStorage(place))
            for value in replaced {
                switch replacement {
                case .conditionalWrite: try suite.replace(["a": value], expecting: [:])
                case .otherSuite: try other.replace(["a": value], expecting: [:])
                case .set, .foreignChange: suite.set(value, forKey: "a")
                }
                try suite.synchronize()
            }
            switch replacement {
            case .foreignChange: try folder.write(["a": 1])
            case .otherSuite: try other.replace(["a": 1], expecting: [:])
            case .set, .conditionalWrite: suite.set(1, forKey: "a")
            }
            try suite.synchronize()
        }
        #expect(calls.withLock(\.self) == 2)
        withExtendedLifetime(observation) {}
    }

    // MARK: Observers and handlers

    @Test("Observers of own and foreign changes run without a lock", arguments: Deed.allCases)
    func observers(_ deed: Deed) throws {
        let suite = suite()
        let heard = Recorder<PropertyListValue?>()
        let observation = suite.observe("a") { change in
            deed.run(suite)
            heard.note(change.new)
        }.observation
        mustReturn { suite.set(1, forKey: "a") }
        mustReturn { try suite.synchronize() }
        try folder.write(["a": 2])
        mustReturn { try suite.synchronize() }
        try folder.write(["a": 3])
        #expect(eventually { heard.all.last == 3 })
        mustReturn { observation.cancel() }
    }

    /// Calls a suite in its deinit.
    private final class Token: Sendable {
        let work: @Sendable () -> Void

        init(_ work: @escaping @Sendable () -> Void) { self.work = work }

        deinit { work() }
    }

    @Test("The deinit of an object that an observer holds runs without a lock", arguments: Deed.allCases)
    func released(_ deed: Deed) {
        let suite = suite()
        let released = Recorder<Deed>()
        let observation: SuiteObservation = {
            let token = Token {
                deed.run(suite)
                released.note(deed)
            }
            return suite.observe { _ in withExtendedLifetime(token) {} }
        }()
        suite.set(1, forKey: "a")
        mustReturn { observation.cancel() }
        #expect(eventually { !released.all.isEmpty })
        suite.losePendingChanges()
    }

    @Test("The deinit of objects that a failure handler or scheduled work holds runs without a lock")
    func releasedByOthers() {
        let released = Recorder<String>()
        let before = SettingsSuite.onFailure
        mustReturn {
            let handler = Token {
                _ = SettingsSuite.onFailure
                released.note("handler")
            }
            SettingsSuite.onFailure = { _, _ in withExtendedLifetime(handler) {} }
        }
        mustReturn { SettingsSuite.onFailure = before }
        do {
            let work = Token { LiveWorkScheduler().run { released.note("work") } }
            LiveWorkScheduler().run { withExtendedLifetime(work) {} }
        }
        #expect(eventually { Set(released.all) == ["handler", "work"] })
    }

    // MARK: Change notifications

    @Test("A change notification of a file that is written in place runs without a lock")
    func hint() throws {
        try folder.write(["a": 1])
        let files = InterferingFileSystem()
        let suite = suite("suite", files)
        let hints = Recorder<Bool>()
        let watch = watcher.watch(file: folder.suitePath) {
            hints.note(Thread.current.threadDictionary["stores"] != nil)
            try? suite.synchronize()
        }
        let observation = suite.observe { _ in }
        for round in 1...5 {
            suite.set(2, forKey: "a")
            mustReturn { try suite.synchronize() }
            files.interfere(before: .flock) { [folder] in try? folder.write(["a": 1]) }
            // The watch notifies of this after the write.
            files.interfere(before: .read) { [folder] in
                try? folder.write(["a": 1, "theirs": PropertyListValue(round)])
            }
            mustReturn {
                Thread.current.threadDictionary["stores"] = true
                defer { Thread.current.threadDictionary["stores"] = nil }
                suite.set(PropertyListValue(round), forKey: "b")
                try suite.synchronize()
            }
        }
        #expect(eventually { !hints.all.isEmpty })
        #expect(!hints.all.contains(true))
        suite.losePendingChanges()
        withExtendedLifetime((watch, observation)) {}
    }

    @Test("A change notification of a suite in memory runs without a lock")
    func hintOfMemory() throws {
        let place = MemoryStorage.Place()
        let suite = SettingsSuite(MemoryStorage(place))
        let hints = Recorder<Bool>()
        let watch = MemoryStorage(place).watch {
            try? suite.synchronize()
            hints.note(true)
        }
        suite.set(1, forKey: "a")
        mustReturn { try suite.synchronize() }
        #expect(eventually { !hints.all.isEmpty })
        withExtendedLifetime(watch) {}
    }
}
