#if Cluster
import Foundation
import Glibc
import ProgramHarness
import SettingsStore

/// Tells which of several callers is the last one.
private final class Countdown: Sendable {
    private let left: Mutex<Int>

    init(_ count: Int) { left = Mutex(count) }

    func isLast() -> Bool {
        left.withLock { left in
            left -= 1
            return left == 0
        }
    }
}

/// A TCP proxy to a server, whose connections a test can cut, delay and observe.
final class Proxy: Sendable {
    private struct State {
        var isCut = false
        /// Connections with a lower number deliver nothing from the server.
        var firstThatPasses = 0
        /// An action that runs once, before a request that contains the word is forwarded.
        var trap: (word: String, action: @Sendable () -> Void)?
        var hasEnded = false
        /// The client's and the server's descriptor of each open connection, by the number of the connection.
        var pairs: [Int: (Int32, Int32)] = [:]
        var accepted = 0
        /// Bytes from the server.
        var received = 0
        /// Whether bytes from the server were held back.
        var hasHeldBack = false

        mutating func closeConnections() {
            for (client, server) in pairs.values {
                shutdown(client, Int32(SHUT_RDWR))
                shutdown(server, Int32(SHUT_RDWR))
            }
            pairs = [:]
        }
    }

    let url: String
    private let listener: Int32
    private let target: Int
    private let state = Mutex(State())

    /// - Parameter url: the server's URL.
    init(to url: String) throws {
        guard let port = url.split(separator: ":").last.flatMap({ Int($0) }) else {
            throw HarnessError("\(url) has no port")
        }
        let (descriptor, own) = try listeningSocket()
        listener = descriptor
        target = port
        self.url = "http://127.0.0.1:\(own)"
        let thread = Thread { [self] in acceptAll() }
        thread.start()
    }

    /// Closes every connection, and refuses new ones until `mend`.
    func cut() {
        state.withLock { state in
            state.isCut = true
            state.closeConnections()
        }
    }

    func mend() { state.withLock { $0.isCut = false } }

    /// Holds back what the server sends over the connections that are open now, until the next cut. New connections
    /// work.
    func stall() { state.withLock { $0.firstThatPasses = $0.accepted } }

    /// Calls `stall()` before a request that contains the word is forwarded.
    func stall(atRequestWith word: String) { atRequest(with: word) { [weak self] in self?.stall() } }

    /// Runs an action once, before a request that contains the word is forwarded.
    func atRequest(with word: String, _ action: @escaping @Sendable () -> Void) {
        state.withLock { $0.trap = (word, action) }
    }

    /// Holds back what the server sends over all connections, new ones too, until the next cut.
    func freeze() { state.withLock { $0.firstThatPasses = .max } }

    /// Whether bytes from the server were held back.
    var holdsBack: Bool { state.withLock(\.hasHeldBack) }

    /// Closes the connections that are open now. New ones work, however soon they come.
    func interrupt() { state.withLock { $0.closeConnections() } }

    /// The number of open connections.
    var connections: Int { state.withLock { $0.pairs.count } }

    /// Bytes that the server has sent.
    var received: Int { state.withLock(\.received) }

    func end() {
        state.withLock { $0.hasEnded = true }
        cut()
        shutdown(listener, Int32(SHUT_RDWR))
    }

    private func acceptAll() {
        while true {
            let client = accept(listener, nil, nil)
            if client < 0 || state.withLock(\.hasEnded) {
                if client >= 0 { close(client) }
                close(listener)
                return
            }
            guard !state.withLock(\.isCut), let server = connectToTarget() else {
                close(client)
                continue
            }
            let (isCut, number) = state.withLock { state in
                if !state.isCut { state.pairs[state.accepted] = (client, server) }
                state.accepted += 1
                return (state.isCut, state.accepted - 1)
            }
            if isCut {
                close(client)
                close(server)
                continue
            }
            pass(client, server, number)
        }
    }

    private func connectToTarget() -> Int32? {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        var address = loopback(target)
        let result = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        if result == 0 { return descriptor }
        close(descriptor)
        return nil
    }

    private func isStalled(_ number: Int) -> Bool {
        state.withLock { number < $0.firstThatPasses && $0.pairs[number] != nil }
    }

    /// - Parameter before: the end of the bytes before, because a word may be in two pieces.
    private func look(at piece: ArraySlice<UInt8>, behind before: [UInt8]) {
        guard let word = state.withLock(\.trap?.word),
            String(decoding: before.suffix(word.utf8.count - 1) + piece, as: UTF8.self).contains(word)
        else { return }
        let action = state.withLock { state in
            defer { state.trap = nil }
            return state.trap?.action
        }
        action?()
    }

    private func pass(_ client: Int32, _ server: Int32, _ number: Int) {
        let open = Countdown(2)
        for (from, to) in [(client, server), (server, client)] {
            let thread = Thread { [self] in
                var piece = [UInt8](repeating: 0, count: 1 << 16)
                // A word may be in two pieces.
                var before: [UInt8] = []
                while true {
                    let count = read(from, &piece, piece.count)
                    if from == server { state.withLock { $0.received += max(0, count) } }
                    if from == client, count > 0 {
                        look(at: piece[..<count], behind: before)
                        before = Array(piece[..<count].suffix(1000))
                    }
                    while from == server, isStalled(number) {
                        if count > 0 { state.withLock { $0.hasHeldBack = true } }
                        usleep(1_000)
                    }
                    guard count > 0, writeAll(to, piece[..<count]) else { break }
                }
                shutdown(from, Int32(SHUT_RDWR))
                shutdown(to, Int32(SHUT_RDWR))
                guard open.isLast() else { return }
                state.withLock { $0.pairs[number] = nil }
                close(client)
                close(server)
            }
            thread.start()
        }
    }

    private func writeAll(_ descriptor: Int32, _ bytes: ArraySlice<UInt8>) -> Bool {
        var rest = bytes
        while !rest.isEmpty {
            // MSG_NOSIGNAL: a closed connection must not end the process by SIGPIPE.
            let count = rest.withUnsafeBytes {
                send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            if count <= 0 { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }
}
#endif
