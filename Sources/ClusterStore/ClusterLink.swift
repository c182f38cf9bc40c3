#if Cluster
import FoundationEssentials
import SettingsStore

/// What all suites of a process on one cluster have in common: the connections, and the one stream of
/// changes, which is handed out to those that watch.
final class ClusterLink: Sendable {
    private struct WeakLink {
        weak var link: ClusterLink?
    }

    private static let links = Mutex<[SettingsCluster: WeakLink]>([:])

    /// The link to a cluster, which lives for as long as somebody holds it.
    static func to(_ cluster: SettingsCluster) -> ClusterLink {
        links.withLock { links in
            if let link = links[cluster]?.link { return link }
            let link = ClusterLink(cluster)
            links = links.filter { $0.value.link != nil }
            links[cluster] = WeakLink(link: link)
            return link
        }
    }

    private struct State {
        var feeds: [SuiteName: [ObjectIdentifier: SuiteFeed]] = [:]
        /// Suites of which something was heard since they may have gone.
        var heardOf: Set<SuiteName> = []
        /// Whoever wants to know of suites that come and go.
        var listeners: [ObjectIdentifier: @Sendable () -> Void] = [:]
        var watch: EtcdWatch?
        /// Why no server can be reached; nil while one can, as far as is known.
        var outage: SettingsError?
        /// Those whose turn to be checked is still to come.
        var unchecked: [SuiteFeed] = []
        var isCheckScheduled = false
    }

    let client: EtcdClient
    let keys: ClusterKeys
    private let state = Mutex(State())
    private let scheduler = LiveWorkScheduler()

    init(_ cluster: SettingsCluster) {
        client = EtcdClient(cluster)
        keys = ClusterKeys(prefix: cluster.prefix)
    }

    deinit { state.withLock(\.watch)?.end() }

    var cluster: SettingsCluster { client.cluster }

    /// Why no server can be reached, as the stream of changes has found; nil where nothing speaks against it.
    var outage: SettingsError? { state.withLock(\.outage) }

    /// Whether what others change arrives by itself.
    var isWatching: Bool { state.withLock(\.watch)?.isOpen == true }
}

// MARK: - Watching

extension ClusterLink {
    func add(_ feed: SuiteFeed) {
        let mustCheck = state.withLock { state in
            state.feeds[feed.suite, default: [:]][ObjectIdentifier(feed)] = feed
            defer { state.isCheckScheduled = true }
            return !state.isCheckScheduled
        }
        if mustCheck { scheduleCheck() }
        startSoon()
    }

    func remove(_ feed: SuiteFeed) {
        state.withLock { state in
            state.feeds[feed.suite]?[ObjectIdentifier(feed)] = nil
            if state.feeds[feed.suite]?.isEmpty == true { state.feeds[feed.suite] = nil }
        }
    }

    /// Hints whenever a suite may have come or gone, until the watch is let go.
    func watch(_ hint: @escaping @Sendable () -> Void) -> StorageWatch {
        let holder = Listener(self)
        state.withLock { $0.listeners[ObjectIdentifier(holder)] = hint }
        startSoon()
        return StorageWatch(heldBy: holder) { $0.link.watching }
    }

    private final class Listener: Sendable {
        let link: ClusterLink

        init(_ link: ClusterLink) { self.link = link }

        deinit {
            let key = ObjectIdentifier(self)
            link.state.withLock { $0.listeners[key] = nil }
        }
    }

    /// How others' changes are noticed at present.
    var watching: SuiteStatus.Watching {
        outage.map { .polling("no server answers: \($0)") } ?? .events
    }

    /// Begins to watch, if somebody does, behind what was read at a revision.
    func start(after revision: Int64?) {
        let watch = state.withLock { state -> EtcdWatch? in
            if let watch = state.watch { return watch }
            if state.feeds.isEmpty, state.listeners.isEmpty { return nil }
            let watch = EtcdWatch(client, keys.all) { [weak self] in self?.take($0) }
            state.watch = watch
            return watch
        }
        watch?.start(after: revision)
    }

    /// Whoever watches reads as a rule, and says from where to go on; if not, it begins with what comes.
    private func startSoon() {
        if state.withLock({ $0.watch != nil }) { return }
        scheduler.run(after: 0.05) { [weak self] in self?.start(after: nil) }
    }

    private func take(_ news: EtcdWatch.News) {
        switch news {
        case .events(let events): handOut(events)
        case .connected: reached()
        case .missed:
            state.withLock { $0.outage = nil }
            let (feeds, listeners) = everybody()
            for feed in feeds { feed.miss() }
            // They may ask something, and wait for the answer.
            for listener in listeners { scheduler.run(listener) }
        case .lost(let reason):
            let error = SettingsError.unreachable(path: cluster.location, reason: reason)
            let isNew = state.withLock { state in
                defer { state.outage = error }
                return state.outage == nil
            }
            if isNew { for feed in everybody().feeds { feed.hint() } }
        }
    }

    /// A server answers; whoever was told otherwise looks again.
    private func reached() {
        let wasLost = state.withLock { state in
            defer { state.outage = nil }
            return state.outage != nil
        }
        if wasLost { for feed in everybody().feeds { feed.hint() } }
    }

    private func everybody() -> (feeds: [SuiteFeed], listeners: [@Sendable () -> Void]) {
        state.withLock { ($0.feeds.values.flatMap(\.values), Array($0.listeners.values)) }
    }

    private func handOut(_ events: [WatchEvent]) {
        var bySuite: [SuiteName: [SuiteFeed.Event]] = [:]
        var mayHaveGone: Set<SuiteName> = []
        for event in events {
            guard let (suite, key) = keys.parts(of: event.kv.key) else { continue }
            if event.isDeletion { mayHaveGone.insert(suite) }
            let bytes = event.isDeletion ? nil : event.kv.bytes
            bySuite[suite, default: []].append(
                SuiteFeed.Event(key: key, bytes: bytes, revision: event.kv.revision)
            )
        }
        for (suite, events) in bySuite {
            let feeds = state.withLock { state in state.feeds[suite].map { Array($0.values) } ?? [] }
            for feed in feeds { feed.put(events) }
        }
        let listeners = state.withLock { state in
            let isListNew = !mayHaveGone.isEmpty || !state.heardOf.isSuperset(of: bySuite.keys)
            state.heardOf.formUnion(bySuite.keys)
            state.heardOf.subtract(mayHaveGone)
            return isListNew ? Array(state.listeners.values) : []
        }
        for listener in listeners { scheduler.run(listener) }
    }
}

// MARK: - Checking

extension ClusterLink {
    /// Suites are read again one after the other, so that all have had their turn when the period is over.
    private func scheduleCheck() {
        let count = max(1, state.withLock { $0.feeds.values.reduce(0) { $0 + $1.count } })
        scheduler.run(after: cluster.secondsBetweenChecks / Double(count)) { [weak self] in self?.check() }
    }

    private func check() {
        let feed = state.withLock { state -> SuiteFeed? in
            if state.unchecked.isEmpty { state.unchecked = state.feeds.values.flatMap(\.values) }
            return state.unchecked.popLast()
        }
        feed?.miss()
        scheduleCheck()
    }
}
#endif
