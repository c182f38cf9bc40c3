import PDefaults
import Testing

@Suite("Properties read, set and publish")
struct BehaviourTests {
    let suite = SettingsSuite.inMemory()

    @Test("A property shows its default, which is never written, until it is set")
    func defaults() throws {
        @PDefaults("user.name", suite: suite) var name = "Pitt"
        #expect(name == "Pitt")
        #expect(suite.storedValues.isEmpty)
        name = "François"
        #expect(name == "François")
        #expect(suite.storedValue(forKey: "user.name") == "François")
    }

    @Test(
        "With didSet a value shows and is then published, with willSet it is published and then shows",
        arguments: [PDefaultsBehavior.didSet, .willSet]
    )
    func order(_ behavior: PDefaultsBehavior) {
        @PDefaults("user.name", suite: suite, behavior: behavior) var name = "Pitt"
        let record = Record<[String]>()
        let subscription = $name.sink { [_name] in record.add([$0, _name.wrappedValue]) }
        name = "François"
        name = "Hubert"
        switch behavior {
        case .didSet:
            #expect(record.entries == [["Pitt", "Pitt"], ["François", "François"], ["Hubert", "Hubert"]])
        case .willSet:
            #expect(record.entries == [["Pitt", "Pitt"], ["François", "Pitt"], ["Hubert", "François"]])
        }
        #expect(name == "Hubert")
        withExtendedLifetime(subscription) {}
    }

    @Test(
        "After a sink has set the property again, property and store have the same value",
        arguments: [PDefaultsBehavior.didSet, .willSet]
    )
    func settingInSink(_ behavior: PDefaultsBehavior) {
        @PDefaults("volume", suite: suite, behavior: behavior) var volume = 0
        let record = Record<Int>()
        let clamping = $volume.sink { [_volume] in if $0 > 10 { _volume.wrappedValue = 10 } }
        let watching = $volume.sink { record.add($0) }
        volume = 11
        #expect(volume == 10)
        #expect(suite.storedValue(forKey: "volume") == 10)
        #expect(record.entries == [0, 11, 10])
        withExtendedLifetime((clamping, watching)) {}
    }

    @Test("A set of another property from inside a sink is delivered after the current value")
    func settingOtherInSink() {
        @PDefaults("a", suite: suite) var a = 0
        @PDefaults("b", suite: suite) var b = 0
        let record = Record<String>()
        let first = $a.dropFirst().sink { [_b] in
            _b.wrappedValue = $0
            record.add("first a \($0)")
        }
        let second = $a.dropFirst().sink { record.add("second a \($0)") }
        let third = $b.dropFirst().sink { record.add("b \($0)") }
        a = 1
        #expect(record.entries == ["first a 1", "second a 1", "b 1"])
        withExtendedLifetime((first, second, third)) {}
    }

    @Test("Equal values are published again")
    func equalValues() {
        @PDefaults("n", suite: suite) var n = 1
        let record = Record<Int>()
        let subscription = $n.sink { record.add($0) }
        n = 1
        n = 1
        #expect(record.entries == [1, 1, 1])
        withExtendedLifetime(subscription) {}
    }

    @Test("Setting nil removes the stored value and shows the default")
    func settingNil() {
        @PDefaults("user.name", suite: suite) var name: String? = "Pitt"
        let record = Record<String?>()
        let subscription = $name.sink { record.add($0) }
        name = "François"
        name = nil
        #expect(name == "Pitt")
        #expect(record.entries == ["Pitt", "François", "Pitt"])
        #expect(suite.storedValues.isEmpty)
        withExtendedLifetime(subscription) {}
    }

    @Test("A nil inside an optional removes the stored value too")
    func settingNestedNil() {
        @PDefaults("n", suite: suite) var n: Int??
        n = 1
        #expect(suite.storedValue(forKey: "n") == 1)
        n = .some(nil)
        #expect(suite.storedValues.isEmpty)
        #expect(n == Int??.none)
    }

    @Test("reset removes the stored value and publishes the default")
    func reset() {
        @PDefaults("user.name", suite: suite) var name = "Pitt"
        let record = Record<String>()
        let subscription = $name.sink { record.add($0) }
        name = "François"
        _name.reset()
        #expect(name == "Pitt")
        #expect(record.entries == ["Pitt", "François", "Pitt"])
        #expect(suite.storedValues.isEmpty)
        withExtendedLifetime(subscription) {}
    }

    @Test("Several properties on one key receive all changes, each with its own behaviour")
    func severalInstances() {
        @PDefaults("user.name", suite: suite, behavior: .didSet) var one = "Pitt"
        @PDefaults("user.name", suite: suite, behavior: .willSet) var other = "Pitt"
        let record = Record<String>()
        let first = $one.dropFirst().sink { [_one] in record.add("one \($0), \(_one.wrappedValue)") }
        let second = $other.dropFirst().sink { [_other] in record.add("other \($0), \(_other.wrappedValue)") }
        one = "A"
        #expect(one == "A" && other == "A")
        other = "B"
        #expect(one == "B" && other == "B")
        #expect(record.entries == ["one A, A", "other A, Pitt", "one B, B", "other B, A"])
        withExtendedLifetime((first, second)) {}
    }

    @Test("Copies of the wrapper are the same property, and keep it alive")
    func copies() {
        func make() -> PDefaults<Int> {
            @PDefaults("n", suite: suite) var n = 1
            n = 2
            return _n
        }
        let copy = make()
        let record = Record<Int>()
        let subscription = copy.projectedValue.sink { record.add($0) }
        copy.wrappedValue = 3
        #expect(record.entries == [2, 3])
        withExtendedLifetime(subscription) {}
    }

    @Test("A subscription keeps its property alive, and receives nothing after it was cancelled")
    func lifetime() {
        var subscription: AnyCancellable?
        let record = Record<Int>()
        do {
            @PDefaults("n", suite: suite) var n = 1
            subscription = $n.sink { record.add($0) }
        }
        suite.set(2, forKey: "n")
        #expect(record.entries == [1, 2])
        subscription?.cancel()
        suite.set(3, forKey: "n")
        #expect(record.entries == [1, 2])
    }

    @Test("A property without references leaves its suite and releases its values")
    func leaving() {
        final class Token: Codable {}
        weak var token: Token?
        do {
            @PDefaults("token", suite: suite) var held = Token()
            let subscription = $held.sink { _ in }
            held = Token()
            token = held
            #expect(token != nil)
            subscription.cancel()
        }
        #expect(token == nil)
        weak var mocked: Token?
        PDefaultsConfiguration.withMock {
            @PDefaults("token", suite: suite) var held = Token()
            held = Token()
            mocked = held
            #expect(mocked != nil)
        }
        #expect(mocked == nil)
    }
}
