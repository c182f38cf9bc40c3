/// The values of a property as an asynchronous sequence: the current value first, then every change, in order.
///
/// The sequence does not need the main queue. Each iteration starts with the value that is current then. An iteration that falls
/// more than 16,384 values behind misses the oldest.
public struct PDefaultsValues<Value: Sendable>: AsyncSequence, Sendable {
    public typealias Element = Value
    public typealias Failure = Never

    let reference: PropertyReference<Value>

    public func makeAsyncIterator() -> AsyncStream<Value>.Iterator {
        let limit = BoundedQueue<Value>.limit
        let (stream, continuation) = AsyncStream<Value>.makeStream(bufferingPolicy: .bufferingNewest(limit))
        let publisher = PropertyPublisher(reference: reference, delivery: nil) { $0.value }
        let subscription = Sendability(publisher.sink { continuation.yield($0) })
        continuation.onTermination = { _ in subscription.value.cancel() }
        return stream.makeAsyncIterator()
    }

    /// Unchecked, since only the end of the stream uses the subscription: it cancels it once, on any thread.
    private struct Sendability: @unchecked Sendable {
        let value: AnyCancellable

        init(_ value: AnyCancellable) { self.value = value }
    }
}
