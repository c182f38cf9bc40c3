import Foundation
import PDefaults
import ProgramHarness
import Testing

@Suite("Delivery across threads and processes", .timeLimit(.minutes(60)))
struct DeliveryTests {
    let processes = TwoProcesses()

    @Test("A foreign change is published, with dotted keys too, and a removal publishes the default")
    func otherProcess() async throws {
        @PDefaults("user.name", suite: processes.here) var name = "Pitt"
        let record = Record<String>()
        let origins = Record<PDefaultsOrigin>()
        let first = $name.sink { record.add($0) }
        let second = _name.updates().sink { origins.add($0.origin) }
        try processes.there.write("François", forKey: "user.name")
        await record.wait { $0.count == 2 }
        try processes.there.write(nil, forKey: "user.name")
        await origins.wait { $0.count == 3 }
        #expect(record.entries == ["Pitt", "François", "Pitt"])
        #expect(origins.entries == [.initial, .otherProcess, .otherProcess])
        #expect(name == "Pitt")
        withExtendedLifetime((first, second)) {}
    }

    @Test("A program that blocks its main thread is told once that changes wait for the main queue")
    func blockedMainQueue() throws {
        let result = try run(try builtProgram(named: "PropertyProgram"), ["blocked"])
        let report =
            "memory: key “volume”: a change has been waiting for the main queue for five seconds: the main thread is busy "
            + "or blocked; wait with await, dispatchMain() or RunLoop.main, or use onUpdate"
        #expect(result.output == report + "\n6\n")
        #expect(result.ending == .exit(0))
    }

    @MainActor
    @Test("A sink of the main actor receives values of other processes and threads on the main thread")
    func mainActor() async throws {
        @PDefaults("n", suite: processes.here) var n = 0
        let record = Record<Int>()
        // A closure of the main actor: a call on another thread would end the process.
        let subscription = $n.sink {
            MainActor.assertIsolated()
            record.add($0)
        }
        let property = _n
        await Task.detached { property.wrappedValue = 1 }.value
        await record.wait { $0.last == 1 }
        try await Task.detached { [processes] in try processes.there.write(2, forKey: "n") }.value
        await record.wait { $0.last == 2 }
        #expect(record.entries == [0, 1, 2])
        withExtendedLifetime(subscription) {}
    }

    @MainActor
    @Test("A value that the main thread sets arrives at once, after the values that wait for the main queue")
    func mainThreadSets() {
        @PDefaults("n", suite: processes.here) var n = 0
        let record = Record<Int>()
        let subscription = $n.sink { record.add($0) }
        let property = _n
        // The main thread waits here, so the main queue can't deliver the value yet.
        let isSet = DispatchSemaphore(value: 0)
        Thread.detachNewThread {
            property.wrappedValue = 1
            isSet.signal()
        }
        isSet.wait()
        #expect(n == 1)
        #expect(record.entries == [0])
        n = 2
        #expect(record.entries == [0, 1, 2])
        withExtendedLifetime(subscription) {}
    }

    @MainActor
    @Test("With willSet, a value of another thread shows after the sinks on the main queue have run")
    func willSetOnMainThread() async {
        @PDefaults("n", suite: processes.here, behavior: .willSet) var n = 0
        let record = Record<[Int]>()
        let subscription = $n.sink { [_n] in record.add([$0, _n.wrappedValue]) }
        let property = _n
        await Task.detached { property.wrappedValue = 1 }.value
        await record.wait { $0.count == 2 }
        #expect(record.entries == [[0, 0], [1, 0]])
        n = 2
        #expect(record.entries.last == [2, 1])
        #expect(n == 2)
        withExtendedLifetime(subscription) {}
    }

    @Test("A subscription can ask for the main queue from any thread")
    func mainQueueFromElsewhere() async {
        @PDefaults("n", suite: processes.here) var n = 0
        let record = Record<Bool>()
        let key = DispatchSpecificKey<Bool>()
        DispatchQueue.main.setSpecific(key: key, value: true)
        let subscription = _n.publisher(delivery: .mainQueue).sink { _ in
            record.add(DispatchQueue.getSpecific(key: key) == true)
        }
        n = 1
        await record.wait { $0.count == 2 }
        #expect(record.entries == [true, true])
        withExtendedLifetime(subscription) {}
    }

    @MainActor
    @Test("All sinks on the main queue receive a value before any of them receives the next one")
    func rounds() {
        @PDefaults("n", suite: processes.here, behavior: .willSet) var n = 0
        let record = Record<String>()
        let subscriptions = ["a", "b"].map { name in
            $n.dropFirst().sink { [_n] in record.add("\(name) \($0), \(_n.wrappedValue)") }
        }
        let property = _n
        let hasSet = DispatchSemaphore(value: 0)
        Thread.detachNewThread {
            for number in 1...2 { property.wrappedValue = number }
            hasSet.signal()
        }
        hasSet.wait()
        n = 3
        #expect(record.entries == ["a 1, 0", "b 1, 0", "a 2, 1", "b 2, 1", "a 3, 2", "b 3, 2"])
        #expect(n == 3)
        withExtendedLifetime(subscriptions) {}
    }

    @Test(
        "A set from inside a sink of a property without a key is delivered after the current value",
        arguments: [PDefaultsBehavior.didSet, .willSet]
    )
    func settingInSinkInMemory(_ behavior: PDefaultsBehavior) {
        @PDefaults(behavior: behavior) var n = 0
        let record = Record<String>()
        let subscriptions = ["a", "b"].map { name in
            $n.dropFirst().sink { [_n] value in
                if name == "a", value == 1 { _n.wrappedValue = 2 }
                record.add("\(name) \(value), \(_n.wrappedValue)")
            }
        }
        n = 1
        switch behavior {
        case .didSet: #expect(record.entries == ["a 1, 2", "b 1, 2", "a 2, 2", "b 2, 2"])
        case .willSet: #expect(record.entries == ["a 1, 0", "b 1, 0", "a 2, 1", "b 2, 1"])
        }
        #expect(n == 2)
        withExtendedLifetime(subscriptions) {}
    }

    @Test("A subscription that is cancelled during a delivery receives nothing more")
    func cancelledDuringDelivery() {
        @PDefaults var n = 0
        let record = Record<String>()
        var second: AnyCancellable?
        let first = $n.sink { value in
            record.add("first \(value)")
            if value == 2 { second?.cancel() }
        }
        second = $n.sink { record.add("second \($0)") }
        for number in 1...3 { n = number }
        #expect(record.entries == ["first 0", "second 0", "first 1", "second 1", "first 2", "first 3"])
        withExtendedLifetime(first) {}
    }

    @Test("A subscriber receives only as many values as it requested, and the others in the same order later")
    func slowAndFast() {
        @PDefaults("n", suite: processes.here) var n = 0
        let slow = SlowSubscriber()
        let record = Record<Int>()
        $n.subscribe(slow)
        let subscription = $n.sink { record.add($0) }
        for number in 1...100 { n = number }
        #expect(slow.received == [])
        slow.subscription?.request(.max(50))
        #expect(slow.received == Array(0..<50))
        n = 101
        slow.subscription?.request(.unlimited)
        n = 102
        #expect(slow.received == Array(0...102))
        #expect(record.entries == slow.received)
        withExtendedLifetime(subscription) {}
    }

    @Test("Sets from many threads arrive in one order at every sink, and the last one is the store's value")
    func manyThreads() async {
        @PDefaults("n", suite: processes.here) var n = -1
        @PDefaults("n", suite: processes.here, behavior: .willSet) var other = -1
        let (one, two, three) = (Record<Int>(), Record<Int>(), Record<Int>())
        let subscriptions = [
            $n.sink { one.add($0) }, $n.sink { two.add($0) }, $other.sink { three.add($0) },
        ]
        let property = _n
        await withTaskGroup { group in
            for thread in 0..<4 {
                group.addTask { for step in 0..<250 { property.wrappedValue = thread * 1000 + step } }
            }
        }
        // Another thread than the one that set last may be delivering.
        await three.wait { $0.count == 1001 }
        #expect(one.entries.count == 1001)
        #expect(one.entries == two.entries)
        #expect(one.entries == three.entries)
        #expect(
            processes.here.storedValue(forKey: "n")
                == one.entries.last.map { .integer(PropertyListInteger($0)) }
        )
        #expect(n == one.entries.last)
        #expect(Set(one.entries).count == 1001)
        withExtendedLifetime(subscriptions) {}
    }

    @Test("A set is visible to its own thread when it returns, even if another thread delivers")
    func ownSets() async {
        let property = PDefaults(wrappedValue: 0, "n", suite: processes.here)
        let mine = (0..<4).map { PDefaults(wrappedValue: -1, "own \($0)", suite: processes.here) }
        let subscription = property.projectedValue.sink { _ in }
        await withTaskGroup { group in
            for (thread, own) in mine.enumerated() {
                group.addTask {
                    for step in 0..<250 {
                        property.wrappedValue = thread
                        own.wrappedValue = step
                        #expect(own.wrappedValue == step)
                    }
                }
            }
        }
        withExtendedLifetime(subscription) {}
    }

    @Test("A property may be first used on many threads at once")
    func firstAccess() async {
        for _ in 0..<50 {
            let suite = SettingsSuite.inMemory(["n": 7])
            let property = PDefaults(wrappedValue: 0, "n", suite: suite)
            await withTaskGroup { group in
                for _ in 0..<4 { group.addTask { #expect(property.wrappedValue == 7) } }
            }
            suite.set(8, forKey: "n")
            #expect(property.wrappedValue == 8)
        }
    }

    @Test("The values that wait for a subscriber are limited to the newest")
    func backlog() {
        @PDefaults var n = 0
        let subscriber = SlowSubscriber()
        $n.subscribe(subscriber)
        for number in 1...20_000 { n = number }
        subscriber.subscription?.request(.unlimited)
        #expect(subscriber.received == Array(20_000 - 16_383...20_000))
    }

    @Test("The asynchronous sequence starts with the current value and misses none")
    func asyncSequence() async {
        @PDefaults("n", suite: processes.here) var n = 0
        var iterator = _n.values.makeAsyncIterator()
        for number in 1...100 { n = number }
        for number in 0...100 { #expect(await iterator.next() == number) }
    }

    @Test("A property that doesn't follow others starts with the stored value and stores its own sets")
    func savedState() throws {
        processes.here.set(1, forKey: "n")
        @PDefaults("n", suite: processes.here, followsOthers: false) var one = 0
        @PDefaults("n", suite: processes.here, followsOthers: false) var other = 0
        #expect(one == 1 && other == 1)
        one = 2
        #expect(one == 2 && other == 1)
        #expect(processes.here.storedValue(forKey: "n") == 2)
        @PDefaults("n", suite: processes.here, followsOthers: false) var later = 0
        #expect(later == 2)
    }

    @Test("A property that doesn't follow others ignores foreign changes")
    func savedStateAlone() async throws {
        @PDefaults("n", suite: processes.here, followsOthers: false) var alone = 0
        @PDefaults("n", suite: processes.here) var following = 0
        let (seenAlone, seen) = (Record<Int>(), Record<Int>())
        // The suite notifies its observers in this order.
        let first = $alone.sink { seenAlone.add($0) }
        let second = $following.sink { seen.add($0) }
        try processes.there.write(7, forKey: "n")
        await seen.wait { $0 == [0, 7] }
        #expect(alone == 0 && seenAlone.entries == [0])
        withExtendedLifetime((first, second)) {}
    }

    @Test("The first subscription starts watching the file")
    func watching() async throws {
        try await withFolder { folder in
            let path = folder.path + "/suite.plist"
            let suite = SettingsSuite(FileStorage(path: path), scheduler: NoScheduler())
            @PDefaults("n", suite: suite) var n = 0
            #expect(n == 0)
            let wasOff = suite.status.watching == .off
            let subscription = $n.sink { _ in }
            #expect(wasOff && suite.status.watching != .off)
            withExtendedLifetime(subscription) {}
        }
    }
}

private final class SlowSubscriber: Subscriber {
    typealias Input = Int
    typealias Failure = Never

    private(set) var subscription: (any Subscription)?
    private(set) var received: [Int] = []

    func receive(subscription: any Subscription) { self.subscription = subscription }

    func receive(_ input: Int) -> Subscribers.Demand {
        received.append(input)
        return .none
    }

    func receive(completion: Subscribers.Completion<Never>) {}
}
