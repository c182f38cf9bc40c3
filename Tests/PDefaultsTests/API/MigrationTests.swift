import Foundation
import PDefaults
import Testing

@Suite("Migration to another property", .timeLimit(.minutes(60)))
struct MigrationTests {
    let old = SettingsSuite.inMemory()
    let new = SettingsSuite.inMemory()

    /// Waits until the key is removed from the suite.
    private func waitForRemoval(of key: String, from suite: SettingsSuite) async {
        while suite.storedValue(forKey: key) != nil { await Task.yield() }
    }

    private func isMigrated(_ result: PDefaultsMigration) -> Bool {
        if case .migrated = result { true } else { false }
    }

    private func isNothing(_ result: PDefaultsMigration) -> Bool {
        if case .nothingToMigrate = result { true } else { false }
    }

    @Test("A stored value moves through the mapping, and both properties show the new state at once")
    func mapping() async {
        old.set(5.0, forKey: "count")
        @PDefaults("count", suite: old) var count = Double(1)
        @PDefaults("index", suite: new) var index = 0
        let record = Record<String>()
        let first = $count.sink { record.add("count \($0)") }
        let second = $index.sink { record.add("index \($0)") }
        #expect(isMigrated(_count.migrate(to: _index) { Int($0) - 1 }))
        #expect(count == 1 && index == 4)
        await waitForRemoval(of: "count", from: old)
        await waitForRemoval(of: "PDefaults.migration.index", from: new)
        #expect(new.storedValues == ["index": 4])
        #expect(isNothing(_count.migrate(to: _index) { Int($0) - 1 }))
        #expect(index == 4)
        #expect(record.entries == ["count 5.0", "index 0", "index 4", "count 1.0"])
        withExtendedLifetime((first, second)) {}
    }

    @Test("Without a stored value there is nothing to migrate")
    func nothing() {
        @PDefaults("a", suite: old) var source = "A"
        @PDefaults("b", suite: new) var target = "B"
        #expect(isNothing(_source.migrate(to: _target)))
        #expect(source == "A" && target == "B")
        #expect(new.storedValues.isEmpty)
    }

    @Test("Within one suite, set and removal are one transaction")
    func sameSuite() {
        old.set("x", forKey: "a")
        @PDefaults("a", suite: old) var source = "A"
        @PDefaults("b", suite: old) var target = "B"
        _source.migrate(to: _target)
        #expect(old.storedValues == ["b": "x"])
        #expect(source == "A" && target == "x")
    }

    @Test("After a change of type in place, the source does not report that it can't read the new value")
    func inPlaceUnreported() async {
        let errors = PDefaultsConfiguration.errors
        let key = "\(UUID())"
        old.set("5", forKey: key)
        @PDefaults(key, suite: old, register: false) var before = "1"
        @PDefaults(key, suite: old, register: false) var after = 0
        #expect(isMigrated(_before.migrate(to: _after) { Int($0) ?? 0 }))
        #expect(before == "1" && after == 5)
        // The declaration in the next version of the program.
        @PDefaults(key, suite: old, register: false) var next = "1"
        @PDefaults(key, suite: old, register: false) var same = 0
        #expect(isNothing(_next.migrate(to: _same) { Int($0) ?? 0 }))
        #expect(next == "1" && same == 5)
        old.setChecked(true, forKey: key, origin: .set(by: nil))
        // An error about the new value would have come first.
        for await error in errors where error.key == key {
            #expect(error.problem == .undecodable(stored: true))
            break
        }
    }

    @Test("The source keeps its value until the target's value is on disk")
    func durableFirst() async {
        let gate = Gate()
        let blocked = SettingsSuite(BlockedStorage(MemoryStorage(MemoryStorage.Place()), gate))
        old.set("Hubert", forKey: "name")
        @PDefaults("name", suite: old) var source = "Pitt"
        @PDefaults("title", suite: blocked) var target = "Pete"
        #expect(isMigrated(_source.migrate(to: _target)))
        #expect(source == "Pitt" && target == "Hubert")
        gate.waitUntilWriting()
        for _ in 0..<10_000 where old.storedValue(forKey: "name") != "Hubert" {
            Issue.record("removed while the target's value was being written")
            break
        }
        gate.open()
        await waitForRemoval(of: "name", from: old)
        #expect(blocked.storedValue(forKey: "title") == "Hubert")
    }

    @Test("A value that the target's file can't contain stays in the source")
    func refused() async throws {
        try await withFolder { folder in
            let file = SettingsSuite(file: folder.path + "/target.plist")
            old.set("bell \u{7}", forKey: "name")
            @PDefaults("name", suite: old) var source = "Pitt"
            @PDefaults("title", suite: file) var target = "Pete"
            guard case .failed = _source.migrate(to: _target) else {
                Issue.record("it went over")
                return
            }
            #expect(source == "bell \u{7}" && target == "Pete")
            #expect(old.storedValue(forKey: "name") == "bell \u{7}")
        }
    }

    @Test("A type changes in place, once")
    func inPlace() {
        old.set(5.0, forKey: "count")
        @PDefaults("count", suite: old) var before = Double(1)
        @PDefaults("count", suite: old, register: false) var after = 0
        #expect(isMigrated(_before.migrate(to: _after) { Int($0) - 1 }))
        #expect(after == 4)
        #expect(old.storedValues == ["count": 4])
        @PDefaults("count", suite: old, register: false) var nextRun = Double(1)
        #expect(isNothing(_nextRun.migrate(to: _after) { Int($0) - 1 }))
        #expect(old.storedValues == ["count": 4])
    }

    @Test("A migration to the same key and type keeps the value")
    func sameProperty() {
        old.set("x", forKey: "a")
        @PDefaults("a", suite: old) var one = ""
        @PDefaults("a", suite: old) var other = ""
        _one.migrate(to: _other)
        #expect(one == "x" && other == "x")
        #expect(old.storedValues == ["a": "x"])
    }

    @Test("A mapping that throws, an undecodable source and a result that can't be encoded change nothing")
    func failures() {
        old.set("text", forKey: "text")
        old.set(3, forKey: "number")
        @PDefaults("text", suite: old, register: false) var text = ""
        @PDefaults("text", suite: old, register: false) var wrong = 0
        @PDefaults("number", suite: old) var number = 0
        @PDefaults("target", suite: new) var target = "t"
        @PDefaults("reals", suite: new) var reals = [Ratio(value: 0)]

        func fails(_ result: PDefaultsMigration) -> Bool {
            if case .failed = result { true } else { false }
        }
        #expect(fails(_text.migrate(to: _target) { _ in throw Failure() }))
        #expect(fails(_wrong.migrate(to: _target) { "\($0)" }))
        #expect(fails(_number.migrate(to: _reals) { _ in [Ratio(value: .nan)] }))
        #expect(old.storedValues == ["text": "text", "number": 3])
        #expect(new.storedValues.isEmpty)
        #expect(text == "text" && number == 3 && target == "t" && reals.map(\.value) == [0])
    }

    @Test("A source that can't be decoded is reported once")
    func reportedOnce() async {
        let errors = PDefaultsConfiguration.errors
        let key = "\(UUID())"
        old.set("many", forKey: key)
        @PDefaults(key, suite: old) var source = 0
        @PDefaults("target", suite: new) var target = 0
        _source.migrate(to: _target)
        source = 1
        _source.reset()
        old.set(.boolean(true), forKey: "last" + key)
        @PDefaults("last" + key, suite: old) var last = 0
        #expect(last == 0)
        var keys: [String?] = []
        for await error in errors where error.location == old.location && error.key?.hasSuffix(key) == true {
            keys.append(error.key)
            if error.key != key { break }
        }
        #expect(keys == [key, "last" + key])
        withExtendedLifetime(target) {}
    }

    @Test("After a crash between the two commits, the next run keeps what the target was set to since")
    func afterCrash() async throws {
        try await withFolder { folder in
            // The state on disk if the process ends after the target's commit.
            let (from, to) = (
                try SettingsSuite(named: "from", in: folder), try SettingsSuite(named: "to", in: folder)
            )
            try from.write("x", forKey: "a")
            try to.write("newer", forKey: "b")
            try to.write(["\(from.location)", "a"].list, forKey: "PDefaults.migration.b")

            @PDefaults("a", suite: from) var source = "A"
            @PDefaults("b", suite: to) var target = "B"
            guard case .completed = _source.migrate(to: _target) else {
                Issue.record("the migration began anew")
                return
            }
            #expect(source == "A" && target == "newer")
            await waitForRemoval(of: "a", from: from)
            await waitForRemoval(of: "PDefaults.migration.b", from: to)
            #expect(to.storedValues == ["b": "newer"])
        }
    }

    @Test("A source that is set again before its removal keeps its new value")
    func setAgain() async throws {
        try await withFolder { folder in
            let (from, to) = (
                try SettingsSuite(named: "from", in: folder), try SettingsSuite(named: "to", in: folder)
            )
            try from.write("x", forKey: "a")
            @PDefaults("a", suite: from) var source = "A"
            @PDefaults("b", suite: to) var target = "B"
            _source.migrate(to: _target)
            source = "again"
            await waitForRemoval(of: "PDefaults.migration.b", from: to)
            #expect(target == "x" && source == "again")
            #expect(from.storedValues == ["a": "again"])
        }
    }
}

private struct Ratio: Codable {
    var value: Double
}

extension [String] {
    fileprivate var list: PropertyListValue { .array(map { .string($0) }) }
}
