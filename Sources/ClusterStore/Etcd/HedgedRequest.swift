// A dead or slow server must not hold up a request that another server could answer at once. A hedged request
// asks the servers in order, and asks the next one as well if the newest one is silent for `hedgeDelay`. Without
// hedging, one stopped server would delay every request by the whole answer timeout of five seconds.
//
// AsyncHTTPClient sends each single request. It knows neither lists of servers nor hedging.

#if Cluster
import Dispatch
import FoundationEssentials
import SettingsStore

/// One request that several servers may answer.
struct HedgedRequest {
    private let transport: EtcdTransport
    private let path: String
    private let body: Data
    /// Seconds of silence after which the next server is asked as well; nil waits for each answer. A write waits,
    /// because two servers could both carry it out.
    private let hedgeDelay: Double?
    /// Seconds that each server has for its answer, if the cluster's `patience` is not less.
    private let timeLimit: Double
    private let answers = AnswerQueue()
    private var remaining: [Int]
    private var repeated: Set<Int> = []
    /// The closures that cancel the requests in flight, by server.
    private var inFlight: [Int: @Sendable () -> Void] = [:]

    init(
        _ transport: EtcdTransport,
        _ path: String,
        _ body: Data,
        servers: [Int],
        _ hedgeDelay: Double?,
        within timeLimit: Double = .infinity
    ) {
        self.transport = transport
        self.path = path
        self.body = body
        self.hedgeDelay = hedgeDelay
        self.timeLimit = timeLimit
        remaining = servers
    }

    /// Waits for the next answer or failure. Returns nil after all servers have been asked.
    mutating func next(with token: String?) -> (server: Int, Result<Data, EtcdTransport.Failure>)? {
        if inFlight.isEmpty, !askNextServer(with: token) { return nil }
        while true {
            if let (server, result) = answers.next(within: remaining.isEmpty ? nil : hedgeDelay) {
                inFlight[server] = nil
                return (server, result)
            }
            _ = askNextServer(with: token)
        }
    }

    /// - Returns: false if no server is left to ask.
    private mutating func askNextServer(with token: String?) -> Bool {
        if remaining.isEmpty { return false }
        let server = remaining.removeFirst()
        let answers = answers
        inFlight[server] = transport.send(path, body, to: server, with: token, within: timeLimit) {
            answers.add(server, $0)
        }
        return true
    }

    /// Makes this server the next one to ask, even if it was asked before.
    mutating func retry(_ server: Int) { remaining.insert(server, at: 0) }

    /// Makes this server the next one to ask, at most once in this request.
    mutating func retryOnce(_ server: Int) {
        if repeated.insert(server).inserted { retry(server) }
    }

    /// Cancels the requests that are still in flight.
    func cancel() { for cancel in inFlight.values { cancel() } }

    /// Brings answers from the network thread to the thread that waits for them.
    private final class AnswerQueue: Sendable {
        private let all = Mutex<[(Int, Result<Data, EtcdTransport.Failure>)]>([])
        private let count = DispatchSemaphore(value: 0)

        func add(_ server: Int, _ result: Result<Data, EtcdTransport.Failure>) {
            all.withLock { $0.append((server, result)) }
            count.signal()
        }

        /// - Parameter seconds: nil waits without a limit. The request itself has a deadline.
        func next(within seconds: Double?) -> (server: Int, Result<Data, EtcdTransport.Failure>)? {
            // DispatchTime is monotonic: a changed wall clock does not shorten the wait.
            let time = seconds.map { DispatchTime.now() + $0 } ?? .distantFuture
            guard count.wait(timeout: time) == .success else { return nil }
            return all.withLock { $0.removeFirst() }
        }
    }
}
#endif
