import CNcurses
import Glibc
import TerminalCanvas

/// The process's terminal, taken over: grids are drawn on it, what is typed comes as events, and it
/// is given back as it was on every way out (``close()``, `exit`, a crash, SIGQUIT).
///
/// Belongs to the thread that made it, which polls ``inputDescriptor`` for ``inputEvents`` and
/// ``signalDescriptor`` for reading and calls ``readSignals()`` and ``readEvents()`` whenever either
/// is ready. While it is open, SIGINT, SIGTERM, SIGHUP, SIGTSTP, SIGCONT and SIGWINCH come through it
/// alone. A terminal that takes nothing holds up neither these calls nor the end.
///
/// Ctrl-C and Ctrl-Z come as keys. Ctrl-\\ is left to the system, so that a program that hangs can be
/// ended from its keyboard.
public final class TerminalSession {
    public struct Options: Sendable {
        /// Who needs the terminal, for the error that says that there is none.
        public var program: String
        public var theme: ThemeChoice

        public init(program: String = "This program", theme: ThemeChoice = .auto) {
            self.program = program
            self.theme = theme
        }
    }

    /// Whether the locale's encoding is UTF-8; else only ASCII is sure to be shown.
    public var hasUnicode: Bool { device.hasUnicode }
    /// Readable when something was typed, or when the terminal has gone.
    public var inputDescriptor: Int32 { device.descriptor }
    /// What to poll ``inputDescriptor`` for (poll(2)): reading, and writing too while the terminal has not taken
    /// all that was drawn.
    public var inputEvents: Int16 { Int16(output.isBehind ? POLLIN | POLLOUT : POLLIN) }
    /// Readable when a signal has come.
    public var signalDescriptor: Int32 { device.signalDescriptor }

    private enum State { case open, givenBack, closed }
    private var state = State.givenBack
    private var screen: Screen
    private var input: TerminalInput
    /// Signals that have come and were not yet attended to.
    private var signals: Set<TerminalSignal> = []
    private var reportedSize: Size
    private var questions: Questions
    private var pacing: FramePacing
    private let device: TerminalDevice
    private var output: TerminalOutput
    private var modes: TerminalModes { device.modes }

    /// Takes the terminal: `/dev/tty`, wherever the standard streams lead; in a session without one the terminal
    /// that they lead to.
    public init(_ options: Options = Options()) throws(TerminalError) {
        device = try TerminalDevice(for: options.program)
        input = TerminalInput(descriptor: device.descriptor)
        output = TerminalOutput(descriptor: device.access.writing, waits: device.access.writingWaits)
        questions = Questions(options.theme)
        pacing = FramePacing(baud: Int(baudrate()))
        screen = Screen(
            questions.theme,
            isMonochrome: variable("NO_COLOR")?.isEmpty == false,
            isUnicode: device.hasUnicode
        )
        reportedSize = screen.size
        device.begin()
        takeBack()
        reportedSize = screen.size
        let asksBackground = options.theme == .auto && screen.hasColors
        if device.modes.ask(aboutBackground: asksBackground, &output) { questions.begin() }
        input.expectsReplies = questions.areOpen
        // Should a terminal show a part of the questions, the first screen clears it away.
        screen.clearWithNext()
    }

    deinit { close() }

    /// Gives the terminal back for good, as it was found, and the signals to their former handlers.
    /// Further calls do nothing.
    public func close() {
        guard state != .closed else { return }
        giveBack(forGood: true)
        state = .closed
        device.close()
    }

    /// The terminal's size as of the last ``readEvents()``, at most ``Grid/longestSide`` either way.
    public var size: Size { screen.size }

    /// The signs that the terminal can show.
    public var glyphs: Glyphs { hasUnicode ? .unicode : .ascii }

    /// Shows a grid: what differs from the last one is sent. Does nothing while the terminal is given
    /// back, or has yet to take what was drawn before: then it has ``timeToDraw``.
    public func draw(_ grid: Grid) {
        guard state == .open, !output.isBehind else { return }
        screen.draw(grid, update: send)
    }

    /// How long the next drawing has to wait, in milliseconds, unless something comes before: the terminal has not
    /// yet taken the last one, or on a slow line not yet shown it, and a frame that is made later shows more. Nil
    /// where it need not wait.
    public var timeToDraw: Int32? {
        output.isBehind ? Self.patience : pacing.timeToWait(at: Questions.now())
    }

    /// A terminal that takes nothing for so many milliseconds keeps nothing from ending.
    private static let patience: Int32 = 1000

    /// Sends all that is drawn in one write.
    private func send(_ drawing: () -> Void) {
        let frame = device.frames.bytes(of: drawing)
        if frame.isEmpty { return }
        pacing.sent(frame.count, at: Questions.now())
        modes.write(
            frame: frame,
            isSynchronized: questions.hasSynchronizedUpdates,
            asks: pacing.asks,
            to: &output
        )
    }

    /// How things look. Set by what the terminal says of itself, if the user wants the one that suits it.
    private var theme: Theme {
        get { screen.theme }
        set { if newValue != screen.theme { screen.draw(in: newValue, update: send) } }
    }

    /// Changes from the colours for a dark background to those for a light one, or back, whatever the terminal says
    /// of itself; false where there are no colours.
    public func changeTheme() -> Bool {
        guard screen.hasColors else { return false }
        questions.choice = theme == .dark ? .light : .dark
        if state == .open { theme = questions.theme }
        return true
    }

    /// Whether buttons and the wheel come as events. The terminal selects no text by itself meanwhile, but
    /// with Shift held down.
    public var reportsMouse = false {
        didSet {
            if state == .open, reportsMouse != oldValue { modes.setMouse(reportsMouse, &output) }
        }
    }

    /// Puts a text into the terminal's clipboard, where it has one that programs may write to (OSC 52);
    /// false if the text is longer than terminals take.
    @discardableResult
    public func copy(_ text: String) -> Bool {
        guard state == .open, text.utf8.count <= Self.longestCopy else { return false }
        modes.copy(text, to: &output)
        return true
    }

    /// Base64 of more than this exceeds the buffers of common terminals (xterm: 100,000 bytes).
    private static let longestCopy = 74_000

    /// Has the next ``draw(_:)`` send the whole screen again, for when something else has written on it.
    public func redraw() {
        if state == .open { screen.redraw() }
    }

    /// The signals that have come since the last call.
    public func readSignals() -> Set<TerminalSignal> {
        collectSignals()
        let result = signals
        // The others wait for `readEvents`.
        signals.formIntersection([.windowChange, .goOn])
        return result.subtracting(signals)
    }

    /// What has been typed and pasted, all of it, and at most one resize; empty if there was nothing.
    ///
    /// Returns at once, but for an Escape, for which it waits to learn whether it begins a key: 25 ms, on a slow
    /// link half the time that the terminal took to answer, up to 200 ms, or the `ESCDELAY` of the
    /// environment, in milliseconds.
    ///
    /// - Throws: ``TerminalError/hangUp`` when nothing will come any more.
    public func readEvents() throws(TerminalError) -> [InputEvent] {
        guard state == .open else { return [] }
        output.goOn()
        collectSignals()
        if signals.remove(.goOn) != nil { takeBack() }
        if signals.remove(.windowChange) != nil || !device.access.tellsSize { followSize() }
        input.expectsReplies = questions.areOpen
        var events = try input.read()
        takeReplies()
        if screen.size != reportedSize {
            reportedSize = screen.size
            events.insert(.resize(reportedSize), at: 0)
        }
        return events
    }

    /// Gives the terminal to the shell and stops the process group; returns when it goes on, with the
    /// screen as it was.
    public func suspend() {
        guard state == .open else { return }
        giveBack()
        cncurses_stop()
        collectSignals()
        signals.subtract([.stop, .goOn])
        takeBack()
    }

    /// Runs another program on the terminal. The keys that interrupt and stop act on that program, and
    /// on this one only as far as it stops with it.
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
        for reply in input.takeReplies() {
            questions.take(reply)
            pacing.take(reply, roundTrip: questions.roundTrip, at: Questions.now())
        }
        input.expectsReplies = questions.areOpen
        input.roundTrip = questions.roundTrip
        if state == .open { theme = questions.theme }
    }

    /// Waits a moment for answers that are about to come, which else would be typed into the shell.
    private func awaitReplies() {
        while let rest = questions.timeToWait ?? pacing.timeToAnswer(at: Questions.now()) {
            var request = pollfd(fd: inputDescriptor, events: Int16(POLLIN), revents: 0)
            if poll(&request, 1, rest) < 0, errno == EINTR { continue }
            guard request.revents & Int16(POLLIN) != 0, (try? input.read()) != nil else { return }
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
            // So that ncurses knows to take it again; but it waits for terminals that are no pseudo-terminals.
            if !forGood { endwin() }
            return
        }
        endwin()
        modes.goBelow(&output)
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
        // Wakes whoever polls, so that the size is reported.
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
