/// Delivery on the main queue: how far the main queue has come with the values of one property.
///
/// Problem: a subscription of the main actor must receive on the main thread, but any thread may set the property.
/// Approach: values for such subscriptions stay in the property's ``DeliveryQueue`` until the main dispatch queue takes
/// them, or until the main thread itself sets the property and takes them before the set returns. Without it, a sink
/// that was formed in main-actor code would be called on another thread, which ends the process.
///
/// A subscription receives on the main queue if it was made on the main thread or asked for
/// ``PDefaultsDelivery/mainQueue``. All of them get a value before any of them gets the next one. With `.willSet` the
/// value shows after all of them have it.
struct MainQueueDelivery {
    var subscriptions: [PropertySubscription] = []
    /// The number of the value that the main queue takes next.
    var position = 0
    /// The value before that one, while the main queue has values to take or is delivering one.
    var lastDelivered: AnyPropertyUpdate?
    var isDelivering = false
    /// Whether the main queue has been asked to deliver, and has not begun.
    var isScheduled = false
}

extension AnyProperty {
    /// Delivers on the main queue what waits for it: on the main thread here and now, elsewhere soon.
    final func deliverOnMainQueue() {
        guard MainQueue.isCurrent else {
            if state.withLock({ $0.deliveries.scheduleOnMainQueue() }) {
                MainQueue.run(for: self) { self.deliverOnMainQueue() }
            }
            return
        }
        var next = state.withLock { $0.deliveries.beginOnMainQueue(&$0.dropped) }
        if next == nil { return }
        while let delivery = next { next = carryOut(delivery) { $0.nextOnMainQueue(&$1) } }
        followObject()
    }
}
