import Foundation
import PDefaults
import ProgramHarness
import Synchronization
import Testing

/// The `deinit` of an object runs on the thread that releases the last reference. If the library held a lock there,
/// each use of the property below would wait for ever.
@Suite("A value's deinit may use the property that held the value")
struct DroppedValueTests {
    let suite = SettingsSuite.inMemory()

    /// The ways in which a property drops the value that it shows.
    enum Drop: CaseIterable {
        case set, setNothing, reset, setBySuite, removedBySuite, mock, migrate
    }

    @Test(
        "A deinit may use the property after every way to replace the value",
        arguments: Drop.allCases,
        [PDefaultsBehavior.didSet, .willSet]
    )
    func replaced(_ drop: Drop, _ behavior: PDefaultsBehavior) {
        // After this, each read asks the property's state.
        PDefaultsConfiguration.withMock {}
        let property = PDefaults<Farewell?>("value", suite: suite, behavior: behavior)
        let other = PDefaults<Farewell?>("other", suite: suite)
        let subscription = Subscribed(to: property)
        let uses = Record<Int>()
        property.wrappedValue = Farewell(1) {
            use(property, subscription)
            uses.add(1)
        }
        let hasReturned = returns { [suite] in
            switch drop {
            case .set: property.wrappedValue = Farewell(2)
            case .setNothing: property.wrappedValue = nil
            case .reset: property.reset()
            case .setBySuite: suite.set(.data(Data(#"{"number":3}"#.utf8)), forKey: "value")
            case .removedBySuite: suite.removeObject(forKey: "value")
            case .mock: property.mock = true
            case .migrate: property.migrate(to: other) { _ in Farewell(4) }
            }
        }
        #expect(hasReturned)
        #expect(uses.entries == [1])
    }

    @Test("A deinit may use the property after a subscriber without demand has missed the value")
    func missed() {
        let property = PDefaults<Farewell?>(wrappedValue: nil)
        let subscriber = Unasking()
        property.projectedValue.subscribe(subscriber)
        let uses = Record<Int>()
        property.wrappedValue = Farewell(1) {
            subscriber.subscription.withLock { $0 }?.subscription.cancel()
            property.wrappedValue = nil
            uses.add(1)
        }
        let hasReturned = returns { for number in 2...20_000 { property.wrappedValue = Farewell(number) } }
        #expect(hasReturned)
        #expect(uses.entries == [1])
    }

    @Test("A deinit may use the properties after all of them were mocked again")
    func mocks() throws {
        let result = try run(try builtProgram(named: "PropertyProgram"), ["mocks"])
        #expect(result.output == "3 mocks were released\n")
    }

    @Test(
        "The deallocator of a Data may use the property",
        .timeLimit(.minutes(60)),
        arguments: [false, true]
    )
    func deallocator(_ isInMemory: Bool) async {
        let property =
            isInMemory
            ? PDefaults(wrappedValue: Data()) : PDefaults(wrappedValue: Data(), "data", suite: suite)
        let uses = Record<Int>()
        let hasReturned = returns {
            property.wrappedValue = data {
                property.wrappedValue = Data([1])
                uses.add(1)
            }
            // A property with a key remembers its last few values.
            for number in 0..<10 { property.wrappedValue = Data(repeating: UInt8(number), count: 100) }
        }
        #expect(hasReturned)
        // The thread that stores the values may release them a little later.
        await uses.wait { !$0.isEmpty }
        #expect(uses.entries == [1])
    }

    @Test("A deinit of an object that an error handler captured may use the handlers")
    func handler() throws {
        let result = try run(try builtProgram(named: "PropertyProgram"), ["handlers"])
        #expect(result.output == "both were replaced\n")
    }
}

/// Uses a property in all ways.
private func use(_ property: PDefaults<Farewell?>, _ subscription: Subscribed) {
    subscription.cancel()
    _ = property.wrappedValue
    _ = property.current
    _ = try? property.get()
    property.wrappedValue = Farewell(10)
    property.reset()
    property.projectedValue.sink { _ in }.cancel()
    property.mock = false
}

/// Data with a deallocator that runs an action.
private func data(_ action: @escaping @Sendable () -> Void) -> Data {
    let count = 100
    let bytes = UnsafeMutableRawPointer.allocate(byteCount: count, alignment: 1)
    bytes.initializeMemory(as: UInt8.self, repeating: 1, count: count)
    return Data(
        bytesNoCopy: bytes,
        count: count,
        deallocator: .custom { bytes, _ in
            bytes.deallocate()
            action()
        }
    )
}

/// A value that runs an action in its `deinit`.
private final class Farewell: Codable, Sendable {
    let number: Int
    private let action: @Sendable () -> Void

    private enum CodingKeys: CodingKey { case number }

    init(_ number: Int, _ action: @escaping @Sendable () -> Void = {}) {
        self.number = number
        self.action = action
    }

    init(from decoder: any Decoder) throws {
        number = try decoder.container(keyedBy: CodingKeys.self).decode(Int.self, forKey: .number)
        action = {}
    }

    deinit { action() }
}

/// A subscription that any thread may cancel.
private final class Subscribed: Sendable {
    private let held = Mutex<Held?>(nil)

    init(to property: PDefaults<Farewell?>) {
        let subscription = Held(subscription: property.projectedValue.sink { _ in })
        held.withLock { $0 = subscription }
    }

    func cancel() {
        let held = held.withLock { held in
            defer { held = nil }
            return held
        }
        held?.subscription.cancel()
    }
}

/// A subscriber that asks for no values.
private final class Unasking: Subscriber, Sendable {
    typealias Input = Farewell?
    typealias Failure = Never

    /// Unchecked, since any thread may use a property's subscription.
    struct Shared: @unchecked Sendable {
        let subscription: any Subscription
    }

    let subscription = Mutex<Shared?>(nil)

    func receive(subscription: any Subscription) {
        let shared = Shared(subscription: subscription)
        self.subscription.withLock { $0 = shared }
    }

    func receive(_ input: Farewell?) -> Subscribers.Demand { .none }

    func receive(completion: Subscribers.Completion<Never>) {}
}
