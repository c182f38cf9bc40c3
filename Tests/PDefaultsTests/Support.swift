import Foundation
import PDefaults
import Synchronization

/// Collects what sinks receive, on whatever thread.
final class Record<Entry: Sendable>: Sendable {
    private let stored = Mutex<[Entry]>([])

    var entries: [Entry] { stored.withLock { $0 } }

    func add(_ entry: Entry) { stored.withLock { $0.append(entry) } }
}

/// Two suites that stand to each other as two processes with the same file do.
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

/// Runs the body with a folder of its own.
func withFolder<Result>(_ body: (SettingsFolder) async throws -> Result) async throws -> Result {
    let url = FileManager.default.temporaryDirectory.appendingPathComponent("pdefaults-\(UUID())")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: url) }
    return try await body(SettingsFolder(path: url.path))
}

/// Writes what another process would, durable when this returns.
extension SettingsSuite {
    func write(_ value: PropertyListValue?, forKey key: String) throws {
        set(value, forKey: key)
        try synchronize()
    }
}

/// A subscription that somebody keeps.
///
/// Unchecked, since who has it does no more than let go of it, once.
struct Held: @unchecked Sendable {
    let subscription: AnyCancellable
}

extension Record {
    /// Waits until something was added for which the condition holds.
    func wait(until condition: @Sendable ([Entry]) -> Bool) async {
        while !condition(entries) { await Task.yield() }
    }
}

/// Nothing happens by itself.
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

/// Memory whose writes wait at a gate.
struct BlockedStorage: SuiteStorage {
    private var storage = MemoryStorage(MemoryStorage.Place())
    private let gate: Gate

    init(_ gate: Gate) { self.gate = gate }

    var location: String { storage.location }

    mutating func read() throws(SettingsError) -> StorageReading { storage.read() }

    mutating func update(_ decide: (StorageReading) -> StorageWrite) throws(SettingsError) {
        gate.pass()
        storage.update(decide)
    }

    mutating func recover(with write: StorageWrite) throws(SettingsError) -> String? {
        storage.recover(with: write)
    }

    func refusal(of value: PropertyListValue, forKey key: String) -> SettingsError? {
        storage.refusal(of: value, forKey: key)
    }

    func readOnlyReason() -> String? { storage.readOnlyReason() }

    func watch(_ hint: @escaping @Sendable () -> Void) -> StorageWatch { storage.watch(hint) }
}
