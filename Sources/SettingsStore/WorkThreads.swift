import CLinux
import Glibc

/// The threads that store and read in the background: as many as there is work at once, up to a limit.
///
/// Dispatch would do, but wakes several threads in a row where one is enough, which is what a change
/// takes longest for on its way to another process.
final class WorkThreads: @unchecked Sendable {
    // Unchecked: `lock` guards all that changes, but in the child of a fork, which has one thread at first.
    static let shared = WorkThreads()

    typealias Work = @Sendable () -> Void

    private static let limit = 64
    /// Seconds after which a thread that has nothing to do ends. The last one stays.
    private static let patience = 5.0

    private let lock = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    /// Is signalled where there is something new to do.
    private let news = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
    private var due: [Work] = []
    /// What a thread has taken and not begun, since somebody forks.
    private var taken: [pthread_t: Work] = [:]
    /// What is to be done at a time, the first last.
    private var later: [(time: Double, work: Work)] = []
    private var threads = 0
    private var waiting = 0

    private init() { makeLock() }

    private func makeLock() {
        pthread_mutex_init(lock, nil)
        var attributes = pthread_condattr_t()
        pthread_condattr_init(&attributes)
        pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
        pthread_cond_init(news, &attributes)
        pthread_condattr_destroy(&attributes)
    }

    /// Lets no thread begin or end anything until ``letGo()``.
    func hold() { pthread_mutex_lock(lock) }

    func letGo() { pthread_mutex_unlock(lock) }

    /// In the child of a process that forked while it held the threads, which the child doesn't have.
    func startAnew(with threads: Int) {
        makeLock()
        (self.threads, waiting) = (threads, 0)
        due = Array(taken.values) + due
        taken = [:]
        if due.isEmpty && later.isEmpty { return }
        pthread_mutex_lock(lock)
        callThread()
    }

    func run(_ work: @escaping Work) {
        pthread_mutex_lock(lock)
        due.append(work)
        callThread()
    }

    func run(_ work: @escaping Work, at time: Double) {
        pthread_mutex_lock(lock)
        let place = later.firstIndex { $0.time <= time } ?? later.endIndex
        later.insert((time, work), at: place)
        callThread()
    }

    /// Wakes a thread, or starts one where none waits. Unlocks.
    private func callThread() {
        let canWake = waiting > 0
        let mustStart = !canWake && threads < Self.limit
        if mustStart { threads += 1 }
        pthread_mutex_unlock(lock)
        if canWake { pthread_cond_signal(news) }
        if mustStart, !startThread("SettingsStore", { self.runThread() }) {
            // What is to be done waits for the next attempt, or for a thread that has time.
            pthread_mutex_lock(lock)
            threads -= 1
            pthread_mutex_unlock(lock)
        }
    }

    private func runThread() {
        let thread = pthread_self()
        pthread_mutex_lock(lock)
        while let work = nextWork() {
            taken[thread] = work
            // Somebody has to keep the time, and to see to what came meanwhile.
            if waiting == 0, !due.isEmpty || !later.isEmpty {
                callThread()
            } else {
                pthread_mutex_unlock(lock)
            }
            Forking.work {
                pthread_mutex_lock(lock)
                taken[thread] = nil
                pthread_mutex_unlock(lock)
                work()
            }
            pthread_mutex_lock(lock)
        }
        threads -= 1
        pthread_mutex_unlock(lock)
    }

    /// Waits for something to do; nil ends the thread.
    private func nextWork() -> Work? {
        let end = monotonicTime() + Self.patience
        while true {
            let now = monotonicTime()
            while let first = later.last, first.time <= now { due.append(later.removeLast().work) }
            if !due.isEmpty { return due.removeFirst() }
            // Another one waits, so that this one isn't needed.
            if now >= end, waiting > 0 { return nil }
            waiting += 1
            let canEnd = waiting > 1
            if let time = [later.last?.time, canEnd ? end : nil].compactMap({ $0 }).min() {
                var time = timespec(time)
                pthread_cond_timedwait(news, lock, &time)
            } else {
                pthread_cond_wait(news, lock)
            }
            waiting -= 1
        }
    }
}

/// Seconds of the clock that nobody sets.
func monotonicTime() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}

extension timespec {
    fileprivate init(_ seconds: Double) {
        self.init(tv_sec: Int(seconds), tv_nsec: Int((seconds - seconds.rounded(.down)) * 1e9))
    }
}

/// Runs the body on a thread of its own, which takes none of the process's signals: those are for the
/// program's threads.
///
/// - Returns: whether the system has a thread to give.
func startThread(_ name: String, _ body: @escaping @Sendable () -> Void) -> Bool {
    Forking.isHeardOf
    let box = Unmanaged.passRetained(ThreadBody(name, body))
    var attributes = pthread_attr_t()
    pthread_attr_init(&attributes)
    pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
    defer { pthread_attr_destroy(&attributes) }
    var signals = sigset_t()
    var before = sigset_t()
    sigfillset(&signals)
    // What a fault of the thread itself raises.
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
