/// What stands behind `_name.updates`.
struct PropertyPublisher<Value>: Publisher {
    typealias Output = PDefaultsUpdate<Value>
    typealias Failure = Never

    let reference: PropertyReference<Value>
    /// Nil for the thread that delivers, whichever that is.
    let delivery: PDefaultsDelivery?

    func receive<Target: Subscriber>(subscriber: Target)
    where Target.Input == Output, Target.Failure == Never {
        let subscription = PropertySubscription(to: reference, of: reference.property) { update in
            subscriber.receive(update.of(Value.self).content)
        }
        reference.property.attach(subscription, delivery)
        subscriber.receive(subscription: subscription)
    }
}

/// What stands behind `$name`: the same, values alone.
struct PropertyValuePublisher<Value>: Publisher {
    typealias Output = Value
    typealias Failure = Never

    let reference: PropertyReference<Value>
    let delivery: PDefaultsDelivery

    func receive<Target: Subscriber>(subscriber: Target)
    where Target.Input == Output, Target.Failure == Never {
        let subscription = PropertySubscription(to: reference, of: reference.property) { update in
            subscriber.receive(update.of(Value.self).value)
        }
        reference.property.attach(subscription, delivery)
        subscriber.receive(subscription: subscription)
    }
}

/// One subscriber of a property: hands it values in order, one at a time, as many as it asked for.
///
/// A subscriber that asks for less than there is gets the rest later; beyond ``Backlog/limit`` the
/// oldest are left out.
final class PropertySubscription: Subscription, Sendable {
    /// Hands a value to the subscriber. An object, since a function that is passed on is wrapped each time.
    final class Receiver {
        let receive: (AnyUpdate) -> Subscribers.Demand

        init(_ receive: @escaping (AnyUpdate) -> Subscribers.Demand) { self.receive = receive }
    }

    private struct State {
        /// Nil once the subscription has ended.
        var receiver: Receiver?
        /// Keeps the property connected.
        var reference: AnyObject?
        /// Gives the values, and is told when the subscription ends.
        var property: PropertyCore?
        var isOnMainQueue = false
        var demand = Subscribers.Demand.none
        var mailbox = Backlog<AnyUpdate>()
        var isHanding = false

        /// Whom the caller has to hand a value at once; nil where it waits behind others, or for demand.
        mutating func take(_ update: AnyUpdate) -> Receiver? {
            guard let receiver else { return nil }
            if !isHanding, mailbox.isEmpty, demand > 0 {
                isHanding = true
                demand -= 1
                return receiver
            }
            _ = mailbox.append(update)
            return nil
        }

        /// The first value to hand over, where nobody is doing so.
        mutating func begin() -> (receiver: Receiver, update: AnyUpdate)? {
            if isHanding { return nil }
            isHanding = true
            return next()
        }

        /// The next one; nil ends it.
        mutating func next() -> (receiver: Receiver, update: AnyUpdate)? {
            guard let receiver, demand > 0, let update = mailbox.popFirst() else {
                isHanding = false
                return nil
            }
            demand -= 1
            return (receiver, update)
        }
    }

    private let state: Locked<State>

    /// - Parameter reference: what keeps the property connected.
    init(
        to reference: AnyObject,
        of property: PropertyCore,
        _ receive: @escaping (AnyUpdate) -> Subscribers.Demand
    ) {
        state = Locked(State(receiver: Receiver(receive), reference: reference, property: property))
    }

    /// From now on values are handed over on the main queue alone.
    func moveToMainQueue() { state.withLock { $0.isOnMainQueue = true } }

    /// Puts a value behind those that wait.
    func enqueue(_ update: AnyUpdate) {
        state.withLock { if $0.receiver != nil { _ = $0.mailbox.append(update) } }
    }

    /// Hands over a value, behind those that wait.
    func hand(_ update: AnyUpdate) {
        if let receiver = state.withLock({ $0.take(update) }) {
            goOn(withMore: receiver.receive(update))
        } else {
            handOver()
        }
    }

    /// Hands over what waits, unless somebody is doing so already, who then goes on with it.
    func handOver() {
        if let (receiver, update) = state.withLock({ $0.begin() }) {
            goOn(withMore: receiver.receive(update))
        }
    }

    private func goOn(withMore demand: Subscribers.Demand) {
        var more = demand
        while true {
            let next = state.withLock { state in
                if more > 0 { state.demand += more }
                return state.next()
            }
            guard let (receiver, update) = next else { return }
            more = receiver.receive(update)
        }
    }

    func request(_ demand: Subscribers.Demand) {
        let isOnMainQueue = state.withLock { state in
            state.demand += demand
            return state.isOnMainQueue
        }
        if isOnMainQueue && !MainQueue.isCurrent {
            MainQueue.run { self.handOver() }
        } else {
            handOver()
        }
    }

    func cancel() {
        let ended = state.withLock { state in
            defer {
                state.reference = nil
                state.property = nil
                state.receiver = nil
                state.mailbox = Backlog()
            }
            return state
        }
        ended.property?.detach(self)
        // What a subscriber or a value does as it goes away happens outside the lock.
        withExtendedLifetime(ended) {}
    }
}
