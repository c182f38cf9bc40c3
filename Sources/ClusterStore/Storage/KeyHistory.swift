// People want to see what a setting was before, and to go back. etcd keeps old revisions until they are compacted,
// but only its watch stream delivers several of them. So the history of a key is read from a short watch.

#if Cluster
import Dispatch
import FoundationEssentials
import PropertyList
import SettingsStore

extension SettingsCluster {
    /// The previous values and removals of a key, the newest first, as far back as the cluster keeps them.
    ///
    /// The call waits for the servers on this thread. If the key does not exist, it takes half a second longer.
    ///
    /// - Parameter limit: the most revisions to return.
    /// - Throws: ``SettingsError/unreachable(path:reason:)`` if no server answers.
    public func history(
        ofKey key: String,
        in suite: SuiteName,
        limit: Int = 100
    ) throws(SettingsError) -> [SettingRevision]? {
        let client = ClusterSession.to(self).client
        let etcdKey = ClusterSession.to(self).keys.key(key, of: suite)
        let present: RangeResponse = try client.ask("/v3/kv/range", RangeRequest(key: etcdKey))
        let last = present.kvs?.first?.revision
        var first: Int64 = 1
        var history: [SettingRevision] = []
        while true {
            switch try client.changes(of: etcdKey, from: first, to: last, limit: limit) {
            case .compacted(let revision):
                // The value at the compacted revision is the oldest one that is left.
                first = revision + 1
                let request = RangeRequest(key: etcdKey, revision: Number(revision))
                let answer: RangeResponse? = try? client.ask("/v3/kv/range", request)
                history = (answer?.kvs ?? []).map { SettingRevision($0, exists: true) }
            case .complete(let events):
                // If the key has not changed since, the watch delivers that value again.
                let new = events.filter { $0.kv.revision > history.last?.revision ?? 0 }
                history += new.map { SettingRevision($0.kv, exists: !$0.isDeletion) }
                return Array(history.suffix(limit).reversed())
            }
        }
    }
}

extension SettingRevision {
    fileprivate init(_ pair: KeyValue, exists: Bool) {
        self.init(
            revision: pair.revision,
            value: exists ? ClusterStorage.value(of: pair.bytes) : nil
        )
    }
}

// MARK: - Reading

extension EtcdClient {
    fileprivate enum HistoryResult {
        /// The oldest first.
        case complete([WatchEvent])
        /// The cluster has forgotten all revisions up to this one.
        case compacted(Int64)
    }

    /// Seconds of silence after which the history of a removed key counts as complete. etcd delivers old changes
    /// every tenth of a second, and does not say when it has delivered all of them.
    private static let silenceLimit = 0.5

    /// The changes of a key since a revision, from the first server that answers.
    ///
    /// - Parameter last: the revision of the newest change; nil if the key does not exist.
    fileprivate func changes(
        of key: Data,
        from first: Int64,
        to last: Int64?,
        limit: Int
    ) throws(SettingsError) -> HistoryResult {
        if let last, last < first { return .complete([]) }
        let request = WatchRequest(
            createRequest: WatchRequest.Create(key: key, startRevision: Number(first))
        )
        let start = preferredServer
        var failure = "no server is named"
        for offset in cluster.servers.indices {
            let listener = HistoryListener(limit: limit)
            let cancel = stream(
                "/v3/watch",
                request,
                on: (start + offset) % cluster.servers.count,
                receive: { listener.receive($0) },
                ended: { listener.end($0) }
            )
            defer { cancel() }
            switch listener.wait(for: last, patience: cluster.patience, silence: Self.silenceLimit) {
            case .success(let result): return result
            case .failure(let error): failure = error.reason
            }
        }
        throw .unreachable(path: cluster.location, reason: failure)
    }
}

/// Collects the changes of one key from a stream.
private final class HistoryListener: Sendable {
    struct Failure: Error {
        let reason: String
    }

    private struct State {
        var isOpen = false
        var events: [WatchEvent] = []
        var compacted: Int64?
        var failure: String?
    }

    private let limit: Int
    private let state = Mutex(State())
    private let arrivals = DispatchSemaphore(value: 0)

    init(limit: Int) { self.limit = limit }

    func receive(_ line: Data) {
        let message = try? EtcdJSON.decoded(WatchMessage.self, from: line)
        state.withLock { state in
            if let failure = message?.error { state.failure = failure.message ?? "the stream ended" }
            guard let result = message?.result else { return }
            if result.created == true { state.isOpen = true }
            if result.canceled == true {
                state.compacted = result.compactRevision?.value
                if state.compacted ?? 0 == 0 { state.failure = result.cancelReason ?? "the stream ended" }
            }
            state.events = Array((state.events + (result.events ?? [])).suffix(limit))
        }
        arrivals.signal()
    }

    func end(_ reason: String) {
        state.withLock { $0.failure = $0.failure ?? reason }
        arrivals.signal()
    }

    /// Waits on this thread until the history is complete, or until the server is silent for too long.
    ///
    /// - Parameters:
    ///   - last: the revision of the newest change; nil if the key does not exist.
    ///   - patience: seconds that the server has for its answer.
    ///   - silence: seconds of silence that end the history of a removed key.
    func wait(
        for last: Int64?,
        patience: Double,
        silence: Double
    ) -> Result<EtcdClient.HistoryResult, Failure> {
        while true {
            let now = state.withLock { $0 }
            if let revision = now.compacted, revision > 0 { return .success(.compacted(revision)) }
            if let failure = now.failure { return .failure(Failure(reason: failure)) }
            if let last, let event = now.events.last, event.kv.revision >= last {
                return .success(.complete(now.events))
            }
            let mayBeAll = now.isOpen && last == nil
            if arrivals.wait(timeout: .now() + (mayBeAll ? silence : patience)) == .timedOut {
                return mayBeAll
                    ? .success(.complete(now.events)) : .failure(Failure(reason: "no answer in time"))
            }
        }
    }
}
#endif
