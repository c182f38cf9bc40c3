import Glibc

/// A value behind a lock, used as that of the Synchronization module.
///
/// That one takes 32 ns to lock and unlock on Linux, pthread_mutex_lock(3) takes 12; and the thread
/// sanitizer follows no other than this.
///
/// Unchecked, since only who has the lock comes to the value, and nothing of it leaves but what is `sending`.
package struct Mutex<Value>: ~Copyable, @unchecked Sendable {
    private let lock = Lock()
    private let value = UnsafeMutablePointer<Value>.allocate(capacity: 1)

    package init(_ initial: consuming sending Value) { value.initialize(to: initial) }

    deinit {
        value.deinitialize(count: 1)
        value.deallocate()
    }

    package borrowing func withLock<Result, Failure: Error>(
        _ body: (inout sending Value) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result {
        lock.lock()
        defer { lock.unlock() }
        return try body(&value.pointee)
    }

    /// Nil, at once, where somebody else has the lock.
    package borrowing func withLockIfAvailable<Result>(
        _ body: (inout sending Value) -> sending Result
    ) -> sending Result? {
        guard lock.lockIfAvailable() else { return nil }
        defer { lock.unlock() }
        return body(&value.pointee)
    }

    /// Keeps the value from everybody until ``letGo()``, by the same thread.
    package borrowing func hold() { lock.lock() }

    package borrowing func letGo() { lock.unlock() }
}

/// A mutual exclusion lock (pthread_mutex_lock(3)). The thread that locked it unlocks it.
///
/// Unchecked, since it is made for several threads.
package struct Lock: ~Copyable, @unchecked Sendable {
    // At an address of its own, which a lock may not change.
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)

    package init() { pthread_mutex_init(mutex, nil) }

    deinit {
        pthread_mutex_destroy(mutex)
        mutex.deallocate()
    }

    package borrowing func lock() { pthread_mutex_lock(mutex) }

    package borrowing func lockIfAvailable() -> Bool { pthread_mutex_trylock(mutex) == 0 }

    package borrowing func unlock() { pthread_mutex_unlock(mutex) }
}
