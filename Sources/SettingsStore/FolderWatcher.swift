import CLinux
import Glibc
import Synchronization

/// Watches files and folders through inotify(7): one instance for the whole process.
///
/// What it tells is a hint to look: the kernel merges equal events and may drop them, so a hint says
/// neither what happened nor how often. All that a path leads through is watched: folders and links
/// that are exchanged, and what isn't there yet at the nearest folder above it. Where there are no
/// watches to be had, and on file systems whose changes by other machines make no events, the hints
/// come regularly instead.
public final class FolderWatcher: Sendable {
    public static let shared = FolderWatcher()

    private final class Interest: Sendable {
        let place: WatchedPlace
        let hint: @Sendable () -> Void
        /// Why the place is polled; nil where events can be relied on.
        let problem = Mutex<String?>(nil)
        /// When somebody last wrote the file without replacing it.
        let lastWriteInPlace = Mutex<ContinuousClock.Instant?>(nil)

        init(_ place: WatchedPlace, _ hint: @escaping @Sendable () -> Void) {
            self.place = place
            self.hint = hint
        }
    }

    private struct State {
        var instance: Int32?
        /// What is written here ends the thread that waits for events.
        var end: Int32?
        var interests: [ObjectIdentifier: (interest: Interest, walk: WatchedPlace.Walk)] = [:]
        /// How many interests each watch serves.
        var uses: [Int32: Int] = [:]
        var isPolling = false
    }

    private let state = Mutex(State())
    /// Held by who reads events, until what they tell is noted.
    private let reading = Mutex(())
    private let scheduler: any WorkScheduler
    private let system: any WatchSystem

    public init(
        scheduler: any WorkScheduler = LiveWorkScheduler(),
        system: any WatchSystem = LiveWatchSystem()
    ) {
        self.scheduler = scheduler
        self.system = system
    }

    deinit {
        state.withLock { state in
            var count: UInt64 = 1
            if let end = state.end { write(end, &count, 8) }
        }
    }

    /// Seconds between hints where there are no events.
    public static let pollInterval = 1.0

    /// Hints whenever the file may have changed, appeared or gone, for as long as the watch is held.
    ///
    /// - Parameter path: an absolute path.
    public func watch(file path: String, _ hint: @escaping @Sendable () -> Void) -> StorageWatch {
        watch(WatchedPlace(path: path, kind: .file), hint)
    }

    /// Hints whenever files of the folder, or itself, may have changed, appeared or gone.
    ///
    /// - Parameter path: an absolute path.
    public func watch(folder path: String, _ hint: @escaping @Sendable () -> Void) -> StorageWatch {
        watch(WatchedPlace(path: path, kind: .folder), hint)
    }

    private func watch(_ place: WatchedPlace, _ hint: @escaping @Sendable () -> Void) -> StorageWatch {
        let interest = Interest(place, hint)
        state.withLock { state in
            state.interests[ObjectIdentifier(interest)] = (interest, WatchedPlace.Walk())
            arm(interest, &state)
        }
        return StorageWatch(heldBy: Holder(self, interest)) { holder in
            holder.interest.problem.withLock { $0 }.map { .polling($0) } ?? .events
        }
    }

    private final class Holder: Sendable {
        let watcher: FolderWatcher
        let interest: Interest

        init(_ watcher: FolderWatcher, _ interest: Interest) {
            self.watcher = watcher
            self.interest = interest
        }

        deinit { watcher.forget(interest) }
    }

    private func forget(_ interest: Interest) {
        state.withLock { state in
            setWalk(WatchedPlace.Walk(), of: interest, &state)
            state.interests[ObjectIdentifier(interest)] = nil
        }
    }
}

// MARK: - Watches

extension FolderWatcher {
    /// Puts watches on all that the path of an interest leads through.
    private func arm(_ interest: Interest, _ state: inout State) {
        var problem: String?
        do throws(SystemError) {
            let instance = try openInstance(&state)
            var last: WatchedPlace.Walk?
            // What changed during a walk may have been looked at before it was watched. If all is still
            // the same now that it is watched, nothing has been missed.
            for attempt in 0..<8 {
                do throws(SystemError) {
                    let walk = try interest.place.walk(instance, system)
                    setWalk(walk, of: interest, &state)
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
                error.number == ENOSPC
                ? "the user's inotify watches are used up"
                : "\(error.call): \(message(ofErrorNumber: error.number))"
        }
        interest.problem.withLock { $0 = problem }
        if problem != nil { startPolling(&state) }
    }

    /// Takes over the watches of an interest, and ends those that serve none any more.
    private func setWalk(_ walk: WatchedPlace.Walk, of interest: Interest, _ state: inout State) {
        let key = ObjectIdentifier(interest)
        let old = state.interests[key]?.walk.watches ?? [:]
        let watches = walk.watches
        for watch in watches.keys where old.index(forKey: watch) == nil {
            state.uses[watch, default: 0] += 1
        }
        for watch in old.keys where watches.index(forKey: watch) == nil {
            let uses = state.uses[watch, default: 1] - 1
            state.uses[watch] = uses == 0 ? nil : uses
            if uses == 0, let instance = state.instance { system.removeWatch(instance, watch) }
        }
        state.interests[key]?.walk = walk
    }

    private func openInstance(_ state: inout State) throws(SystemError) -> Int32 {
        if let instance = state.instance { return instance }
        let instance = try system.openInstance()
        let end = clinux_event_descriptor()
        let isWatched = startThread("FolderWatcher") { [weak self] in
            while isReadable(instance, unless: end) { self?.readEvents(instance) }
            close(instance)
            close(end)
        }
        guard isWatched else {
            close(instance)
            close(end)
            throw SystemError("pthread_create", "", EAGAIN)
        }
        state.instance = instance
        state.end = end
        return instance
    }
}

/// Waits for a descriptor to become readable; false when the other one does, and where somebody has
/// closed them.
private func isReadable(_ descriptor: Int32, unless end: Int32) -> Bool {
    var polled = [descriptor, end].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
    while true {
        guard poll(&polled, 2, -1) > 0 else { continue }
        return polled[1].revents == 0 && Int32(polled[0].revents) & POLLNVAL == 0
    }
}

// MARK: - Hints

extension FolderWatcher {
    private func readEvents(_ instance: Int32) {
        let (events, concerned) = reading.withLock { _ in
            let events = WatchEvents(system.events(instance))
            let concerned = state.withLock { state in
                state.interests.values.filter { events.concern($0.walk) }
            }
            for (interest, walk) in concerned where events.tellWriting(atEndOf: walk) {
                interest.lastWriteInPlace.withLock { $0 = .now }
            }
            return (events, concerned)
        }
        for (interest, _) in concerned { interest.hint() }
        for (interest, walk) in concerned where events.mayRedirect(walk) { renew(interest) }
    }

    /// Whether somebody has written a file that is watched in place within the last moments. What happened
    /// before the call is known.
    func wasWrittenInPlace(_ path: String, within seconds: Double) -> Bool {
        guard let instance = state.withLock(\.instance) else { return false }
        readEvents(instance)
        let interests = state.withLock { state in
            state.interests.values.map(\.interest).filter { $0.place.path == path && $0.place.kind == .file }
        }
        return interests.contains { interest in
            guard let last = interest.lastWriteInPlace.withLock(\.self) else { return false }
            return last.duration(to: .now) < .seconds(seconds)
        }
    }

    /// Watches anew all that the path of an interest leads through, and hints where that is something
    /// else now: there may have been changes before it was watched.
    private func renew(_ interest: Interest) {
        let isChanged = state.withLock { state in
            guard let before = state.interests[ObjectIdentifier(interest)]?.walk else { return false }
            arm(interest, &state)
            return state.interests[ObjectIdentifier(interest)]?.walk != before
        }
        if isChanged { interest.hint() }
    }

    private func startPolling(_ state: inout State) {
        if state.isPolling { return }
        state.isPolling = true
        scheduler.run(after: Self.pollInterval) { [weak self] in self?.poll() }
    }

    private func poll() {
        state.withLock { $0.isPolling = false }
        let interests = state.withLock { state in
            let polled = state.interests.values.map(\.interest).filter { $0.problem.withLock { $0 != nil } }
            // Those that still can't be relied on start the next round.
            for interest in polled { arm(interest, &state) }
            return polled
        }
        for interest in interests { interest.hint() }
    }
}
