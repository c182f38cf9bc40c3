import Observation
import PDefaults
import Testing

@Suite("Mocking")
struct MockTests {
    let suite = SettingsSuite.inMemory(["name": "stored"])

    @Test("A mocked property neither reads nor writes its suite, whenever the flag is set")
    func instance() {
        @PDefaults("name", suite: suite) var name = "Pitt"
        #expect(name == "stored")
        let record = Record<String>()
        let subscription = $name.sink { record.add($0) }
        _name.mock = true
        #expect(record.entries == ["stored", "Pitt"])
        #expect(name == "Pitt")
        name = "mocked"
        suite.set("other", forKey: "name")
        #expect(name == "mocked")
        _name.reset()
        #expect(name == "Pitt")
        #expect(suite.storedValues == ["name": "other"])
        #expect(record.entries == ["stored", "Pitt", "mocked", "Pitt"])
        _name.mock = false
        #expect(name == "other")
        #expect(record.entries.last == "other")
        withExtendedLifetime(subscription) {}
    }

    @Test("Mocked properties on one key share nothing with each other")
    func independent() {
        @PDefaults("name", suite: suite) var one = "Pitt"
        @PDefaults("name", suite: suite) var other = "Pitt"
        @PDefaults("name", suite: suite) var real = "Pitt"
        _one.mock = true
        _other.mock = true
        one = "mocked"
        #expect(one == "mocked" && other == "Pitt" && real == "stored")
        real = "set"
        _one.reset()
        #expect(one == "Pitt" && other == "Pitt" && real == "set")
    }

    @Test("Subscribers and trackers are notified when all properties are mocked, mocked anew and real again")
    func all() async {
        // In a process of its own, because the flag is that of the whole process.
        await #expect(processExitsWith: .success) {
            let suite = SettingsSuite.inMemory(["volume": 5])
            let property = PDefaults(wrappedValue: 1, "volume", suite: suite)
            let record = Record<String>()
            let subscription = property.projectedValue.sink { record.add("value \($0)") }
            func track(_ change: () -> Void) {
                withObservationTracking {
                    _ = property.wrappedValue
                } onChange: {
                    record.add("change")
                }
                change()
            }
            track { PDefaultsConfiguration.mock = true }
            property.wrappedValue = 7
            let other = PDefaults(wrappedValue: 2, "volume", suite: suite, behavior: .willSet)
            #expect(other.wrappedValue == 2)
            other.wrappedValue = 3
            #expect(property.wrappedValue == 7)
            track { PDefaultsConfiguration.mock = true }
            track { PDefaultsConfiguration.mock = false }
            #expect(
                record.entries == [
                    "value 5", "change", "value 1", "value 7", "change", "value 1", "change", "value 5",
                ]
            )
            #expect(property.wrappedValue == 5 && other.wrappedValue == 5)
            #expect(suite.storedValues == ["volume": 5])
            withExtendedLifetime(subscription) {}
        }
    }

    @Test("A mocked source has nothing to migrate, and a mocked target keeps its suite untouched")
    func migration() {
        @PDefaults("name", suite: suite) var source = "Pitt"
        @PDefaults("title", suite: suite) var target = "Pete"
        _source.mock = true
        guard case .nothingToMigrate = _source.migrate(to: _target) else {
            Issue.record("the store was read")
            return
        }
        source = "mocked"
        _target.mock = true
        _source.migrate(to: _target)
        #expect(target == "mocked" && source == "Pitt")
        #expect(suite.storedValues == ["name": "stored"])
    }

    @Test("An asynchronous body keeps its store and rethrows its error")
    func waiting() async throws {
        let service = Service(suite)
        await PDefaultsConfiguration.withMock {
            service.name = "mocked"
            await Task.yield()
            #expect(service.name == "mocked")
            #expect(await Task { service.name }.value == "mocked", "a child has it too")
            #expect(await Task.detached { service.name }.value == "stored", "others do not")
        }
        await #expect(throws: Failure()) {
            try await PDefaultsConfiguration.withMock {
                await Task.yield()
                throw Failure()
            }
        }
        #expect(service.name == "stored")
    }

    @Test("A task with mocks has its own store, in which properties on one key share their value")
    func taskLocal() async {
        let service = Service(suite)
        await withTaskGroup { group in
            for number in 0..<8 {
                group.addTask {
                    PDefaultsConfiguration.withMock {
                        #expect(service.name == "Pitt")
                        let record = Record<String>()
                        let subscription = service.$other.sink { record.add($0) }
                        service.name = "task \(number)"
                        #expect(service.other == "task \(number)")
                        #expect(record.entries == ["Pitt", "task \(number)"])
                        withExtendedLifetime(subscription) {}
                    }
                }
            }
        }
        #expect(service.name == "stored")
        #expect(suite.storedValues == ["name": "stored"])
    }
}

private struct Service: Sendable {
    @PDefaults("name", suite: .inMemory()) var name = "Pitt"
    @PDefaults("name", suite: .inMemory()) var other = "Pitt"

    init(_ suite: SettingsSuite) {
        _name = PDefaults(wrappedValue: "Pitt", "name", suite: suite)
        _other = PDefaults(wrappedValue: "Pitt", "name", suite: suite)
    }
}
