import Foundation
import PDefaults
import Testing

@Suite("Defaults of properties", .timeLimit(.minutes(60)))
struct DefaultTests {
    let processes = TwoProcesses()
    var suite: SettingsSuite { processes.here }

    @Test("A property shows its own default even if another property on the key declares another one")
    func declared() {
        @PDefaults("n", suite: suite, register: true) var one = 1
        @PDefaults("n", suite: suite, register: true) var two = 2
        @PDefaults("n", suite: suite) var three = 3
        @PDefaults("n", suite: suite) var nothing: Int?
        @PDefaults("n", suite: suite, register: true) var text = "none"
        #expect(one == 1 && two == 2 && three == 3 && nothing == nil && text == "none")
        #expect(suite.integer(forKey: "n") == 1, "the suite gives the default that was declared first")
        #expect(suite.registeredValues == ["n": 1])
        #expect(suite.storedValues.isEmpty)
    }

    @Test("A property shows a registered default that it can decode")
    func registered() {
        @PDefaults("n", suite: suite) var one = 1
        suite.register(defaults: ["n": 7, "small": 7])
        @PDefaults("n", suite: suite) var two = 2
        @PDefaults("n", suite: suite, register: false) var three = 3
        @PDefaults("n", suite: suite) var number: Int?
        @PDefaults("n", suite: suite) var text = "none"
        @PDefaults("small", .range(0...5), suite: suite) var small = 4
        #expect(one == 7 && two == 7 && three == 7 && number == 7)
        #expect(text == "none", "a registered value of another type")
        #expect(small == 4, "a registered value out of range")
        #expect(_two.current.state == .default)
        #expect(suite.integer(forKey: "n") == 7 && suite.registeredValues == ["n": 7, "small": 7])
        #expect(suite.register(["n": 8]) == ["n"], "the first registration counts")
        #expect(suite.storedValues.isEmpty)
    }

    @Test("A property shows the registered default after a removal, a reset, nil and a migration")
    func registeredUnderneath() {
        suite.register(defaults: ["n": 7])
        @PDefaults("n", suite: suite) var number: Int? = 1
        let record = Record<Int?>()
        let subscription = $number.sink { record.add($0) }
        number = 2
        number = nil
        number = 3
        _number.reset()
        number = 4
        suite.removeObject(forKey: "n")
        number = 5
        @PDefaults("other", suite: suite) var target: Int?
        _number.migrate(to: _target)
        suite.setChecked("many", forKey: "n", origin: .set(by: nil))
        #expect(record.entries == [7, 2, 7, 3, 7, 4, 7, 5, 7, 7])
        #expect(number == 7 && target == 5)
        _number.mock = true
        #expect(number == 1, "a mocked property keeps to its declaration")
        _number.mock = false
        #expect(number == 7)
        withExtendedLifetime(subscription) {}
    }

    @Test("Two different registered defaults of one key are reported")
    func differing() async {
        let key = "differing.\(UInt64.random(in: 0 ... .max))"
        let errors = PDefaultsConfiguration.errors
        suite.register(defaults: [key: 7])
        @PDefaults(key, suite: suite, register: true) var one = 1
        @PDefaults(key, suite: suite, register: true) var two = 2
        let error = await errors.first { $0.key == key }
        #expect(error?.problem == .otherDefault(registered: 1, declared: 2))
        #expect(one == 7 && two == 7)
    }

    @Test("Each property publishes its own default after a reset, nil and a removal through the suite")
    func removed() {
        @PDefaults("n", suite: suite) var one = 1
        @PDefaults("n", suite: suite) var two: Int? = 2
        @PDefaults("n", suite: suite, behavior: .willSet) var three: Int?
        let (first, second, third) = (Record<Int>(), Record<Int?>(), Record<Int?>())
        let subscriptions = [
            $one.sink { first.add($0) }, $two.sink { second.add($0) }, $three.sink { third.add($0) },
        ]
        one = 10
        _one.reset()
        two = 20
        two = nil
        three = 30
        suite.removeObject(forKey: "n")
        #expect(first.entries == [1, 10, 1, 20, 1, 30, 1])
        #expect(second.entries == [2, 10, 2, 20, 2, 30, 2])
        #expect(third.entries == [nil, 10, nil, 20, nil, 30, nil])
        #expect(one == 1 && two == 2 && three == nil)
        withExtendedLifetime(subscriptions) {}
    }

    @Test(
        "A property shows its default after another process removed the value or stored one of another type"
    )
    func foreign() async throws {
        @PDefaults("n", suite: suite) var one = 1
        @PDefaults("n", suite: suite) var two = 2
        let (first, second) = (Record<Int>(), Record<Int>())
        let subscriptions = [$one.sink { first.add($0) }, $two.sink { second.add($0) }]
        let values: [PropertyListValue?] = [5, nil, "many"]
        for (number, value) in values.enumerated() {
            try processes.there.write(value, forKey: "n")
            await first.wait { $0.count == number + 2 }
            await second.wait { $0.count == number + 2 }
        }
        #expect(first.entries == [1, 5, 1, 1])
        #expect(second.entries == [2, 5, 2, 2])
        #expect(one == 1 && two == 2)
        withExtendedLifetime(subscriptions) {}
    }

    @Test("A property shows its default if the value of an old key can't be read")
    func oldKey() {
        suite.set("many", forKey: "count")
        @PDefaults("n", suite: suite) var one = 1
        @PDefaults("n", .formerly("count"), suite: suite) var two = 2
        #expect(one == 1 && two == 2)
        #expect(suite.storedValues == ["count": "many"])
    }

    @Test("A property shows its default while it is mocked, in a task's store, and after that")
    func mocked() {
        let one = PDefaults(wrappedValue: 1, "n", suite: suite)
        let two = PDefaults(wrappedValue: 2, "n", suite: suite)
        two.mock = true
        #expect(one.wrappedValue == 1 && two.wrappedValue == 2)
        two.mock = false
        PDefaultsConfiguration.withMock {
            #expect(one.wrappedValue == 1 && two.wrappedValue == 2)
            one.wrappedValue = 10
            #expect(two.wrappedValue == 10)
            one.reset()
            #expect(one.wrappedValue == 1 && two.wrappedValue == 2)
        }
        #expect(one.wrappedValue == 1 && two.wrappedValue == 2)
    }

    @Test("If all defaults are registered, a declaration can still say that its own is not")
    func registersAll() async {
        // In a process of its own, because the option is that of the whole process.
        await #expect(processExitsWith: .success) {
            PDefaultsConfiguration.registersDefaults = true
            let suite = SettingsSuite.inMemory()
            let one = PDefaults(wrappedValue: 1, "one", suite: suite)
            let two = PDefaults(wrappedValue: 2, "two", suite: suite, register: false)
            #expect(suite.registeredValues == ["one": 1])
            #expect(one.wrappedValue == 1 && two.wrappedValue == 2)
        }
    }

    @Test("A property shows its default after a migration has removed its value or given it none")
    func migrated() {
        suite.set(5, forKey: "n")
        @PDefaults("n", suite: suite) var one = 1
        @PDefaults("n", suite: suite) var two = 2
        @PDefaults("other", suite: suite) var target: Int? = 3
        _two.migrate(to: _target) { $0 }
        #expect(one == 1 && two == 2 && target == 5)
        suite.set(6, forKey: "n")
        _one.migrate(to: _target) { _ in nil }
        #expect(one == 1 && two == 2 && target == 3)
    }
}
