import OpenCombine

/// What stands behind `$name` and `_name.updates`.
struct PropertyPublisher<Value>: Publisher {
    typealias Output = PDefaultsUpdate<Value>
    typealias Failure = Never

    let reference: PropertyReference<Value>
    /// Nil for the thread that delivers, whichever that is.
    let delivery: PDefaultsDelivery?

    func receive<Target: Subscriber>(subscriber: Target)
    where Target.Input == Output, Target.Failure == Never {
        let subscription = PropertySubscription(AnySubscriber(subscriber), to: reference)
        reference.property.attach(subscription, delivery)
        subscriber.receive(subscription: subscription)
    }
}

/// One subscriber of a property: hands it values in order, one at a time, as many as it asked for.
///
/// A subscriber that asks for less than there is gets the rest later; beyond ``Backlog/limit`` the
/// oldest are left out.
final class PropertySubscription<Value>: Subscription, Sendable {
    private struct State {
        var subscriber: AnySubscriber<PDefaultsUpdate<Value>, Never>?
        /// Gives the values, and is told when the subscription ends.
        var reference: PropertyReference<Value>?
        var isOnMainQueue = false
        var demand = Subscribers.Demand.none
        var mailbox = Backlog<PDefaultsUpdate<Value>>()
        var isHanding = false

        mutating func next() -> (
            subscriber: AnySubscriber<PDefaultsUpdate<Value>, Never>, update: PDefaultsUpdate<Value>
        )? {
            guard let subscriber, demand > 0, let update = mailbox.popFirst() else {
                isHanding = false
                return nil
            }
            demand -= 1
            return (subscriber, update)
        }
    }

    private let state: Locked<State>

    init(_ subscriber: AnySubscriber<PDefaultsUpdate<Value>, Never>, to reference: PropertyReference<Value>) {
        state = Locked(State(subscriber: subscriber, reference: reference))
    }

    /// From now on values are handed over on the main queue alone.
    func moveToMainQueue() { state.withLock { $0.isOnMainQueue = true } }

    /// Puts a value behind those that wait.
    func enqueue(_ update: PDefaultsUpdate<Value>) {
        state.withLock { if $0.subscriber != nil { _ = $0.mailbox.append(update) } }
    }

    /// Hands over what waits, unless somebody is doing so already, who then goes on with it.
    func handOver() {
        let isFirst = state.withLock { state in
            defer { state.isHanding = true }
            return !state.isHanding
        }
        guard isFirst else { return }
        while let (subscriber, update) = state.withLock({ $0.next() }) {
            let more = subscriber.receive(update)
            if more > 0 { state.withLock { $0.demand += more } }
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
        let (reference, subscriber, mailbox) = state.withLock { state in
            defer {
                state.reference = nil
                state.subscriber = nil
                state.mailbox = Backlog()
            }
            return (state.reference, state.subscriber, state.mailbox)
        }
        reference?.property.detach(self)
        // What a subscriber or a value does as it goes away happens outside the lock.
        withExtendedLifetime((subscriber, mailbox)) {}
    }
}
