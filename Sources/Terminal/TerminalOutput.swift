import Glibc

/// Writes to a terminal as much as it takes, and keeps the rest: one that takes nothing (a stopped one, a link
/// that hangs) holds nobody up.
struct TerminalOutput {
    private let descriptor: Int32
    /// Whether writing to it may wait.
    private let waits: Bool
    private var waiting: ArraySlice<UInt8> = []

    /// In bytes: what is written at once where it may wait. A terminal that takes anything has that much room,
    /// or nearly.
    private static let piece = 256

    /// - Parameter waits: Nobody has opened it with `O_NONBLOCK`.
    init(descriptor: Int32, waits: Bool = false) {
        self.descriptor = descriptor
        self.waits = waits
    }

    /// Whether the terminal has not taken all yet.
    var isBehind: Bool { !waiting.isEmpty }

    mutating func write(_ text: String) { write(Array(text.utf8)) }

    mutating func write(_ bytes: [UInt8]) {
        waiting += bytes
        goOn()
    }

    /// Writes what has waited, as far as the terminal takes it by now.
    mutating func goOn() {
        while !waiting.isEmpty {
            if waits, !isReady { return }
            let most = waits ? Self.piece : waiting.count
            let count = waiting.withUnsafeBytes {
                Glibc.write(descriptor, $0.baseAddress, min(most, $0.count))
            }
            if count < 0, errno == EINTR { continue }
            if count < 0, errno == EAGAIN { return }
            // Else the terminal has gone: reading will tell.
            waiting = count > 0 ? waiting.dropFirst(count) : []
        }
        waiting = []
    }

    /// Whether it takes something at once, or tells that it never will.
    private var isReady: Bool {
        while true {
            var request = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
            let count = poll(&request, 1, 0)
            if count < 0, errno == EINTR { continue }
            return count != 0
        }
    }

    mutating func drop() { waiting = [] }

    /// Waits until the terminal has taken all.
    ///
    /// - Parameter patience: for so many milliseconds in which it takes nothing.
    /// - Returns: Whether it has.
    mutating func finish(patience: Int32) -> Bool {
        goOn()
        while isBehind {
            var request = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
            let count = poll(&request, 1, patience)
            if count < 0, errno == EINTR { continue }
            if count <= 0 { return false }
            goOn()
        }
        return true
    }
}
