import Dispatch
import PropertyList
import SettingsStore
import SettingsStoreTesting
import Synchronization
import Testing

@Suite("Observers get changes in order, with no lock held")
struct DeliveryTests {
    let place: MemoryStorage.Place
    let scheduler = ManualScheduler()
    let suite: SettingsSuite

    init() {
        place = MemoryStorage.Place(scheduler: scheduler)
        suite = SettingsSuite(MemoryStorage(place), scheduler: scheduler)
    }

    @Test("A set notifies before it returns, with old value, new value, origin and sequence number")
    func told() {
        let changes = Recorder<Change>()
        let writer = WriterID()
        let observation = suite.observe("key") { changes.note($0) }.observation
        suite.set(1, forKey: "key", origin: .set(by: writer))
        suite.set(nil, forKey: "key", origin: .reset(by: nil))
        #expect(
            changes.all == [
                Change(key: "key", old: nil, new: 1, origin: .set(by: writer), sequence: 1),
                Change(key: "key", old: 1, new: nil, origin: .reset(by: nil), sequence: 2),
            ]
        )
        observation.cancel()
    }

    @Test("A set of an equal value notifies too")
    func equalValues() {
        let changes = Recorder<Change>()
        let observation = suite.observe("key") { changes.note($0) }.observation
        suite.set(1, forKey: "key")
        suite.set(1, forKey: "key")
        #expect(changes.all.map(\.new) == [1, 1])
        observation.cancel()
    }

    @Test("An observer of one key gets the changes of that key, an observer of all keys gets all")
    func keys() {
        let one = Recorder<String>()
        let all = Recorder<String>()
        let observations = [
            suite.observe("a") { one.note($0.key) }.observation,
            suite.observe { if case .change(let change) = $0 { all.note(change.key) } },
        ]
        suite.set(1, forKey: "a")
        suite.set(1, forKey: "b")
        #expect(one.all == ["a"])
        #expect(all.all == ["a", "b"])
        withExtendedLifetime(observations) {}
    }

    @Test("An observer can ask whether more notifications are waiting")
    func more() throws {
        let heard = Recorder<Bool>()
        let observation = suite.observe { [suite] event in
            if case .change = event { heard.note(suite.hasMoreToTell) }
        }
        try suite.replace(["a": 1, "b": 2, "c": 3], expecting: ["a": nil, "b": nil, "c": nil])
        suite.set(4, forKey: "a")
        #expect(heard.all.count == 4)
        #expect(heard.all.prefix(2) == [true, true])
        #expect(heard.all.last == false)
        observation.cancel()
    }

    @Test("A set inside an observer is delivered after the current change")
    func reentrance() {
        let heard = Recorder<String>()
        let observations = (1...2).map { number in
            suite.observe { [suite] event in
                guard case .change(let change) = event else { return }
                heard.note("\(number): \(change.key)")
                if number == 1, change.key == "a" { suite.set(1, forKey: "b") }
            }
        }
        suite.set(1, forKey: "a")
        #expect(heard.all == ["1: a", "2: a", "1: b", "2: b"])
        withExtendedLifetime(observations) {}
    }

    @Test("A set on another thread during a delivery returns, and the delivering thread delivers it")
    func otherThread() {
        let heard = Recorder<PropertyListValue?>()
        let observation = suite.observe("key") { [suite] change in
            heard.note(change.new)
            guard change.new == 1 else { return }
            let returned = DispatchSemaphore(value: 0)
            DispatchQueue(label: "other").async {
                suite.set(2, forKey: "key")
                returned.signal()
            }
            // If it had to wait for this delivery, it would never return.
            returned.wait()
            #expect(suite.value(forKey: "key") == 2)
        }.observation
        suite.set(1, forKey: "key")
        #expect(heard.all == [1, 2])
        observation.cancel()
    }

    @Test("A new observer starts with the last delivered value and gets every later change")
    func newObserver() {
        let late = Recorder<PropertyListValue?>()
        let holder = Mutex<[SuiteObservation]>([])
        let observation = suite.observe("key") { [suite] change in
            guard change.new == 1 else { return }
            suite.set(2, forKey: "key")
            suite.set(3, forKey: "key")
            let (initial, observation) = suite.observe("key") { late.note($0.new) }
            late.note(initial)
            holder.withLock { $0.append(observation) }
        }.observation
        suite.set(1, forKey: "key")
        #expect(late.all == [1, 2, 3])
        observation.cancel()
    }

    @Test("An observer that joins after the last one has left misses nothing")
    func joiningBehindTheLast() {
        let late = Recorder<PropertyListValue?>()
        let holder = Mutex<[SuiteObservation]>([])
        let observation = suite.observe("key") { [suite] change in
            guard change.new == 1 else { return }
            suite.set(2, forKey: "key")
            holder.withLock { $0.removeAll() }
            // There is no observer at this moment.
            suite.set(3, forKey: "key")
            let (initial, observation) = suite.observe("key") { late.note($0.new) }
            late.note(initial)
            holder.withLock { $0.append(observation) }
        }.observation
        holder.withLock { $0.append(observation) }
        suite.set(1, forKey: "key")
        observation.cancel()
        #expect(late.all.last == 3)
        #expect(late.all == [1, 2, 3])
    }

    @Test("An observation that is cancelled during a delivery, even by itself, gets nothing more")
    func cancelling() {
        let heard = Recorder<Int>()
        let holder = Mutex<[SuiteObservation]>([])
        for number in 0..<3 {
            let observation = suite.observe("key") { _ in
                heard.note(number)
                if number == 0 { for observation in holder.withLock({ $0 }) { observation.cancel() } }
            }.observation
            holder.withLock { $0.append(observation) }
        }
        suite.set(1, forKey: "key")
        suite.set(2, forKey: "key")
        #expect(heard.all == [0])
    }

    @Test("An observation keeps its suite alive")
    func lifetime() throws {
        let heard = Recorder<PropertyListValue?>()
        let scheduler = ManualScheduler()
        let observation = SettingsSuite(MemoryStorage(place), scheduler: scheduler)
            .observe("key") { heard.note($0.new) }.observation
        suite.set(1, forKey: "key")
        try suite.synchronize()
        self.scheduler.advance()
        scheduler.advance()
        #expect(heard.all == [1])
        observation.cancel()
    }

    @Test("Every observer sees the same changes in the same order, and the last one is the store's value")
    func manyThreads() {
        let recorders = (0..<3).map { _ in Recorder<Change>() }
        let observations = recorders.map { recorder in
            suite.observe { if case .change(let change) = $0 { recorder.note(change) } }
        }
        DispatchQueue.concurrentPerform(iterations: 4) { thread in
            for number in 0..<250 {
                suite.set(.integer(PropertyListInteger(thread * 1_000 + number)), forKey: "key")
            }
        }
        #expect(eventually { recorders.allSatisfy { $0.all.count == 1_000 } })
        #expect(recorders[0].all.map(\.sequence) == Array(1...1_000))
        #expect(recorders[1].all == recorders[0].all)
        #expect(recorders[2].all == recorders[0].all)
        #expect(recorders[0].all.last?.new == suite.value(forKey: "key"))
        for (change, next) in zip(recorders[0].all, recorders[0].all.dropFirst()) {
            #expect(change.new == next.old)
        }
        withExtendedLifetime(observations) {}
    }
}
