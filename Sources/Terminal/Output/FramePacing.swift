/// Keeps frames from piling up on a slow connection to the terminal.
///
/// Kernel, sshd and network buffer far more output than the screen shows. At 9,600 baud, that is more than a
/// minute of output, and no system call says how much of it is still on its way. So a status query (DSR, `ESC
/// [ 5 n`) follows each frame, and the terminal answers it after it has processed the frame. No new frame is
/// made while more than half a second of output at 9,600 baud is unanswered. Without this, the screen would
/// show key strokes of a minute ago, and even quitting would take that long.
///
/// `TIOCOUTQ` does not help: it is 0 on every pseudo-terminal, which passes bytes on at once.
///
/// A fast connection needs no queries. They are used only if the terminal answered the first one, and
/// answered slowly. If a terminal answers nothing, the speed in the line's settings decides, provided that it
/// is a slow one.
struct FramePacing {
    /// The speed of the line in bytes per second, or nil if the line does not say that it is slow.
    private let speed: Int?
    /// The time in milliseconds at which all output will have arrived at that speed.
    private var arrival = 0
    /// The sizes in bytes of the frames that the terminal has not answered.
    private var unanswered: [Int] = []
    private var answers = false
    private var isSlow = false
    /// The time in milliseconds of the first unanswered frame or of the latest answer.
    private var lastProgress = 0

    /// The number of unanswered bytes up to which a new frame may be sent.
    private static let allowedBytes = 480
    /// The round trip in milliseconds from which on a connection counts as slow.
    private static let slowRoundTrip = 40
    /// The longest time to wait for an answer, in milliseconds, and the additional time for each unanswered
    /// byte.
    private static let patience = 5000
    private static let patienceForByte = 2

    /// Creates the pacing for a line.
    ///
    /// - Parameter baud: The speed in the line's settings. A pseudo-terminal says 38,400 unless it was set
    ///   otherwise, whatever the real connection is, so only lower values count.
    init(baud: Int = 38_400) { speed = 300..<38_400 ~= baud ? baud / 10 : nil }

    /// Whether a status query should follow each frame.
    var asks: Bool { answers && isSlow }

    mutating func take(_ reply: TerminalReply, roundTrip: Int?, at now: Int) {
        switch reply {
        case .ready:
            answers = true
            if !unanswered.isEmpty { unanswered.removeFirst() }
            lastProgress = now
        case .kind: isSlow = roundTrip.map { $0 >= Self.slowRoundTrip } ?? false
        case .background, .synchronizedUpdates: break
        }
    }

    /// Records a frame that was sent, followed by a status query if ``asks`` is true.
    mutating func sent(_ count: Int, at now: Int) {
        guard asks else {
            if let speed, !answers { arrival = max(arrival, now) + count * 1000 / speed }
            return
        }
        if unanswered.isEmpty { lastProgress = now }
        unanswered.append(count)
    }

    /// The time to wait before the next frame, in milliseconds, unless an answer comes first. Nil if the next
    /// frame may be sent now.
    mutating func timeToWait(at now: Int) -> Int32? {
        if asks { return unanswered.reduce(0, +) > Self.allowedBytes ? timeToAnswer(at: now) : nil }
        guard let speed, !answers else { return nil }
        let rest = arrival - now - Self.allowedBytes * 1000 / speed
        return rest > 0 ? Int32(min(rest, Int(Int32.max))) : nil
    }

    /// The time that the next answer may still take, in milliseconds, or nil if no answer is expected. After
    /// this time the terminal is not asked again.
    mutating func timeToAnswer(at now: Int) -> Int32? {
        guard !unanswered.isEmpty else { return nil }
        let rest = lastProgress + Self.patience + Self.patienceForByte * unanswered.reduce(0, +) - now
        if rest > 0 { return Int32(min(rest, Int(Int32.max))) }
        answers = false
        unanswered = []
        return nil
    }
}
