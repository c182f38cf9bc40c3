// `Synchronization.Mutex` would do for most of this, but a forked child can't reset it: a lock that another thread of
// the parent held would stay locked forever. So these locks are on a list, and fork(2) takes all of them. They are also
// faster (12 ns for lock and unlock with pthread_mutex_lock(3), 32 ns with that of Synchronization), and the thread
// sanitizer understands them.

import Glibc

/// A value behind a lock, with the interface of `Synchronization.Mutex`. The lock is held for a few instructions only,
/// because fork(2) waits for it. ``SlowMutex`` is for everything that takes longer.
///
/// Unchecked: only the thread that has the lock accesses the value, and only `sending` results leave it.
package struct Mutex<Value>: ~Copyable, @unchecked Sendable {
    private let lock = Lock()
    private let value = UnsafeMutablePointer<Value>.allocate(capacity: 1)
    private let inChild: (@Sendable (inout Value) -> Void)?

    /// - Parameter inChild: adapts the value in a forked child, under the lock, before the child first uses it. The
    ///   child does not have the threads of its parent that were about to do something.
    package init(
        _ initial: consuming sending Value,
        inChild: (@Sendable (inout Value) -> Void)? = nil
    ) {
        value.initialize(to: initial)
        self.inChild = inChild
    }

    deinit {
        value.deinitialize(count: 1)
        value.deallocate()
    }

    package borrowing func withLock<Result, Failure: Error>(
        _ body: (inout sending Value) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result {
        lock.lock()
        defer { lock.unlock() }
        if lock.endInheritance() { inChild?(&value.pointee) }
        return try body(&value.pointee)
    }
}

/// A value behind a lock that may be held as long as a disk or a network takes. Neither fork(2) nor a forked child
/// waits for it: the child gets a new lock and a copy of the initial value.
///
/// Unchecked for the same reason as ``Mutex``.
package struct SlowMutex<Value>: ~Copyable, @unchecked Sendable {
    private final class Box: @unchecked Sendable {
        // Unchecked: `lock` guards the value.
        let lock = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
        // Memory of its own: as a member, a value without a size would have the address of the object, and the thread
        // sanitizer would take each use of the object for one of the value.
        let value = UnsafeMutablePointer<Value>.allocate(capacity: 1)

        init(_ initial: Value) {
            value.initialize(to: initial)
            pthread_mutex_init(lock, nil)
        }

        deinit {
            value.deinitialize(count: 1)
            value.deallocate()
            pthread_mutex_destroy(lock)
            lock.deallocate()
        }
    }

    private let box: Mutex<Box>

    package init(_ initial: consuming sending Value) {
        // From here on only one thread of a child reads it.
        nonisolated(unsafe) let initial = initial
        box = Mutex(Box(initial)) { box in
            // A thread of the parent may have been changing the old value, so it is never released.
            _ = Unmanaged.passRetained(box)
            box = Box(initial)
        }
    }

    package borrowing func withLock<Result, Failure: Error>(
        _ body: (inout sending Value) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result {
        let box = box.withLock { $0 }
        if pthread_mutex_trylock(box.lock) != 0 { _ = StoreWork.wait { pthread_mutex_lock(box.lock) } }
        defer { pthread_mutex_unlock(box.lock) }
        return try body(&box.value.pointee)
    }

    /// Returns nil at once if another thread has the lock.
    package borrowing func withLockIfAvailable<Result>(
        _ body: (inout sending Value) -> sending Result
    ) -> sending Result? {
        let box = box.withLock { $0 }
        guard pthread_mutex_trylock(box.lock) == 0 else { return nil }
        defer { pthread_mutex_unlock(box.lock) }
        return body(&box.value.pointee)
    }
}

/// A lock (pthread_mutex_lock(3)) that is held for a few instructions only. The thread that has locked it unlocks it.
///
/// Unchecked: it is made for several threads.
package struct Lock: ~Copyable, @unchecked Sendable {
    // On the heap, because the address of a pthread mutex may not change.
    private let node: UnsafeMutablePointer<LockNode>

    package init() { node = ShortLocks.add() }

    deinit { ShortLocks.remove(node) }

    package borrowing func lock() { pthread_mutex_lock(node.mutex) }

    package borrowing func unlock() { pthread_mutex_unlock(node.mutex) }

    /// Whether this is the first call in a forked child. The caller has the lock.
    package borrowing func endInheritance() -> Bool {
        if !node.pointee.isInherited { return false }
        node.pointee.isInherited = false
        return true
    }
}

/// A lock on the list of all locks.
private struct LockNode {
    // The first member, so that it has the address of the node.
    var mutex = pthread_mutex_t()
    var isInherited = false
    var previous: UnsafeMutablePointer<LockNode>?
    var next: UnsafeMutablePointer<LockNode>?
}

/// Nanoseconds that fork(2) waits for one lock before it tries all of them again.
private let lockTimeout = 1_000_000

extension UnsafeMutablePointer<LockNode> {
    fileprivate var mutex: UnsafeMutablePointer<pthread_mutex_t> {
        UnsafeMutableRawPointer(self).assumingMemoryBound(to: pthread_mutex_t.self)
    }

    /// Locks it, or returns false after a millisecond.
    fileprivate func lockWithTimeout() -> Bool {
        if pthread_mutex_trylock(mutex) == 0 { return true }
        var end = timespec()
        clock_gettime(CLOCK_REALTIME, &end)
        end.tv_nsec += lockTimeout
        if end.tv_nsec >= 1_000_000_000 {
            end.tv_sec += 1
            end.tv_nsec -= 1_000_000_000
        }
        return pthread_mutex_timedlock(mutex, &end) == 0
    }
}

/// All short locks of the process, for fork(2).
enum ShortLocks {
    /// Guards the list.
    // Unsafe: a pthread mutex is made for several threads.
    private nonisolated(unsafe) static let list = {
        let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
        pthread_mutex_init(mutex, nil)
        ForkHandlers.registration
        return mutex
    }()

    // Unsafe: guarded by `list`.
    private nonisolated(unsafe) static var first: UnsafeMutablePointer<LockNode>?

    fileprivate static func add() -> UnsafeMutablePointer<LockNode> {
        let node = UnsafeMutablePointer<LockNode>.allocate(capacity: 1)
        node.initialize(to: LockNode())
        pthread_mutex_init(node.mutex, nil)
        pthread_mutex_lock(list)
        node.pointee.next = first
        first?.pointee.previous = node
        first = node
        pthread_mutex_unlock(list)
        return node
    }

    fileprivate static func remove(_ node: UnsafeMutablePointer<LockNode>) {
        pthread_mutex_lock(list)
        let (previous, next) = (node.pointee.previous, node.pointee.next)
        if let previous { previous.pointee.next = next } else { first = next }
        next?.pointee.previous = previous
        pthread_mutex_unlock(list)
        pthread_mutex_destroy(node.mutex)
        node.deallocate()
    }

    /// Takes all locks, so that no thread is changing a value behind them. Returns false, with all of them released, if
    /// that takes long: a thread that has one of them may be waiting for another one.
    static func lockAll() -> Bool {
        pthread_mutex_lock(list)
        var node = first
        while let current = node {
            if !current.lockWithTimeout() {
                unlockAll(before: current)
                return false
            }
            node = current.pointee.next
        }
        return true
    }

    /// - Parameter isChild: whether this is a forked child, which has to adapt the values.
    static func unlockAll(inChild isChild: Bool) { unlockAll(before: nil, inChild: isChild) }

    private static func unlockAll(
        before end: UnsafeMutablePointer<LockNode>?,
        inChild isChild: Bool = false
    ) {
        var node = first
        while let current = node, current != end {
            node = current.pointee.next
            if isChild { current.pointee.isInherited = true }
            pthread_mutex_unlock(current.mutex)
        }
        pthread_mutex_unlock(list)
    }
}
