#if Cluster
import Dispatch
import FoundationEssentials
import SettingsStore

/// One request to several servers, one after the other.
struct EtcdRound {
    private let connections: EtcdConnections
    private let path: String
    private let body: Data
    /// Seconds after which the next server is asked as well; nil waits for the answer.
    private let hesitation: Double?
    /// Seconds that each server has, if that is less than the cluster's patience.
    private let limit: Double
    private let results = Results()
    private var left: [Int]
    private var repeated: Set<Int> = []
    private var underWay: [Int: @Sendable () -> Void] = [:]

    init(
        _ connections: EtcdConnections,
        _ path: String,
        _ body: Data,
        servers: [Int],
        _ hesitation: Double?,
        within limit: Double = .infinity
    ) {
        self.connections = connections
        self.path = path
        self.body = body
        self.hesitation = hesitation
        self.limit = limit
        left = servers
    }

    /// The next answer, or why there is none; nil where all servers have been asked.
    mutating func next(with token: String?) -> (server: Int, Result<Data, EtcdConnections.Failure>)? {
        if underWay.isEmpty, !begin(with: token) { return nil }
        while true {
            if let (server, result) = results.next(within: left.isEmpty ? nil : hesitation) {
                underWay[server] = nil
                return (server, result)
            }
            _ = begin(with: token)
        }
    }

    private mutating func begin(with token: String?) -> Bool {
        if left.isEmpty { return false }
        let server = left.removeFirst()
        let results = results
        underWay[server] = connections.send(path, body, to: server, with: token, within: limit) {
            results.add(server, $0)
        }
        return true
    }

    /// Has the server be asked next, whatever it was asked before.
    mutating func repeatAtOnce(_ server: Int) { left.insert(server, at: 0) }

    /// Has the server be asked next, unless it was already.
    mutating func repeatOnce(_ server: Int) {
        if repeated.insert(server).inserted { repeatAtOnce(server) }
    }

    func giveUp() { for cancel in underWay.values { cancel() } }

    private final class Results: Sendable {
        private let all = Mutex<[(Int, Result<Data, EtcdConnections.Failure>)]>([])
        private let news = DispatchSemaphore(value: 0)

        func add(_ server: Int, _ result: Result<Data, EtcdConnections.Failure>) {
            all.withLock { $0.append((server, result)) }
            news.signal()
        }

        /// - Parameter seconds: nil waits for as long as it takes.
        func next(within seconds: Double?) -> (server: Int, Result<Data, EtcdConnections.Failure>)? {
            // By the clock that nobody sets.
            let time = seconds.map { DispatchTime.now() + $0 } ?? .distantFuture
            guard news.wait(timeout: time) == .success else { return nil }
            return all.withLock { $0.removeFirst() }
        }
    }
}
#endif
