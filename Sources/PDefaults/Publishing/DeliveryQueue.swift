/// A value that is delivered now, and the subscriptions that receive it from the caller.
struct Delivery {
    let update: AnyPropertyUpdate
    let subscriptions: [PropertySubscription]
    /// Whether subscriptions on the main queue receive the value after these.
    let continuesOnMainQueue: Bool
}

/// The progress of a thread that hands values to several subscriptions.
struct HandoverTurn {
    var index = 0
    /// Whether the thread has handed a value to the subscription with the index.
    var isReceiving = false
    /// How many more values the receiver of that value asked for.
    var more = Subscribers.Demand.none
}

/// The values of one property on their way to its subscriptions: plain state, guarded by the property's lock.
///
/// Problem: subscriptions receive on different threads and at different speeds, and all of them must see the same
/// values in the same order. Approach: one queue per property; the delivering thread, the main queue and each
/// subscription remember the number of the value that they take next, and a value leaves the queue when all have
/// passed it. Without it, each of the three would need a queue of its own, and each handover could change the order.
///
/// The delivering thread goes first (``position``). The main queue follows (``MainQueueDelivery/position``), and no
/// subscription is ahead of the thread that it receives from.
struct DeliveryQueue {
    private var values = BoundedQueue<AnyPropertyUpdate>()
    /// The number of the value that the delivering thread takes next.
    private var position = 0
    /// The value that the delivering thread took last.
    private(set) var lastDelivered: AnyPropertyUpdate
    /// Whether some thread is delivering. It goes on with all values that are added meanwhile.
    private var isDelivering = false
    /// The subscriptions that receive from the delivering thread.
    private var subscriptions: [PropertySubscription] = []
    private var mainQueue = MainQueueDelivery()

    init(_ initial: AnyPropertyUpdate) { lastDelivered = initial }

    /// Replaces the value that a first subscription starts from.
    mutating func start(from update: AnyPropertyUpdate, _ dropped: inout Dropped) {
        dropped.add(lastDelivered)
        lastDelivered = update
    }

    /// Adds a value. Returns what the caller has to deliver; nil if another thread delivers it.
    mutating func add(_ update: AnyPropertyUpdate, _ dropped: inout Dropped) -> Delivery? {
        if let oldest = values.append(update) {
            dropped.add(oldest)
            // The subscriptions find out for themselves.
            position = max(position, values.first)
            mainQueue.position = max(mainQueue.position, values.first)
        }
        if isDelivering { return nil }
        isDelivering = true
        return next(&dropped)
    }

    /// The value that was added last, whether or not it is delivered.
    var last: AnyPropertyUpdate { values[values.end - 1] ?? lastDelivered }

    /// The next value to deliver. Nil ends the delivery.
    mutating func next(_ dropped: inout Dropped) -> Delivery? {
        removeReceived(&dropped)
        guard let update = values[position] else {
            isDelivering = false
            return nil
        }
        if mainQueue.position == position {
            if mainQueue.subscriptions.isEmpty {
                mainQueue.position += 1
            } else {
                mainQueue.lastDelivered = lastDelivered
            }
        }
        position += 1
        dropped.add(lastDelivered)
        lastDelivered = update
        return Delivery(
            update: update,
            subscriptions: subscriptions,
            continuesOnMainQueue: mainQueue.position < position
        )
    }

    /// Lets go of the values that every reader has passed.
    private mutating func removeReceived(_ dropped: inout Dropped) {
        var needed = mainQueue.position
        if values.first == needed { return }
        for subscription in subscriptions { needed = min(needed, subscription.progress.pointee.position) }
        for subscription in mainQueue.subscriptions {
            needed = min(needed, subscription.progress.pointee.position)
        }
        while values.first < needed {
            // Usually this is the value that was delivered last, which stays here.
            if let update = values.popFirst(), update !== lastDelivered { dropped.add(update) }
        }
    }
}

// MARK: - Subscriptions

extension DeliveryQueue {
    /// Whether there are subscriptions, all of which receive on the main queue.
    var usesMainQueueAlone: Bool { subscriptions.isEmpty && !mainQueue.subscriptions.isEmpty }

    /// Adds a subscription. It starts with the value that was delivered last, whatever has been set since.
    mutating func attach(_ subscription: PropertySubscription, onMainQueue: Bool) {
        let progress = subscription.progress
        progress.pointee.receivesOnMainQueue = onMainQueue
        if onMainQueue {
            let isUpToDate = mainQueue.position == position
            progress.pointee.first = isUpToDate ? lastDelivered : mainQueue.lastDelivered
            progress.pointee.position = mainQueue.position
            mainQueue.subscriptions.append(subscription)
        } else {
            progress.pointee.first = lastDelivered
            progress.pointee.position = position
            subscriptions.append(subscription)
        }
    }

    mutating func detach(_ subscription: PropertySubscription, _ dropped: inout Dropped) {
        subscriptions.removeAll { $0 === subscription }
        mainQueue.subscriptions.removeAll { $0 === subscription }
        removeReceived(&dropped)
    }

    /// The next value for one of several subscriptions, and its receiver. Each of them gets all that waits for it before
    /// the next one gets anything. Nil if all of them have their values, ask for no more, were cancelled, or receive from
    /// another thread, which then goes on with the values.
    ///
    /// - Parameter turn: the subscription that received the last value, and how many more values it asked for.
    mutating func next(
        for subscriptions: [PropertySubscription],
        _ turn: inout HandoverTurn,
        _ dropped: inout Dropped
    ) -> (PropertySubscription.Receiver, AnyPropertyUpdate)? {
        while turn.index < subscriptions.count {
            let progress = subscriptions[turn.index].progress
            if turn.isReceiving {
                if turn.more > 0 { progress.pointee.demand += turn.more }
            } else if progress.pointee.isReceiving {
                turn.index += 1
                continue
            }
            if progress.pointee.demand > 0, let receiver = progress.pointee.receiver,
                let update = take(&progress.pointee, &dropped)
            {
                progress.pointee.demand -= 1
                progress.pointee.isReceiving = true
                turn.isReceiving = true
                return (receiver, update)
            }
            progress.pointee.isReceiving = false
            turn = HandoverTurn(index: turn.index + 1)
        }
        return nil
    }

    private func take(_ progress: inout PropertySubscription.Progress, _ dropped: inout Dropped)
        -> AnyPropertyUpdate?
    {
        if progress.position < values.first {
            // It has missed values; the first one is the oldest of them.
            dropped.add(progress.first)
            progress.first = nil
            progress.position = values.first
        }
        if let first = progress.first {
            progress.first = nil
            return first
        }
        let end = progress.receivesOnMainQueue ? mainQueue.position : position
        guard progress.position < end, let update = values[progress.position] else { return nil }
        progress.position += 1
        return update
    }

    /// A subscription has taken values outside of a delivery.
    mutating func haveCaughtUp(_ dropped: inout Dropped) { removeReceived(&dropped) }
}

// MARK: - The main queue

extension DeliveryQueue {
    /// Whether the caller has to have the main queue deliver.
    mutating func scheduleOnMainQueue() -> Bool {
        defer { mainQueue.isScheduled = true }
        return !mainQueue.isScheduled
    }

    /// The values that the caller, on the main queue, has to deliver; nil if there are none, or if the caller was called
    /// within a delivery, which delivers them too.
    mutating func beginOnMainQueue(_ dropped: inout Dropped) -> Delivery? {
        mainQueue.isScheduled = false
        if mainQueue.isDelivering { return nil }
        mainQueue.isDelivering = true
        return nextOnMainQueue(&dropped)
    }

    /// The next value to deliver on the main queue. Nil ends that delivery.
    mutating func nextOnMainQueue(_ dropped: inout Dropped) -> Delivery? {
        removeReceived(&dropped)
        dropped.add(mainQueue.lastDelivered)
        guard mainQueue.position < position, let update = values[mainQueue.position] else {
            mainQueue.isDelivering = false
            mainQueue.lastDelivered = nil
            return nil
        }
        mainQueue.position += 1
        mainQueue.lastDelivered = update
        return Delivery(update: update, subscriptions: mainQueue.subscriptions, continuesOnMainQueue: false)
    }
}
