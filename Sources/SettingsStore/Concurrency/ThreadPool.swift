import CLinux
import Glibc

/// The threads that store and read in the background: one for each piece of work that is due, up to a limit.
///
/// Dispatch would do, but it wakes several threads in a row for one piece of work, and these wake-ups are most of the
/// time that a change takes to another process.
///
/// Unchecked, since `lock` guards everything that changes.
final class ThreadPool: @unchecked Sendable {
    static let shared = ThreadPool()

    typealias Work = @Sendable () -> Void

    private static let limit = 64
    /// Seconds after which a thread without work ends. The last one stays.
    private static let idleTimeout = 5.0

    private let lock = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    /// Wakes a waiting thread when there is new work.
    private let hasWork = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
    private var due: [Work] = []
    /// Work for a later time, the earliest last.
    private var later: [(time: Double, work: Work)] = []
    private var threads = 0
    private var waiting = 0

    private init() {
        pthread_mutex_init(lock, nil)
        var attributes = pthread_condattr_t()
        pthread_condattr_init(&attributes)
        pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
        pthread_cond_init(hasWork, &attributes)
        pthread_condattr_destroy(&attributes)
    }

    func run(_ work: @escaping Work) {
        pthread_mutex_lock(lock)
        due.append(work)
        unlockAndWake()
    }

    func run(_ work: @escaping Work, at time: Double) {
        pthread_mutex_lock(lock)
        let place = later.firstIndex { $0.time <= time } ?? later.endIndex
        later.insert((time, work), at: place)
        unlockAndWake()
    }

    /// Unlocks, and wakes a thread, or starts one if none waits.
    private func unlockAndWake() {
        let canWake = waiting > 0
        let mustStart = !canWake && threads < Self.limit
        if mustStart { threads += 1 }
        pthread_mutex_unlock(lock)
        if canWake { pthread_cond_signal(hasWork) }
        if mustStart, !startThread("SettingsStore", { self.runThread() }) {
            // The work waits for the next call, or for a thread that becomes free.
            pthread_mutex_lock(lock)
            threads -= 1
            pthread_mutex_unlock(lock)
        }
    }

    private func runThread() {
        pthread_mutex_lock(lock)
        while runNext() { pthread_mutex_lock(lock) }
        threads -= 1
        pthread_mutex_unlock(lock)
    }

    /// Runs the next work. The work and everything that it holds are released without the lock.
    ///
    /// - Returns: False if the thread is to end. Then this thread still has the lock.
    private func runNext() -> Bool {
        guard let work = nextWork() else { return false }
        // One thread has to wait for later and new work while this one is busy.
        if waiting == 0, !due.isEmpty || !later.isEmpty {
            unlockAndWake()
        } else {
            pthread_mutex_unlock(lock)
        }
        work()
        return true
    }

    /// Waits for work. Returns nil if the thread is to end.
    private func nextWork() -> Work? {
        let end = monotonicTime() + Self.idleTimeout
        while true {
            let now = monotonicTime()
            while let first = later.last, first.time <= now { due.append(later.removeLast().work) }
            if !due.isEmpty { return due.removeFirst() }
            // Another thread waits, so this one is not needed.
            if now >= end, waiting > 0 { return nil }
            waiting += 1
            let canEnd = waiting > 1
            if let time = [later.last?.time, canEnd ? end : nil].compactMap({ $0 }).min() {
                var time = timespec(time)
                pthread_cond_timedwait(hasWork, lock, &time)
            } else {
                pthread_cond_wait(hasWork, lock)
            }
            waiting -= 1
        }
    }
}

/// Seconds of a clock that cannot be set back (CLOCK_MONOTONIC, clock_gettime(2)).
package func monotonicTime() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}

extension timespec {
    fileprivate init(_ seconds: Double) {
        self.init(tv_sec: Int(seconds), tv_nsec: Int((seconds - seconds.rounded(.down)) * 1e9))
    }
}

/// Runs the body on a new thread. It gets none of the process's signals, which are for the program's threads.
///
/// - Returns: false if the system has no more threads.
package func startThread(_ name: String, _ body: @escaping @Sendable () -> Void) -> Bool {
    let box = Unmanaged.passRetained(ThreadBody(name, body))
    var attributes = pthread_attr_t()
    pthread_attr_init(&attributes)
    pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
    defer { pthread_attr_destroy(&attributes) }
    var signals = sigset_t()
    var before = sigset_t()
    sigfillset(&signals)
    // A fault of the thread itself raises these.
    for fault in [SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGTRAP, SIGSYS] { sigdelset(&signals, fault) }
    pthread_sigmask(SIG_SETMASK, &signals, &before)
    defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
    var thread = pthread_t()
    if pthread_create(&thread, &attributes, runThreadBody, box.toOpaque()) == 0 { return true }
    box.release()
    return false
}

private final class ThreadBody: Sendable {
    let name: String
    let run: @Sendable () -> Void

    init(_ name: String, _ run: @escaping @Sendable () -> Void) {
        self.name = name
        self.run = run
    }
}

private func runThreadBody(_ argument: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    guard let argument else { return nil }
    let body = Unmanaged<ThreadBody>.fromOpaque(argument).takeRetainedValue()
    clinux_name_thread(body.name)
    body.run()
    return nil
}
