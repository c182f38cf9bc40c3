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

    func checkHints(_ makeStorage: @escaping Maker) throws {
        let hints = Atomic(0)
        let watcher = makeStorage()
        let watch = watcher.watch { hints.add(1, ordering: .relaxed) }
        var writer = makeStorage()
        for round in 1...3 {
            let before = hints.load(ordering: .relaxed)
            try write(["round": .integer(PropertyListInteger(Int64(round)))], to: &writer)
            try require(
                eventually { hints.load(ordering: .relaxed) > before },
                "no hint came after write \(round)"
            )
        }
        withExtendedLifetime(watch) {}
    }

    func checkEndOfWatch(_ makeStorage: @escaping Maker) throws {
        let ended = Atomic(0)
        let held = Atomic(0)
        let watcher = makeStorage()
        var watch: StorageWatch? = watcher.watch { ended.add(1, ordering: .relaxed) }
        let other = watcher.watch { held.add(1, ordering: .relaxed) }
        withExtendedLifetime(watch) {}
        watch = nil
        var writer = makeStorage()
        try write(["a": 1], to: &writer)
        try require(eventually { held.load(ordering: .relaxed) > 0 }, "the watch that is held says nothing")
        try require(ended.load(ordering: .relaxed) == 0, "a watch that nobody holds went on")
        withExtendedLifetime(other) {}
    }

    func checkSuites(_ makeStorage: @escaping Maker) throws {
        let first = SettingsSuite(makeStorage())
        let second = SettingsSuite(makeStorage())
        let changes = Mutex<[Change]>([])
        let (initial, observation) = second.observe("key") { change in
            changes.withLock { $0.append(change) }
        }
        try require(initial == nil, "there is \(String(describing: initial)) from the start")
        first.set("value", forKey: "key")
        try first.synchronize()
        try require(eventually { changes.withLock { $0.last?.new } == "value" }, "the value did not arrive")
        first.set(nil, forKey: "key")
        try first.synchronize()
        try require(
            eventually { changes.withLock { $0.last.map { $0.new == nil } ?? false } },
            "the removal did not arrive"
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
        let failure = Mutex<(any Error)?>(nil)
        let group = DispatchGroup()
        for number in 0..<count {
            DispatchQueue(label: "writer \(number)").async(group: group) {
                do {
                    try work(number)
                } catch {
                    failure.withLock { $0 = $0 ?? error }
                }
            }
        }
        group.wait()
        if let error = failure.withLock({ $0 }) { throw error }
    }
}
