import Foundation
import PDefaults
import ProgramHarness
import Synchronization

/// Collects the values that sinks receive, on any thread.
final class Record<Entry: Sendable>: Sendable {
    private struct State {
        var entries: [Entry] = []
        var waiting: [Waiting] = []
    }

    private struct Waiting {
        let condition: @Sendable ([Entry]) -> Bool
        let task: CheckedContinuation<Void, Never>
    }

    private let state = Mutex(State())

    var entries: [Entry] { state.withLock { $0.entries } }

    func add(_ entry: Entry) {
        let tasks = state.withLock { state in
            state.entries.append(entry)
            let entries = state.entries
            let tasks = state.waiting.filter { $0.condition(entries) }.map(\.task)
            if !tasks.isEmpty { state.waiting.removeAll { $0.condition(entries) } }
            return tasks
        }
        for task in tasks { task.resume() }
    }

    /// Waits until an entry was added for which the condition holds.
    func wait(until condition: @escaping @Sendable ([Entry]) -> Bool) async {
        await withCheckedContinuation { task in
            let holds = state.withLock { state in
                if condition(state.entries) { return true }
                state.waiting.append(Waiting(condition: condition, task: task))
                return false
            }
            if holds { task.resume() }
        }
    }
}

/// Two suites with the same storage, as two processes with the same file have them.
struct TwoProcesses {
    let place = MemoryStorage.Place()
    let here: SettingsSuite
    let there: SettingsSuite

    init() {
        here = SettingsSuite(MemoryStorage(place))
        there = SettingsSuite(MemoryStorage(place))
    }
}

struct Point: Codable, Equatable, Sendable {
    var x: Int
    var y: Int
}

enum Direction: Int { case north, west, south, east }

enum Theme: String, Codable { case light, dark }

struct Failure: Error, Equatable {}

/// Runs the body with a new folder.
func withFolder<Result>(_ body: (SettingsFolder) async throws -> Result) async throws -> Result {
    let folder = try TemporaryFolder()
    defer { withExtendedLifetime(folder) {} }
    return try await body(SettingsFolder(path: folder.path))
}

/// The names that a new file has before it replaces the old one.
private let privateNames = [".pdefaults.new"] + (2...8).map { ".pdefaults.new-\($0)" }

/// Makes every write in a folder fail, for root too: folders take all names of new files.
func blockWrites(in folder: String) throws {
    for name in privateNames {
        try FileManager.default.createDirectory(
            atPath: "\(folder)/\(name)",
            withIntermediateDirectories: false
        )
    }
}

func unblockWrites(in folder: String) throws {
    for name in privateNames { try FileManager.default.removeItem(atPath: "\(folder)/\(name)") }
}

extension SettingsSuite {
    /// Sets a value as another process would. It is on disk when this returns.
    func write(_ value: PropertyListValue?, forKey key: String) throws {
        set(value, forKey: key)
        try synchronize()
    }
}

/// A subscription that another thread may release.
///
/// Unchecked, since the owner only releases it, once.
struct Held: @unchecked Sendable {
    let subscription: AnyCancellable
}

/// A scheduler that runs nothing.
struct NoScheduler: WorkScheduler {
    func run(_ work: @escaping @Sendable () -> Void) {}
    func run(after seconds: Double, _ work: @escaping @Sendable () -> Void) {}
}

/// Holds writes until it is opened.
final class Gate: Sendable {
    private let writing = DispatchSemaphore(value: 0)
    private let opening = DispatchSemaphore(value: 0)

    func waitUntilWriting() { writing.wait() }

    func pass() {
        writing.signal()
        opening.wait()
        opening.signal()
    }

    func open() { opening.signal() }
}

/// Storage whose writes wait at a gate.
struct BlockedStorage: SuiteStorage {
    private var storage: any SuiteStorage
    private let gate: Gate

    init(_ storage: any SuiteStorage, _ gate: Gate) {
        (self.storage, self.gate) = (storage, gate)
    }

    var location: String { storage.location }

    mutating func tryLock() -> Bool { storage.tryLock() }

    mutating func read() throws(SettingsError) -> StorageReading { try storage.read() }

    mutating func update(_ decide: (StorageReading) -> StorageWrite) throws(SettingsError) {
        gate.pass()
        try storage.update(decide)
    }

    func watch(_ hint: @escaping @Sendable () -> Void) -> StorageWatch { storage.watch(hint) }
}
