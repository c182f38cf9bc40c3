import CLinux
import Glibc
import Synchronization

/// Waits for events, and for the end of the watching.
///
/// Problem: each step of a write of our own is an event, and waking a thread for it takes longer than the step.
/// Approach: epoll(7) waits for several descriptors at once, without those events while a write of ours takes place; a
/// timer (timerfd) brings them back if the write takes long. Without it, each write would wake the watching threads
/// several times, and observers would wait longer for their notification.
///
/// `DispatchSource` uses epoll too, but can't leave a descriptor out and take it back in one call.
final class InotifyPoller: Sendable {
    /// The descriptor of inotify(7).
    let instance: Int32
    /// Becomes readable when the threads are to end.
    private let end: Int32
    /// Becomes readable when a write of this process takes longer than the time limit.
    private let timer: Int32
    /// The descriptor of epoll(7).
    private let all: Int32
    private let waiting = Atomic(0)

    /// The writes of this process that take place now. Threads wake up for their events at the end.
    private struct OwnWrites {
        var count = 0
        /// Whether a write has exceeded the time limit, because a disk may hang. Events wake threads again then.
        var isOverdue = false
    }

    private let ownWrites = Mutex(OwnWrites())
    /// Nanoseconds after which events of a write wake threads all the same.
    private static let timeLimit = 20_000_000

    init(instance: Int32) throws(SystemError) {
        self.instance = instance
        end = clinux_event_descriptor()
        timer = clinux_timer_make()
        all = clinux_epoll_make()
        guard clinux_epoll_add_once(all, instance) == 0, clinux_epoll_add(all, end) == 0,
            clinux_epoll_add(all, timer) == 0
        else {
            throw SystemError("epoll_ctl", "", errno)
        }
    }

    deinit {
        for descriptor in [instance, end, timer, all] where descriptor >= 0 { close(descriptor) }
    }

    /// Waits for events. No other thread gets events before ``resumeEvents()``.
    ///
    /// - Returns: False at the end, and if the program has closed the descriptors.
    func wait() -> Bool {
        waiting.add(1, ordering: .relaxed)
        defer { waiting.subtract(1, ordering: .relaxed) }
        while true {
            switch clinux_epoll_wait(all) {
            case instance: return true
            case timer: endTimeLimit()
            case -1 where errno == EINTR: continue
            default: return false
            }
        }
    }

    /// Lets events wake the threads again.
    func resumeEvents() { ownWrites.withLock { if $0.count == 0 || $0.isOverdue { listen() } } }

    private func listen() { _ = clinux_epoll_rearm(all, instance) }

    func beginOwnWrite() {
        ownWrites.withLock { writes in
            writes.count += 1
            if writes.count > 1 { return }
            _ = clinux_epoll_remove(all, instance)
            _ = clinux_timer_set(timer, Self.timeLimit)
        }
    }

    func endOwnWrite() {
        ownWrites.withLock { writes in
            writes.count -= 1
            if writes.count > 0 { return }
            writes.isOverdue = false
            _ = clinux_timer_set(timer, 0)
            listen()
        }
    }

    /// Lets events of a long write wake the threads.
    private func endTimeLimit() {
        ownWrites.withLock { writes in
            // Then the timer is not readable any more.
            _ = clinux_timer_set(timer, 0)
            if writes.count == 0 { return }
            writes.isOverdue = true
            listen()
        }
    }

    var hasWaitingThread: Bool { waiting.load(ordering: .relaxed) > 0 }

    func endWaiting() {
        var count: UInt64 = 1
        write(end, &count, 8)
    }
}
