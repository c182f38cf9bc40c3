#if Cluster
import FoundationEssentials
import SettingsStore

/// The one stream of changes of a cluster: opened again wherever it breaks, from the revision behind the
/// last one that was received.
final class EtcdWatch: Sendable {
    enum News: Sendable {
        /// Changes in their order, each once.
        case events([WatchEvent])
        /// The stream is open, and misses nothing since what came before.
        case connected
        /// Something may have been missed: what is kept has to be read again.
        case missed
        /// No server has let the stream be opened.
        case lost(String)
        /// This user may not have the stream.
        case forbidden(String)
    }

    /// A change that was received or read, by which a server's past is known to be the same.
    private struct Witness {
        let key: Data
        let revision: Int64
        let digest: Int

        init(_ pair: KeyValue) { (key, revision, digest) = (pair.key, pair.revision, pair.bytes.digest) }
    }

    private struct State {
        var isStarted = false
        var hasEnded = false
        /// The last revision received, or read; nil where the stream is to begin with what comes.
        var position: Int64?
        /// Counts the streams, so that what a former one says late is not heard.
        var generation = 0
        var isOpen = false
        /// The cluster that the position is one of.
        var cluster: Int64?
        /// The last change up to there that left a value.
        var witness: Witness?
        /// Whether a stream has been open before.
        var hasBeenOpen = false
        var server = 0
        var failures = 0
        /// When the first of these was, and whether servers had no leader then or since.
        var failing: (since: Double, isForWantOfLeader: Bool)?
        var cancel: (@Sendable () -> Void)?
    }

    private let client: EtcdClient
    private let range: KeyRange
    private let receive: @Sendable (News) -> Void
    private let state = Mutex(State())
    private let scheduler = LiveWorkScheduler()

    init(_ client: EtcdClient, _ range: KeyRange, _ receive: @escaping @Sendable (News) -> Void) {
        self.client = client
        self.range = range
        self.receive = receive
    }

    deinit { end() }

    /// Begins, unless it has begun, with what comes after a revision; nil: with what comes.
    func start(after revision: Int64?, knowing latest: KeyValue?) {
        let isFirst = state.withLock { state in
            defer { state.isStarted = true }
            if !state.isStarted { (state.position, state.witness) = (revision, latest.map { Witness($0) }) }
            return !state.isStarted
        }
        if isFirst { scheduler.run { [weak self] in self?.open() } }
    }

    func end() {
        let cancel = state.withLock { state in
            state.hasEnded = true
            state.generation += 1
            return state.cancel
        }
        cancel?()
    }

    var isOpen: Bool { state.withLock(\.isOpen) }

    private func open() {
        let opening = state.withLock { state -> (generation: Int, position: Int64?, server: Int)? in
            if state.hasEnded { return nil }
            state.generation += 1
            if state.failures == 0 { state.server = client.favourite }
            return (state.generation, state.position, state.server)
        }
        guard let (generation, position, server) = opening, !client.cluster.servers.isEmpty else { return }
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
            receive: { [weak self] in self?.take($0, generation) },
            ended: { [weak self] in self?.broke($0, generation) }
        )
        guard let cancel else { return }
        let isCurrent = state.withLock { state in
            if state.generation == generation { state.cancel = cancel }
            return state.generation == generation
        }
        guard isCurrent else { return cancel() }
        // A server that takes the connection and says nothing is as good as none.
        scheduler.run(after: client.cluster.patience) { [weak self] in
            guard let self, !isOpen, state.withLock(\.generation) == generation else { return }
            broke("\(client.cluster.servers[server]): no answer in time", generation)
            cancel()
        }
    }

    private func take(_ line: Data, _ generation: Int) {
        guard state.withLock(\.generation) == generation else { return }
        guard let message = try? EtcdJSON.decoded(WatchMessage.self, from: line) else {
            return broke("what came is no message of etcd's", generation)
        }
        if let failure = message.error {
            if failure.kind == .unknownCaller { client.forgetToken() }
            return broke(failure.message ?? "the stream ended", generation, isForbidden: failure.isForbidden)
        }
        guard let result = message.result else { return }
        if result.canceled == true { return cancelled(result, generation) }
        if result.created == true {
            let header = result.header
            opened(at: header?.revision?.value ?? 0, of: header?.clusterId?.value, generation)
        }
        if let events = result.events { take(events) }
    }

    private func take(_ events: [WatchEvent]) {
        let new = state.withLock { state in
            let new = events.filter { $0.kv.revision > state.position ?? 0 }
            if let last = new.last { state.position = max(state.position ?? 0, last.kv.revision) }
            if let last = new.last(where: { !$0.isDeletion }) { state.witness = Witness(last.kv) }
            return new
        }
        if !new.isEmpty { receive(.events(new)) }
    }

    private func opened(at revision: Int64, of cluster: Int64?, _ generation: Int) {
        let (isOther, mayHaveMissed, mustAsk) = state.withLock { state in
            // A cluster that was set up anew, or from an old copy, counts anew: what the stream was to go on
            // behind may be in its future.
            let isOther = (state.position ?? 0) > revision || state.cluster.map { $0 != cluster } ?? false
            state.cluster = cluster
            if isOther { return (true, true, false) }
            state.isOpen = true
            (state.failures, state.failing) = (0, nil)
            defer { (state.position, state.hasBeenOpen) = (state.position ?? revision, true) }
            return (false, state.position == nil, state.hasBeenOpen)
        }
        client.endSilence()
        if isOther { return beginAnew(behind: revision, generation) }
        receive(mayHaveMissed ? .missed : .connected)
        if mustAsk { scheduler.run { [weak self] in self?.askForThePast(generation) } }
        listen(generation)
    }

    /// Has all be read again where it can't be shown that the servers have the past that the stream went on
    /// behind: those that were set up from an old copy meanwhile may have come further than that by now.
    private func askForThePast(_ generation: Int) {
        let witness = state.withLock(\.witness)
        if let witness {
            let request = RangeRequest(key: witness.key, revision: Number(witness.revision))
            let answer: RangeResponse? = try? client.ask("/v3/kv/range", request)
            let pair = answer?.kvs?.first
            if pair?.revision == witness.revision, pair?.bytes.digest == witness.digest { return }
        }
        if state.withLock(\.generation) == generation { receive(.missed) }
    }

    /// Leaves a server that has stopped without ending its streams.
    private func listen(_ generation: Int) {
        scheduler.run(after: client.cluster.secondsBetweenSigns) { [weak self] in
            guard let self else { return }
            let (isCurrent, server) = state.withLock { ($0.generation == generation && $0.isOpen, $0.server) }
            guard isCurrent else { return }
            client.knock(at: server) { [weak self] isAlive in
                guard let self else { return }
                if isAlive { return listen(generation) }
                broke("\(client.cluster.servers[server]): no sign of life", generation)
            }
        }
    }

    /// The server has ended the watch: most often since the revisions to begin with are compacted.
    private func cancelled(_ result: WatchMessage.Result, _ generation: Int) {
        let compacted = result.compactRevision?.value ?? 0
        guard compacted > 0 else {
            // It says no more where the token is not known to it any more.
            client.forgetToken()
            let reason = result.cancelReason ?? "the server ended the stream"
            return broke(reason, generation, isForbidden: EtcdFailure(message: reason).isForbidden)
        }
        beginAnew(behind: compacted - 1, generation)
    }

    /// Has all be read again, and opens the stream behind a revision.
    private func beginAnew(behind revision: Int64, _ generation: Int) {
        let (isCurrent, cancel) = state.withLock { state in
            guard state.generation == generation else { return (false, nil as (@Sendable () -> Void)?) }
            state.position = revision
            state.isOpen = false
            state.generation += 1
            return (true, state.cancel)
        }
        guard isCurrent else { return }
        cancel?()
        receive(.missed)
        scheduler.run { [weak self] in self?.open() }
    }

    private func broke(_ reason: String, _ generation: Int, isForbidden: Bool = false) {
        let now = monotonicSeconds()
        let (failures, isNoOutage, cancel) = state.withLock { state in
            guard state.generation == generation, !state.hasEnded else {
                return (nil as Int?, false, nil as (@Sendable () -> Void)?)
            }
            let isForWantOfToken = EtcdFailure(message: reason).isForWantOfToken
            var failing = state.failing ?? (now, false)
            if EtcdFailure(message: reason).isForWantOfLeader { failing.isForWantOfLeader = true }
            // Who refuses is there.
            (state.failures, state.failing) = isForbidden ? (0, nil) : (state.failures + 1, failing)
            state.generation += 1
            state.isOpen = false
            state.server = (state.server + 1) % max(1, client.cluster.servers.count)
            defer { state.cancel = nil }
            let isElection = failing.isForWantOfLeader && now - failing.since < client.cluster.patience
            return (state.failures, isElection || isForWantOfToken, state.cancel)
        }
        guard let failures else { return }
        cancel?()
        if isForbidden {
            receive(.forbidden(reason))
        } else if failures > client.cluster.servers.count, !isNoOutage {
            // The first time the server may only have closed this stream; and where there is a majority it has another
            // leader soon.
            receive(.lost(reason))
        }
        let seconds = isForbidden ? 5 : min(0.02 * Double(1 << min(failures - 1, 6)), 1)
        scheduler.run(after: seconds) { [weak self] in self?.open() }
    }
}
#endif
