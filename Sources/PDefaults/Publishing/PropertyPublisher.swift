/// The publisher of `_name.updates()`: values with their state and origin.
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

/// The publisher of `$name`: values alone.
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
