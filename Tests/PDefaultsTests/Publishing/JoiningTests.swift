import Foundation
import PDefaults
import ProgramHarness
import Synchronization
import Testing

@Suite("Subscribers may subscribe, request and set during a delivery", .timeLimit(.minutes(60)))
struct JoiningTests {
    let suite = SettingsSuite.inMemory()

    @Test("A subscriber that joins during a delivery starts with the value being delivered")
    func joinInSink() {
        @PDefaults("n", suite: suite) var n = 0
        let record = Record<Int>()
        var joined: AnyCancellable?
        let first = $n.sink { value in
            guard value == 1 else { return }
            n = 2
            joined = $n.sink { record.add($0) }
        }
        n = 1
        #expect(record.entries == [1, 2])
        withExtendedLifetime((first, joined)) {}
    }

    @MainActor
    @Test("A subscriber that joins on the main queue starts with the value that was delivered there last")
    func joinOnMainQueue() async {
        let property = PDefaults(wrappedValue: 0, "n", suite: suite)
        let first = property.projectedValue.sink { _ in }
        let record = Record<Int>()
        setElsewhere(property, 1)
        let second = property.projectedValue.sink { record.add($0) }
        #expect(record.entries == [0])
        await record.wait { $0.count == 2 }
        #expect(record.entries == [0, 1])
        withExtendedLifetime((first, second)) {}
    }

    /// Sets the property on another thread, and returns after that.
    private func setElsewhere(_ property: PDefaults<Int>, _ value: Int) {
        let isSet = DispatchSemaphore(value: 0)
        Thread.detachNewThread {
            property.wrappedValue = value
            isSet.signal()
        }
        isSet.wait()
    }

    @MainActor
    @Test("Values that another thread requests are still received on the main queue")
    func askElsewhere() async {
        @PDefaults("n", suite: suite) var n = 0
        let record = Record<String>()
        let subscriber = Asking(record)
        $n.subscribe(subscriber)
        n = 1
        let subscription = subscriber.subscription.map { Shared(subscription: $0) }
        Thread.detachNewThread { subscription?.subscription.request(.max(2)) }
        await record.wait { $0.count == 4 }
        #expect(record.entries == ["began 0, main", "ended 0", "began 1, main", "ended 1"])
    }

    @Test("A subscriber that requests while it receives gets one value after the other")
    func askInReceive() {
        @PDefaults("n", suite: suite) var n = 0
        let record = Record<String>()
        let subscriber = Asking(record, asksAgain: true)
        $n.subscribe(subscriber)
        n = 1
        subscriber.subscription?.request(.max(1))
        #expect(record.entries == ["began 0", "ended 0", "began 1", "ended 1"])
    }

    @Test("A change during the first conversion is not missed")
    func changeWhileConnecting() {
        @PDefaults("n", suite: suite, register: false) var n = Meddling(number: 0)
        suite.set(1, forKey: "n")
        Meddling.next.withLock { $0[1] = { [suite] in suite.set(2, forKey: "n") } }
        #expect(n.number == 1 || n.number == 2)
        #expect(n.number == 2)
    }

    @Test("If two threads connect at once, the first wins, and the value of the other is not published")
    func connectTwice() {
        let n = PDefaults(wrappedValue: Meddling(number: 0), "n", suite: suite, register: false)
        suite.set(10, forKey: "n")
        let record = Record<Int>()
        let subscription = Mutex<Held?>(nil)
        Meddling.next.withLock { next in
            next[10] = {
                let sink = n.projectedValue.sink { record.add($0.number) }
                subscription.withLock { $0 = Held(subscription: sink) }
                n.wrappedValue = Meddling(number: 11)
            }
        }
        #expect(n.wrappedValue.number == 11)
        #expect(record.entries == [10, 11])
        subscription.withLock { $0 = nil }
    }

    @Test("A value of several words is read whole while another thread sets it")
    func whole() throws {
        let result = try run(try builtProgram(named: "PropertyProgram"), ["whole"])
        #expect(result.output == "whole and in order\n")
    }
}

/// A value that runs an action once, when a certain number is decoded next. Each test has numbers of its own.
private struct Meddling: PropertyListConvertible {
    static let next = Mutex<[Int: @Sendable () -> Void]>([:])

    let number: Int

    init(number: Int) { self.number = number }

    func propertyListForm() -> Int { number }

    init?(propertyListForm form: Int) {
        number = form
        Self.next.withLock { $0.removeValue(forKey: form) }?()
    }
}

/// A subscriber that asks for no values, or for one more whenever it receives one.
private final class Asking: Subscriber {
    typealias Input = Int
    typealias Failure = Never

    private(set) var subscription: (any Subscription)?
    private let record: Record<String>
    /// Marks the main queue.
    private static let mark: DispatchSpecificKey<Bool> = {
        let key = DispatchSpecificKey<Bool>()
        DispatchQueue.main.setSpecific(key: key, value: true)
        return key
    }()
    private let asksAgain: Bool

    init(_ record: Record<String>, asksAgain: Bool = false) {
        self.record = record
        self.asksAgain = asksAgain
    }

    func receive(subscription: any Subscription) { self.subscription = subscription }

    func receive(_ input: Int) -> Subscribers.Demand {
        record.add("began \(input)" + (DispatchQueue.getSpecific(key: Self.mark) == true ? ", main" : ""))
        if asksAgain { subscription?.request(.max(1)) }
        record.add("ended \(input)")
        return .none
    }

    func receive(completion: Subscribers.Completion<Never>) {}
}

/// Unchecked, since any thread may use a property's subscription.
private struct Shared: @unchecked Sendable {
    let subscription: any Subscription
}
