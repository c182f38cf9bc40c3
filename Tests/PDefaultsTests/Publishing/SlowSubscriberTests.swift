import Foundation
import PDefaults
import Synchronization
import Testing

@Suite("A slow subscriber does not slow down sets", .timeLimit(.minutes(60)))
struct SlowSubscriberTests {
    /// The queue in which the values wait.
    enum Place: CaseIterable {
        /// In the suite's queue.
        case suite
        /// In the property's queue, since the property has no key.
        case memory
        /// In the property's queue, since the main queue is busy.
        case mainQueue
    }

    @Test(
        "Each set costs the same however many values wait, and values arrive in order",
        arguments: [PDefaultsBehavior.didSet, .willSet],
        [Place.suite, .memory]
    )
    func cost(_ behavior: PDefaultsBehavior, _ place: Place) {
        let property = Self.property(behavior, place)
        let (isBusy, mayGoOn) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let received = Mutex<[Int]>([])
        let last = 64_000
        // The thread that sets first delivers, and is blocked in the sink.
        let allDelivered = DispatchSemaphore(value: 0)
        let subscription = Mutex<Held?>(nil)
        Thread.detachNewThread {
            let sink = property.projectedValue.sink { number in
                if number == 1 {
                    isBusy.signal()
                    mayGoOn.wait()
                }
                received.withLock { $0.append(number) }
            }
            subscription.withLock { $0 = Held(subscription: sink) }
            // With `.willSet` the property shows the last value after its sink has returned.
            property.wrappedValue = 1
            allDelivered.signal()
        }
        isBusy.wait()
        let costs = Self.costs(of: property, upTo: last)
        mayGoOn.signal()
        allDelivered.wait()
        Self.compare(costs)
        // The queue of a property without a key is limited, and drops the oldest values.
        let first = place == .memory ? last - 16_383 : 2
        #expect(received.withLock { $0 } == [0, 1] + Array(first...last))
        #expect(property.wrappedValue == last)
        subscription.withLock { $0 = nil }
    }

    @MainActor
    @Test("Each set costs the same while the main queue is busy")
    func costOnMainQueue() {
        let property = Self.property(.didSet, .mainQueue)
        let subscription = property.projectedValue.sink { _ in }
        let costs = Mutex<[Double]>([])
        let hasSet = DispatchSemaphore(value: 0)
        Thread.detachNewThread {
            let measured = Self.costs(of: property, upTo: 64_000)
            costs.withLock { $0 = measured }
            hasSet.signal()
        }
        // The main thread waits here, so the main queue can't deliver the values.
        hasSet.wait()
        Self.compare(costs.withLock { $0 })
        subscription.cancel()
    }

    private static func property(_ behavior: PDefaultsBehavior, _ place: Place) -> PDefaults<Int> {
        switch place {
        case .memory: PDefaults(wrappedValue: 0, behavior: behavior)
        case .suite, .mainQueue: PDefaults(wrappedValue: 0, "n", suite: .inMemory(), behavior: behavior)
        }
    }

    /// Sets every number up to the last, and returns the processor time of each thousand in seconds.
    private static func costs(of property: PDefaults<Int>, upTo last: Int) -> [Double] {
        stride(from: 2, through: last, by: 1000).map { first in
            let begin = secondsOfThread()
            for number in first...min(first + 999, last) { property.wrappedValue = number }
            return secondsOfThread() - begin
        }
    }

    /// Compares the fastest of the first thousands with the fastest of the last. A set that looked at each waiting
    /// value would take sixty times as long at the end.
    private static func compare(_ costs: [Double]) {
        let (first, last) = (costs.prefix(8).min() ?? 0, costs.dropLast().suffix(8).min() ?? 0)
        #expect(last < first * 10, "\(costs.map { Int($0 * 1_000_000) }) µs")
    }

    /// The processor time of this thread, which does not depend on other programs.
    private static func secondsOfThread() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}
