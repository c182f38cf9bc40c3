#if Cluster
import AsyncHTTPClient
import Dispatch
import FoundationEssentials
import Glibc
import NIOCore
import NIOPosix
import NIOSSL
import SettingsStore

/// The connections to a cluster's servers: requests to one of them, and streams from it.
///
/// What comes over the network is taken by a thread of its own, so that neither tasks nor event loops of the
/// program can hold it up, or be held up for good.
final class EtcdConnections: Sendable {
    /// One thread for all clusters of the process: what it does takes microseconds.
    private static let threads = MultiThreadedEventLoopGroup(numberOfThreads: 1)
    /// More than the largest suite takes in an answer, so that a server gone mad can't fill the memory.
    private static let answerLimit = 512 << 20

    private let cluster: SettingsCluster
    private let requests: HTTPClient
    private let streams: HTTPClient
    /// What these connections are secured with, as it was when they were made.
    private let files: TrustFiles
    /// Why the connections can't be secured as asked; nil where they can.
    private let trustProblem: String?
    /// The servers that have answered anything.
    private let talkative = Mutex<Set<Int>>([])

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
        files = TrustFiles(of: cluster)
        (configuration.tlsConfiguration, trustProblem) = trust(of: cluster)
        requests = HTTPClient(eventLoopGroupProvider: .shared(Self.threads), configuration: configuration)
        // A stream that says nothing for so long is opened anew, in case its server is stuck.
        configuration.timeout.read = .seconds(300)
        streams = HTTPClient(eventLoopGroupProvider: .shared(Self.threads), configuration: configuration)
    }

    deinit {
        let queue = DispatchQueue(label: "ClusterStore.end")
        for client in [requests, streams] { client.shutdown(queue: queue) { _ in } }
    }

    /// Whether the certificates on the disk are others by now: who renews them expects no more of programs that
    /// run than that they take them.
    var areOutdated: Bool { files != TrustFiles(of: cluster) }

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
}

// MARK: - Requests

extension EtcdConnections {
    /// Why there is no answer.
    struct Failure: Error {
        var kind = EtcdFailure.Kind.unavailable
        var reason: String
        /// Whether the server may have carried the request out.
        var mayHaveHappened = false
        /// Whether the server ended the connection instead of answering.
        var wasClosed = false
    }

    /// Sends a request to a server, which has the cluster's patience for its answer, or less. `done` is called once, on any thread, with the answer's content.
    ///
    /// - Returns: what gives it up.
    func send(
        _ path: String,
        _ body: Data,
        to server: Int,
        with token: String?,
        within seconds: Double = .infinity,
        done: @escaping @Sendable (Result<Data, Failure>) -> Void
    ) -> @Sendable () -> Void {
        let request: HTTPClient.Request
        switch makeRequest(path, body, to: server, with: token) {
        case .success(let made): request = made
        case .failure(let failure):
            done(.failure(failure))
            return {}
        }
        let delegate = AnswerDelegate(limit: Self.answerLimit)
        let deadline = NIODeadline.now() + .milliseconds(Int64(min(seconds, cluster.patience) * 1000))
        let task = requests.execute(request: request, delegate: delegate, deadline: deadline)
        task.futureResult.whenComplete { [weak self] result in
            var content = Self.content(of: result, wasSent: delegate.wasSent)
            if case .success = result {
                self?.talkative.withLock { _ = $0.insert(server) }
            } else if case .failure(let error) = result, case .failure(var failure) = content {
                failure.reason += self?.suspicion(of: server, after: error) ?? ""
                content = .failure(failure)
            }
            done(content)
        }
        return { task.cancel() }
    }

    /// Why a server may have ended a connection that never said anything.
    private func suspicion(of server: Int, after error: any Error) -> String {
        let wasReset = (error as? IOError)?.errnoCode == ECONNRESET
        guard wasReset || error as? HTTPClientError == .remoteConnectionClosed,
            !talkative.withLock({ $0.contains(server) })
        else { return "" }
        if !cluster.servers[server].hasPrefix("https:") { return "; it may want TLS (https://)" }
        if let path = cluster.certificatePath {
            return
                "; it may not take the certificate \(path) (expired, not valid yet, or of another authority), "
                + "or speak no TLS"
        }
        return "; it may want a certificate (certificate: and key:, _CERT and _KEY), or speak no TLS"
    }

    private static func content(
        of result: Result<Answer, any Error>,
        wasSent: Bool
    ) -> Result<Data, Failure> {
        switch result {
        case .success(let answer) where answer.status == 200: return .success(answer.body)
        case .success(let answer):
            let failure = try? EtcdJSON.decoded(EtcdFailure.self, from: answer.body)
            return .failure(
                Failure(
                    kind: failure?.kind ?? .unavailable,
                    reason: failure?.message ?? words(for: answer),
                    mayHaveHappened: true
                )
            )
        case .failure(let error):
            let isLate = error as? HTTPClientError == .deadlineExceeded
            return .failure(
                Failure(reason: words(for: error), mayHaveHappened: wasSent, wasClosed: wasSent && !isLate)
            )
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
        guard Self.hasPossiblePort(url),
            var request = try? HTTPClient.Request(url: url + path, method: .POST, body: .data(body))
        else { return .failure(Failure(reason: "is no http or https URL")) }
        request.headers.add(name: "Content-Type", value: "application/json")
        if let token { request.headers.add(name: "Authorization", value: token) }
        return .success(request)
    }
}

extension EtcdConnections {
    /// Whether the port of a URL, where it has one, is a number that ports can have.
    private static func hasPossiblePort(_ url: String) -> Bool {
        let host = url.split(separator: "/", maxSplits: 1).last?.drop { $0 == "/" }.prefix { $0 != "/" } ?? ""
        guard let colon = host.lastIndex(of: ":"), !host[colon...].contains("]") else { return true }
        return UInt16(host[host.index(after: colon)...]).map { $0 > 0 } ?? false
    }
}

// MARK: - Streams

extension EtcdConnections {
    /// Opens a stream on one server. `receive` is given each line, on the connections' thread, and `ended`
    /// why it is over, once.
    ///
    /// - Returns: what ends it; nil where it is over already.
    func stream(
        _ path: String,
        _ body: Data,
        on server: Int,
        with token: String?,
        receive: @escaping @Sendable (Data) -> Void,
        ended: @escaping @Sendable (String) -> Void
    ) -> (@Sendable () -> Void)? {
        let url = cluster.servers[server]
        switch makeRequest(path, body, to: server, with: token) {
        case .failure(let failure):
            ended("\(url): \(failure.reason)")
            return nil
        case .success(var request):
            // A server that has lost the others ends the stream instead of saying nothing.
            request.headers.add(name: "Grpc-Metadata-hasleader", value: "true")
            let task = streams.execute(request: request, delegate: LineDelegate(receive))
            task.futureResult.whenComplete { [weak self] result in
                switch result {
                case .success: ended("\(url): the stream ended")
                case .failure(let error):
                    let suspicion = self?.suspicion(of: server, after: error) ?? ""
                    ended("\(url): \(words(for: error))\(suspicion)")
                }
            }
            return { task.cancel() }
        }
    }
}

/// What a server says that is none of etcd's errors: of proxies, and of its gateway itself.
private func words(for answer: Answer) -> String {
    let status = "HTTP status \(answer.status)"
    let text = String(decoding: answer.body.prefix(300), as: UTF8.self)
    guard let line = text.split(whereSeparator: \.isNewline).first, !line.hasPrefix("<") else {
        return status
    }
    if answer.status == 404 {
        return "\(status): its JSON gateway may be off (--enable-grpc-gateway), or it may be no etcd"
    }
    if line.contains("CommonName of client") {
        return "with users, its gateway takes no certificate of a client that has a CommonName; "
            + "one without, and user and password, it does (\(status): \(line))"
    }
    return "\(status): \(line)"
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
    default: return wordsForTLS("\(error)")
    }
}
#endif
