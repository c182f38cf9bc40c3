/// Keeps frames from piling up on a slow way to the terminal.
///
/// What lies between a program and its terminal takes far more than is shown: the kernel keeps 64 KB for a
/// pseudo-terminal, and sshd and the network theirs, which at 9,600 baud is more than a minute. None of it can be
/// asked for how much is on the way: `TIOCOUTQ` is 0 on every pseudo-terminal, which hands on at once what is
/// written, and it may be written to until the other side's buffer is full. The one who knows is the terminal.
/// So behind each frame it is asked whether it is well (DSR, `ESC [ 5 n`), which it answers when it has come to
/// that, and no further frame is made while more is on the way than half a second at 9,600 baud.
///
/// Only where the first answers took their time, and this one was among them. Of a terminal that answers nothing
/// the line's speed is gone by, where that is said to be slow: what was sent takes its time.
struct FramePacing {
    /// What the line is said to take, in bytes a second; nil where that tells nothing.
    private let speed: Int?
    /// When all that was sent will have arrived at that speed, in milliseconds.
    private var arrival = 0
    /// The sizes in bytes of the frames that were not yet answered for.
    private var underWay: [Int] = []
    private var answers = false
    private var isSlow = false
    /// When the first of them was sent, or the last answer came, in milliseconds.
    private var since = 0

    /// In bytes.
    private static let allowed = 480
    /// From that many milliseconds on an answer took its time.
    private static let slow = 40
    /// What is waited for an answer at the most, in milliseconds, and for each byte before it.
    private static let patience = 5000
    private static let patienceForByte = 2

    /// - Parameter baud: as the line's settings have it. Pseudo-terminals have 38,400, whatever lies behind them,
    ///   unless they were told otherwise.
    init(baud: Int = 38_400) { speed = 300..<38_400 ~= baud ? baud / 10 : nil }

    /// Whether a frame is to be followed by the question.
    var asks: Bool { answers && isSlow }

    mutating func take(_ reply: TerminalReply, roundTrip: Int?, at now: Int) {
        switch reply {
        case .ready:
            answers = true
            if !underWay.isEmpty { underWay.removeFirst() }
            since = now
        case .kind: isSlow = roundTrip.map { $0 >= Self.slow } ?? false
        case .background, .synchronizedUpdates: break
        }
    }

    /// A frame is on the way, with the question where it ``asks``.
    mutating func sent(_ count: Int, at now: Int) {
        guard asks else {
            if let speed, !answers { arrival = max(arrival, now) + count * 1000 / speed }
            return
        }
        if underWay.isEmpty { since = now }
        underWay.append(count)
    }

    /// How long a frame has to wait for an answer at the most, in milliseconds; nil where it need not wait.
    mutating func timeToWait(at now: Int) -> Int32? {
        if asks { return underWay.reduce(0, +) > Self.allowed ? timeToAnswer(at: now) : nil }
        guard let speed, !answers else { return nil }
        let rest = arrival - now - Self.allowed * 1000 / speed
        return rest > 0 ? Int32(min(rest, Int(Int32.max))) : nil
    }

    /// How long an answer may take to come, in milliseconds; nil where none is to come. A terminal that has not
    /// answered by then is not asked any more.
    mutating func timeToAnswer(at now: Int) -> Int32? {
        guard !underWay.isEmpty else { return nil }
        let rest = since + Self.patience + Self.patienceForByte * underWay.reduce(0, +) - now
        if rest > 0 { return Int32(min(rest, Int(Int32.max))) }
        answers = false
        underWay = []
        return nil
    }
}
