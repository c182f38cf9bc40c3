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

/// A subscription that lives with its task.
struct Held: @unchecked Sendable {
    let subscription: AnyCancellable
}

extension Record {
    /// Waits until something was added for which the condition holds.
    func wait(until condition: @Sendable ([Entry]) -> Bool) async {
        while !condition(entries) { await Task.yield() }
    }
}
