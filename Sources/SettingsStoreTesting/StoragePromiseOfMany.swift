import Dispatch
import PropertyList
import SettingsStore
import Synchronization

// What is promised to several who use one place at a time.
extension StoragePromise {
    func checkDifferentKeys(_ makeStorage: @escaping Maker) throws {
        try inParallel(4) { writer in
            var storage = makeStorage()
            for number in 0..<10 { try write(["\(writer)/\(number)": "value"], to: &storage) }
        }
        let keys = (0..<4).flatMap { writer in (0..<10).map { "\(writer)/\($0)" } }
        try requireKept(Dictionary(uniqueKeysWithValues: keys.map { ($0, "value") }), makeStorage)
    }

    func checkTurns(_ makeStorage: @escaping Maker) throws {
        try inParallel(4) { _ in
            var storage = makeStorage()
            var values: [String: PropertyListValue] = [:]
            for _ in 0..<10 {
                var next: PropertyListValue?
                try storage.update { reading in
                    values = values.applying(reading)
                    let count = values["count"].flatMap(integer) ?? 0
                    next = .integer(PropertyListInteger(count + 1))
                    return StorageWrite(changes: ["count": next], basis: ["count"])
                }
                // Storages don't tell of their own writes.
                values["count"] = next
            }
        }
        try requireKept(["count": 40], makeStorage)
    }

    /// Another one writes between the first decision and the write. A storage with a lock makes it wait; any
    /// other has to decide anew.
    func checkDecidingAnew(_ limit: Duration, _ makeStorage: @escaping Maker) throws {
        var storage = makeStorage()
        try write(["count": 1], to: &storage)
        var seen: [String: PropertyListValue] = ["count": 1]
        let other = Job { try add(10, makeStorage) }
        var decisions = 0
        try storage.update { reading in
            decisions += 1
            seen = seen.applying(reading)
            if decisions == 1 {
                other.begin()
                _ = other.hasEnded(within: limit / 40)
            }
            if decisions > Self.patience { return StorageWrite(changes: [:]) }
            let count = seen["count"].flatMap(integer) ?? 0
            return StorageWrite(
                changes: ["count": .integer(PropertyListInteger(count + 1))],
                basis: ["count"]
            )
        }
        try require(other.hasEnded(within: limit), "another one's write takes longer than \(limit)")
        try other.failure()
        let told = seen["count"].flatMap(integer) ?? 0
        try require(
            decisions <= Self.patience,
            "the decision is asked for again and again, each time told that the value is \(told)"
        )
        try require(
            decisions == 1 || told == 11,
            "the decision was made anew without being told what had changed"
        )
        var reader = makeStorage()
        let count = [:].applying(try reader.read())["count"].flatMap(integer) ?? 0
        try require(count == 12, "after 1, one more and ten more, \(count) is kept")
    }

    /// Decisions in a row after which nobody can still come in between.
    private static var patience: Int { 100 }

    private func add(_ amount: Int64, _ makeStorage: Maker) throws {
        var storage = makeStorage()
        var seen: [String: PropertyListValue] = [:]
        try storage.update { reading in
            seen = seen.applying(reading)
            let sum = (seen["count"].flatMap(integer) ?? 0) + amount
            return StorageWrite(changes: ["count": .integer(PropertyListInteger(sum))], basis: ["count"])
        }
    }

    func checkHints(_ limit: Duration, _ makeStorage: @escaping Maker) throws {
        let hints = Atomic(0)
        let watcher = makeStorage()
        let watch = watcher.watch { hints.add(1, ordering: .relaxed) }
        var writer = makeStorage()
        for round in 1...3 {
            let before = hints.load(ordering: .relaxed)
            try write(["round": .integer(PropertyListInteger(Int64(round)))], to: &writer)
            try require(
                eventually(within: limit) { hints.load(ordering: .relaxed) > before },
                "no hint came within \(limit) after write \(round)"
            )
        }
        withExtendedLifetime(watch) {}
    }

    func checkEndOfWatch(_ limit: Duration, _ makeStorage: @escaping Maker) throws {
        let ended = Atomic(0)
        let held = Atomic(0)
        let watcher = makeStorage()
        var watch: StorageWatch? = watcher.watch { ended.add(1, ordering: .relaxed) }
        let other = watcher.watch { held.add(1, ordering: .relaxed) }
        withExtendedLifetime(watch) {}
        watch = nil
        var writer = makeStorage()
        try write(["a": 1], to: &writer)
        try require(
            eventually(within: limit) { held.load(ordering: .relaxed) > 0 },
            "the watch that is held said nothing within \(limit)"
        )
        try require(ended.load(ordering: .relaxed) == 0, "a watch that nobody holds went on")
        withExtendedLifetime(other) {}
    }

    func checkSuites(_ limit: Duration, _ makeStorage: @escaping Maker) throws {
        let first = SettingsSuite(makeStorage())
        let second = SettingsSuite(makeStorage())
        let changes = Mutex<[Change]>([])
        let (initial, observation) = second.observe("key") { change in
            changes.withLock { $0.append(change) }
        }
        try require(initial == nil, "there is \(String(describing: initial)) from the start")
        first.set("value", forKey: "key")
        try first.synchronize()
        try require(
            eventually(within: limit) { changes.withLock { $0.last?.new } == "value" },
            "the value did not arrive within \(limit)"
        )
        first.set(nil, forKey: "key")
        try first.synchronize()
        try require(
            eventually(within: limit) { changes.withLock { $0.last.map { $0.new == nil } ?? false } },
            "the removal did not arrive within \(limit)"
        )
        let origins = Set(changes.withLock { $0.map(\.origin) })
        try require(origins == [.otherProcess], "the changes came from \(origins)")
        withExtendedLifetime(observation) {}
    }

    func checkConditionalWrites(_ makeStorage: @escaping Maker) throws {
        let wins = Atomic(0)
        try inParallel(4) { _ in
            let suite = SettingsSuite(makeStorage())
            for _ in 0..<8 {
                do {
                    try suite.replace(["owner": "taken", "count": 1], expecting: ["owner": nil])
                    wins.add(1, ordering: .relaxed)
                } catch SettingsError.conflict(let current) {
                    try require(current == ["owner": "taken"], "the conflict is with \(current)")
                }
            }
        }
        let count = wins.load(ordering: .relaxed)
        try require(count == 1, "\(count) writers had what one could have")
    }

    private func integer(_ value: PropertyListValue) -> Int64? {
        if case .integer(let integer) = value { Int64(exactly: integer) } else { nil }
    }

    /// Runs the work so many times at once, on threads of its own, and throws the first error.
    private func inParallel(_ count: Int, _ work: @escaping @Sendable (Int) throws -> Void) throws {
        let jobs = (0..<count).map { number in Job { try work(number) } }
        for job in jobs { job.begin() }
        for job in jobs { job.wait() }
        for job in jobs { try job.failure() }
    }
}

/// Work on a thread of its own.
private final class Job: Sendable {
    private let work: @Sendable () throws -> Void
    private let error = Mutex<(any Error)?>(nil)
    private let group = DispatchGroup()

    init(_ work: @escaping @Sendable () throws -> Void) { self.work = work }

    func begin() {
        DispatchQueue(label: "job").async(group: group) { [self] in
            do {
                try work()
            } catch {
                self.error.withLock { $0 = error }
            }
        }
    }

    func wait() { group.wait() }

    func hasEnded(within limit: Duration) -> Bool {
        group.wait(timeout: .now() + .milliseconds(Int(limit / .milliseconds(1)))) == .success
    }

    /// Throws what the work threw.
    func failure() throws { if let error = error.withLock({ $0 }) { throw error } }
}
