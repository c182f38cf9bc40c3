import Glibc
import TerminalCanvas

/// Reads what a terminal sends.
///
/// Not through ncurses, which loses characters that arrive in pieces, hands on sequences that it
/// does not know as if they were typed, and can't tell a terminal that has gone from one at rest.
struct TerminalInput {
    private let descriptor: Int32
    private var parser: InputParser
    /// What the user wants of ``escapeDelay``.
    private let chosenDelay: Int32?
    /// How long the terminal took to answer, in milliseconds; nil where it is not known.
    var roundTrip: Int?

    /// The bytes of one call, so that a flood of input does not keep the screen from being drawn.
    private static let limit = 1 << 20

    init(descriptor: Int32) {
        self.descriptor = descriptor
        parser = InputParser(keys: KeySequences(capability: capability))
        chosenDelay = variable("ESCDELAY").flatMap { Int32($0) }.map { min(max(0, $0), 10_000) }
    }

    /// How long an Escape waits for what may belong to it, in milliseconds. On a slow link what was sent
    /// together may come in pieces.
    static func escapeDelay(chosen: Int32?, roundTrip: Int?) -> Int32 {
        chosen ?? Int32(min(max(25, (roundTrip ?? 0) / 2), 200))
    }

    /// Whether the terminal is about to answer. What begins like an answer is waited for longer then,
    /// since the rest of one that comes late would pass for keys.
    var expectsReplies = false
    /// So long, in milliseconds.
    private static let replyDelay: Int32 = 250

    mutating func takeReplies() -> [TerminalReply] { parser.takeReplies() }

    /// All that is there.
    ///
    /// - Throws: ``TerminalError/hangUp`` once all is read and the other end has gone.
    mutating func read() throws(TerminalError) -> [InputEvent] {
        var events: [InputEvent] = []
        var taken = 0
        let delay = Self.escapeDelay(chosen: chosenDelay, roundTrip: roundTrip)
        while taken < Self.limit {
            let isOpen = parser.isWaitingForMore
            var isReady = waits(isOpen ? delay : 0)
            // Only an answer may come later than a key would.
            let isLate = !isReady && isOpen && expectsReplies
            if isLate { isReady = waits(max(0, Self.replyDelay - delay)) }
            guard isReady else {
                events += parser.flush()
                break
            }
            guard let bytes = readBytes() else {
                // What came before the end is handed on first; the next call finds the end again.
                if events.isEmpty { throw .hangUp }
                break
            }
            taken += bytes.count
            events += parser.feed(bytes, isLate: isLate)
        }
        return events
    }

    /// Whether something can be read within so many milliseconds.
    private func waits(_ milliseconds: Int32) -> Bool {
        while true {
            var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            let count = poll(&request, 1, milliseconds)
            if count < 0, errno == EINTR { continue }
            return count > 0
        }
    }

    /// Some bytes of a descriptor that is ready; nil if there will be none.
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
