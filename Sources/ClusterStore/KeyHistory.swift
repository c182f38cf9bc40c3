#if Cluster
import Dispatch
import FoundationEssentials
import PropertyList
import SettingsStore

extension SettingsCluster {
    /// The last values that a key has had, up to a number, and the removals between them, the newest first, as far
    /// back as the cluster still knows.
    ///
    /// - Throws: ``SettingsError/unfinished(path:reason:)`` while somebody makes the suite, like all that reads it.
    public func history(
        ofKey key: String,
        in suite: SuiteName,
        limit: Int = 100
    ) throws(SettingsError) -> [SettingRevision]? {
        if let words = try unfinished(of: [suite])[suite] {
            throw .unfinished(path: location + suite.rawValue, reason: words)
        }
        let client = ClusterLink.to(self).client
        let place = ClusterLink.to(self).keys.key(key, of: suite)
        let present: RangeResponse = try client.ask("/v3/kv/range", RangeRequest(key: place))
        let last = present.kvs?.first?.revision
        var first: Int64 = 1
        var history: [SettingRevision] = []
        while true {
            switch try client.past(of: place, from: first, to: last, limit: limit) {
            case .compacted(let revision):
                // Of what was before, there is what it had come to.
                first = revision + 1
                let request = RangeRequest(key: place, revision: Number(revision))
                let answer: RangeResponse? = try? client.ask("/v3/kv/range", request)
                history = (answer?.kvs ?? []).map { SettingRevision($0, isThere: true) }
            case .events(let events):
                // The key may not have changed since.
                let new = events.filter { $0.kv.revision > history.last?.revision ?? 0 }
                history += new.map { SettingRevision($0.kv, isThere: !$0.isDeletion) }
                return Array(history.suffix(limit).reversed())
            }
        }
    }
}

extension SettingRevision {
    fileprivate init(_ pair: KeyValue, isThere: Bool) {
        self.init(
            revision: pair.revision,
            value: isThere ? ClusterStorage.value(of: pair.bytes) : nil
        )
    }
}

// MARK: - Asking

extension EtcdClient {
    fileprivate enum Past {
        /// The oldest first.
        case events([WatchEvent])
        /// What was up to this revision is forgotten.
        case compacted(Int64)
    }

    /// Seconds of silence after which nothing more is to be expected of a key that is not there: etcd hands
    /// out what is past every tenth of a second, and does not say when that is all.
    private static let silence = 0.5

    /// The last changes of a key from a revision on.
    ///
    /// - Parameter last: the revision of the last one; nil where that is not known, as of a key that is gone.
    fileprivate func past(
        of key: Data,
        from first: Int64,
        to last: Int64?,
        limit: Int
    ) throws(SettingsError) -> Past {
        if let last, last < first { return .events([]) }
        let request = WatchRequest(
            createRequest: WatchRequest.Create(key: key, startRevision: Number(first))
        )
        let start = favourite
        var failure = "no server is named"
        for offset in cluster.servers.indices {
            let listener = PastListener(limit: limit)
            let cancel = stream(
                "/v3/watch",
                request,
                on: (start + offset) % cluster.servers.count,
                receive: { listener.take($0) },
                ended: { listener.end($0) }
            )
            defer { cancel?() }
            switch listener.wait(for: last, patience: cluster.patience, silence: Self.silence) {
            case .success(let past): return past
            case .failure(let reason): failure = reason.words
            }
        }
        throw .unreachable(path: cluster.location, reason: failure)
    }
}

/// Takes the changes of one key from a stream.
private final class PastListener: Sendable {
    struct Failure: Error {
        let words: String
    }

    private struct State {
        var hasBegun = false
        var events: [WatchEvent] = []
        var compacted: Int64?
        var failure: String?
    }

    private let limit: Int
    private let state = Mutex(State())
    private let news = DispatchSemaphore(value: 0)

    init(limit: Int) { self.limit = limit }

    func take(_ line: Data) {
        let message = try? EtcdJSON.decoded(WatchMessage.self, from: line)
        state.withLock { state in
            if let failure = message?.error { state.failure = failure.message ?? "the stream ended" }
            guard let result = message?.result else { return }
            if result.created == true { state.hasBegun = true }
            if result.canceled == true {
                state.compacted = result.compactRevision?.value
                if state.compacted ?? 0 == 0 { state.failure = result.cancelReason ?? "the stream ended" }
            }
            state.events = Array((state.events + (result.events ?? [])).suffix(limit))
        }
        news.signal()
    }

    func end(_ reason: String) {
        state.withLock { $0.failure = $0.failure ?? reason }
        news.signal()
    }

    func wait(
        for last: Int64?,
        patience: Double,
        silence: Double
    ) -> Result<EtcdClient.Past, Failure> {
        while true {
            let now = state.withLock { $0 }
            if let revision = now.compacted, revision > 0 { return .success(.compacted(revision)) }
            if let failure = now.failure { return .failure(Failure(words: failure)) }
            if let last, let event = now.events.last, event.kv.revision >= last {
                return .success(.events(now.events))
            }
            let mayBeAll = now.hasBegun && last == nil
            if news.wait(timeout: .now() + (mayBeAll ? silence : patience)) == .timedOut {
                return mayBeAll
                    ? .success(.events(now.events)) : .failure(Failure(words: "no answer in time"))
            }
        }
    }
}
#endif
