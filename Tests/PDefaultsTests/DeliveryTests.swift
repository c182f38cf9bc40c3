import Foundation
import PDefaults
import Testing

@Suite("Delivery across threads and processes", .timeLimit(.minutes(10)))
struct DeliveryTests {
    let processes = TwoProcesses()

    @Test("What another process sets is published, dotted keys too, and a removal publishes the default")
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

    @MainActor
    @Test("A sink of the main actor hears of other processes and threads on the main thread")
    func mainActor() async throws {
        @PDefaults("n", suite: processes.here) var n = 0
        let record = Record<Int>()
        // Formed in main-actor code: calling it anywhere else would end the process.
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
    @Test("What the main thread sets arrives at once, behind what others set before")
    func mainThreadSets() {
        @PDefaults("n", suite: processes.here) var n = 0
        let record = Record<Int>()
        let subscription = $n.sink { record.add($0) }
        let property = _n
        // The main thread waits here, so that the value is still on its way to it.
        let other = Thread { property.wrappedValue = 1 }
        other.start()
        while n != 1 { Thread.sleep(forTimeInterval: 0.001) }
        while !other.isFinished { Thread.sleep(forTimeInterval: 0.001) }
        #expect(record.entries == [0])
        n = 2
        #expect(record.entries == [0, 1, 2])
        withExtendedLifetime(subscription) {}
    }

    @MainActor
    @Test("With willSet, a value set elsewhere shows once the main thread's sinks have run")
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
        // The thread that delivers may be behind the one that set last.
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

    @Test("A set is visible to its own thread when it returns, whoever delivers")
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

    @Test("A subscriber gets no more than it asks for, and the rest in order when it asks again")
    func demand() {
        @PDefaults("n", suite: processes.here) var n = 0
        let subscriber = SlowSubscriber()
        $n.subscribe(subscriber)
        n = 1
        n = 2
        #expect(subscriber.received == [])
        subscriber.subscription?.request(.max(2))
        #expect(subscriber.received == [0, 1])
        n = 3
        subscriber.subscription?.request(.unlimited)
        n = 4
        #expect(subscriber.received == [0, 1, 2, 3, 4])
    }

    @Test("A subscriber that asks for nothing costs a bounded amount of memory and gets the newest")
    func backlog() {
        @PDefaults var n = 0
        let subscriber = SlowSubscriber()
        $n.subscribe(subscriber)
        for number in 1...20_000 { n = number }
        subscriber.subscription?.request(.unlimited)
        #expect(subscriber.received == Array(20_000 - 16_383...20_000))
    }

    @Test("The values as an AsyncSequence start with the current one and miss none")
    func asyncSequence() async {
        @PDefaults("n", suite: processes.here) var n = 0
        var iterator = _n.values.makeAsyncIterator()
        for number in 1...100 { n = number }
        for number in 0...100 { #expect(await iterator.next() == number) }
    }

    @Test("A property that doesn't follow others starts from what is stored and writes through")
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

    @Test("Nor does it show what another process sets")
    func savedStateAlone() async throws {
        @PDefaults("n", suite: processes.here, followsOthers: false) var alone = 0
        @PDefaults("n", suite: processes.here) var following = 0
        let (seenAlone, seen) = (Record<Int>(), Record<Int>())
        // In the order in which they are told.
        let first = $alone.sink { seenAlone.add($0) }
        let second = $following.sink { seen.add($0) }
        try processes.there.write(7, forKey: "n")
        await seen.wait { $0 == [0, 7] }
        #expect(alone == 0 && seenAlone.entries == [0])
        withExtendedLifetime((first, second)) {}
    }

    @Test("Others are watched from the first subscription on")
    func watching() async throws {
        try await withFolder { folder in
            let path = folder.path + "/suite.plist"
            let suite = SettingsSuite(FileStorage(path: path), scheduler: NoScheduler())
            @PDefaults("n", suite: suite) var n = 0
            #expect(n == 0)
            let isDear = suite.status.watching == .off
            let subscription = $n.sink { _ in }
            #expect(isDear && suite.status.watching != .off)
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
