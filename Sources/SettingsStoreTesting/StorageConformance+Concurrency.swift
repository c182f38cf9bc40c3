import Dispatch
import PropertyList
import SettingsStore
import Synchronization

// The rules for several storages that use one suite at the same time.
extension StorageConformance {
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
                // Storages do not report their own writes.
                values["count"] = next
            }
        }
        try requireKept(["count": 40], makeStorage)
    }

    /// Another storage writes between the first decision and the write. A storage with a lock makes it wait; a
    /// storage without one has to ask for a new decision.
    func checkDecidingAgain(_ limit: Duration, _ makeStorage: @escaping Maker) throws {
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
                // A storage with a lock makes it wait for all of this time.
                _ = other.hasEnded(within: limit / 400)
            }
            if decisions > Self.decisionLimit { return StorageWrite(changes: [:]) }
            let count = seen["count"].flatMap(integer) ?? 0
            return StorageWrite(
                changes: ["count": .integer(PropertyListInteger(count + 1))],
                basis: ["count"]
            )
        }
        try require(other.hasEnded(within: limit), "the write of another storage takes longer than \(limit)")
        try other.failure()
        let reported = seen["count"].flatMap(integer) ?? 0
        try require(
            decisions <= Self.decisionLimit,
            "the decision is asked for again and again, each time with the value \(reported)"
        )
        try require(
            decisions == 1 || reported == 11,
            "the new decision did not get the foreign change"
        )
        var reader = makeStorage()
        let count = [:].applying(try reader.read())["count"].flatMap(integer) ?? 0
        try require(count == 12, "after 1, one more and ten more, \(count) is kept")
    }

    /// The other storage writes once, so there can't be more decisions than this.
    private static var decisionLimit: Int { 100 }

    private func add(_ amount: Int64, _ makeStorage: Maker) throws {
        var storage = makeStorage()
        var seen: [String: PropertyListValue] = [:]
        try storage.update { reading in
            seen = seen.applying(reading)
            let sum = (seen["count"].flatMap(integer) ?? 0) + amount
            return StorageWrite(changes: ["count": .integer(PropertyListInteger(sum))], basis: ["count"])
        }
    }

    func checkNotifications(_ limit: Duration, _ makeStorage: @escaping Maker) throws {
        let notifications = Atomic(0)
        let watcher = makeStorage()
        let watch = watcher.watch { notifications.add(1, ordering: .relaxed) }
        var writer = makeStorage()
        for round in 1...3 {
            let before = notifications.load(ordering: .relaxed)
            try write(["round": .integer(PropertyListInteger(Int64(round)))], to: &writer)
            try require(
                eventually(within: limit) { notifications.load(ordering: .relaxed) > before },
                "no notification came within \(limit) after write \(round)"
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
            "the held watch did not notify within \(limit)"
        )
        try require(ended.load(ordering: .relaxed) == 0, "a released watch went on")
        withExtendedLifetime(other) {}
    }

    func checkSuites(_ limit: Duration, _ makeStorage: @escaping Maker) throws {
        let first = SettingsSuite(makeStorage())
        let second = SettingsSuite(makeStorage())
        let changes = Mutex<[Change]>([])
        let (initial, observation) = second.observe("key") { change in
            changes.withLock { $0.append(change) }
        }
        try require(initial == nil, "the first value is \(String(describing: initial))")
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
        try require(count == 1, "\(count) writers got what only one could have")
    }

    private func integer(_ value: PropertyListValue) -> Int64? {
        if case .integer(let integer) = value { Int64(exactly: integer) } else { nil }
    }

    /// Runs the work several times at once, each on its own thread, and throws the first error.
    private func inParallel(_ count: Int, _ work: @escaping @Sendable (Int) throws -> Void) throws {
        let jobs = (0..<count).map { number in Job { try work(number) } }
        for job in jobs { job.begin() }
        for job in jobs { job.wait() }
        for job in jobs { try job.failure() }
    }
}

/// Runs work on its own thread.
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
