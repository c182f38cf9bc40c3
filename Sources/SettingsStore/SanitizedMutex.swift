// The thread sanitizer follows pthread_mutex_lock(3), but not the lock of the Synchronization module
// on Linux, and takes everything that this guards for a race. So its runs (`Tests/long threads`) have
// another one.
#if THREAD_SANITIZER
    import Glibc

    struct Mutex<Value>: ~Copyable, @unchecked Sendable {
        private let lock = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
        private let value = UnsafeMutablePointer<Value>.allocate(capacity: 1)

        init(_ initial: consuming sending Value) {
            pthread_mutex_init(lock, nil)
            value.initialize(to: initial)
        }

        deinit {
            value.deinitialize(count: 1)
            value.deallocate()
            pthread_mutex_destroy(lock)
            lock.deallocate()
        }

        borrowing func withLock<Result, Failure: Error>(
            _ body: (inout sending Value) throws(Failure) -> sending Result
        ) throws(Failure) -> sending Result {
            pthread_mutex_lock(lock)
            defer { pthread_mutex_unlock(lock) }
            return try body(&value.pointee)
        }
    }
#endif
