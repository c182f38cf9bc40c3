// Swift's runtime has its own locks, which it holds for example while a type is first used, and so have the subscribers
// of OpenCombine. A forked child can't wait for them. So fork(2) waits until no thread of the store computes and no
// thread hands a value to a subscriber; it does not wait for a disk, because a thread does not count as computing while
// it waits for the system. Without this, a process that calls daemon(3) right after its first set would sometimes have
// a child that hangs.

import Glibc

/// The work that fork(2) waits for: the computing of the store's own threads, and the delivery of values to subscribers
/// on any thread.
package enum StoreWork {
    /// Nanoseconds that fork(2) waits at most, for example for a subscriber that takes long or that waits for a lock of
    /// the program. On a busy machine, a thread that hands over a value may not run for some hundredths of a second.
    private static let stopTimeout = 250_000_000

    // Unsafe: a pthread lock is made for several threads. Threads that compute hold it for reading.
    private nonisolated(unsafe) static let lock = {
        let lock = UnsafeMutablePointer<pthread_rwlock_t>.allocate(capacity: 1)
        initialize(lock)
        return lock
    }()

    /// Marks the threads that compute.
    private static let mark = {
        var key = pthread_key_t()
        pthread_key_create(&key, nil)
        return key
    }()

    private static var isComputing: Bool { pthread_getspecific(mark) != nil }

    private static func initialize(_ lock: UnsafeMutablePointer<pthread_rwlock_t>) {
        var attributes = pthread_rwlockattr_t()
        pthread_rwlockattr_init(&attributes)
        // Otherwise a thread that forks might wait forever, because some thread always computes.
        pthread_rwlockattr_setkind_np(&attributes, Int32(PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP))
        pthread_rwlock_init(lock, &attributes)
        pthread_rwlockattr_destroy(&attributes)
    }

    /// Runs the body of a thread of the store, or hands over one value. It may be called within another call.
    package static func run<Result>(_ body: () -> Result) -> Result {
        if isComputing { return body() }
        begin()
        defer { end() }
        return body()
    }

    /// Runs a call that waits for the system or for another thread. Does not change its `errno`.
    static func wait<Result>(_ body: () -> Result) -> Result {
        if !isComputing { return body() }
        end()
        let result = body()
        let number = errno
        begin()
        errno = number
        return result
    }

    private static func begin() {
        pthread_rwlock_rdlock(lock)
        pthread_setspecific(mark, UnsafeMutableRawPointer(lock))
    }

    private static func end() {
        pthread_setspecific(mark, nil)
        pthread_rwlock_unlock(lock)
    }

    /// Returns true when no thread computes any more; ``resume()`` ends that. Returns false if it takes too long, or if
    /// the calling thread computes itself.
    static func stop() -> Bool {
        if isComputing { return false }
        var end = timespec()
        clock_gettime(CLOCK_REALTIME, &end)
        end.tv_nsec += stopTimeout
        end.tv_sec += end.tv_nsec / 1_000_000_000
        end.tv_nsec %= 1_000_000_000
        return pthread_rwlock_timedwrlock(lock, &end) == 0
    }

    static func resume() { pthread_rwlock_unlock(lock) }

    /// A forked child has none of the other threads.
    static func resetInChild() {
        initialize(lock)
        if isComputing { pthread_rwlock_rdlock(lock) }
    }
}
