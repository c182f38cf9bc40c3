import Glibc

/// Writes to a terminal as much as it takes, and keeps the rest: one that takes nothing (a stopped one, a link
/// that hangs) holds nobody up.
struct TerminalOutput {
    /// Nothing that is written to it waits: it has been opened with `O_NONBLOCK`.
    private let descriptor: Int32
    private var waiting: ArraySlice<UInt8> = []

    init(descriptor: Int32) { self.descriptor = descriptor }

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
            let count = waiting.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            if count < 0, errno == EAGAIN { return }
            // Else the terminal has gone: reading will tell.
            waiting = count > 0 ? waiting.dropFirst(count) : []
        }
        waiting = []
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
