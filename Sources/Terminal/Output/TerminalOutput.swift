import Glibc

/// Writes to a terminal as much as it accepts, and keeps the rest for later.
///
/// A stopped terminal or a broken link accepts nothing for a long time. Without this buffer, the program
/// would block in write(2) and could not even be quit.
struct TerminalOutput {
    private let descriptor: Int32
    private let waits: Bool
    private var pending: ArraySlice<UInt8> = []

    /// The number of bytes to write at once if a write can block. A terminal that accepts anything has room
    /// for about this much.
    private static let piece = 256

    /// Creates a buffer for the descriptor.
    ///
    /// - Parameter waits: Whether the descriptor was opened without `O_NONBLOCK`.
    init(descriptor: Int32, waits: Bool = false) {
        self.descriptor = descriptor
        self.waits = waits
    }

    var hasPendingOutput: Bool { !pending.isEmpty }

    mutating func write(_ text: String) { write(Array(text.utf8)) }

    mutating func write(_ bytes: [UInt8]) {
        pending += bytes
        flush()
    }

    /// Writes as much of the pending output as the terminal accepts now.
    mutating func flush() {
        while !pending.isEmpty {
            // A write does not block if the terminal accepts something, or has failed.
            if waits, wait(for: POLLOUT, on: descriptor, 0) == 0 { return }
            let most = waits ? Self.piece : pending.count
            let count = pending.withUnsafeBytes {
                Glibc.write(descriptor, $0.baseAddress, min(most, $0.count))
            }
            if count < 0, errno == EINTR { continue }
            if count < 0, errno == EAGAIN { return }
            // Any other error means that the terminal is closed. Reading will report that.
            pending = count > 0 ? pending.dropFirst(count) : []
        }
        pending = []
    }

    mutating func drop() { pending = [] }

    /// Waits until all output is written.
    ///
    /// - Parameter patience: The longest time without any progress, in milliseconds.
    /// - Returns: Whether all output is written.
    mutating func finish(patience: Int32) -> Bool {
        flush()
        while hasPendingOutput {
            if wait(for: POLLOUT, on: descriptor, patience) <= 0 { return false }
            flush()
        }
        return true
    }
}

/// Waits for events on a descriptor, and returns the result of poll(2). A signal does not end the wait.
func wait(for events: Int32, on descriptor: Int32, _ milliseconds: Int32) -> Int32 {
    while true {
        var request = pollfd(fd: descriptor, events: Int16(events), revents: 0)
        let count = poll(&request, 1, milliseconds)
        if count >= 0 || errno != EINTR { return count }
    }
}
