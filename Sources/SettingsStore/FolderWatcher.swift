import Dispatch
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

        init(_ place: WatchedPlace, _ hint: @escaping @Sendable () -> Void) {
            self.place = place
            self.hint = hint
        }
    }

    private struct State {
        var instance: Int32?
        var source: (any DispatchSourceRead)?
        var interests: [ObjectIdentifier: (interest: Interest, watches: WatchedPlace.Watches)] = [:]
        /// How many interests each watch serves.
        var uses: [Int32: Int] = [:]
        var isPolling = false
    }

    private let state = Mutex(State())
    private let scheduler: any WorkScheduler
    private let system: any WatchSystem
    private let queue = DispatchQueue(label: "FolderWatcher", qos: .userInitiated)

    public init(
        scheduler: any WorkScheduler = LiveWorkScheduler(),
        system: any WatchSystem = LiveWatchSystem()
    ) {
        self.scheduler = scheduler
        self.system = system
    }

    deinit { state.withLock { $0.source?.cancel() } }

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
            state.interests[ObjectIdentifier(interest)] = (interest, [:])
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
            setWatches([:], of: interest, &state)
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
                    setWatches(walk.watches, of: interest, &state)
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
    private func setWatches(_ watches: WatchedPlace.Watches, of interest: Interest, _ state: inout State) {
        let key = ObjectIdentifier(interest)
        let old = state.interests[key]?.watches ?? [:]
        for watch in watches.keys where old.index(forKey: watch) == nil {
            state.uses[watch, default: 0] += 1
        }
        for watch in old.keys where watches.index(forKey: watch) == nil {
            let uses = state.uses[watch, default: 1] - 1
            state.uses[watch] = uses == 0 ? nil : uses
            if uses == 0, let instance = state.instance { system.removeWatch(instance, watch) }
        }
        state.interests[key]?.watches = watches
    }

    private func openInstance(_ state: inout State) throws(SystemError) -> Int32 {
        if let instance = state.instance { return instance }
        let instance = try system.openInstance()
        let source = DispatchSource.makeReadSource(fileDescriptor: instance, queue: queue)
        source.setEventHandler { [weak self] in self?.readEvents(instance) }
        source.setCancelHandler { _ = close(instance) }
        source.activate()
        state.instance = instance
        state.source = source
        return instance
    }
}

// MARK: - Hints

extension FolderWatcher {
    private func readEvents(_ instance: Int32) {
        var names: [Int32: Set<String>] = [:]
        // Folders that are no longer where they were.
        var uprooted: Set<Int32> = []
        var hasOverflowed = false
        for event in system.events(instance) {
            if event.mask & UInt32(IN_Q_OVERFLOW) != 0 { hasOverflowed = true }
            if event.mask & UInt32(IN_DELETE_SELF | IN_MOVE_SELF | IN_IGNORED | IN_UNMOUNT) != 0 {
                uprooted.insert(event.watch)
            }
            names[event.watch, default: []].insert(event.name)
        }
        hint { _, watches in
            hasOverflowed
                || watches.contains { watch, concern in
                    uprooted.contains(watch) || names[watch].map(concern.includes(anyOf:)) ?? false
                }
        }
    }

    /// Hints to those who are concerned, after having watched anew all that their paths lead through.
    private func hint(_ isConcerned: (Interest, WatchedPlace.Watches) -> Bool) {
        let interests = state.withLock { state in
            let concerned = state.interests.values.filter { isConcerned($0.interest, $0.watches) }
            for (interest, _) in concerned { arm(interest, &state) }
            return concerned.map(\.interest)
        }
        for interest in interests { interest.hint() }
    }

    private func startPolling(_ state: inout State) {
        if state.isPolling { return }
        state.isPolling = true
        scheduler.run(after: Self.pollInterval) { [weak self] in self?.poll() }
    }

    private func poll() {
        state.withLock { $0.isPolling = false }
        // Those that still can't be relied on start the next round.
        hint { interest, _ in interest.problem.withLock { $0 != nil } }
    }
}
