import Synchronization

/// The value that a property shows, apart from everything else, so that reading it takes one short
/// lock. Inlinable, since code that is specialized for the type reads several times as fast.
@usableFromInline
final class ShownValue<Value>: @unchecked Sendable {
    // Unchecked: all that changes is guarded by the mutex; for values see `Locked`.
    @usableFromInline let mutex = Mutex(())
    @usableFromInline var content: Content?

    @usableFromInline
    struct Content {
        @usableFromInline let value: Value
        /// The mock store of the process for which this is the value; nil where it makes no difference.
        @usableFromInline let mock: Int?
    }

    /// The value, if it is the one to show with this mock store of the process (0: none).
    @inlinable
    func value(withMock mock: Int) -> Value? {
        mutex.withLock { _ -> Passed<Value?> in
            guard let content, content.mock == nil || content.mock == mock else { return Passed(value: nil) }
            return Passed(value: content.value)
        }.value
    }

    /// Nil where there is none until the property connects.
    func show(_ content: Content?) { mutex.withLock { _ in self.content = content } }
}

/// Carries a result out of a lock.
@usableFromInline
struct Passed<Value>: @unchecked Sendable {
    @usableFromInline let value: Value

    @inlinable
    init(value: Value) { self.value = value }
}
