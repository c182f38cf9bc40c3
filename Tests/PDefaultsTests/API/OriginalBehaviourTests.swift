import Foundation
import PDefaults
import Synchronization
import Testing

// The behaviour that programs know from PDefaults for Apple's platforms. This suite has the cases that no other test
// covers. The other cases are:
//
// | behaviour | test |
// |---|---|
// | the default shows and is not written | `BehaviourTests.defaults` |
// | a stored value shows | `BehaviourTests.stored` |
// | a value is decoded once, then read from memory | `CostTests.decoding` |
// | `.didSet`: exposed, then published | `BehaviourTests.didSet` |
// | `.willSet`: published, then exposed | `BehaviourTests.willSet` |
// | equal values are published again | `BehaviourTests.equalValues` |
// | nil removes, and the default shows | `BehaviourTests.settingNil` |
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
//
// One difference is intended: declaring a property registers its default for other readers of the suite
// (`DefaultTests.registered`, `ErrorTests.unregistered`).
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

    @Test("A later subscriber starts with the value at that time")
    func laterSubscriber() {
        @PDefaults("name", suite: suite) var name = "Pitt"
        let (early, late) = (Record<String>(), Record<String>())
        let first = $name.sink { early.add($0) }
        name = "François"
        let second = $name.sink { late.add($0) }
        name = "Hubert"
        #expect(early.entries == ["Pitt", "François", "Hubert"])
        #expect(late.entries == ["François", "Hubert"])
        withExtendedLifetime((first, second)) {}
    }

    @Test("The next instance reads a stored value")
    func nextInstance() {
        do {
            @PDefaults("name", suite: suite) var name = "Pitt"
            name = "François"
        }
        @PDefaults("name", suite: suite) var name = "Pitt"
        #expect(name == "François")
    }

    @Test("An optional without a default is nil, and publishes nil")
    func optionalWithoutDefault() {
        @PDefaults("name", suite: suite) var name: String?
        let record = Record<String?>()
        let subscription = $name.sink { record.add($0) }
        #expect(name == nil)
        name = "François"
        name = nil
        #expect(name == nil)
        #expect(record.entries == [nil, "François", nil])
        #expect(suite.storedValues.isEmpty)
        withExtendedLifetime(subscription) {}
    }

    @Test("A nil default of a nested optional is nil at any depth")
    func nestedDefault() {
        @PDefaults("name", suite: suite) var name: String?? = .some(nil)
        let record = Record<String??>()
        let subscription = $name.sink { record.add($0) }
        name = "François"
        name = .some(nil)
        #expect(suite.storedValues.isEmpty)
        #expect(record.entries.map { $0 ?? nil } == [nil, "François", nil])
        withExtendedLifetime(subscription) {}
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

    @Test("A property that is no longer mocked shows the stored value, and not what was set meanwhile")
    func mockedNoLonger() {
        @PDefaults("name", suite: suite) var name = "Pitt"
        _name.mock = true
        name = "mocked"
        _name.mock = false
        #expect(name == "Pitt")
        #expect(suite.storedValues.isEmpty)
    }

    @Test("A migration is done once, and the target keeps later sets")
    func migrateOnce() {
        suite.set("Hubert", forKey: "legacy")
        @PDefaults("legacy", suite: suite) var legacy = "Pitt"
        @PDefaults("name", suite: suite) var name = "Pete"
        _legacy.migrate(to: _name)
        name = "François"
        _legacy.migrate(to: _name)
        #expect(name == "François" && legacy == "Pitt")
        #expect(suite.storedValues == ["name": "François"])
    }

    @Test("A migration publishes the new value of the target and the default of the source")
    func migrationPublishes() {
        suite.set("Hubert", forKey: "legacy")
        @PDefaults("legacy", suite: suite) var legacy = "Pitt"
        @PDefaults("name", suite: suite) var name: String?
        let (old, new) = (Record<String>(), Record<String?>())
        let subscriptions = [$legacy.sink { old.add($0) }, $name.sink { new.add($0) }]
        _legacy.migrate(to: _name) { $0.uppercased() }
        #expect(old.entries == ["Hubert", "Pitt"])
        #expect(new.entries == [nil, "HUBERT"])
        withExtendedLifetime(subscriptions) {}
    }

    @Test("Without a key a property only lives in memory, and is published with both behaviours")
    func withoutKey() {
        @PDefaults var shownFirst = 1
        @PDefaults(behavior: .willSet) var publishedFirst = 1
        @PDefaults var function: (Int) -> Int = { $0 }
        let record = Record<[Int]>()
        let first = $shownFirst.dropFirst().sink { [_shownFirst] in
            record.add([$0, _shownFirst.wrappedValue])
        }
        let second = $publishedFirst.dropFirst().sink { [_publishedFirst] in
            record.add([$0, _publishedFirst.wrappedValue])
        }
        shownFirst = 2
        publishedFirst = 2
        function = { $0 * 10 }
        #expect(record.entries == [[2, 2], [2, 1]])
        #expect(publishedFirst == 2 && function(3) == 30)
        withExtendedLifetime((first, second)) {}
    }

    @Test("The suite's methods and a property read what the other has stored")
    func verbs() {
        @PDefaults("count", suite: suite) var count = 1
        @PDefaults("tags", suite: suite) var tags: [String] = []
        let record = Record<Int>()
        let subscription = $count.sink { record.add($0) }
        count = 2
        tags = ["a"]
        #expect(suite.object(forKey: "count") as? Int == 2)
        #expect(suite.stringArray(forKey: "tags") == ["a"])
        suite.set(3, forKey: "count")
        #expect(count == 3)
        #expect(record.entries == [1, 2, 3])
        withExtendedLifetime(subscription) {}
    }

    @Test("A service exposes its property and the publisher behind a protocol")
    func protocolOfService() {
        let service: any NameService = Service(suite)
        let record = Record<String>()
        let subscription = service.namePublisher.sink { record.add($0) }
        service.name = "François"
        #expect(record.entries == ["Pitt", "François"])
        #expect(service.name == "François")
        withExtendedLifetime(subscription) {}
    }
}

private protocol NameService: AnyObject {
    var name: String { get set }
    var namePublisher: AnyPublisher<String, Never> { get }
}

private final class Service: NameService {
    @PDefaults var name: String

    var namePublisher: AnyPublisher<String, Never> { $name }

    init(_ suite: SettingsSuite) { _name = PDefaults(wrappedValue: "Pitt", "name", suite: suite) }
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
