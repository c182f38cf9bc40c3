/// One subscription to a property: what its subscriber has asked for, and what it has received.
///
/// The values wait in the property's ``DeliveryQueue``. A subscriber that asks for fewer values than there are gets the
/// others later; beyond ``BoundedQueue/limit`` it misses the oldest.
///
/// Our own code, since the subjects of OpenCombine 0.14.0 do not keep the order: a send from inside a sink reaches
/// later sinks first, and after concurrent sends the last delivered value can differ from the current one.
///
/// Unchecked, since the property's lock guards everything that changes, except for the owner, which has its own.
final class PropertySubscription: Subscription, @unchecked Sendable {
    /// Hands a value to the subscriber. An object, because Swift wraps a function each time it is passed on.
    final class Receiver {
        let receive: (AnyPropertyUpdate) -> Subscribers.Demand

        init(_ receive: @escaping (AnyPropertyUpdate) -> Subscribers.Demand) { self.receive = receive }
    }

    private struct Owner {
        let property: AnyProperty
        /// Keeps the property connected to its suite.
        let reference: AnyObject
    }

    /// Nil after the subscription was cancelled.
    private let owner: Locked<Owner?>

    /// The demand of the subscriber and the values that it has received, guarded by the property's lock.
    struct Progress {
        /// Nil after the subscription was cancelled.
        var receiver: Receiver?
        /// The value to start with, until the subscriber has received it.
        var first: AnyPropertyUpdate?
        /// The number of the value that the subscriber receives next.
        var position = 0
        /// How many more values the subscriber asked for.
        var demand = Subscribers.Demand.none
        /// Whether some thread is handing values to the subscriber.
        var isReceiving = false
        var receivesOnMainQueue = false
    }

    // Memory of its own, so that Swift does not check for overlapping accesses: the property's lock excludes them.
    let progress = UnsafeMutablePointer<Progress>.allocate(capacity: 1)

    /// - Parameter reference: keeps the property connected to its suite.
    init(
        to reference: AnyObject,
        of property: AnyProperty,
        _ receive: @escaping (AnyPropertyUpdate) -> Subscribers.Demand
    ) {
        owner = Locked(Owner(property: property, reference: reference))
        progress.initialize(to: Progress(receiver: Receiver(receive)))
    }

    deinit {
        progress.deinitialize(count: 1)
        progress.deallocate()
    }

    func request(_ demand: Subscribers.Demand) {
        owner.withLock { $0 }?.property.request(demand, for: self)
    }

    func cancel() {
        let owner = owner.withLock { owner in
            defer { owner = nil }
            return owner
        }
        // The owner is released after this, without a lock.
        owner?.property.detach(self)
    }
}
