import PropertyList
import SettingsStore

// How a value reaches the subscriptions of a property. A property with a key gets its values from the suite, which
// delivers one change at a time. A property that only lives in memory gets them from the threads that set it. From here
// on both are the same: the value joins the property's `DeliveryQueue`, and one thread at a time delivers from it.

extension AnyProperty {
    /// Delivers a value that needs no conversion and shows already, or shows after its delivery.
    ///
    /// - Parameter id: the set that the value comes from.
    final func publish(_ update: AnyPropertyUpdate, from id: WriterID) {
        deliver(state.withLock { $0.publish(update, from: id) })
    }

    /// Delivers the value that shows once more, unless another value shows now.
    final func publishAgain(_ update: AnyPropertyUpdate) {
        tracker.willChange()
        let delivery = state.withLock { $0.exposed === update ? $0.publish(update, from: nil) : nil }
        tracker.didChange()
        deliver(delivery)
    }

    /// Takes a change from the suite. The suite calls this for one change at a time.
    final func receive(_ change: Change, from connection: SuiteConnection) {
        let update: AnyPropertyUpdate
        var errors: [PDefaultsError] = []
        switch state.withLock({ $0.receive(change, from: connection) }) {
        case .ignored: return
        case .published(let delivery): return deliver(delivery)
        case .notShown(let own?): update = own
        case .notShown(nil): (update, errors) = convert(change, from: connection)
        }
        let showsNow = behavior == .didSet
        if showsNow { tracker.willChange() }
        let delivery = state.withLock { state in
            // Another thread may have connected the property to another suite meanwhile.
            connection === state.connection ? state.publish(update, from: change.origin.writer) : nil
        }
        if showsNow { tracker.didChange() }
        deliver(delivery)
        for error in errors { PDefaultsConfiguration.report(error) }
    }

    /// Delivers a value and those that are added until it has been delivered.
    final func deliver(_ next: consuming Delivery?) {
        // Taken out, because a copy counts references for longer than a lock takes.
        while let delivery = next.take() { next = carryOut(delivery) { $0.next(&$1) } }
        followObject()
    }

    /// Carries out a delivery, and returns the next one. With `.willSet`, the value shows as soon as all of its sinks
    /// have run.
    final func carryOut(
        _ delivery: Delivery,
        _ next: (inout DeliveryQueue, inout Dropped) -> Delivery?
    ) -> Delivery? {
        if behavior == .didSet, !delivery.continuesOnMainQueue {
            return handOver(to: delivery.subscriptions) { next(&$0.deliveries, &$0.dropped) }
        }
        handOver(to: delivery.subscriptions) { _ in }
        if delivery.continuesOnMainQueue { deliverOnMainQueue() }
        let showsNow = behavior == .willSet && !delivery.continuesOnMainQueue
        if showsNow { tracker.willChange() }
        defer { if showsNow { tracker.didChange() } }
        return state.withLock { state in
            if showsNow { state.expose(delivery.update) }
            return next(&state.deliveries, &state.dropped)
        }
    }

    /// Hands subscriptions the values that wait for them. If another thread is handing values to one of them, that thread
    /// goes on with the new ones.
    ///
    /// - Parameter end: what to do with the state when the subscriptions have their values.
    private func handOver<Result>(
        to subscriptions: [PropertySubscription],
        end: (inout PropertyState) -> Result
    ) -> Result {
        var turn = HandoverTurn()
        while true {
            var result: Result?
            let step = state.withLock { state in
                let step = state.deliveries.next(for: subscriptions, &turn, &state.dropped)
                if step == nil { result = end(&state) }
                return step
            }
            if let result { return result }
            if let (receiver, update) = step { turn.more = receiver.receive(update) }
        }
    }
}

// MARK: - Subscriptions

extension AnyProperty {
    /// - Parameter delivery: nil for the thread that delivers, whichever that is.
    final func attach(_ subscription: PropertySubscription, _ delivery: PDefaultsDelivery?) {
        _ = current
        connectedSuite()?.beginWatching()
        let receivesOnMainQueue =
            switch delivery {
            case .automatic: MainQueue.isCurrent
            case .mainQueue: true
            case nil: false
            }
        state.withLock { $0.deliveries.attach(subscription, onMainQueue: receivesOnMainQueue) }
    }

    /// Gives a subscription the values that it asks for, on the thread where it receives.
    final func request(_ demand: Subscribers.Demand, for subscription: PropertySubscription) {
        let receivesOnMainQueue = state.withLock { _ in
            subscription.progress.pointee.demand += demand
            return subscription.progress.pointee.receivesOnMainQueue
        }
        if receivesOnMainQueue && !MainQueue.isCurrent {
            MainQueue.run(for: self) { self.catchUp(subscription) }
        } else {
            catchUp(subscription)
        }
    }

    private func catchUp(_ subscription: PropertySubscription) {
        handOver(to: [subscription]) { $0.deliveries.haveCaughtUp(&$0.dropped) }
    }

    final func detach(_ subscription: PropertySubscription) {
        let ended = state.withLock { state in
            let progress = subscription.progress
            defer {
                progress.pointee.receiver = nil
                progress.pointee.first = nil
            }
            state.deliveries.detach(subscription, &state.dropped)
            return (progress.pointee.receiver, progress.pointee.first)
        }
        // The end of a receiver or a value may run code of the program.
        withExtendedLifetime(ended) {}
    }
}

extension ChangeOrigin {
    var writer: WriterID? {
        switch self {
        case .set(let id), .reset(let id), .migration(let id): id
        case .otherProcess, .refused: nil
        }
    }
}

extension PDefaultsOrigin {
    /// The origin of a change that the property did not make itself.
    init(_ origin: ChangeOrigin) {
        self =
            switch origin {
            case .set: .thisProcess
            case .reset: .reset
            case .migration: .migration
            case .otherProcess: .otherProcess
            case .refused: .refused
            }
    }
}
