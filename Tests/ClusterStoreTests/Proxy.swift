#if Cluster
import Foundation
import Glibc
import ProgramHarness
import SettingsStore

/// Tells the last of several that is done.
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

/// A line to a server that a test can cut: passes bytes on, both ways, from a port of its own.
final class Proxy: Sendable {
    private struct State {
        var isCut = false
        /// Connections that were open before this one bring nothing from the server.
        var firstThatPasses = 0
        /// What is done, once, before a request goes on that has a word in it.
        var trap: (word: String, action: @Sendable () -> Void)?
        var hasEnded = false
        /// Both ends of each connection.
        var pairs: [(Int32, Int32)] = []
        var accepted = 0
        /// Bytes that the server has said.
        var received = 0
        /// Whether some of them have been held back.
        var hasHeldBack = false
    }

    let url: String
    private let listener: Int32
    private let target: Int
    private let state = Mutex(State())

    /// - Parameter url: that of the server.
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

    /// Closes every connection, and those that come, until `mend`.
    func cut() {
        state.withLock { state in
            state.isCut = true
            for (a, b) in state.pairs {
                shutdown(a, Int32(SHUT_RDWR))
                shutdown(b, Int32(SHUT_RDWR))
            }
        }
    }

    func mend() { state.withLock { $0.isCut = false } }

    /// Holds back, until the line is cut, what the server says over the connections that are open now. New
    /// ones are as they were.
    func stall() { state.withLock { $0.firstThatPasses = $0.accepted } }

    /// The same as soon as a request has this word in it, before that goes on to the server.
    func stall(atRequestWith word: String) { atRequest(with: word) { [weak self] in self?.stall() } }

    /// Does something as soon as a request has this word in it, once, before that goes on to the server.
    func atRequest(with word: String, _ action: @escaping @Sendable () -> Void) {
        state.withLock { $0.trap = (word, action) }
    }

    /// Holds back all that the server says, over new connections too, until the line is cut.
    func freeze() { state.withLock { $0.firstThatPasses = .max } }

    /// Whether the server has said something that was held back.
    var holdsBack: Bool { state.withLock(\.hasHeldBack) }

    /// Closes what is open, once.
    func interrupt() {
        cut()
        mend()
    }

    /// Connections that are open.
    var connections: Int { state.withLock { $0.pairs.count } }

    /// Bytes that have come from the server.
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
                if !state.isCut { state.pairs.append((client, server)) }
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
        state.withLock { number < $0.firstThatPasses && !$0.isCut }
    }

    /// - Parameter before: the end of what came before, of which no word that is found is all.
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
                // A word may lie across two pieces.
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
                state.withLock { $0.pairs.removeAll { $0 == (client, server) } }
                close(client)
                close(server)
            }
            thread.start()
        }
    }

    private func writeAll(_ descriptor: Int32, _ bytes: ArraySlice<UInt8>) -> Bool {
        var rest = bytes
        while !rest.isEmpty {
            // A peer that is gone is no reason for a signal.
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
