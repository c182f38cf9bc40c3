// Requests and streams must reach etcd's servers from synchronous code, without depending on the program's own tasks
// or event loops. AsyncHTTPClient does the HTTP work: connections, pooling, TLS, deadlines. This file adds keep-alive
// settings, the rules about what may be sent, and descriptions of failures for users.

#if Cluster
import AsyncHTTPClient
import Dispatch
import FoundationEssentials
import Glibc
import NIOCore
import NIOPosix
import NIOSSL
import SettingsStore

/// The connections to a cluster's servers.
///
/// A thread of its own receives all network data. A busy program can't delay it, and a blocked caller can't stop it.
final class EtcdTransport: Sendable {
    /// One thread serves all clusters of the process, because it works for microseconds at a time.
    private static let threads = MultiThreadedEventLoopGroup(numberOfThreads: 1)
    /// Bytes. More than the largest suite needs; the limit keeps a faulty server from filling the memory.
    private static let answerLimit = 512 << 20
    /// Seconds.
    private static let connectTimeoutLimit = 2.0
    /// A stream that was silent for this long is opened again, in case its server hangs.
    private static let streamSilenceLimit = TimeAmount.seconds(300)

    private let cluster: SettingsCluster
    private let requests: HTTPClient
    private let streams: HTTPClient
    /// The certificate files that these connections use.
    private let files: TLSFiles
    private let tls: TLSSetup
    private let passwordCheck: SettingsCluster.PasswordCheck
    private let serversThatAnswered = Mutex<Set<Int>>([])

    init(_ cluster: SettingsCluster) {
        self.cluster = cluster
        passwordCheck = cluster.passwordCheck
        files = TLSFiles(of: cluster)
        tls = TLSSetup(of: cluster)
        var configuration = Self.configuration(
            connectTimeout: min(cluster.patience, Self.connectTimeoutLimit)
        )
        if case .ready(let tlsConfiguration) = tls { configuration.tlsConfiguration = tlsConfiguration }
        requests = HTTPClient(eventLoopGroupProvider: .shared(Self.threads), configuration: configuration)
        configuration.timeout.read = Self.streamSilenceLimit
        streams = HTTPClient(eventLoopGroupProvider: .shared(Self.threads), configuration: configuration)
    }

    deinit {
        let queue = DispatchQueue(label: "ClusterStore.end")
        for client in [requests, streams] { client.shutdown(queue: queue) { _ in } }
    }

    /// Whether certificate files were replaced since these connections were made.
    ///
    /// An administrator who renews certificates expects running programs to use them.
    var areOutdated: Bool { files != TLSFiles(of: cluster) }

    private static func configuration(connectTimeout seconds: Double) -> HTTPClient.Configuration {
        var configuration = HTTPClient.Configuration()
        configuration.redirectConfiguration = .disallow
        configuration.timeout.connect = .milliseconds(Int64(seconds * 1000))
        configuration.connectionPool.retryConnectionEstablishment = false
        configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = 4
        configuration.http1_1ConnectionDebugInitializer = { keepAlive($0) }
        configuration.http2ConnectionDebugInitializer = { keepAlive($0) }
        return configuration
    }

    /// Lets the kernel detect within half a minute that a server's machine is gone (tcp(7)).
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
        // A connection that refuses an option is used without it.
        return EventLoopFuture.whenAllComplete(set, on: channel.eventLoop).map { _ in }
    }
}

// MARK: - Requests

extension EtcdTransport {
    /// Why a request got no answer.
    struct Failure: Error {
        var kind = EtcdFailure.Kind.unavailable
        var reason: String
        /// Whether the server may have carried the request out.
        var mayHaveHappened = false
        /// Whether the server closed the connection instead of answering, or before the request was sent.
        var wasClosed = false
    }

    /// Sends a request to a server.
    ///
    /// - Parameters:
    ///   - token: identifies the user; nil if the cluster has no users.
    ///   - seconds: the time limit, if the cluster's `patience` is not less.
    ///   - done: called once, on any thread, with the answer's body.
    /// - Returns: cancels the request.
    func send(
        _ path: String,
        _ body: Data,
        to server: Int,
        with token: String?,
        within seconds: Double,
        done: @escaping @Sendable (Result<Data, Failure>) -> Void
    ) -> @Sendable () -> Void {
        let request: HTTPClient.Request
        switch makeRequest(path, body, to: server, with: token) {
        case .success(let made): request = made
        case .failure(let failure):
            done(.failure(failure))
            return {}
        }
        let delegate = AnswerDelegate(sizeLimit: Self.answerLimit)
        let deadline = NIODeadline.now() + .milliseconds(Int64(min(seconds, cluster.patience) * 1000))
        let task = requests.execute(request: request, delegate: delegate, deadline: deadline)
        task.futureResult.whenComplete { [weak self] result in
            switch result {
            case .success(let answer):
                self?.serversThatAnswered.withLock { _ = $0.insert(server) }
                done(Self.body(of: answer))
            case .failure(let error):
                let isLate = error as? HTTPClientError == .deadlineExceeded
                let wasSent = delegate.wasSent
                let wasClosed = error as? ChannelError == .ioOnClosedChannel || wasSent && !isLate
                let reason = describe(error) + (self?.likelyCause(of: error, from: server) ?? "")
                done(.failure(Failure(reason: reason, mayHaveHappened: wasSent, wasClosed: wasClosed)))
            }
        }
        return { task.cancel() }
    }

    private static func body(of answer: Answer) -> Result<Data, Failure> {
        if answer.status == 200 { return .success(answer.body) }
        let failure = try? EtcdJSON.decoded(EtcdFailure.self, from: answer.body)
        return .failure(
            Failure(
                kind: failure?.kind ?? .unavailable,
                reason: failure?.message ?? describe(answer),
                mayHaveHappened: true
            )
        )
    }

    /// Guesses why a server closed a connection if it has never answered. The text is empty, or continues a sentence.
    private func likelyCause(of error: any Error, from server: Int) -> String {
        let wasReset = (error as? IOError)?.errnoCode == ECONNRESET
        guard wasReset || error as? HTTPClientError == .remoteConnectionClosed,
            !serversThatAnswered.withLock({ $0.contains(server) })
        else { return "" }
        if !cluster.servers[server].hasPrefix("https:") { return "; it might require TLS (try https://)" }
        if let path = cluster.certificatePath {
            return
                "; it might refuse the certificate \(path) (expired, not valid yet, or from another authority), "
                + "or not use TLS"
        }
        return "; it might require a certificate (certificate: and key:, or _CERT and _KEY), or not use TLS"
    }

    /// Every request and every stream passes here, so this is the place that refuses to send a password in clear
    /// text.
    private func makeRequest(
        _ path: String,
        _ body: Data,
        to server: Int,
        with token: String?
    ) -> Result<HTTPClient.Request, Failure> {
        if case .refused(let reason) = passwordCheck {
            return .failure(Failure(kind: .refused, reason: reason))
        }
        let url = cluster.servers[server]
        // Messages show the URL, so a password in it would be shown too.
        if url.contains("@") { return .failure(Failure(reason: "user and password can't be part of a URL")) }
        if url.hasPrefix("https:"), case .failed(let reason) = tls {
            return .failure(Failure(reason: reason))
        }
        guard Self.hasPossiblePort(url),
            var request = try? HTTPClient.Request(url: url + path, method: .POST, body: .data(body))
        else { return .failure(Failure(reason: "is not an http or https URL")) }
        request.headers.add(name: "Content-Type", value: "application/json")
        if let token { request.headers.add(name: "Authorization", value: token) }
        return .success(request)
    }

    /// Whether a URL has no port, or one from 1 to 65535.
    private static func hasPossiblePort(_ url: String) -> Bool {
        let host = url.split(separator: "/", maxSplits: 1).last?.drop { $0 == "/" }.prefix { $0 != "/" } ?? ""
        guard let colon = host.lastIndex(of: ":"), !host[colon...].contains("]") else { return true }
        return UInt16(host[host.index(after: colon)...]).map { $0 > 0 } ?? false
    }
}

// MARK: - Streams

extension EtcdTransport {
    /// Opens a stream from a server.
    ///
    /// - Parameters:
    ///   - receive: called with each line, on the network thread.
    ///   - ended: called once with the reason, on any thread; before this function returns if nothing could be sent.
    /// - Returns: cancels the stream.
    func stream(
        _ path: String,
        _ body: Data,
        on server: Int,
        with token: String?,
        receive: @escaping @Sendable (Data) -> Void,
        ended: @escaping @Sendable (String) -> Void
    ) -> @Sendable () -> Void {
        let url = cluster.servers[server]
        switch makeRequest(path, body, to: server, with: token) {
        case .failure(let failure):
            ended("\(url): \(failure.reason)")
            return {}
        case .success(var request):
            // With this header a server that has lost the other servers ends the stream. Otherwise it stays silent.
            request.headers.add(name: "Grpc-Metadata-hasleader", value: "true")
            let task = streams.execute(request: request, delegate: LineDelegate(receive))
            task.futureResult.whenComplete { [weak self] result in
                switch result {
                case .success: ended("\(url): the stream ended")
                case .failure(let error):
                    let cause = self?.likelyCause(of: error, from: server) ?? ""
                    ended("\(url): \(describe(error))\(cause)")
                }
            }
            return { task.cancel() }
        }
    }
}

/// Describes an answer that is not one of etcd's errors. It may come from a proxy or from etcd's JSON gateway.
private func describe(_ answer: Answer) -> String {
    let status = "HTTP status \(answer.status)"
    let text = String(decoding: answer.body.prefix(300), as: UTF8.self)
    guard let line = text.split(whereSeparator: \.isNewline).first, !line.hasPrefix("<") else {
        return status
    }
    if answer.status == 404 {
        return "\(status): its JSON gateway might be off (--enable-grpc-gateway), or it might not be etcd"
    }
    if line.contains("CommonName of client") {
        return "with users, its gateway refuses client certificates that have a CommonName; "
            + "use one without, and a user and password (\(status): \(line))"
    }
    return "\(status): \(line)"
}

/// Describes a failure of the network for users.
private func describe(_ error: any Error) -> String {
    switch error {
    case let error as HTTPClientError:
        switch error {
        case .deadlineExceeded, .readTimeout: return "no answer in time"
        case .connectTimeout: return "no connection in time"
        case .remoteConnectionClosed: return "the connection was closed"
        default: return error.description
        }
    case let error as NIOConnectionError:
        if let error = error.connectionErrors.first?.error as? IOError { return describe(error) }
        return error.dnsAError == nil ? "no connection" : "the host \(error.host) is unknown"
    case let error as IOError: return String(cString: strerror(error.errnoCode))
    default: return tlsFailureDescription("\(error)")
    }
}
#endif
