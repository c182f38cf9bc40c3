import PropertyList
import SettingsStore
import SettingsStoreTesting
import Synchronization
import Testing

/// A storage that returns the given readings one after the other and records each write.
private struct ScriptedStorage: SuiteStorage {
    final class Script: Sendable {
        struct State {
            var readings: [StorageReading]
            var writes: [[String: PropertyListValue?]] = []
            var notify: (@Sendable () -> Void)?
        }

        let state: Mutex<State>

        init(_ readings: [StorageReading]) { state = Mutex(State(readings: readings)) }

        var next: StorageReading {
            state.withLock {
                $0.readings.isEmpty ? StorageReading(.none, exists: true) : $0.readings.removeFirst()
            }
        }
        var writes: [[String: PropertyListValue?]] { state.withLock(\.writes) }
        func notify() { state.withLock(\.notify)?() }
    }

    let script: Script

    var location: String { "script" }

    func read() -> StorageReading { script.next }

    func update(_ decide: (StorageReading) -> StorageWrite) {
        let write = decide(script.next)
        if !write.changes.isEmpty { script.state.withLock { $0.writes.append(write.changes) } }
    }

    func watch(_ notify: @escaping @Sendable () -> Void) -> StorageWatch {
        script.state.withLock { $0.notify = notify }
        return StorageWatch(heldBy: script) { _ in .events }
    }
}

@Suite("A value that an unlocked writer has overwritten is written again")
struct OverwrittenValueTests {
    private static let first = StorageReading(.all(PropertyListEntries(["a": 2])), exists: true)
    private static let overwritten = StorageReading(.none, exists: true, overwritten: ["a": 1])

    private func writes(
        after readings: [StorageReading],
        setting value: PropertyListValue? = nil
    ) throws -> (writes: [[String: PropertyListValue?]], value: PropertyListValue?) {
        let script = ScriptedStorage.Script([Self.first] + readings)
        let scheduler = ManualScheduler()
        let suite = SettingsSuite(ScriptedStorage(script: script), scheduler: scheduler)
        let observation = suite.observe { _ in }
        #expect(suite.value(forKey: "a") == 2)
        if let value { suite.set(value, forKey: "a") }
        script.notify()
        scheduler.advance(by: 1)
        observation.cancel()
        return (script.writes, suite.value(forKey: "a"))
    }

    @Test("It is written again once")
    func again() throws {
        let (writes, value) = try writes(after: [Self.overwritten])
        #expect(writes == [["a": 2]])
        #expect(value == 2)
    }

    @Test(
        "It is not written again if the key was set meanwhile",
        arguments: [nil, 3, 2] as [PropertyListValue?]
    )
    func setMeanwhile(_ theirs: PropertyListValue?) throws {
        let set = StorageReading(.some(["a": theirs]), exists: true)
        let (writes, value) = try writes(after: [Self.overwritten, set])
        #expect(writes.isEmpty)
        #expect(value == theirs)
    }
}
