// A process may have hundreds of suites on a cluster, and a connection or a watch stream for each would overload the
// servers. All suites of one configuration share a session: a few connections, and one stream whose changes the
// session distributes. Without it, a thousand suites would open a thousand streams.

#if Cluster
import FoundationEssentials
import SettingsStore

/// The connections and the watch stream that all suites of one configuration share.
final class ClusterSession: Sendable {
    /// A topic of notifications that is not the values of a suite.
    enum Topic: Hashable {
        /// The list of suites, and the connection to the servers.
        case suiteList
        /// The declared settings of a suite.
        case schema(of: SuiteName)
    }

    private struct State {
        var buffers: [SuiteName: [ObjectIdentifier: WatchBuffer]] = [:]
        /// Suites that are in the list as far as the stream tells. A suite leaves this set if one of its keys was
        /// removed, because it may have been the last one.
        var seenSuites: Set<SuiteName> = []
        var listeners: [ObjectIdentifier: (topic: Topic, notify: @Sendable () -> Void)] = [:]
        var watch: EtcdWatch?
        /// The error of the stream while no server can be reached.
        var outage: SettingsError?
        /// The reason if this user may not open the stream.
        var streamRefusal: String?
        var mayWriteReceipts = true
        /// Buffers whose suites are still to be checked in this period.
        var unchecked: [WatchBuffer] = []
        var isCheckScheduled = false
        /// Counts the scheduled checks. Only the newest one runs.
        var checkTurn = 0
    }

    private struct WeakSession {
        weak var session: ClusterSession?
    }

    private static let sessions = Mutex<[ClusterIdentity: WeakSession]>([:])

    let client: EtcdClient
    let keys: EtcdKeyLayout
    private let state = Mutex(State())
    private let scheduler = LiveWorkScheduler()

    /// Seconds. The first reading of a suite usually starts the stream, because it knows the revision to begin with.
    private static let startDelay = 0.05

    /// The session of a configuration. It ends when its last user releases it.
    static func to(_ cluster: SettingsCluster) -> ClusterSession {
        let identity = ClusterIdentity(cluster)
        return sessions.withLock { sessions in
            if let session = sessions[identity]?.session { return session }
            let session = ClusterSession(cluster)
            sessions = sessions.filter { $0.value.session != nil }
            sessions[identity] = WeakSession(session: session)
            return session
        }
    }

    init(_ cluster: SettingsCluster) {
        client = EtcdClient(cluster)
        keys = EtcdKeyLayout(prefix: cluster.prefix)
    }

    deinit { state.withLock(\.watch)?.end() }

    var cluster: SettingsCluster { client.cluster }

    /// The reason if the stream has found that no server can be reached.
    var outage: SettingsError? { state.withLock(\.outage) }

    /// Whether conditional writes leave receipts. The first refusal for lack of permission ends this.
    var mayWriteReceipts: Bool {
        get { state.withLock(\.mayWriteReceipts) }
        set { state.withLock { $0.mayWriteReceipts = newValue } }
    }

    /// Whether the stream is open, so that foreign changes arrive by themselves.
    var isWatching: Bool { state.withLock(\.watch)?.isOpen == true }

    /// The server that answered last, and whether the cluster can be reached.
    var connection: BackendConnection {
        let servers = cluster.servers
        let url = servers.isEmpty ? cluster.firstServer : servers[client.preferredServer]
        let server = "etcd \(url.split(separator: "/").last ?? "")"
        if let outage { return BackendConnection(server: server, .lost(outage.reason)) }
        let isOpen = isWatching || state.withLock(\.streamRefusal) != nil
        return BackendConnection(server: server, isOpen ? .open : .opening)
    }

    /// How foreign changes are noticed at present.
    var watching: SuiteStatus.Watching {
        if let outage { return .polling("unreachable: \(outage)") }
        if let reason = state.withLock(\.streamRefusal) {
            return .polling("the stream is refused: \(reason)")
        }
        return .events
    }
}

// MARK: - Watching

extension ClusterSession {
    /// Delivers the suite's changes to the buffer until ``remove(_:)``.
    func add(_ buffer: WatchBuffer) {
        let mustCheck = state.withLock { state in
            state.buffers[buffer.suite, default: [:]][ObjectIdentifier(buffer)] = buffer
            defer { state.isCheckScheduled = true }
            return !state.isCheckScheduled
        }
        if mustCheck { scheduleCheck() }
        startSoon()
    }

    func remove(_ buffer: WatchBuffer) {
        state.withLock { state in
            state.buffers[buffer.suite]?[ObjectIdentifier(buffer)] = nil
            if state.buffers[buffer.suite]?.isEmpty == true { state.buffers[buffer.suite] = nil }
        }
    }

    /// Notifies of a topic's changes, on a work thread, until the watch is released.
    func watch(_ topic: Topic, _ notify: @escaping @Sendable () -> Void) -> StorageWatch {
        let holder = Listener(self)
        state.withLock { $0.listeners[ObjectIdentifier(holder)] = (topic, notify) }
        startSoon()
        return StorageWatch(heldBy: holder) { $0.session.watching }
    }

    private final class Listener: Sendable {
        let session: ClusterSession

        init(_ session: ClusterSession) { self.session = session }

        deinit {
            let key = ObjectIdentifier(self)
            // The closure is released after the lock, because it may hold objects of the program.
            let listener = session.state.withLock { $0.listeners.removeValue(forKey: key) }
            withExtendedLifetime(listener) {}
        }
    }

    /// Starts the stream if anything is watched and it has not started.
    ///
    /// - Parameter revision: the revision of the caller's reading; nil begins with new changes.
    func start(after revision: Int64?) {
        let watch = state.withLock { state -> EtcdWatch? in
            if let watch = state.watch { return watch }
            if state.buffers.isEmpty, state.listeners.isEmpty { return nil }
            let watch = EtcdWatch(client, keys.all) { [weak self] in self?.receive($0) }
            state.watch = watch
            return watch
        }
        watch?.start(after: revision)
    }

    private func startSoon() {
        if state.withLock({ $0.watch != nil }) { return }
        scheduler.run(after: Self.startDelay) { [weak self] in self?.start(after: nil) }
    }

    private func receive(_ event: EtcdWatch.Event) {
        switch event {
        case .changes(let changes): distribute(ChangeSummary(changes, keys))
        case .connected: serverAnswered()
        case .gap:
            state.withLock { ($0.outage, $0.streamRefusal) = (nil, nil) }
            requireFullReads()
        case .forbidden(let reason):
            let isNew = state.withLock { state in
                defer { (state.outage, state.streamRefusal) = (nil, reason) }
                return state.streamRefusal == nil
            }
            if isNew {
                requireFullReads()
                scheduleCheck()
            }
        case .lost(let reason):
            let error = SettingsError.unreachable(path: cluster.location, reason: reason)
            let isNew = state.withLock { state in
                defer { state.outage = error }
                return state.outage == nil
            }
            if isNew {
                for buffer in buffers { buffer.notify() }
                notifyListeners { $0 == .suiteList }
            }
        }
    }

    private func serverAnswered() {
        let wasLost = state.withLock { state in
            defer { (state.outage, state.streamRefusal) = (nil, nil) }
            return state.outage != nil
        }
        if wasLost { for buffer in buffers { buffer.notify() } }
        notifyListeners { wasLost || $0 == .suiteList }
    }

    private func requireFullReads() {
        for buffer in buffers { buffer.requireFullRead() }
        notifyListeners { _ in true }
    }

    private var buffers: [WatchBuffer] { state.withLock { $0.buffers.values.flatMap(\.values) } }

    /// Notifies on work threads, because a listener may ask the cluster and wait for the answer.
    private func notifyListeners(of isChanged: (Topic) -> Bool) {
        let listeners = state.withLock { $0.listeners.values.filter { isChanged($0.topic) } }
        for listener in listeners { scheduler.run(listener.notify) }
    }

    private func distribute(_ summary: ChangeSummary) {
        for (suite, changes) in summary.changes {
            let buffers = state.withLock { state in state.buffers[suite].map { Array($0.values) } ?? [] }
            for buffer in buffers { buffer.add(changes) }
        }
        let seen = summary.schemas.union(summary.changes.keys)
        let isListChanged = state.withLock { state in
            defer { state.seenSuites = state.seenSuites.union(seen).subtracting(summary.mayBeGone) }
            return !summary.mayBeGone.isEmpty || !state.seenSuites.isSuperset(of: seen)
        }
        if isListChanged || !summary.schemas.isEmpty {
            notifyListeners { topic in
                switch topic {
                case .suiteList: isListChanged
                case .schema(let suite): summary.schemas.contains(suite)
                }
            }
        }
    }
}

/// The changes of one message from the stream, sorted by suite.
private struct ChangeSummary {
    /// A suite whose foreign entries changed has an empty list.
    var changes: [SuiteName: [WatchBuffer.Change]] = [:]
    /// Suites of which a key was removed.
    var mayBeGone: Set<SuiteName> = []
    /// Suites whose declared settings changed.
    var schemas: Set<SuiteName> = []

    init(_ events: [WatchEvent], _ keys: EtcdKeyLayout) {
        for event in events {
            if let suite = keys.suite(ofSchema: event.kv.key) { schemas.insert(suite) }
            guard let (suite, entry) = keys.entry(of: event.kv.key) else { continue }
            if event.isDeletion { mayBeGone.insert(suite) }
            guard case .key(let key) = entry else {
                changes[suite, default: []] += []
                continue
            }
            let bytes = event.isDeletion ? nil : event.kv.bytes
            changes[suite, default: []].append(
                WatchBuffer.Change(key: key, bytes: bytes, revision: event.kv.revision)
            )
        }
    }
}

// MARK: - Checking

extension ClusterSession {
    /// Seconds in which each suite is read once if this user may not open the stream.
    private static let pollInterval = 5.0

    /// Schedules the next suite's check, so that all suites have been read when the period is over.
    private func scheduleCheck() {
        let (turn, count, mustPoll) = state.withLock { state in
            state.checkTurn += 1
            let count = state.buffers.values.reduce(0) { $0 + $1.count }
            return (state.checkTurn, max(1, count), state.streamRefusal != nil)
        }
        let period = min(cluster.secondsBetweenChecks, mustPoll ? Self.pollInterval : .infinity)
        scheduler.run(after: period / Double(count)) { [weak self] in self?.checkNextSuite(turn) }
    }

    private func checkNextSuite(_ turn: Int) {
        if state.withLock(\.checkTurn) != turn { return }
        let buffer = state.withLock { state -> WatchBuffer? in
            if state.unchecked.isEmpty { state.unchecked = state.buffers.values.flatMap(\.values) }
            return state.unchecked.popLast()
        }
        if let buffer {
            buffer.requireFullRead()
            notifyListeners { $0 == .schema(of: buffer.suite) }
        }
        scheduleCheck()
    }

    /// Notifies a suite again after its reading failed. During an outage this does nothing, because the end of the
    /// outage notifies.
    func retryReading(_ buffer: WatchBuffer, after seconds: Double = 1) {
        if outage != nil || !buffer.beginRetry() { return }
        scheduler.run(after: seconds) {
            buffer.endRetry()
            buffer.notify()
        }
    }
}
#endif
