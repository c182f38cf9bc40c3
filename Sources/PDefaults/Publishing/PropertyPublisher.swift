/// The publisher of a property: of its values (`$name`), or of its values with their state and origin
/// (`_name.updates()`).
struct PropertyPublisher<Value, Output>: Publisher {
    typealias Failure = Never

    let reference: PropertyReference<Value>
    /// Nil for the thread that delivers, whichever that is.
    let delivery: PDefaultsDelivery?
    /// Turns an update into what the subscribers receive.
    let content: (PropertyUpdate<Value>) -> Output

    func receive<Target: Subscriber>(subscriber: Target)
    where Target.Input == Output, Target.Failure == Never {
        let subscription = PropertySubscription(to: reference, of: reference.property) { [content] update in
            subscriber.receive(content(update.of(Value.self)))
        }
        reference.property.attach(subscription, delivery)
        subscriber.receive(subscription: subscription)
    }
}
