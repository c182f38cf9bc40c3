import CLinux
import Glibc

/// Watches files and folders through inotify(7), with one instance for the whole process.
///
/// A notification means "look again". The kernel merges equal events and may drop them, so a notification does not say
/// what happened, or how often. The watcher watches every folder and link that a path leads through, and the nearest
/// existing folder above a missing one, because any of them may be exchanged. If a program writes a file in place, the
/// watcher notifies when the program closes the file. If the inotify quota of the user is used up, and on file systems
/// where changes by other machines cause no events, it notifies once a second instead.
///
/// Notifications arrive on threads of the watcher and of its scheduler, with no lock held.
///
/// `DispatchSource` is no replacement: its file system sources do not exist on Linux, and a read source on inotify wakes a
/// thread for each step of our own writes.
public final class FolderWatcher: Sendable {
    public static let shared = FolderWatcher()

    private struct State {
        var armed: [ObjectIdentifier: ArmedPath] = [:]
        /// How many registrations each watch serves.
        var uses: [Int32: Int] = [:]
        var isPolling = false
    }

    /// nil before the first watch. Apart from `state`, because each write of this process asks for it, and must not wait
    /// for a disk.
    private let poller = Mutex<InotifyPoller?>(nil)
    /// The file system is read under this lock, so it may be held for long.
    private let state = Mutex(State())
    private let scheduler: any WorkScheduler
    private let system: any InotifySystem

    public init(
        scheduler: any WorkScheduler = LiveWorkScheduler(),
        system: any InotifySystem = LiveInotifySystem()
    ) {
        self.scheduler = scheduler
        self.system = system
    }

    deinit {
        poller.withLock { $0?.endWaiting() }
    }

    /// Seconds between notifications if there are no events.
    public static let pollInterval = 1.0

    /// Notifies whenever the file may have changed, appeared or gone, for as long as the caller holds the watch. The
    /// notification runs on another thread, with no lock held.
    ///
    /// - Parameter path: An absolute path.
    public func watch(file path: String, _ notify: @escaping @Sendable () -> Void) -> StorageWatch {
        watch(WatchedPath(path: path, kind: .file), notify)
    }

    /// Notifies whenever the folder or a file in it may have changed, appeared or gone. The notification runs on another
    /// thread, with no lock held.
    ///
    /// - Parameter path: An absolute path.
    public func watch(folder path: String, _ notify: @escaping @Sendable () -> Void) -> StorageWatch {
        watch(WatchedPath(path: path, kind: .folder), notify)
    }

    private func watch(_ path: WatchedPath, _ notify: @escaping @Sendable () -> Void) -> StorageWatch {
        let registration = WatchRegistration(path, notify)
        state.withLock { state in
            state.armed[ObjectIdentifier(registration)] = ArmedPath(registration: registration)
            arm(registration, &state)
        }
        return StorageWatch(heldBy: Holder(self, registration)) { holder in
            holder.registration.problem.withLock { $0 }.map { .polling($0) } ?? .events
        }
    }

    private var instance: Int32? { poller.withLock { $0?.instance } }

    /// Notes that a write of this process begins. Its events are better read all at once when it ends.
    ///
    /// - Returns: The poller to notify of the end.
    func beginOwnWrite() -> InotifyPoller? {
        let poller = poller.withLock(\.self)
        poller?.beginOwnWrite()
        return poller
    }

    private final class Holder: Sendable {
        let watcher: FolderWatcher
        let registration: WatchRegistration

        init(_ watcher: FolderWatcher, _ registration: WatchRegistration) {
            self.watcher = watcher
            self.registration = registration
        }

        deinit { watcher.forget(registration) }
    }

    private func forget(_ registration: WatchRegistration) {
        state.withLock { state in
            setWalk(WatchedPath.Walk(), of: registration, &state)
            state.armed[ObjectIdentifier(registration)] = nil
        }
    }
}

// MARK: - Watches

extension FolderWatcher {
    /// Watches every folder and link that the path of a registration leads through.
    private func arm(_ registration: WatchRegistration, _ state: inout State) {
        var problem: String?
        do throws(SystemError) {
            let instance = try openInstance()
            var last: WatchedPath.Walk?
            // A folder may have changed after the walk has read it and before it was watched. If a second walk finds the
            // same, nothing was missed.
            for attempt in 0..<8 {
                do throws(SystemError) {
                    let walk = try registration.path.walk(instance, system)
                    setWalk(walk, of: registration, &state)
                    problem = walk.problem
                    if walk == last { break }
                    last = walk
                } catch {
                    let isGoneMeanwhile = error.number == ENOENT || error.number == ENOTDIR
                    if !isGoneMeanwhile || attempt == 7 { throw error }
                }
            }
        } catch {
            problem =
                switch (error.call, error.number) {
                case (_, ENOSPC): "your inotify watches are used up"
                case ("inotify_init1", EMFILE):
                    "your inotify instances, or the process's open files, are used up"
                default: "\(error.call): \(message(ofErrorNumber: error.number))"
                }
        }
        registration.problem.withLock { $0 = problem }
        if problem != nil { startPolling(&state) }
    }

    /// Replaces the watches of a registration, and ends those that serve no registration any more.
    private func setWalk(_ walk: WatchedPath.Walk, of registration: WatchRegistration, _ state: inout State) {
        let key = ObjectIdentifier(registration)
        let old = Set((state.armed[key]?.walk.watches ?? [:]).keys)
        let new = Set(walk.watches.keys)
        state.armed[key]?.walk = walk
        for watch in new.subtracting(old) { state.uses[watch, default: 0] += 1 }
        for watch in old.subtracting(new) {
            let uses = state.uses[watch, default: 1] - 1
            state.uses[watch] = uses == 0 ? nil : uses
            if uses == 0, let instance { system.removeWatch(instance, watch) }
        }
    }

    private func openInstance() throws(SystemError) -> Int32 {
        if let instance { return instance }
        let new = try InotifyPoller(instance: system.openInstance())
        guard startWaiting(for: new) else { throw SystemError("pthread_create", "", EAGAIN) }
        // A second thread waits for events while the first one handles a notification itself. Without the second one,
        // notifications are handled on other threads.
        _ = startWaiting(for: new)
        poller.withLock { $0 = new }
        return new.instance
    }

    private func startWaiting(for poller: InotifyPoller) -> Bool {
        startThread("FolderWatcher") { [weak self] in
            while poller.wait() { self?.readEvents(of: poller) }
        }
    }
}

// MARK: - Notifications

extension FolderWatcher {
    private func readEvents(of poller: InotifyPoller) {
        let events = InotifyBatch(system.events(poller.instance))
        let armed: [ArmedPath] = events.isEmpty ? [] : state.withLock { Array($0.armed.values) }
        let concerned = armed.filter(events.concern)
        poller.resumeEvents()
        // This thread handles a single notification itself if another thread waits for the next events.
        if concerned.count == 1, poller.hasWaitingThread {
            for work in InlineWork.collect(during: concerned[0].registration.notify) { work() }
        } else {
            for armed in concerned { armed.registration.notify() }
        }
        // After the notifications, which observers wait for.
        for armed in concerned where events.mayRedirect(armed.walk) { renew(armed.registration) }
    }

    /// Walks the path of a registration again, and notifies if it leads somewhere else: there may have been changes
    /// before the new folders were watched.
    private func renew(_ registration: WatchRegistration) {
        let isChanged = state.withLock { state in
            guard let before = state.armed[ObjectIdentifier(registration)]?.walk else { return false }
            arm(registration, &state)
            return state.armed[ObjectIdentifier(registration)]?.walk != before
        }
        if isChanged { registration.notify() }
    }

    private func startPolling(_ state: inout State) {
        if state.isPolling { return }
        state.isPolling = true
        scheduler.run(after: Self.pollInterval) { [weak self] in self?.poll() }
    }

    private func poll() {
        state.withLock { $0.isPolling = false }
        let registrations = state.withLock { state in
            let polled = state.armed.values.map(\.registration).filter { $0.problem.withLock { $0 != nil } }
            // A registration that still has a problem starts the next round.
            for registration in polled { arm(registration, &state) }
            return polled
        }
        for registration in registrations { registration.notify() }
    }
}
