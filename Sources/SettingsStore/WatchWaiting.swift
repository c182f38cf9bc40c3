import CLinux
import Glibc
import Synchronization

/// The descriptors that the watching threads wait for, until nobody holds them any more.
final class WatchDescriptors: Sendable {
    /// Of inotify(7).
    let instance: Int32
    /// Becomes readable when the threads are to end.
    private let end: Int32
    /// The kernel's list of what is mounted where, which tells of every change (proc_pid_mountinfo(5)); -1
    /// where it isn't to be had.
    private let mounts: Int32
    /// Becomes readable when the writes of this process go on for too long to be waited for.
    private let timer: Int32
    /// Of epoll(7).
    private let all: Int32
    private let waiting = Atomic(0)
    private let isClosed = Atomic(false)

    /// Writes of this process. Each step of one is an event, and to wake a thread for it takes longer than the
    /// step: so the threads hear of all of it at the end.
    private struct OwnWrites {
        var count = 0
        /// Whether one has gone on for so long that its end is not waited for any more: a disk may hang.
        var isOverdue = false
    }

    private let ownWrites = Mutex(OwnWrites())
    /// Nanoseconds that the end of an own write is waited for.
    private static let patience = 20_000_000

    init(instance: Int32) throws(SystemError) {
        self.instance = instance
        end = clinux_event_descriptor()
        mounts = clinux_behind_standard(open("/proc/self/mountinfo", O_RDONLY | O_CLOEXEC))
        timer = clinux_timer_make()
        all = clinux_epoll_make()
        guard clinux_epoll_add_once(all, instance) == 0, clinux_epoll_add(all, end) == 0,
            clinux_epoll_add(all, timer) == 0
        else {
            throw SystemError("epoll_ctl", "", errno)
        }
        _ = clinux_epoll_add_exceptional(all, mounts)
    }

    deinit { if !isClosed.load(ordering: .relaxed) { closeAll() } }

    /// Leaves them to the process that this one was forked from.
    func leave() {
        isClosed.store(true, ordering: .relaxed)
        closeAll()
    }

    private func closeAll() {
        for descriptor in [instance, end, mounts, timer, all] where descriptor >= 0 { close(descriptor) }
    }

    enum News {
        /// No other thread hears of more before ``hearMore()``.
        case events
        case mounts
    }

    /// Waits for something to happen; nil at the end, and where somebody has closed the descriptors.
    func wait() -> News? {
        waiting.add(1, ordering: .relaxed)
        defer { waiting.subtract(1, ordering: .relaxed) }
        while true {
            switch clinux_epoll_wait(all) {
            case instance: return .events
            case mounts where mounts >= 0: return .mounts
            case timer: Forking.work(passOver)
            case -1 where errno == EINTR: continue
            default: return nil
            }
        }
    }

    /// Has the threads hear of events again.
    func hearMore() { ownWrites.withLock { if $0.count == 0 || $0.isOverdue { listen() } } }

    private func listen() { _ = clinux_epoll_once_more(all, instance) }

    func beginOwnWrite() {
        ownWrites.withLock { writes in
            writes.count += 1
            if writes.count > 1 { return }
            _ = clinux_epoll_not_now(all, instance)
            _ = clinux_timer_set(timer, Self.patience)
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

    /// The time is over that the end of the own writes is waited for.
    private func passOver() {
        ownWrites.withLock { writes in
            // It is not readable any more, then.
            _ = clinux_timer_set(timer, 0)
            if writes.count == 0 { return }
            writes.isOverdue = true
            listen()
        }
    }

    /// Whether a thread waits.
    var isWaitedFor: Bool { waiting.load(ordering: .relaxed) > 0 }

    func endWaiting() {
        var count: UInt64 = 1
        write(end, &count, 8)
    }
}
