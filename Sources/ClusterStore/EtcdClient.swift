#if Cluster
import AsyncHTTPClient
import Dispatch
import FoundationEssentials
import Glibc
import NIOCore
import NIOPosix
import NIOSSL
import PropertyList
import SettingsStore

/// Asks a cluster's servers through etcd's JSON gateway, and waits for the answers.
///
/// The caller's thread waits; what comes over the network is taken by a thread of the client's own, so that
/// neither tasks nor event loops of the program can hold it up, or be held up for good.
final class EtcdClient: Sendable {
    /// One thread for all clusters of the process: what it does takes microseconds.
    private static let threads = MultiThreadedEventLoopGroup(numberOfThreads: 1)
    /// More than the largest suite takes in an answer, so that a server gone mad can't fill the memory.
    private static let answerLimit = 512 << 20

    let cluster: SettingsCluster
    private let requests: HTTPClient
    private let streams: HTTPClient
    /// Why the connections can't be secured as asked; nil where they can.
    private let trustProblem: String?

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
        var configuration = HTTPClient.Configuration()
        configuration.redirectConfiguration = .disallow
        configuration.timeout.connect = .milliseconds(Int64(min(cluster.patience, 2) * 1000))
        configuration.connectionPool.retryConnectionEstablishment = false
        configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = 4
        // What a server's machine no longer answers is noticed within half a minute.
        configuration.http1_1ConnectionDebugInitializer = { Self.keepAlive($0) }
        configuration.http2ConnectionDebugInitializer = { Self.keepAlive($0) }
        (configuration.tlsConfiguration, trustProblem) = Self.trust(of: cluster)
        requests = HTTPClient(eventLoopGroupProvider: .shared(Self.threads), configuration: configuration)
        // A stream that says nothing for so long is opened anew, in case its server is stuck.
        configuration.timeout.read = .seconds(300)
        streams = HTTPClient(eventLoopGroupProvider: .shared(Self.threads), configuration: configuration)
    }

    deinit {
        let queue = DispatchQueue(label: "ClusterStore.end")
        for client in [requests, streams] { client.shutdown(queue: queue) { _ in } }
    }

    private static func keepAlive(_ channel: any Channel) -> EventLoopFuture<Void> {
        let options: [(ChannelOptions.Types.SocketOption, CInt)] = [
            (ChannelOptions.socketOption(.so_keepalive), 1),
            (ChannelOptions.Types.SocketOption(level: .tcp, name: .init(rawValue: TCP_KEEPIDLE)), 10),
            (ChannelOptions.Types.SocketOption(level: .tcp, name: .init(rawValue: TCP_KEEPINTVL)), 5),
            (ChannelOptions.Types.SocketOption(level: .tcp, name: .init(rawValue: TCP_KEEPCNT)), 3),
        ]
        let set = options.map {
            channel.setOption($0.0, value: ChannelOptions.Types.SocketOption.Value($0.1))
        }
        // A connection that has no such options does without.
        return EventLoopFuture.whenAllComplete(set, on: channel.eventLoop).map { _ in }
    }

    private static func trust(of cluster: SettingsCluster) -> (TLSConfiguration, problem: String?) {
        var trust = TLSConfiguration.makeClientConfiguration()
        do {
            if let path = cluster.authorityPath { trust.trustRoots = .file(path) }
            if let path = cluster.authorityPath { _ = try NIOSSLCertificate.fromPEMFile(path) }
            if let path = cluster.certificatePath {
                trust.certificateChain = try NIOSSLCertificate.fromPEMFile(path).map { .certificate($0) }
            }
            if let path = cluster.keyPath {
                trust.privateKey = .privateKey(try NIOSSLPrivateKey(file: path, format: .pem))
            }
            return (trust, nil)
        } catch {
            let paths = [cluster.authorityPath, cluster.certificatePath, cluster.keyPath]
            let files = paths.compactMap { $0 }.joined(separator: ", ")
            return (trust, "the certificates or the key can't be read (\(files))")
        }
    }
}

// MARK: - Asking

extension EtcdClient {
    /// Whether a request may be carried out twice, without anybody being the worse for it.
    enum Repetition { case harmless, harmful }

    /// Asks one server after the other until one answers.
    ///
    /// - Throws: ``SettingsError/unreachable(path:reason:)`` where none did, or where one may have carried
    ///   out what is not to be repeated; ``SettingsError/notWritable(path:reason:)`` with what etcd said.
    func ask<Request: Encodable, Answer: Decodable>(
        _ path: String,
        _ request: Request,
        _ repetition: Repetition = .harmless,
        for type: Answer.Type = Answer.self
    ) throws(SettingsError) -> Answer {
        if let silence = state.withLock(\.silence), monotonicSeconds() < silence.until { throw silence.error }
        guard let body = try? EtcdJSON.encoded(request) else { throw unreachable("no JSON") }
        var last = SettingsError.unreachable(path: cluster.location, reason: "no server is named")
        var mayRenewToken = true
        let first = state.withLock(\.favourite)
        var attempt = 0
        var attempts = cluster.servers.count
        while attempt < attempts {
            let number = (first + attempt) % cluster.servers.count
            let answer = send(path, body, to: number, with: try token())
            switch answer {
            case .success(let bytes):
                guard let answer = try? EtcdJSON.decoded(type, from: bytes) else {
                    last = unreachable("\(cluster.servers[number]) gave an answer that is none of etcd's")
                    break
                }
                state.withLock { state in
                    state.favourite = number
                    state.silence = nil
                }
                return answer
            case .failure(let failure):
                if failure.kind == .unknownCaller, cluster.user != nil, mayRenewToken {
                    mayRenewToken = false
                    state.withLock { $0.token = nil }
                    continue
                }
                last = error(failure, number)
                if failure.kind != .unavailable { throw last }
                if repetition == .harmful, failure.mayHaveHappened { throw last }
                // A connection from the pool may have been over for long.
                if attempt == 0, failure.wasClosed { attempts += 1 }
            }
            attempt += 1
        }
        state.withLock { $0.silence = (monotonicSeconds() + 0.3, last) }
        throw last
    }

    private func error(_ failure: Failure, _ server: Int) -> SettingsError {
        switch failure.kind {
        case .unavailable: unreachable("\(cluster.servers[server]): \(failure.reason)")
        case .unknownCaller, .refused: .notWritable(path: cluster.location, reason: failure.reason)
        }
    }

    private func unreachable(_ reason: String) -> SettingsError {
        .unreachable(path: cluster.location, reason: reason)
    }

    /// Why there is no answer.
    struct Failure: Error {
        var kind = EtcdFailure.Kind.unavailable
        let reason: String
        /// Whether the server may have carried the request out.
        var mayHaveHappened = false
        /// Whether the server ended the connection instead of answering.
        var wasClosed = false
    }

    private func send(
        _ path: String,
        _ body: Data,
        to server: Int,
        with token: String?
    ) -> Result<Data, Failure> {
        let request: HTTPClient.Request
        switch makeRequest(path, body, to: server, with: token) {
        case .success(let made): request = made
        case .failure(let failure): return .failure(failure)
        }
        let delegate = AnswerDelegate(limit: Self.answerLimit)
        let deadline = NIODeadline.now() + .milliseconds(Int64(cluster.patience * 1000))
        let task = requests.execute(request: request, delegate: delegate, deadline: deadline)
        let done = DispatchSemaphore(value: 0)
        let result = Mutex<Result<Answer, any Error>?>(nil)
        task.futureResult.whenComplete { answer in
            result.withLock { $0 = answer }
            done.signal()
        }
        done.wait()
        switch result.withLock({ $0 }) {
        case .success(let answer) where answer.status == 200: return .success(answer.body)
        case .success(let answer):
            guard let failure = try? EtcdJSON.decoded(EtcdFailure.self, from: answer.body) else {
                return .failure(Failure(reason: "HTTP status \(answer.status)", mayHaveHappened: true))
            }
            return .failure(
                Failure(
                    kind: failure.kind,
                    reason: failure.message ?? "HTTP status \(answer.status)",
                    mayHaveHappened: true
                )
            )
        case .failure(let error):
            return .failure(
                Failure(
                    reason: words(for: error),
                    mayHaveHappened: delegate.wasSent,
                    wasClosed: delegate.wasSent && error as? HTTPClientError != .deadlineExceeded
                )
            )
        case nil: return .failure(Failure(reason: "no answer", mayHaveHappened: true))
        }
    }

    private func makeRequest(
        _ path: String,
        _ body: Data,
        to server: Int,
        with token: String?
    ) -> Result<HTTPClient.Request, Failure> {
        let url = cluster.servers[server]
        // A password in a URL would be shown with it.
        if url.contains("@") { return .failure(Failure(reason: "user and password have no place in a URL")) }
        if url.hasPrefix("https:"), let trustProblem { return .failure(Failure(reason: trustProblem)) }
        guard var request = try? HTTPClient.Request(url: url + path, method: .POST, body: .data(body)) else {
            return .failure(Failure(reason: "is no http or https URL"))
        }
        request.headers.add(name: "Content-Type", value: "application/json")
        if let token { request.headers.add(name: "Authorization", value: token) }
        return .success(request)
    }

    /// The token by which the servers know the user; nil where there is no user.
    private func token() throws(SettingsError) -> String? {
        guard let user = cluster.user else { return nil }
        if let token = state.withLock(\.token) { return token }
        let request = AuthenticateRequest(name: user, password: cluster.password?.text ?? "")
        guard let body = try? EtcdJSON.encoded(request) else { throw unreachable("no JSON") }
        var last = unreachable("no server is named")
        let first = state.withLock(\.favourite)
        for attempt in cluster.servers.indices {
            let number = (first + attempt) % cluster.servers.count
            switch send("/v3/auth/authenticate", body, to: number, with: nil) {
            case .success(let bytes):
                let token = (try? EtcdJSON.decoded(AuthenticateResponse.self, from: bytes))?.token
                state.withLock { $0.token = token }
                return token
            case .failure(let failure):
                last = error(failure, number)
                if failure.kind != .unavailable { throw last }
            }
        }
        throw last
    }
}

// MARK: - Streams

extension EtcdClient {
    /// Opens a stream on one server. `receive` is given each line, on the client's thread, and `ended` why
    /// it is over, once.
    ///
    /// - Returns: what ends it.
    func stream(
        _ path: String,
        _ request: some Encodable,
        on server: Int,
        receive: @escaping @Sendable (Data) -> Void,
        ended: @escaping @Sendable (String) -> Void
    ) -> (@Sendable () -> Void)? {
        let made: HTTPClient.Request
        do throws(SettingsError) {
            guard let body = try? EtcdJSON.encoded(request) else { throw unreachable("no JSON") }
            switch makeRequest(path, body, to: server, with: try token()) {
            case .success(var request):
                // A server that has lost the others ends the stream instead of saying nothing.
                request.headers.add(name: "Grpc-Metadata-hasleader", value: "true")
                made = request
            case .failure(let failure): throw error(failure, server)
            }
        } catch {
            ended("\(error)")
            return nil
        }
        let delegate = LineDelegate(receive)
        let task = streams.execute(request: made, delegate: delegate)
        let url = cluster.servers[server]
        task.futureResult.whenComplete { result in
            switch result {
            case .success: ended("\(url): the stream ended")
            case .failure(let error): ended("\(url): \(words(for: error))")
            }
        }
        return { task.cancel() }
    }

    /// Has the next request ask for a new token.
    func forgetToken() { state.withLock { $0.token = nil } }

    /// Has servers be asked at once again.
    func endSilence() { state.withLock { $0.silence = nil } }

    var favourite: Int { state.withLock(\.favourite) }
}

/// What happened to a request, in words for people.
private func words(for error: any Error) -> String {
    switch error {
    case let error as HTTPClientError:
        switch error {
        case .deadlineExceeded, .readTimeout: return "no answer in time"
        case .connectTimeout: return "no connection in time"
        case .remoteConnectionClosed: return "the connection was closed"
        default: return error.description
        }
    case let error as NIOConnectionError:
        if let error = error.connectionErrors.first?.error as? IOError { return words(for: error) }
        return error.dnsAError == nil ? "no connection" : "the host \(error.host) is not known"
    case let error as IOError: return String(cString: strerror(error.errnoCode))
    default: return "\(error)"
    }
}

func monotonicSeconds() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}
#endif
