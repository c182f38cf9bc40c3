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
