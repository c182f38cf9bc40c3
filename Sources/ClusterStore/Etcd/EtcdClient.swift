// Settings are read and written synchronously, but a cluster has several servers, tokens that expire, and elections.
// This client turns one call into the requests that it takes: it hedges, renews the token, waits for an election, and
// pauses during an outage. AsyncHTTPClient, which EtcdTransport uses, knows nothing of these.

#if Cluster
import FoundationEssentials
import Glibc
import SettingsStore

/// Sends requests to a cluster through etcd's JSON gateway. Each call waits for its answer on the caller's thread.
final class EtcdClient: Sendable {
    let cluster: SettingsCluster
    private let latest: Mutex<(transport: EtcdTransport, checked: Double)>

    private struct State {
        /// The server to ask first, because it was the last one to answer.
        var preferredServer = 0
        var token: String?
        /// During an outage: calls fail with this error, without a request, until a monotonic time.
        var outagePause: (until: Double, error: SettingsError)?
    }

    private let state: Mutex<State>

    /// Seconds after which the next server is asked as well.
    private static let hedgeDelay = 0.5
    /// Seconds for which calls fail without a request after no server answered.
    private static let outagePause = 0.3
    /// Seconds between two requests while the servers elect a leader.
    private static let electionPause = 0.1
    /// Seconds between two looks at the certificate files.
    private static let certificateCheckInterval = 1.0

    init(_ cluster: SettingsCluster) {
        self.cluster = cluster
        state = Mutex(State())
        latest = Mutex((EtcdTransport(cluster), monotonicTime()))
    }

    /// The connections. They are made again after certificate files were replaced.
    private var transport: EtcdTransport {
        latest.withLock { latest in
            let now = monotonicTime()
            if now - latest.checked >= Self.certificateCheckInterval {
                latest.checked = now
                if latest.transport.areOutdated { latest.transport = EtcdTransport(cluster) }
            }
            return latest.transport
        }
    }

    var preferredServer: Int { state.withLock(\.preferredServer) }

    /// Lets calls reach the servers again, because one of them has answered elsewhere.
    func endOutagePause() { state.withLock { $0.outagePause = nil } }

    /// Makes the next request log in again.
    func forgetToken() { state.withLock { $0.token = nil } }
}

// MARK: - Requests

extension EtcdClient {
    /// Reads from the first server that answers.
    ///
    /// - Parameter seconds: the time limit for each server, if the cluster's `patience` is not less.
    /// - Throws: ``SettingsError/unreachable(path:reason:)`` if no server answered, and
    ///   ``SettingsError/notWritable(path:reason:)`` with etcd's message if a server refused.
    func ask<Request: Encodable, Answer: Decodable>(
        _ path: String,
        _ request: Request,
        within seconds: Double = .infinity,
        for type: Answer.Type = Answer.self
    ) throws(SettingsError) -> Answer {
        try answer(to: request, path, isWrite: false, within: seconds, as: type).answer
    }

    /// Carries out a transaction once, or several times if answers were lost.
    ///
    /// - Returns: the last answer, and whether an earlier attempt may have been carried out too.
    /// - Throws: like `ask`, and ``SettingsError/unconfirmed(path:reason:)`` if no server answered but one may have
    ///   carried it out.
    func store(
        _ transaction: Transaction
    ) throws(SettingsError) -> (answer: TransactionResponse, mayBeRepeated: Bool) {
        try answer(to: transaction, "/v3/kv/txn", isWrite: true)
    }

    private func answer<Answer: Decodable>(
        to request: some Encodable,
        _ path: String,
        isWrite: Bool,
        within seconds: Double = .infinity,
        as type: Answer.Type = Answer.self
    ) throws(SettingsError) -> (answer: Answer, mayBeRepeated: Bool) {
        try failDuringOutagePause()
        guard let body = try? EtcdJSON.encoded(request) else { throw unreachable("no JSON") }
        let deadline = monotonicTime() + min(cluster.patience, seconds)
        var mayHaveHappened = false
        while true {
            let hedgeDelay = isWrite ? nil : Self.hedgeDelay
            let servers = serversInOrder()
            var request = HedgedRequest(transport, path, body, servers: servers, hedgeDelay, within: seconds)
            switch try firstAnswer(to: &request, isWrite, &mayHaveHappened, as: type) {
            case .success(let answer): return (answer, mayHaveHappened)
            case .failure(let error):
                if EtcdFailure(message: error.reason).lacksLeader, monotonicTime() < deadline {
                    usleep(UInt32(Self.electionPause * 1e6))
                    continue
                }
                throw beginOutagePause(error, mayHaveHappened)
            }
        }
    }

    private func failDuringOutagePause() throws(SettingsError) {
        if let pause = state.withLock(\.outagePause), monotonicTime() < pause.until { throw pause.error }
    }

    /// - Returns: the error that the caller throws.
    private func beginOutagePause(_ error: SettingsError, _ mayHaveHappened: Bool) -> SettingsError {
        state.withLock { $0.outagePause = (monotonicTime() + Self.outagePause, error) }
        guard mayHaveHappened, case .unreachable(let path, let reason) = error else { return error }
        return .unconfirmed(path: path, reason: reason)
    }

    /// Asks the servers of one hedged request.
    ///
    /// - Returns: the first answer, or the reason why no server answered.
    /// - Throws: a server's refusal, which asking another server would not change.
    private func firstAnswer<Answer: Decodable>(
        to request: inout HedgedRequest,
        _ isWrite: Bool,
        _ mayHaveHappened: inout Bool,
        as type: Answer.Type
    ) throws(SettingsError) -> Result<Answer, SettingsError> {
        defer { request.cancel() }
        var mayRenewToken = cluster.user != nil
        var lastError = unreachable("no server is named")
        var leaderError: SettingsError?
        while let (server, result) = request.next(with: try token()) {
            switch result {
            case .success(let bytes):
                if let answer = try? EtcdJSON.decoded(type, from: bytes) {
                    noteAnswer(from: server)
                    return .success(answer)
                }
                lastError = unreachable("\(cluster.servers[server]) did not answer like etcd")
                // A proxy may have passed the write on before it answered itself.
                if isWrite { mayHaveHappened = true }
            case .failure(let failure):
                if failure.kind == .needsLogin, mayRenewToken {
                    mayRenewToken = false
                    forgetToken()
                    request.retry(server)
                    continue
                }
                lastError = error(failure, server)
                if failure.kind != .unavailable { throw lastError }
                if isWrite, failure.mayHaveHappened { mayHaveHappened = true }
                if EtcdFailure(message: failure.reason).lacksLeader { leaderError = lastError }
                // The server may have closed a pooled connection long ago.
                if failure.wasClosed { request.retryOnce(server) }
            }
        }
        return .failure(leaderError ?? lastError)
    }

    private func noteAnswer(from server: Int) {
        state.withLock { state in
            state.preferredServer = server
            state.outagePause = nil
        }
    }

    /// All servers, beginning with the preferred one.
    private func serversInOrder() -> [Int] {
        let first = preferredServer
        return cluster.servers.indices.map { (first + $0) % cluster.servers.count }
    }

    private func error(_ failure: EtcdTransport.Failure, _ server: Int) -> SettingsError {
        switch failure.kind {
        case .unavailable: unreachable("\(cluster.servers[server]): \(failure.reason)")
        case .needsLogin, .refused:
            .notWritable(path: cluster.location, reason: refusalDescription(failure.reason))
        }
    }

    /// Adds advice to etcd's message.
    private func refusalDescription(_ message: String) -> String {
        let failure = EtcdFailure(message: message)
        if failure.isOutOfSpace {
            return "\(message): remove keys, then compact and defragment "
                + "(etcdctl compaction, defrag, alarm disarm)"
        }
        guard let user = cluster.user else {
            let advice =
                "the cluster requires a user (set user: and password:, or PDEFAULTS_CLUSTER_USER and _PASSWORD)"
            if failure.lacksUser { return advice }
            return failure.isForbidden ? "\(advice): \(message)" : message
        }
        return failure.isForbidden ? "the user “\(user)” has no right to this (\(message))" : message
    }

    private func unreachable(_ reason: String) -> SettingsError {
        .unreachable(path: cluster.location, reason: reason)
    }
}

// MARK: - Login

extension EtcdClient {
    /// The token that identifies the user, from the last login or a new one; nil if the cluster has no user.
    private func token() throws(SettingsError) -> String? {
        guard let user = cluster.user else { return nil }
        if let token = state.withLock(\.token) { return token }
        let login = AuthenticateRequest(name: user, password: cluster.password?.text ?? "")
        guard let body = try? EtcdJSON.encoded(login) else { throw unreachable("no JSON") }
        let path = "/v3/auth/authenticate"
        var request = HedgedRequest(transport, path, body, servers: serversInOrder(), Self.hedgeDelay)
        defer { request.cancel() }
        var lastError = unreachable("no server is named")
        while let (server, result) = request.next(with: nil) {
            switch result {
            case .success(let bytes):
                let token = (try? EtcdJSON.decoded(AuthenticateResponse.self, from: bytes))?.token
                state.withLock { $0.token = token }
                return token
            case .failure(let failure):
                lastError = error(failure, server)
                if failure.kind != .unavailable { throw lastError }
            }
        }
        throw lastError
    }
}

// MARK: - Streams

extension EtcdClient {
    /// Seconds within which a running server answers a probe.
    private static let probeLimit = 2.0

    /// Asks a server for a sign of life.
    ///
    /// - Parameter done: called once, on any thread, with whether the server answered.
    func probe(_ server: Int, done: @escaping @Sendable (Bool) -> Void) {
        let request = RangeRequest(key: Data(cluster.prefix.utf8), serializable: true)
        guard let body = try? EtcdJSON.encoded(request) else { return done(true) }
        // A cluster with users refuses this request without a token. A refusal is a sign of life too.
        _ = transport.send("/v3/kv/range", body, to: server, with: nil, within: Self.probeLimit) { result in
            switch result {
            case .success: done(true)
            case .failure(let failure): done(failure.kind != .unavailable)
            }
        }
    }

    /// Opens a stream from one server, after a login if the cluster has a user.
    ///
    /// - Parameters:
    ///   - receive: called with each line, on the network thread.
    ///   - ended: called once with the reason, on any thread; before this function returns if the stream could not be
    ///     opened.
    /// - Returns: cancels the stream.
    func stream(
        _ path: String,
        _ request: some Encodable,
        on server: Int,
        receive: @escaping @Sendable (Data) -> Void,
        ended: @escaping @Sendable (String) -> Void
    ) -> @Sendable () -> Void {
        let (body, token): (Data, String?)
        do throws(SettingsError) {
            guard let encoded = try? EtcdJSON.encoded(request) else { throw unreachable("no JSON") }
            (body, token) = (encoded, try self.token())
        } catch {
            ended("\(error)")
            return {}
        }
        return transport.stream(path, body, on: server, with: token, receive: receive, ended: ended)
    }
}
#endif
