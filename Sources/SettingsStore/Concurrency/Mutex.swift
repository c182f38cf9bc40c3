// `Synchronization.Mutex` would do, but each set takes several locks. To lock and unlock takes 12 ns with
// pthread_mutex_lock(3), and more than twice as long with `Synchronization.Mutex`. The thread sanitizer also does not
// understand `Synchronization.Mutex`, and reports races that do not exist.

import Glibc

/// A value behind a lock, with the interface of `Synchronization.Mutex`.
///
/// Unchecked: only the thread that has the lock accesses the value, and only `sending` results leave it.
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

    /// Returns nil at once if another thread has the lock.
    package borrowing func withLockIfAvailable<Result, Failure: Error>(
        _ body: (inout sending Value) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result? {
        guard lock.tryLock() else { return nil }
        defer { lock.unlock() }
        return try body(&value.pointee)
    }
}

/// A lock (pthread_mutex_lock(3)). The thread that has locked it unlocks it.
///
/// Unchecked: it is made for several threads.
package struct Lock: ~Copyable, @unchecked Sendable {
    // On the heap, because the address of a pthread mutex may not change.
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)

    package init() { pthread_mutex_init(mutex, nil) }

    deinit {
        pthread_mutex_destroy(mutex)
        mutex.deallocate()
    }

    package borrowing func lock() { pthread_mutex_lock(mutex) }

    package borrowing func tryLock() -> Bool { pthread_mutex_trylock(mutex) == 0 }

    package borrowing func unlock() { pthread_mutex_unlock(mutex) }
}
