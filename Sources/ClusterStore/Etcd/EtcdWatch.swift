// Programs expect to be notified of foreign changes within milliseconds, and to miss none of them. One watch stream
// for each cluster and process carries all changes; if it breaks, it is opened again after the last revision that was
// received. Without it, every suite would have to poll the servers. etcd's own client libraries exist for Go and a
// few other languages, and none for Swift.

#if Cluster
import FoundationEssentials
import SettingsStore

/// The stream of changes of a cluster.
final class EtcdWatch: Sendable {
    enum Event: Sendable {
        /// Changes in etcd's order. Each change is reported once.
        case changes([WatchEvent])
        /// The stream is open, and no change is missing.
        case connected
        /// Changes may be missing, so everything must be read again.
        case gap
        /// No server opened the stream, for the reason given.
        case lost(String)
        /// The user lacks the permission for the stream.
        case forbidden(String)
    }

    private struct State {
        var isStarted = false
        var hasEnded = false
        /// The last revision that was received or read; nil if the stream begins with new changes.
        var position: Int64?
        /// Counts the streams. Late events of an earlier stream are ignored.
        var generation = 0
        var isOpen = false
        /// The ID of the cluster that `position` belongs to.
        var cluster: Int64?
        var server = 0
        var failures = 0
        /// When this series of failures began, and whether servers reported in it that they have no leader.
        var failing: (since: Double, lacksLeader: Bool)?
        var cancel: (@Sendable () -> Void)?
    }

    private let client: EtcdClient
    private let range: KeyRange
    private let receive: @Sendable (Event) -> Void
    private let state = Mutex(State())
    private let scheduler = LiveWorkScheduler()

    /// Seconds before a forbidden stream is tried again.
    private static let forbiddenRetryInterval = 5.0
    /// Seconds; the delay doubles with each failure.
    private static let retryDelays = 0.02...1.0

    /// - Parameter receive: called for each event, on the network thread or a work thread, without a lock.
    init(_ client: EtcdClient, _ range: KeyRange, _ receive: @escaping @Sendable (Event) -> Void) {
        self.client = client
        self.range = range
        self.receive = receive
    }

    deinit { end() }

    var isOpen: Bool { state.withLock(\.isOpen) }

    /// Starts the stream. Later calls do nothing.
    ///
    /// - Parameter revision: the last revision that is known; nil reports only new changes.
    func start(after revision: Int64?) {
        let isFirst = state.withLock { state in
            defer { state.isStarted = true }
            if !state.isStarted { state.position = revision }
            return !state.isStarted
        }
        if isFirst { openSoon() }
    }

    /// Ends the stream for good.
    func end() {
        let cancel = state.withLock { state in
            state.hasEnded = true
            state.generation += 1
            return state.cancel
        }
        cancel?()
    }
}

// MARK: - Opening

extension EtcdWatch {
    private func openSoon() { scheduler.run { [weak self] in self?.open() } }

    private func open(after seconds: Double) {
        scheduler.run(after: seconds) { [weak self] in self?.open() }
    }

    private func open() {
        let attempt = state.withLock { state -> (generation: Int, position: Int64?, server: Int)? in
            if state.hasEnded { return nil }
            state.generation += 1
            if state.failures == 0 { state.server = client.preferredServer }
            return (state.generation, state.position, state.server)
        }
        guard let (generation, position, server) = attempt, !client.cluster.servers.isEmpty else { return }
        let request = WatchRequest(
            createRequest: WatchRequest.Create(
                key: range.start,
                rangeEnd: range.end,
                startRevision: Number(position.map { $0 + 1 } ?? 0)
            )
        )
        let cancel = client.stream(
            "/v3/watch",
            request,
            on: server,
            receive: { [weak self] in self?.receiveLine($0, generation) },
            ended: { [weak self] in self?.streamFailed($0, generation) }
        )
        let isCurrent = state.withLock { state in
            if state.generation == generation { state.cancel = cancel }
            return state.generation == generation
        }
        guard isCurrent else { return cancel() }
        abandonIfSilent(generation, server, cancel)
    }

    /// A server that accepts the connection and then stays silent counts as failed.
    private func abandonIfSilent(_ generation: Int, _ server: Int, _ cancel: @escaping @Sendable () -> Void) {
        scheduler.run(after: client.cluster.patience) { [weak self] in
            guard let self, !isOpen, state.withLock(\.generation) == generation else { return }
            streamFailed("\(client.cluster.servers[server]): no answer in time", generation)
            cancel()
        }
    }

    private func streamOpened(at revision: Int64, of cluster: Int64?, _ generation: Int) {
        enum Opening { case continued, firstWithoutPosition, otherHistory }
        let opening = state.withLock { state -> Opening in
            // A cluster that was set up again, or restored from a backup, counts revisions from there. The stream's
            // position may then be in that cluster's future.
            let isOther = (state.position ?? 0) > revision || state.cluster.map { $0 != cluster } ?? false
            state.cluster = cluster
            if isOther { return .otherHistory }
            state.isOpen = true
            (state.failures, state.failing) = (0, nil)
            defer { state.position = state.position ?? revision }
            return state.position == nil ? .firstWithoutPosition : .continued
        }
        client.endOutagePause()
        switch opening {
        case .otherHistory: return restart(after: revision, generation)
        case .firstWithoutPosition: receive(.gap)
        case .continued: receive(.connected)
        }
        scheduleProbe(generation)
    }

    /// Finds a server that hangs without closing its connections.
    private func scheduleProbe(_ generation: Int) {
        scheduler.run(after: client.cluster.secondsBetweenSigns) { [weak self] in
            guard let self else { return }
            let (isCurrent, server) = state.withLock { ($0.generation == generation && $0.isOpen, $0.server) }
            guard isCurrent else { return }
            client.probe(server) { [weak self] isAlive in
                guard let self else { return }
                if isAlive { return scheduleProbe(generation) }
                streamFailed("\(client.cluster.servers[server]): no sign of life", generation)
            }
        }
    }
}

// MARK: - Receiving

extension EtcdWatch {
    private func receiveLine(_ line: Data, _ generation: Int) {
        guard state.withLock(\.generation) == generation else { return }
        guard let message = try? EtcdJSON.decoded(WatchMessage.self, from: line) else {
            return streamFailed("the server sent something that is not a message of etcd", generation)
        }
        if let failure = message.error {
            if failure.kind == .needsLogin { client.forgetToken() }
            let reason = failure.message ?? "the stream ended"
            return streamFailed(reason, generation, isForbidden: failure.isForbidden)
        }
        guard let result = message.result else { return }
        if result.canceled == true { return streamWasCancelled(result, generation) }
        if result.created == true {
            let header = result.header
            streamOpened(at: header?.revision?.value ?? 0, of: header?.clusterId?.value, generation)
        }
        if let events = result.events { receiveChanges(events) }
    }

    private func receiveChanges(_ events: [WatchEvent]) {
        let new = state.withLock { state in
            let new = events.filter { $0.kv.revision > state.position ?? 0 }
            if let last = new.last { state.position = max(state.position ?? 0, last.kv.revision) }
            return new
        }
        if !new.isEmpty { receive(.changes(new)) }
    }

    /// The server cancelled the watch, most often because it has compacted the revisions that the watch begins with.
    private func streamWasCancelled(_ result: WatchMessage.Result, _ generation: Int) {
        let compacted = result.compactRevision?.value ?? 0
        if compacted > 0 { return restart(after: compacted - 1, generation) }
        // etcd gives no other reason if the token has expired.
        client.forgetToken()
        let reason = result.cancelReason ?? "the server ended the stream"
        streamFailed(reason, generation, isForbidden: EtcdFailure(message: reason).isForbidden)
    }

    /// Reports a gap, and opens the stream again after a revision.
    private func restart(after revision: Int64, _ generation: Int) {
        let (isCurrent, cancel) = state.withLock { state in
            guard state.generation == generation else { return (false, nil as (@Sendable () -> Void)?) }
            state.position = revision
            state.isOpen = false
            state.generation += 1
            return (true, state.cancel)
        }
        guard isCurrent else { return }
        cancel?()
        receive(.gap)
        openSoon()
    }
}

// MARK: - Failures

extension EtcdWatch {
    private struct FailureSeries {
        let count: Int
        /// Whether the cause will pass in a moment: an election, or an expired token.
        let isTemporary: Bool
        let cancel: (@Sendable () -> Void)?
    }

    private func streamFailed(_ reason: String, _ generation: Int, isForbidden: Bool = false) {
        guard let series = recordFailure(reason, generation, isForbidden) else { return }
        series.cancel?()
        if isForbidden {
            receive(.forbidden(reason))
            return open(after: Self.forbiddenRetryInterval)
        }
        // Each server has failed once at least, and one of them twice: it may have closed only its own stream at
        // first.
        if series.count > client.cluster.servers.count, !series.isTemporary { receive(.lost(reason)) }
        let delay = Self.retryDelays.lowerBound * Double(1 << min(series.count - 1, 6))
        open(after: min(delay, Self.retryDelays.upperBound))
    }

    /// Moves to the next server.
    ///
    /// - Returns: nil if the failure is one of an earlier stream.
    private func recordFailure(_ reason: String, _ generation: Int, _ isForbidden: Bool) -> FailureSeries? {
        let failure = EtcdFailure(message: reason)
        let now = monotonicTime()
        return state.withLock { state in
            guard state.generation == generation, !state.hasEnded else { return nil }
            var failing = state.failing ?? (now, false)
            if failure.lacksLeader { failing.lacksLeader = true }
            // A server that refuses the stream is reachable.
            (state.failures, state.failing) = isForbidden ? (0, nil) : (state.failures + 1, failing)
            state.generation += 1
            state.isOpen = false
            state.server = (state.server + 1) % max(1, client.cluster.servers.count)
            defer { state.cancel = nil }
            let isElection = failing.lacksLeader && now - failing.since < client.cluster.patience
            return FailureSeries(
                count: state.failures,
                isTemporary: isElection || failure.hasInvalidToken,
                cancel: state.cancel
            )
        }
    }
}
#endif
