import CNcurses
import Glibc
import TerminalCanvas

/// Takes over the process's terminal: draws grids on it and turns its input into events.
///
/// The terminal is restored on every exit: ``close()``, `exit`, a crash or SIGQUIT.
///
/// A session belongs to the thread that created it. That thread polls ``inputDescriptor`` for ``inputEvents``
/// and ``signalDescriptor`` for reading. When either is ready, it calls ``readSignals()`` and
/// ``readEvents()``. While the session is open, SIGINT, SIGTERM, SIGHUP, SIGTSTP, SIGCONT and SIGWINCH are
/// reported only by these calls. If the terminal accepts no output, neither these calls nor closing blocks
/// for long.
///
/// Ctrl-C and Ctrl-Z are reported as keys. Ctrl-\ still sends SIGQUIT, so that the user can end a program
/// that hangs.
public final class TerminalSession {
    /// The options of a session.
    public struct Options: Sendable {
        /// The program's name, for the error that there is no terminal.
        public var program: String
        /// The theme. By default the terminal is asked about its background.
        public var theme: ThemeChoice

        public init(program: String = "This program", theme: ThemeChoice = .auto) {
            self.program = program
            self.theme = theme
        }
    }

    /// Whether the locale's encoding is UTF-8. If it is not, use only ASCII.
    public var hasUnicode: Bool { device.hasUnicode }
    /// A descriptor that is readable if there is input, or if the terminal is closed.
    public var inputDescriptor: Int32 { device.descriptor }
    /// The poll(2) events for ``inputDescriptor``: reading, and also writing while some output is not written
    /// yet.
    public var inputEvents: Int16 { Int16(output.hasPendingOutput ? POLLIN | POLLOUT : POLLIN) }
    /// A descriptor that is readable after a signal.
    public var signalDescriptor: Int32 { device.signalDescriptor }

    private enum State { case open, givenBack, closed }
    private var state = State.givenBack
    private var screen: Screen
    private let strikeout: Strikeout?
    private var input: TerminalInput
    /// Signals that arrived and were not handled yet.
    private var signals: Set<TerminalSignal> = []
    private var reportedSize: Size
    private var queries: TerminalQueries
    private let device: TerminalDevice
    private var output: TerminalOutput
    private var modes: TerminalModes { device.modes }

    /// Opens the terminal and takes over its screen.
    ///
    /// This is `/dev/tty`, wherever the standard streams lead. A session without a controlling terminal uses
    /// the terminal on its standard streams.
    ///
    /// - Throws: ``TerminalError`` if there is no usable terminal, or if a session is open already.
    public init(_ options: Options = Options()) throws(TerminalError) {
        device = try TerminalDevice(for: options.program)
        input = TerminalInput(descriptor: device.descriptor)
        output = TerminalOutput(descriptor: device.access.writing, waits: device.access.writingWaits)
        queries = TerminalQueries(options.theme)
        screen = Screen(
            queries.theme,
            isMonochrome: variable("NO_COLOR")?.isEmpty == false,
            isUnicode: device.hasUnicode
        )
        strikeout = Strikeout()
        reportedSize = screen.size
        device.begin()
        takeBack()
        reportedSize = screen.size
        let asksBackground = options.theme == .auto && screen.hasColors
        if device.modes.ask(aboutBackground: asksBackground, &output) { queries.begin() }
        input.expectsReplies = queries.areOpen
        // If a terminal shows a part of the queries, the first frame clears it.
        screen.clearWithNext()
    }

    deinit { close() }

    /// Restores the terminal and the previous signal handlers for good. Further calls do nothing.
    public func close() {
        guard state != .closed else { return }
        giveBack(forGood: true)
        state = .closed
        device.close()
    }

    /// The terminal's size at the latest ``readEvents()``. Each side is at most ``Grid/longestSide``.
    public var size: Size { screen.size }

    /// The characters for lines and ellipses that the terminal can show.
    public var glyphs: Glyphs { hasUnicode ? .unicode : .ascii }

    /// Shows a grid by sending its difference to the previous one.
    ///
    /// Does nothing while another program has the terminal, or while earlier output is not written yet. In
    /// the second case, ``timeToDraw`` says how long to wait.
    public func draw(_ grid: Grid) {
        guard state == .open, !output.hasPendingOutput else { return }
        screen.draw(grid, update: send)
    }

    /// The time to wait before the next ``draw(_:)``, in milliseconds, unless an event comes first.
    ///
    /// The terminal might not have accepted the previous frame yet. Nil means that drawing is possible now.
    public var timeToDraw: Int32? { output.hasPendingOutput ? Self.patience : nil }

    /// The longest time that closing waits for a terminal that accepts nothing, in milliseconds.
    private static let patience: Int32 = 1000

    /// Sends everything that `drawing` draws in one write.
    private func send(_ drawing: () -> Void) {
        let drawn = device.frames.bytes(of: drawing)
        if drawn.isEmpty { return }
        let frame = strikeout?.applied(to: drawn) ?? drawn
        modes.write(frame: frame, isSynchronized: queries.hasSynchronizedUpdates, to: &output)
    }

    /// The current theme. With ``ThemeChoice/auto`` it follows the terminal's answers.
    private var theme: Theme {
        get { screen.theme }
        set { if newValue != screen.theme { screen.draw(in: newValue, update: send) } }
    }

    /// Draws in another theme from now on. Returns false if the terminal has no colours.
    public func use(_ choice: ThemeChoice) -> Bool {
        guard screen.hasColors else { return false }
        queries.choice = choice
        if state == .open { theme = queries.theme }
        return true
    }

    /// Whether the mouse is reported as events.
    ///
    /// Meanwhile the terminal itself selects text only while Shift is held down.
    public var reportsMouse = false {
        didSet {
            if state == .open, reportsMouse != oldValue { modes.setMouse(reportsMouse, &output) }
        }
    }

    /// Puts a text into the terminal's clipboard (OSC 52).
    ///
    /// Some terminals have no clipboard or do not let programs write to it; this is not reported.
    ///
    /// - Returns: False if the text is longer than terminals accept.
    @discardableResult
    public func copy(_ text: String) -> Bool {
        guard state == .open, text.utf8.count <= Self.longestCopy else { return false }
        modes.copy(text, to: &output)
        return true
    }

    /// The longest text in bytes. In base64, a longer one exceeds the buffers of common terminals (xterm:
    /// 100,000 bytes).
    private static let longestCopy = 74_000

    /// Makes the next ``draw(_:)`` send the whole screen, in case another program has written on it.
    public func redraw() {
        if state == .open { screen.redraw() }
    }

    /// Returns the signals that arrived since the previous call.
    public func readSignals() -> Set<TerminalSignal> {
        collectSignals()
        let result = signals
        // `readEvents` handles the remaining ones.
        signals.formIntersection([.windowChange, .goOn])
        return result.subtracting(signals)
    }

    /// Returns all keys and pastes that have arrived, and at most one resize.
    ///
    /// The call returns at once, except after an Escape: then it waits to learn whether the Escape starts a
    /// longer sequence. It waits 25 ms, or on a slow link half the terminal's answer time, at most 200 ms.
    /// The environment variable `ESCDELAY` sets another delay in milliseconds.
    ///
    /// - Throws: ``TerminalError/hangUp`` if no more input will come.
    public func readEvents() throws(TerminalError) -> [InputEvent] {
        guard state == .open else { return [] }
        output.flush()
        collectSignals()
        if signals.remove(.goOn) != nil { takeBack() }
        if signals.remove(.windowChange) != nil || !device.access.tellsSize { followSize() }
        input.expectsReplies = queries.areOpen
        var events = try input.read()
        takeReplies()
        if screen.size != reportedSize {
            reportedSize = screen.size
            events.insert(.resize(reportedSize), at: 0)
        }
        return events
    }

    /// Restores the terminal, stops the process group, and returns after it continues, with the screen as
    /// before.
    public func suspend() {
        guard state == .open else { return }
        giveBack()
        cncurses_stop()
        collectSignals()
        signals.subtract([.stop, .goOn])
        takeBack()
    }

    /// Runs another program on the terminal.
    ///
    /// Meanwhile the keys that interrupt and stop act on that program. This process is only stopped together
    /// with it.
    public func withTerminalGivenBack<Result, Failure: Error>(
        _ body: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        guard state == .open else { return try body() }
        giveBack()
        cncurses_yield_signals(true)
        defer {
            cncurses_yield_signals(false)
            takeBack()
        }
        return try body()
    }

    private func takeReplies() {
        for reply in input.takeReplies() { queries.take(reply) }
        input.expectsReplies = queries.areOpen
        input.roundTrip = queries.roundTrip
        if state == .open { theme = queries.theme }
    }

    /// Waits briefly for expected answers, which would otherwise appear as typed text in the shell.
    private func awaitReplies() {
        while let rest = queries.timeToWait {
            guard wait(for: POLLIN, on: inputDescriptor, rest) > 0, (try? input.read()) != nil else { return }
            takeReplies()
        }
    }

    private func giveBack(forGood: Bool = false) {
        guard state == .open else { return }
        state = .givenBack
        let isTaking = output.finish(patience: Self.patience)
        if isTaking { awaitReplies() }
        if reportsMouse { modes.setMouse(false, &output) }
        modes.leave(&output)
        guard isTaking, output.finish(patience: Self.patience) else {
            output.drop()
            cncurses_abandon()
            // ncurses needs endwin(3) to know that it must take the terminal again later. At the end it is
            // skipped, because it waits for a blocked terminal that is not a pseudo-terminal.
            if !forGood { endwin() }
            return
        }
        endwin()
        modes.moveBelow(&output)
        _ = output.finish(patience: Self.patience)
        cncurses_set_guarded(false)
    }

    private func takeBack() {
        followSize()
        cncurses_set_guarded(true)
        state = .open
        modes.enter(&output)
        if reportsMouse { modes.setMouse(true, &output) }
        screen.resume()
        // Wakes the polling thread, so that it reports the new size.
        if screen.size != reportedSize { raise(SIGWINCH) }
    }

    private func followSize() {
        var columns: Int32 = 0
        var rows: Int32 = 0
        if cncurses_terminal_size(inputDescriptor, &columns, &rows) {
            screen.resize(to: Size(columns: Int(columns), rows: Int(rows)))
        }
        let bytes = modes.resetBytes(rows: screen.size.rows)
        cncurses_set_reset_bytes(bytes, bytes.count)
    }

    private func collectSignals() {
        if state != .closed { signals.formUnion(TerminalSignal.taken()) }
    }
}
