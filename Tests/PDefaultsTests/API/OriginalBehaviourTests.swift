import Foundation
import PDefaults
import Testing

// The behaviour that programs know from PDefaults for Apple's platforms. This suite has the cases that no other test
// covers. The other cases are:
//
// | behaviour | test |
// |---|---|
// | the default shows and is not written | `BehaviourTests.defaults` |
// | a value is decoded once, then read from memory | `CostTests.decoding` |
// | `.didSet`: exposed, then published; `.willSet`: the other way round | `BehaviourTests.order` |
// | equal values are published again | `BehaviourTests.equalValues` |
// | nil removes, and the default shows | `BehaviourTests.settingNil`, `DefaultTests.removed` |
// | a nested nil removes | `BehaviourTests.settingNestedNil` |
// | `reset()` removes and publishes the default | `BehaviourTests.reset` |
// | several instances, each by its own behaviour | `BehaviourTests.severalInstances` |
// | each instance has its own default | `DefaultTests` |
// | a sink may set the property, or another one | `BehaviourTests.settingInSink`, `.settingOtherInSink` |
// | a subscription keeps the property alive until it is cancelled | `BehaviourTests.lifetime` |
// | a change by another process, a removal, dotted keys | `DeliveryTests.otherProcess` |
// | a mocked instance after its first use, with `reset()` | `MockTests.instance` |
// | a mocked instance in a migration | `MockTests.migration` |
// | mocked instances are independent | `MockTests.independent` |
// | all instances mocked | `MockTests.all`, and the article about tests |
// | a migration moves the value, with a mapping | `MigrationTests` |
// | a migration without a stored value does nothing | `MigrationTests` |
// | a mapping that throws changes nothing | `MigrationTests` |
// | an undecodable source, a result without a form | `MigrationTests` |
// | a migration onto the same key and suite | `MigrationTests` |
// | types: native, raw values, `Codable`, optionals of them | `TypeTests` |
// | undecodable bytes show the default; a failing encoder changes nothing | `ErrorTests` |
// | threads | `DeliveryTests.manyThreads`, `.firstAccess` |
// | a later subscriber starts with the value at that time | `BehaviourTests.copies` |
// | a property without a key | `TypeTests.inMemory` |
// | the publisher behind a protocol | the article about threads |
@Suite("Behaviour of PDefaults for Apple's platforms", .timeLimit(.minutes(60)))
struct OriginalBehaviourTests {
    let suite = SettingsSuite.inMemory()

    @Test("A property reads its suite when its value is first used, not when it is declared")
    func lazyValue() {
        @PDefaults("name", suite: suite) var name = "Pitt"
        suite.set("Hubert", forKey: "name")
        #expect(name == "Hubert")
    }

    @Test("The first subscription reads the suite too")
    func lazyPublisher() {
        @PDefaults("name", suite: suite) var name = "Pitt"
        let publisher = $name
        suite.set("Hubert", forKey: "name")
        let record = Record<String>()
        publisher.sink { record.add($0) }.cancel()
        #expect(record.entries == ["Hubert"])
    }

    @Test("Subscribing stores nothing")
    func subscribing() {
        @PDefaults("name", suite: suite) var name = "Pitt"
        $name.sink { _ in }.cancel()
        #expect(suite.storedValues.isEmpty)
    }

    @Test("A property may be set before it is read")
    func setFirst() {
        suite.set("Hubert", forKey: "name")
        @PDefaults("name", suite: suite) var name = "Pitt"
        name = "François"
        #expect(name == "François")
        #expect(suite.string(forKey: "name") == "François")
    }

    @Test("reset() without a stored value publishes the default again")
    func resetNothing() {
        @PDefaults("name", suite: suite) var name = "Pitt"
        let record = Record<String>()
        let subscription = $name.sink { record.add($0) }
        _name.reset()
        #expect(record.entries == ["Pitt", "Pitt"])
        #expect(name == "Pitt")
        withExtendedLifetime(subscription) {}
    }

    @Test("With willSet, reset() publishes the default before it shows")
    func resetWillSet() {
        @PDefaults("name", suite: suite, behavior: .willSet) var name = "Pitt"
        name = "François"
        let record = Record<[String]>()
        let subscription = $name.dropFirst().sink { [_name] in record.add([$0, _name.wrappedValue]) }
        _name.reset()
        #expect(record.entries == [["Pitt", "François"]])
        #expect(name == "Pitt")
        withExtendedLifetime(subscription) {}
    }

    @Test("A dotted key is one key, apart from shorter and longer keys with the same beginning")
    func dottedKeys() {
        @PDefaults("user", suite: suite) var user = "default"
        @PDefaults("user.name", suite: suite) var name = "default"
        @PDefaults("user.name.first", suite: suite) var first = "default"
        name = "François"
        #expect([user, name, first] == ["default", "François", "default"])
        _name.reset()
        suite.set("Hubert", forKey: "user.name")
        #expect([user, name, first] == ["default", "Hubert", "default"])
    }

    @Test("One key in two suites is two settings")
    func twoSuites() {
        let other = SettingsSuite.inMemory()
        @PDefaults("name", suite: suite) var here = "Pitt"
        @PDefaults("name", suite: other) var there = "Pitt"
        here = "François"
        #expect(there == "Pitt")
        #expect(other.storedValues.isEmpty)
    }

    @Test("A property that is mocked before its first use never reads or writes its storage")
    func mockedFirst() {
        let uses = Record<String>()
        let suite = SettingsSuite(RecordingStorage(uses))
        @PDefaults("name", suite: suite) var name = "Pitt"
        _name.mock = true
        let record = Record<String>()
        let subscription = $name.sink { record.add($0) }
        name = "François"
        _name.reset()
        #expect(record.entries == ["Pitt", "François", "Pitt"])
        #expect(uses.entries.isEmpty)
        withExtendedLifetime(subscription) {}
    }
}

/// Memory that records each use.
private struct RecordingStorage: SuiteStorage {
    private var storage = MemoryStorage(MemoryStorage.Place())
    private let uses: Record<String>

    init(_ uses: Record<String>) { self.uses = uses }

    var location: String { storage.location }

    mutating func read() throws(SettingsError) -> StorageReading {
        uses.add("read")
        return storage.read()
    }

    mutating func update(_ decide: (StorageReading) -> StorageWrite) throws(SettingsError) {
        uses.add("update")
        storage.update(decide)
    }

    func watch(_ hint: @escaping @Sendable () -> Void) -> StorageWatch {
        uses.add("watch")
        return storage.watch(hint)
    }
}
