// Swift's runtime has its own locks, which it holds for example while a type is first used, and so have the subscribers
// of OpenCombine. A forked child can't wait for them. So fork(2) waits until no thread of the store works and no
// thread hands a value to a subscriber; it does not wait for a disk, because a thread does not count as working while
// it waits for the system. Without this, a process that calls daemon(3) right after its first set would sometimes have
// a child that hangs.

import CLinux
import Glibc

/// The work that fork(2) waits for: what the store's own threads do, and the delivery of values to subscribers on any
/// thread.
package enum StoreWork {
    /// Nanoseconds that fork(2) waits at most, for example for a subscriber that takes long or that waits for a lock of
    /// the program. On a busy machine, a thread that hands over a value may not run for some hundredths of a second.
    private static let stopTimeout = 250_000_000

    /// Runs the body of a thread of the store, or hands over one value. It may be called within another call.
    package static func run<Result>(_ body: () -> Result) -> Result {
        if clinux_is_working() != 0 { return body() }
        clinux_begin_work()
        defer { clinux_end_work() }
        return body()
    }

    /// Runs a call that waits for the system or for another thread. Does not change its `errno`.
    static func wait<Result>(_ body: () -> Result) -> Result {
        if clinux_is_working() == 0 { return body() }
        clinux_end_work()
        let result = body()
        let number = errno
        clinux_begin_work()
        errno = number
        return result
    }

    /// Returns true when no thread works any more; ``resume()`` ends that. Returns false if it takes too long, or if
    /// the calling thread works itself.
    static func stop() -> Bool { clinux_is_working() == 0 && clinux_stop_work(stopTimeout) == 0 }

    static func resume() { clinux_resume_work() }

    /// A forked child has none of the other threads.
    static func resetInChild() { clinux_reset_work() }
}
