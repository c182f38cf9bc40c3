import CLinux
import Glibc

/// The descriptors that the watching thread waits for.
struct WatchDescriptors {
    /// Of inotify(7).
    let instance: Int32
    /// Becomes readable when the thread is to end.
    let end: Int32
    /// The kernel's list of what is mounted where, which tells of every change (proc_pid_mountinfo(5)); -1
    /// where it isn't to be had.
    private let mounts: Int32

    init(instance: Int32) {
        self.instance = instance
        end = clinux_event_descriptor()
        mounts = open("/proc/self/mountinfo", O_RDONLY | O_CLOEXEC)
    }

    /// What there is news of. Both may be, and the kernel tells of the mounts only once.
    struct News {
        let isOfEvents: Bool
        let isOfMounts: Bool
    }

    /// Waits for something to happen; nil at the end, and where somebody has closed the descriptors.
    func wait() -> News? {
        let wanted = [(instance, POLLIN), (end, POLLIN), (mounts, POLLPRI)]
        var polled = wanted.map { pollfd(fd: $0, events: Int16($1), revents: 0) }
        while true {
            guard poll(&polled, 3, -1) > 0 else { continue }
            if polled[1].revents != 0 || Int32(polled[0].revents) & POLLNVAL != 0 { return nil }
            // Closed by somebody: nothing more is heard of them.
            if Int32(polled[2].revents) & POLLNVAL != 0 {
                polled[2].fd = -1
                polled[2].revents = 0
            }
            let news = News(isOfEvents: polled[0].revents != 0, isOfMounts: polled[2].revents != 0)
            if news.isOfEvents || news.isOfMounts { return news }
        }
    }

    func close() {
        for descriptor in [instance, end, mounts] where descriptor >= 0 { _ = Glibc.close(descriptor) }
    }
}
