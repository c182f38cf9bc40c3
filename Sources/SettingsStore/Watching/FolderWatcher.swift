import CLinux
import Glibc

/// Watches files and folders through inotify(7), with one instance for the whole process.
///
/// A notification means "look again". The kernel merges equal events and may drop them, so a notification does not say
/// what happened, or how often. The watcher watches every folder and link that a path leads through, and the nearest
/// existing folder above a missing one, because any of them may be exchanged. If a program writes a file in place and
/// does not close it, the watcher notifies when the writing has paused for a tenth of a second, and again after a whole
/// second. If the inotify quota of the user is used up, and on file systems where changes by other machines cause no
/// events, it notifies once a second instead.
///
/// Notifications arrive on threads of the watcher and of its scheduler, with no lock held.
///
/// `DispatchSource` is no replacement: its file system sources do not exist on Linux, and a read source on inotify wakes a
/// thread for each step of our own writes.
public final class FolderWatcher: Sendable {
    public static let shared = FolderWatcher()

    private struct State {
        var armed: [ObjectIdentifier: ArmedPath] = [:]
        /// The registrations of files, by their paths.
        var files: [String: [WatchRegistration]] = [:]
        /// How many registrations each watch serves.
        var uses: [Int32: Int] = [:]
        var isPolling = false
    }

    /// nil before the first watch. Apart from `state`, because each write of this process asks for it, and must not wait
    /// for a disk.
    private let poller = Mutex<InotifyPoller?>(nil)
    /// The file system is read under this lock, so it may be held for long.
    private let state = Mutex(State())
    /// Held by the thread that reads events until it has noted them.
    private let reading = Mutex(())
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
            if path.kind == .file { state.files[path.path, default: []].append(registration) }
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
            setFile(nil, of: registration, &state)
            state.armed[ObjectIdentifier(registration)] = nil
            let path = registration.path.path
            state.files[path]?.removeAll { $0 === registration }
            if state.files[path]?.isEmpty == true { state.files[path] = nil }
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
                    try watchFile(of: registration, instance, &state)
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
        let old = state.armed[key]?.walk.watches ?? [:]
        exchange(Set(old.keys), for: Set(walk.watches.keys), &state)
        state.armed[key]?.walk = walk
    }

    /// Watches the file that is now at the end of a registration's path.
    private func watchFile(
        of registration: WatchRegistration,
        _ instance: Int32,
        _ state: inout State
    ) throws(SystemError) {
        let end = state.armed[ObjectIdentifier(registration)]?.walk.end
        setFile(try WatchedPath.watchFile(at: end, instance, system), of: registration, &state)
    }

    private func setFile(_ file: Int32?, of registration: WatchRegistration, _ state: inout State) {
        let key = ObjectIdentifier(registration)
        let old = state.armed[key]?.file
        exchange(Set([old].compactMap(\.self)), for: Set([file].compactMap(\.self)), &state)
        state.armed[key]?.file = file
    }

    private func exchange(_ old: Set<Int32>, for new: Set<Int32>, _ state: inout State) {
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
            while let wakeUp = poller.wait() {
                switch wakeUp {
                case .events: self?.readEvents(of: poller)
                case .mounts: self?.renewAll()
                }
            }
        }
    }
}

// MARK: - Notifications

extension FolderWatcher {
    /// Events that were read and noted, and not yet notified of.
    private struct Notifications: Sendable {
        let events: InotifyBatch
        var concerned: [ArmedPath] = []
        /// The files whose in-place writing has just begun, so that it has to be timed.
        var written: [ArmedPath] = []
    }

    private func readNotifications(_ instance: Int32) -> Notifications {
        reading.withLock { _ in
            let events = InotifyBatch(system.events(instance))
            if events.isEmpty { return Notifications(events: events) }
            let armed = state.withLock { Array($0.armed.values) }
            let written = armed.filter { note(events, of: $0) }
            return Notifications(events: events, concerned: armed.filter(events.concern), written: written)
        }
    }

    /// - Parameter hasTime: Whether this thread may handle a notification itself, because another thread waits for the
    ///   next events.
    private func send(_ notifications: Notifications, hasTime: Bool = false) {
        for armed in notifications.written { passInterval(of: armed.registration) }
        if hasTime, notifications.concerned.count == 1 {
            for work in InlineWork.collect(during: notifications.concerned[0].registration.notify) { work() }
        } else {
            for armed in notifications.concerned { armed.registration.notify() }
        }
        // After the notifications, which observers wait for.
        for armed in notifications.concerned {
            if notifications.events.exchangeFile(of: armed) { watchFileSoon(of: armed.registration) }
            if notifications.events.mayRedirect(armed.walk) { renew(armed.registration) }
        }
    }

    private func readEvents(of poller: InotifyPoller) {
        let notifications = readNotifications(poller.instance)
        poller.resumeEvents()
        send(notifications, hasTime: poller.hasWaitingThread)
    }

    /// Notes whether events show that a file is being written in place.
    ///
    /// - Returns: Whether the writing has just begun, so that it has to be timed.
    private func note(_ events: InotifyBatch, of armed: ArmedPath) -> Bool {
        let registration = armed.registration
        switch events.leaveOpen(armed) {
        case true?: return registration.writing.withLock { $0.goOn() }
        case false?: registration.writing.withLock { $0.end() }
        case nil: break
        }
        return false
    }

    private func passInterval(of registration: WatchRegistration) {
        scheduler.run(after: InPlaceWriteTracker.interval) { [weak self] in
            guard let self, state.withLock({ $0.armed[ObjectIdentifier(registration)] != nil }) else {
                return
            }
            let (mustRead, goesOn) = registration.writing.withLock { $0.pass() }
            if goesOn { passInterval(of: registration) }
            if mustRead { registration.notify() }
        }
    }

    /// Watches a new file a moment later: files are replaced in bursts, and few of them are written in place before the
    /// next one comes.
    private func watchFileSoon(of registration: WatchRegistration) {
        let isFirst = state.withLock {
            $0.armed[ObjectIdentifier(registration)]?.beginWatchingFile() ?? false
        }
        guard isFirst else { return }
        scheduler.run(after: 0.2) { [weak self] in
            guard let self else { return }
            let isWatched = state.withLock { state in
                let key = ObjectIdentifier(registration)
                guard let instance, state.armed[key] != nil else { return false }
                state.armed[key]?.isFileDue = false
                do throws(SystemError) {
                    try watchFile(of: registration, instance, &state)
                } catch {
                    // Notes the problem, and begins to poll.
                    arm(registration, &state)
                }
                return true
            }
            // The file may have been written before it was watched.
            if isWatched { registration.notify() }
        }
    }

    /// Whether a program seems to be writing a watched file in place. A notification follows when that has changed.
    func isBeingWritten(_ path: String) -> Bool {
        // Under the lock, so that the caller, which holds other locks, never releases the last reference to a
        // notification.
        state.withLock { $0.files[path]?.contains { $0.writing.withLock(\.isGoingOn) } ?? false }
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

    private func renewAll() {
        for armed in state.withLock({ Array($0.armed.values) }) { renew(armed.registration) }
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
