import CLinux
import Glibc
import Synchronization

/// Watches files and folders through inotify(7): one instance for the whole process.
///
/// What it tells is a hint to look: the kernel merges equal events and may drop them, so a hint says
/// neither what happened nor how often. All that a path leads through is watched: folders and links
/// that are exchanged, and what isn't there yet at the nearest folder above it. A file that is written in
/// place and not closed is hinted at when the writing rests for a moment, and when it has rested for a
/// second. Where there are no watches to be had, and on file systems whose changes by other machines make
/// no events, the hints come regularly instead.
public final class FolderWatcher: Sendable {
    public static let shared = FolderWatcher()

    private struct State {
        var descriptors: WatchDescriptors?
        var instance: Int32? { descriptors?.instance }
        var armed: [ObjectIdentifier: ArmedPlace] = [:]
        /// Those in files, by their paths.
        var files: [String: [WatchInterest]] = [:]
        /// How many places each watch serves.
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
        state.withLock(\.descriptors)?.endWaiting()
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
        let interest = WatchInterest(place, hint)
        state.withLock { state in
            state.armed[ObjectIdentifier(interest)] = ArmedPlace(interest: interest)
            if place.kind == .file { state.files[place.path, default: []].append(interest) }
            arm(interest, &state)
        }
        return StorageWatch(heldBy: Holder(self, interest)) { holder in
            holder.interest.problem.withLock { $0 }.map { .polling($0) } ?? .events
        }
    }

    /// A write of this process begins, whose events are better heard all at once when it ends. Whoever writes
    /// says so to what is returned.
    func beginOwnWrite() -> WatchDescriptors? {
        let descriptors = state.withLock(\.descriptors)
        descriptors?.beginOwnWrite()
        return descriptors
    }

    private final class Holder: Sendable {
        let watcher: FolderWatcher
        let interest: WatchInterest

        init(_ watcher: FolderWatcher, _ interest: WatchInterest) {
            self.watcher = watcher
            self.interest = interest
        }

        deinit { watcher.forget(interest) }
    }

    private func forget(_ interest: WatchInterest) {
        state.withLock { state in
            setWalk(WatchedPlace.Walk(), of: interest, &state)
            setFile(nil, of: interest, &state)
            state.armed[ObjectIdentifier(interest)] = nil
            let path = interest.place.path
            state.files[path]?.removeAll { $0 === interest }
            if state.files[path]?.isEmpty == true { state.files[path] = nil }
        }
    }
}

// MARK: - Watches

extension FolderWatcher {
    /// Puts watches on all that the path of an interest leads through.
    private func arm(_ interest: WatchInterest, _ state: inout State) {
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
                    try watchFile(of: interest, instance, &state)
                } catch {
                    let isGoneMeanwhile = error.number == ENOENT || error.number == ENOTDIR
                    if !isGoneMeanwhile || attempt == 7 { throw error }
                }
            }
        } catch {
            problem =
                switch (error.call, error.number) {
                case (_, ENOSPC): "the user's inotify watches are used up"
                case ("inotify_init1", EMFILE):
                    "the user's inotify instances, or the process's files, are used up"
                default: "\(error.call): \(message(ofErrorNumber: error.number))"
                }
        }
        interest.problem.withLock { $0 = problem }
        if problem != nil { startPolling(&state) }
    }

    /// Takes over the watches of an interest, and ends those that serve none any more.
    private func setWalk(_ walk: WatchedPlace.Walk, of interest: WatchInterest, _ state: inout State) {
        let key = ObjectIdentifier(interest)
        let old = state.armed[key]?.walk.watches ?? [:]
        exchange(Set(old.keys), for: Set(walk.watches.keys), &state)
        state.armed[key]?.walk = walk
    }

    /// Watches the file that now lies where the path of an interest ends.
    private func watchFile(
        of interest: WatchInterest,
        _ instance: Int32,
        _ state: inout State
    ) throws(SystemError) {
        let end = state.armed[ObjectIdentifier(interest)]?.walk.end
        setFile(try WatchedPlace.watchFile(at: end, instance, system), of: interest, &state)
    }

    private func setFile(_ file: Int32?, of interest: WatchInterest, _ state: inout State) {
        let key = ObjectIdentifier(interest)
        let old = state.armed[key]?.file
        exchange(Set([old].compactMap(\.self)), for: Set([file].compactMap(\.self)), &state)
        state.armed[key]?.file = file
    }

    private func exchange(_ old: Set<Int32>, for new: Set<Int32>, _ state: inout State) {
        for watch in new.subtracting(old) { state.uses[watch, default: 0] += 1 }
        for watch in old.subtracting(new) {
            let uses = state.uses[watch, default: 1] - 1
            state.uses[watch] = uses == 0 ? nil : uses
            if uses == 0, let instance = state.instance { system.removeWatch(instance, watch) }
        }
    }

    private func openInstance(_ state: inout State) throws(SystemError) -> Int32 {
        if let instance = state.instance { return instance }
        let descriptors = try WatchDescriptors(instance: system.openInstance())
        guard startWaiting(for: descriptors) else { throw SystemError("pthread_create", "", EAGAIN) }
        // One waits while the other one reads what has changed; else what has to be read is left to others.
        _ = startWaiting(for: descriptors)
        state.descriptors = descriptors
        return descriptors.instance
    }

    private func startWaiting(for descriptors: WatchDescriptors) -> Bool {
        startThread("FolderWatcher") { [weak self] in
            while let news = descriptors.wait() {
                Forking.work {
                    switch news {
                    case .events: self?.readEvents(descriptors)
                    case .mounts: self?.renewAll()
                    }
                }
            }
        }
    }
}

// MARK: - Hints

extension FolderWatcher {
    /// - Parameter hearMore: has other threads hear of the next events, and tells whether one waits for them, so
    ///   that this one has time for what the hints ask for. Called once, as soon as these are noted.
    private func readEvents(_ instance: Int32, _ hearMore: () -> Bool = { false }) {
        let (events, concerned, written) = reading.withLock { _ in
            let events = WatchEvents(system.events(instance))
            if events.isEmpty { return (events, [ArmedPlace](), [ArmedPlace]()) }
            let armed = state.withLock { Array($0.armed.values) }
            let written = armed.filter { note(events, of: $0) }
            return (events, armed.filter(events.concern), written)
        }
        let hasTime = hearMore() && concerned.count == 1
        for place in written { passInterval(of: place.interest) }
        if hasTime {
            for work in OfferedTime.collect(during: concerned[0].interest.hint) { work() }
        } else {
            for place in concerned { place.interest.hint() }
        }
        // What is left has time, while somebody waits for a hint.
        for place in concerned {
            if events.exchangeFile(of: place) { watchFileSoon(of: place.interest) }
            if events.mayRedirect(place.walk) { renew(place.interest) }
        }
    }

    private func readEvents(_ descriptors: WatchDescriptors) {
        readEvents(descriptors.instance) {
            descriptors.hearMore()
            return descriptors.isWaitedFor
        }
    }

    /// Notes what events tell of a file's being written, and returns whether it has to be timed from now on.
    private func note(_ events: WatchEvents, of armed: ArmedPlace) -> Bool {
        let interest = armed.interest
        if events.tellWriting(of: armed) { interest.lastWriteInPlace.withLock { $0 = .now } }
        switch events.leaveOpen(armed) {
        case true?: return interest.writing.withLock { $0.goOn() }
        case false?: interest.writing.withLock { $0.end() }
        case nil: break
        }
        return false
    }

    private func passInterval(of interest: WatchInterest) {
        scheduler.run(after: InPlaceWriting.interval) { [weak self] in
            guard let self, state.withLock({ $0.armed[ObjectIdentifier(interest)] != nil }) else { return }
            let (isWorthALook, goesOn) = interest.writing.withLock { $0.pass() }
            if goesOn { passInterval(of: interest) }
            if isWorthALook { interest.hint() }
        }
    }

    /// Watches a file that has come into its place, in a while: they come in bursts, and few are written to
    /// before the next one.
    private func watchFileSoon(of interest: WatchInterest) {
        let isFirst = state.withLock { $0.armed[ObjectIdentifier(interest)]?.beginWatchingFile() ?? false }
        guard isFirst else { return }
        scheduler.run(after: 0.2) { [weak self] in
            guard let self else { return }
            let isWatched = state.withLock { state in
                let key = ObjectIdentifier(interest)
                guard let instance = state.instance, state.armed[key] != nil else { return false }
                state.armed[key]?.isFileDue = false
                do throws(SystemError) {
                    try watchFile(of: interest, instance, &state)
                } catch {
                    // Says what is wrong, and what is to be done about it.
                    arm(interest, &state)
                }
                return true
            }
            // It may have been written to before.
            if isWatched { interest.hint() }
        }
    }

    /// Whether somebody has written a file in place within the last moments, up to this call; nil where that
    /// isn't known, because it has not been watched for so long.
    func wasWrittenInPlace(_ path: String, within seconds: Double) -> Bool? {
        guard let instance = state.withLock(\.instance) else { return nil }
        readEvents(instance)
        let start = ContinuousClock.now - .seconds(seconds)
        var isKnown = false
        for interest in interests(at: path) {
            if let last = interest.lastWriteInPlace.withLock(\.self), last > start { return true }
            isKnown = isKnown || interest.start < start && interest.problem.withLock { $0 == nil }
        }
        return isKnown ? false : nil
    }

    /// Whether somebody seems to be writing a file that is watched in place, and may not be done. A hint
    /// follows when that has changed.
    func isBeingWritten(_ path: String) -> Bool {
        interests(at: path).contains { $0.writing.withLock(\.isGoingOn) }
    }

    private func interests(at path: String) -> [WatchInterest] {
        state.withLock { $0.files[path] ?? [] }
    }

    /// Watches anew all that the path of an interest leads through, and hints where that is something
    /// else now: there may have been changes before it was watched.
    private func renew(_ interest: WatchInterest) {
        let isChanged = state.withLock { state in
            guard let before = state.armed[ObjectIdentifier(interest)]?.walk else { return false }
            arm(interest, &state)
            return state.armed[ObjectIdentifier(interest)]?.walk != before
        }
        if isChanged { interest.hint() }
    }

    /// No watch begins or ends until ``letGo()``.
    func hold() { state.hold() }

    func letGo() { state.letGo() }

    /// In the child of a process that forked while it held the watches: its parent goes on to use them.
    func startAnew() {
        letGo()
        let isUsed = state.withLock { state in
            guard let descriptors = state.descriptors else { return false }
            descriptors.leave()
            (state.descriptors, state.uses) = (nil, [:])
            state.armed = state.armed.mapValues { ArmedPlace(interest: $0.interest) }
            return true
        }
        if isUsed { scheduler.run { self.renewAll() } }
    }

    private func renewAll() {
        for place in state.withLock({ Array($0.armed.values) }) { renew(place.interest) }
    }

    private func startPolling(_ state: inout State) {
        if state.isPolling { return }
        state.isPolling = true
        scheduler.run(after: Self.pollInterval) { [weak self] in self?.poll() }
    }

    private func poll() {
        state.withLock { $0.isPolling = false }
        let interests = state.withLock { state in
            let polled = state.armed.values.map(\.interest).filter { $0.problem.withLock { $0 != nil } }
            // Those that still can't be relied on start the next round.
            for interest in polled { arm(interest, &state) }
            return polled
        }
        for interest in interests { interest.hint() }
    }
}
