import Glibc
import TerminalCanvas

/// Reads what a terminal sends.
///
/// ncurses is not used for input. It loses characters that arrive in pieces, reports unknown sequences as
/// typed characters, and cannot tell a closed terminal from an idle one.
struct TerminalInput {
    private let descriptor: Int32
    private var parser: InputParser
    /// The Escape delay that the user set with `ESCDELAY`, in milliseconds.
    private let chosenDelay: Int32?
    /// The time that the terminal took to answer, in milliseconds, or nil if it is unknown.
    var roundTrip: Int?

    /// The number of bytes after which one call returns, so that a flood of input does not stop the drawing.
    private static let limit = 1 << 20

    init(descriptor: Int32) {
        self.descriptor = descriptor
        parser = InputParser(keys: KeySequences(capability: capability))
        chosenDelay = variable("ESCDELAY").flatMap { Int32($0) }.map { min(max(0, $0), 10_000) }
    }

    /// The time to wait after an Escape for the rest of its sequence, in milliseconds.
    ///
    /// A slow link can split bytes that were sent together, so the delay grows with the round trip.
    static func escapeDelay(chosen: Int32?, roundTrip: Int?) -> Int32 {
        chosen ?? Int32(min(max(25, (roundTrip ?? 0) / 2), 200))
    }

    /// Whether the terminal is expected to answer a query. The start of an answer then waits longer for its
    /// rest, because the rest would otherwise be taken for keys.
    var expectsReplies = false
    /// The time to wait for the rest of an answer, in milliseconds.
    private static let replyDelay: Int32 = 250

    mutating func takeReplies() -> [TerminalReply] { parser.takeReplies() }

    /// Reads and parses all available input.
    ///
    /// - Throws: ``TerminalError/hangUp`` after all input is read and the other end is closed.
    mutating func read() throws(TerminalError) -> [InputEvent] {
        var events: [InputEvent] = []
        var taken = 0
        let delay = Self.escapeDelay(chosen: chosenDelay, roundTrip: roundTrip)
        while taken < Self.limit {
            let isOpen = parser.isWaitingForMore
            var isReady = waitForInput(isOpen ? delay : 0)
            // Only an answer may arrive later than a key.
            let isLate = !isReady && isOpen && expectsReplies
            if isLate { isReady = waitForInput(max(0, Self.replyDelay - delay)) }
            guard isReady else {
                events += parser.flush()
                break
            }
            guard let bytes = readBytes() else {
                // Events that came before the end are returned first. The next call meets the end again.
                if events.isEmpty { throw .hangUp }
                break
            }
            taken += bytes.count
            events += parser.feed(bytes, isLate: isLate)
        }
        return events
    }

    private func waitForInput(_ milliseconds: Int32) -> Bool {
        wait(for: POLLIN, on: descriptor, milliseconds) > 0
    }

    /// Reads from the ready descriptor. Returns nil at the end of the input.
    private func readBytes() -> [UInt8]? {
        let bytes = [UInt8](unsafeUninitializedCapacity: 1 << 14) { buffer, count in
            var result = Glibc.read(descriptor, buffer.baseAddress, buffer.count)
            while result < 0, errno == EINTR {
                result = Glibc.read(descriptor, buffer.baseAddress, buffer.count)
            }
            count = max(0, result)
        }
        return bytes.isEmpty ? nil : bytes
    }
}
