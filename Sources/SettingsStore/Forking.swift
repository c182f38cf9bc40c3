import Glibc

/// Has settings go on in both halves of a process that forks without execve(2), as daemon(3) does.
///
/// Of all threads the child has the one that called fork(2). So what was set is stored before; the threads of
/// the store rest meanwhile, that no lock of theirs is held and no commit under way; and the child has threads
/// and watches of its own, since those of inotify(7) it has in common with its parent. Locks of suites that the
/// program's other threads have in that moment stay locked in the child, which may be on its way to execve(2): it
/// waits for none on that way.
enum Forking {
    /// Has the system call what follows at each fork(2) from now on (pthread_atfork(3)); posix_spawn(3) calls
    /// nothing.
    static let isHeardOf: Void = {
        pthread_atfork({ Forking.begin() }, { Forking.endInParent() }, { Forking.endInChild() })
    }()

    private static let gate = ForkGate()

    /// Does something on a thread of the store's own. No process forks meanwhile, unless this does.
    static func work(_ body: () -> Void) { gate.pass(body) }

    private static func begin() {
        UnstoredSuites.shared.storeBeforeFork()
        gate.close()
        FolderWatcher.shared.hold()
        UnstoredSuites.shared.hold()
        WorkThreads.shared.hold()
    }

    private static func endInParent() {
        WorkThreads.shared.letGo()
        UnstoredSuites.shared.letGo()
        FolderWatcher.shared.letGo()
        gate.open()
    }

    private static func endInChild() {
        gate.startAnew()
        UnstoredSuites.shared.startAnew()
        WorkThreads.shared.startAnew(with: gate.isInside ? 1 : 0)
        FolderWatcher.shared.startAnew()
    }
}

/// What threads pass through for each piece of work, and whoever forks closes.
private final class ForkGate: @unchecked Sendable {
    // Unchecked: a lock of the system's, at an address of its own, and what each thread notes for itself.
    private let lock = UnsafeMutablePointer<pthread_rwlock_t>.allocate(capacity: 1)
    /// Whether the calling thread is inside.
    private let mark = newKey()
    /// Whether it has closed the gate, which several may want at once.
    private let closing = newKey()
    /// Seconds that are waited for work to end: a disk may hang.
    private static let patience = 10

    init() { makeLock() }

    private static func newKey() -> pthread_key_t {
        var key = pthread_key_t()
        pthread_key_create(&key, nil)
        return key
    }

    private func makeLock() {
        var attributes = pthread_rwlockattr_t()
        pthread_rwlockattr_init(&attributes)
        // Whoever forks has the next turn, though there is always some work.
        let kind = Int32(PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP)
        pthread_rwlockattr_setkind_np(&attributes, kind)
        pthread_rwlock_init(lock, &attributes)
        pthread_rwlockattr_destroy(&attributes)
    }

    var isInside: Bool { pthread_getspecific(mark) != nil }

    func pass(_ body: () -> Void) {
        pthread_rwlock_rdlock(lock)
        pthread_setspecific(mark, UnsafeMutableRawPointer(lock))
        body()
        pthread_setspecific(mark, nil)
        pthread_rwlock_unlock(lock)
    }

    /// Waits until nobody is inside but the caller.
    func close() {
        if isInside { return }
        var end = timespec()
        clock_gettime(CLOCK_REALTIME, &end)
        end.tv_sec += Self.patience
        guard pthread_rwlock_timedwrlock(lock, &end) == 0 else { return }
        pthread_setspecific(closing, UnsafeMutableRawPointer(lock))
    }

    func open() {
        guard pthread_getspecific(closing) != nil else { return }
        pthread_setspecific(closing, nil)
        pthread_rwlock_unlock(lock)
    }

    /// In a child, where nobody waits any more.
    func startAnew() {
        pthread_setspecific(closing, nil)
        makeLock()
        if isInside { pthread_rwlock_rdlock(lock) }
    }
}
