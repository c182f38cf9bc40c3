/// The values of a property as they change: the current one first, then every change. Nothing has to
/// run the main queue for them.
///
/// Each iteration starts anew. One that falls more than 16,384 values behind misses the oldest.
public struct PDefaultsValues<Value: Sendable>: AsyncSequence, Sendable {
    public typealias Element = Value
    public typealias Failure = Never

    let reference: PropertyReference<Value>

    public func makeAsyncIterator() -> AsyncStream<Value>.Iterator {
        let limit = Backlog<Value>.limit
        let (stream, continuation) = AsyncStream<Value>.makeStream(bufferingPolicy: .bufferingNewest(limit))
        let publisher = PropertyPublisher(reference: reference, delivery: nil)
        let subscription = Sendability(publisher.sink { continuation.yield($0.value) })
        continuation.onTermination = { _ in subscription.value.cancel() }
        return stream.makeAsyncIterator()
    }

    /// Unchecked: once, the stream's end cancels it, on whichever thread that comes; nobody else touches it.
    private struct Sendability: @unchecked Sendable {
        let value: AnyCancellable

        init(_ value: AnyCancellable) { self.value = value }
    }
}
