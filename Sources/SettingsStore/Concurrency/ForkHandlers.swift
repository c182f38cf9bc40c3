import Glibc
import Synchronization

// A child of fork(2) has only the thread that forked, but copies of the locks, half-made changes, pending values and
// open files of all threads of its parent. So fork waits until no thread has a short lock (`Lock`) and no thread of the
// store computes, and does nothing else; the child drops what it can't own when it first uses the library (`inChild` of
// `Mutex`, `SlowMutex`). Without this, a child that sets a value or only calls exit(3) would wait forever for a lock of
// a thread that it does not have, and would store what its parent stores too.
package enum ForkHandlers {
    /// Registers the handlers, on the first use (pthread_atfork(3)). posix_spawn(3) does not call them.
    static let registration: Void = {
        pthread_atfork(
            { ForkHandlers.begin() },
            { ForkHandlers.endInParent() },
            { ForkHandlers.endInChild() }
        )
    }()

    /// How often this process has forked. It changes only while all short locks are held.
    static let count = Atomic(0)
    /// Whether this process is a child of fork(2) that has not called execve(2).
    package static let isChild = Atomic(false)
    private static let isNewChild = Atomic(false)
    // Unsafe: guarded by the list of short locks, which is locked during a fork.
    private nonisolated(unsafe) static var isWorkStopped = false

    /// Swift's runtime creates types on their first use, under its own locks, and a child may not wait for those. So
    /// the parent first does everything once that the child does inside fork.
    private static let rehearsal: Void = {
        _ = (ExitFlush.shared, ThreadPool.shared, FolderWatcher.shared, isChild.load(ordering: .relaxed))
        var invalid: Set<Int32> = [-1]
        OpenFiles.shared.closeInherited()
        OpenFiles.close(&invalid)
        while !ShortLocks.lockAll() {}
        ShortLocks.unlockAll(inChild: false)
    }()

    private static let microsecondsBetweenTries: UInt32 = 50

    private static func begin() {
        rehearsal
        while true {
            let isWorkStopped = StoreWork.stop()
            if ShortLocks.lockAll() {
                Self.isWorkStopped = isWorkStopped
                return
            }
            // A thread may hold one lock and wait for another one, or for the work to resume.
            if isWorkStopped { StoreWork.resume() }
            usleep(microsecondsBetweenTries)
        }
    }

    private static func endInParent() {
        count.add(1, ordering: .relaxed)
        let wasWorkStopped = isWorkStopped
        ShortLocks.unlockAll(inChild: false)
        if wasWorkStopped { StoreWork.resume() }
    }

    private static func endInChild() {
        StoreWork.resetInChild()
        ShortLocks.unlockAll(inChild: true)
        isChild.store(true, ordering: .relaxed)
        isNewChild.store(true, ordering: .relaxed)
        // At once: a folder stays locked as long as any process has the descriptor (flock(2)), and daemon(3) may end
        // the parent in the middle of a commit.
        OpenFiles.shared.closeInherited()
    }

    /// A forked child uses a suite, so it does not only call execve(2). It watches what its parent has watched.
    static func childUsesStore() {
        guard isNewChild.exchange(false, ordering: .relaxed), FolderWatcher.shared.isUsed else { return }
        ThreadPool.shared.run { FolderWatcher.shared.watchAnew() }
    }
}
