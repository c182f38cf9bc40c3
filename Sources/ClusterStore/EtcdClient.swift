#if Cluster
import FoundationEssentials
import Glibc
import SettingsStore

/// Asks a cluster's servers through etcd's JSON gateway, and waits for the answers on the caller's thread.
final class EtcdClient: Sendable {
    let cluster: SettingsCluster
    private let latest: Mutex<(connections: EtcdConnections, checked: Double)>

    private struct State {
        /// The server to ask first.
        var favourite = 0
        var token: String?
        /// Until when nobody is asked, since nobody answered; by the clock that nobody sets.
        var silence: (until: Double, error: SettingsError)?
    }

    private let state = Mutex(State())

    init(_ cluster: SettingsCluster) {
        self.cluster = cluster
        latest = Mutex((EtcdConnections(cluster), monotonicSeconds()))
    }

    /// New ones where the certificates on the disk are new, which is looked at once a second.
    private var connections: EtcdConnections {
        latest.withLock { latest in
            let now = monotonicSeconds()
            if now - latest.checked >= 1 {
                latest.checked = now
                if latest.connections.areOutdated { latest.connections = EtcdConnections(cluster) }
            }
            return latest.connections
        }
    }

    /// The server that was the last to answer.
    var favourite: Int { state.withLock(\.favourite) }

    /// Has servers be asked at once again.
    func endSilence() { state.withLock { $0.silence = nil } }

    /// Has the next request ask for a new token.
    func forgetToken() { state.withLock { $0.token = nil } }
}

// MARK: - Asking

extension EtcdClient {
    /// Asks one server after the other until one answers; the next one also while the last has said
    /// nothing for half a second.
    ///
    /// - Parameter seconds: what each server has, if that is less than the cluster's patience.
    /// - Throws: ``SettingsError/unreachable(path:reason:)`` where none did,
    ///   ``SettingsError/notWritable(path:reason:)`` with what etcd said.
    func ask<Request: Encodable, Answer: Decodable>(
        _ path: String,
        _ request: Request,
        within seconds: Double = .infinity,
        for type: Answer.Type = Answer.self
    ) throws(SettingsError) -> Answer {
        try answer(to: request, path, isWrite: false, within: seconds, as: type).answer
    }

    /// Has a transaction carried out: once, or several times where answers were lost.
    ///
    /// - Returns: the last answer, and whether it may have been carried out before.
    /// - Throws: like `ask`, and ``SettingsError/unconfirmed(path:reason:)`` where no server answered, but
    ///   one may have carried it out.
    func store(
        _ transaction: Transaction
    ) throws(SettingsError) -> (answer: TransactionResponse, mayBeRepeated: Bool) {
        try answer(to: transaction, "/v3/kv/txn", isWrite: true)
    }

    /// Seconds after which the next server is asked as well.
    private static let hesitation = 0.5

    private func answer<Answer: Decodable>(
        to request: some Encodable,
        _ path: String,
        isWrite: Bool,
        within seconds: Double = .infinity,
        as type: Answer.Type = Answer.self
    ) throws(SettingsError) -> (answer: Answer, mayBeRepeated: Bool) {
        if let silence = state.withLock(\.silence), monotonicSeconds() < silence.until { throw silence.error }
        guard let body = try? EtcdJSON.encoded(request) else { throw unreachable("no JSON") }
        let end = monotonicSeconds() + min(cluster.patience, seconds)
        var mayHaveHappened = false
        while true {
            let hesitation = isWrite ? nil : Self.hesitation
            let round = EtcdRound(connections, path, body, servers: order(), hesitation, within: seconds)
            let failure: SettingsError
            switch try outcome(of: round, isWrite, &mayHaveHappened, as: type) {
            case .success(let answer): return (answer, mayHaveHappened)
            case .failure(let error): failure = error
            }
            // Where there is a majority it has another leader soon.
            if EtcdFailure(message: failure.reason).isForWantOfLeader, monotonicSeconds() < end {
                usleep(100_000)
                continue
            }
            state.withLock { $0.silence = (monotonicSeconds() + 0.3, failure) }
            if mayHaveHappened, case .unreachable(let path, let reason) = failure {
                throw .unconfirmed(path: path, reason: reason)
            }
            throw failure
        }
    }

    /// The answer of the first server that gives one, or why none did.
    ///
    /// - Throws: what a server has refused.
    private func outcome<Answer: Decodable>(
        of round: EtcdRound,
        _ isWrite: Bool,
        _ mayHaveHappened: inout Bool,
        as type: Answer.Type
    ) throws(SettingsError) -> Result<Answer, SettingsError> {
        var round = round
        defer { round.giveUp() }
        var mayRenewToken = cluster.user != nil
        var last = unreachable("no server is named")
        var wantOfLeader: SettingsError?
        while let (server, result) = round.next(with: try token()) {
            switch result {
            case .success(let bytes):
                guard let answer = try? EtcdJSON.decoded(type, from: bytes) else {
                    last = unreachable("\(cluster.servers[server]) gave an answer that is none of etcd's")
                    // Whoever stands before a server may have passed it on.
                    if isWrite { mayHaveHappened = true }
                    continue
                }
                state.withLock { state in
                    state.favourite = server
                    state.silence = nil
                }
                return .success(answer)
            case .failure(let failure):
                if failure.kind == .unknownCaller, mayRenewToken {
                    mayRenewToken = false
                    forgetToken()
                    round.repeatAtOnce(server)
                    continue
                }
                last = error(failure, server)
                if failure.kind != .unavailable { throw last }
                if isWrite, failure.mayHaveHappened { mayHaveHappened = true }
                if EtcdFailure(message: failure.reason).isForWantOfLeader { wantOfLeader = last }
                // A connection from the pool may have been over for long.
                if failure.wasClosed { round.repeatOnce(server) }
            }
        }
        return .failure(wantOfLeader ?? last)
    }

    /// All servers, the one that was the last to answer first.
    private func order() -> [Int] {
        let first = favourite
        return cluster.servers.indices.map { (first + $0) % cluster.servers.count }
    }

    private func error(_ failure: EtcdConnections.Failure, _ server: Int) -> SettingsError {
        switch failure.kind {
        case .unavailable: unreachable("\(cluster.servers[server]): \(failure.reason)")
        case .unknownCaller, .refused:
            .notWritable(path: cluster.location, reason: words(for: failure.reason))
        }
    }

    private func words(for refusal: String) -> String {
        let failure = EtcdFailure(message: refusal)
        if failure.isForWantOfRoom {
            return "\(refusal): what is removed makes room, with compaction and defragmentation "
                + "(etcdctl compaction, defrag, alarm disarm)"
        }
        guard let user = cluster.user else {
            let wish =
                "the cluster asks for a user (user: and password:, PDEFAULTS_CLUSTER_USER and _PASSWORD)"
            if failure.isForWantOfUser { return wish }
            return failure.isForbidden ? "\(wish): \(refusal)" : refusal
        }
        return failure.isForbidden ? "the user “\(user)” has no right to this (\(refusal))" : refusal
    }

    private func unreachable(_ reason: String) -> SettingsError {
        .unreachable(path: cluster.location, reason: reason)
    }

    /// The token by which the servers know the user; nil where there is no user.
    private func token() throws(SettingsError) -> String? {
        guard let user = cluster.user else {
            if cluster.password == nil { return nil }
            let reason = "a password needs its user (user:, PDEFAULTS_CLUSTER_USER)"
            throw .notWritable(path: cluster.location, reason: reason)
        }
        if let token = state.withLock(\.token) { return token }
        let request = AuthenticateRequest(name: user, password: cluster.password?.text ?? "")
        guard let body = try? EtcdJSON.encoded(request) else { throw unreachable("no JSON") }
        var round = EtcdRound(connections, "/v3/auth/authenticate", body, servers: order(), Self.hesitation)
        defer { round.giveUp() }
        var last = unreachable("no server is named")
        while let (server, result) = round.next(with: nil) {
            switch result {
            case .success(let bytes):
                let token = (try? EtcdJSON.decoded(AuthenticateResponse.self, from: bytes))?.token
                state.withLock { $0.token = token }
                return token
            case .failure(let failure):
                last = error(failure, server)
                if failure.kind != .unavailable { throw last }
            }
        }
        throw last
    }
}

// MARK: - Streams

extension EtcdClient {
    /// Asks a server for a sign of life, and tells whether it gave one.
    func knock(at server: Int, done: @escaping @Sendable (Bool) -> Void) {
        let request = RangeRequest(key: Data(cluster.prefix.utf8), serializable: true)
        guard let body = try? EtcdJSON.encoded(request) else { return done(true) }
        // Without a token a server that knows its users refuses to say more, which is a sign too.
        _ = connections.send("/v3/kv/range", body, to: server, with: nil, within: 2) { result in
            switch result {
            case .success: done(true)
            case .failure(let failure): done(failure.kind != .unavailable)
            }
        }
    }

    /// Opens a stream on one server. `receive` is given each line, on the connections' thread, and `ended`
    /// why it is over, once.
    ///
    /// - Returns: what ends it; nil where it is over already.
    func stream(
        _ path: String,
        _ request: some Encodable,
        on server: Int,
        receive: @escaping @Sendable (Data) -> Void,
        ended: @escaping @Sendable (String) -> Void
    ) -> (@Sendable () -> Void)? {
        let (body, token): (Data, String?)
        do throws(SettingsError) {
            guard let encoded = try? EtcdJSON.encoded(request) else { throw unreachable("no JSON") }
            (body, token) = (encoded, try self.token())
        } catch {
            ended("\(error)")
            return nil
        }
        return connections.stream(path, body, on: server, with: token, receive: receive, ended: ended)
    }
}

func monotonicSeconds() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}
#endif
