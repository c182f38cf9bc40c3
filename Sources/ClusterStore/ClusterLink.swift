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
        /// Whoever wants to know of something besides what suites hold.
        var listeners: [ObjectIdentifier: (subject: Subject, hint: @Sendable () -> Void)] = [:]
        var watch: EtcdWatch?
        /// Why no server can be reached; nil while one can, as far as is known.
        var outage: SettingsError?
        /// Why there is no stream of changes for this user; nil where there is one, as far as is known.
        var prohibition: String?
        /// Whether this user may leave marks.
        var mayMark = true
        /// Those whose turn to be checked is still to come.
        var unchecked: [SuiteFeed] = []
        var isCheckScheduled = false
        /// Tells the last check that was scheduled from those before.
        var checkTurn = 0
    }

    /// What somebody wants to be hinted at.
    enum Subject: Hashable {
        /// Suites that come and go, and servers that do.
        case place
        /// What is declared about the settings of a suite.
        case schema(of: SuiteName)
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

    /// Whether conditional writes leave marks: until this user is found to have no right to.
    var mayMark: Bool {
        get { state.withLock(\.mayMark) }
        set { state.withLock { $0.mayMark = newValue } }
    }

    /// Whether what others change arrives by itself.
    var isWatching: Bool { state.withLock(\.watch)?.isOpen == true }

    /// The server that was the last to answer, and whether it does.
    var connection: PlaceConnection {
        let servers = cluster.servers
        let url = servers.isEmpty ? cluster.firstServer : servers[client.favourite]
        let server = "etcd \(url.split(separator: "/").last ?? "")"
        if let outage { return PlaceConnection(server: server, .lost(outage.reason)) }
        let isOpen = isWatching || state.withLock(\.prohibition) != nil
        return PlaceConnection(server: server, isOpen ? .open : .opening)
    }
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

    /// Hints whenever there may be news of a subject, until the watch is let go.
    func watch(_ subject: Subject, _ hint: @escaping @Sendable () -> Void) -> StorageWatch {
        let holder = Listener(self)
        state.withLock { $0.listeners[ObjectIdentifier(holder)] = (subject, hint) }
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
        if let outage { return .polling("out of reach: \(outage)") }
        if let reason = state.withLock(\.prohibition) { return .polling("the stream is refused: \(reason)") }
        return .events
    }

    /// Begins to watch, if somebody does, behind what was read at a revision.
    ///
    /// - Parameter latest: of what was read, the last change.
    func start(after revision: Int64?, knowing latest: KeyValue? = nil) {
        let watch = state.withLock { state -> EtcdWatch? in
            if let watch = state.watch { return watch }
            if state.feeds.isEmpty, state.listeners.isEmpty { return nil }
            let watch = EtcdWatch(client, keys.all) { [weak self] in self?.take($0) }
            state.watch = watch
            return watch
        }
        watch?.start(after: revision, knowing: latest)
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
            state.withLock { ($0.outage, $0.prohibition) = (nil, nil) }
            for feed in feeds { feed.miss() }
            hint { _ in true }
        case .forbidden(let reason):
            let isNew = state.withLock { state in
                defer { (state.outage, state.prohibition) = (nil, reason) }
                return state.prohibition == nil
            }
            if isNew {
                for feed in feeds { feed.miss() }
                hint { _ in true }
                scheduleCheck()
            }
        case .lost(let reason):
            let error = SettingsError.unreachable(path: cluster.location, reason: reason)
            let isNew = state.withLock { state in
                defer { state.outage = error }
                return state.outage == nil
            }
            if !isNew { return }
            for feed in feeds { feed.hint() }
            hint { $0 == .place }
        }
    }

    /// A server answers; whoever was told otherwise looks again.
    private func reached() {
        let wasLost = state.withLock { state in
            defer { (state.outage, state.prohibition) = (nil, nil) }
            return state.outage != nil
        }
        if wasLost { for feed in feeds { feed.hint() } }
        hint { wasLost || $0 == .place }
    }

    private var feeds: [SuiteFeed] { state.withLock { $0.feeds.values.flatMap(\.values) } }

    /// Hints at subjects, on other threads: whoever listens may ask something, and wait for the answer.
    private func hint(at isNew: (Subject) -> Bool) {
        let listeners = state.withLock { $0.listeners.values.filter { isNew($0.subject) } }
        for listener in listeners { scheduler.run(listener.hint) }
    }

    private func handOut(_ events: [WatchEvent]) {
        var bySuite: [SuiteName: [SuiteFeed.Event]] = [:]
        var isUnfinished: [SuiteName: Bool] = [:]
        var mayHaveGone: Set<SuiteName> = []
        var declared: Set<SuiteName> = []
        for event in events {
            if let suite = keys.suite(ofSchema: event.kv.key) { declared.insert(suite) }
            guard let (suite, place) = keys.place(of: event.kv.key) else { continue }
            if event.isDeletion { mayHaveGone.insert(suite) }
            if place == .making { isUnfinished[suite] = !event.isDeletion }
            guard case .key(let key) = place else {
                bySuite[suite, default: []] += []
                continue
            }
            let bytes = event.isDeletion ? nil : event.kv.bytes
            bySuite[suite, default: []].append(
                SuiteFeed.Event(key: key, bytes: bytes, revision: event.kv.revision)
            )
        }
        for (suite, events) in bySuite {
            let feeds = state.withLock { state in state.feeds[suite].map { Array($0.values) } ?? [] }
            for feed in feeds { feed.put(events, isUnfinished: isUnfinished[suite]) }
        }
        let heard = declared.union(bySuite.keys)
        let isListNew = state.withLock { state in
            defer { state.heardOf = state.heardOf.union(heard).subtracting(mayHaveGone) }
            return !mayHaveGone.isEmpty || !state.heardOf.isSuperset(of: heard)
        }
        if isListNew || !declared.isEmpty {
            hint { subject in
                switch subject {
                case .place: isListNew
                case .schema(let suite): declared.contains(suite)
                }
            }
        }
    }
}

// MARK: - Checking

extension ClusterLink {
    /// Seconds.
    private static let pollingPeriod = 5.0

    /// Suites are read again one after the other, so that all have had their turn when the period is over.
    private func scheduleCheck() {
        let (turn, count, isAlone) = state.withLock { state in
            state.checkTurn += 1
            let count = state.feeds.values.reduce(0) { $0 + $1.count }
            return (state.checkTurn, max(1, count), state.prohibition != nil)
        }
        // Without a stream nothing else tells of changes.
        let seconds = min(cluster.secondsBetweenChecks, isAlone ? Self.pollingPeriod : .infinity)
        scheduler.run(after: seconds / Double(count)) { [weak self] in self?.check(turn) }
    }

    /// Has a suite be read again that could not be, where the stream of changes knows of no outage whose end
    /// would do so.
    func lookAgain(_ feed: SuiteFeed, after seconds: Double = 1) {
        if outage != nil || !feed.beginWaiting() { return }
        scheduler.run(after: seconds) {
            feed.endWaiting()
            feed.hint()
        }
    }

    private func check(_ turn: Int) {
        if state.withLock(\.checkTurn) != turn { return }
        let feed = state.withLock { state -> SuiteFeed? in
            if state.unchecked.isEmpty { state.unchecked = state.feeds.values.flatMap(\.values) }
            return state.unchecked.popLast()
        }
        if let feed {
            feed.miss()
            hint { $0 == .schema(of: feed.suite) }
        }
        scheduleCheck()
    }
}
#endif
