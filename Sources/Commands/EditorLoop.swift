import CStart
import FoundationEssentials
import Glibc
import SettingsEditor
import SettingsStore
import Terminal
import TerminalCanvas

/// Ties the editor to a terminal and to the store: events and changes become actions, effects become
/// calls, and the state becomes a screen. Everything here happens on one thread; what other threads
/// have to say waits in a mailbox.
final class EditorLoop {
    /// What the editor was opened on.
    enum Subject: Sendable {
        case place(any SuitePlace)
        case domain(Domain)

        var kind: PlaceKind {
            switch self {
            case .place(let place): place.kind
            case .domain(let domain): domain.kind
            }
        }
    }

    private let subject: Subject
    private let terminal: TerminalSession
    private let mailbox: Mailbox<EditorAction>
    private let store: EditorStore
    private let clipboard = SystemClipboard()
    private var state: EditorState
    private var events = EventQueue()
    /// At first.
    private let usesMouse: Bool
    private var lookout: PlaceLookout?
    private var writesUnderWay = 0
    /// The user wants to leave.
    private var isOver = false
    /// There was a key, or something came from the store, since the screen was drawn.
    private var hasNews = true
    /// What the screen has to wait for a slow line, in milliseconds; nil where it is drawn.
    private var timeToDraw: Int32?
    /// Why something that was confirmed is not stored; said once the terminal is given back.
    private var failure: String?

    /// How the user wants it.
    struct Wishes {
        var isReadOnly = false
        var isStaging = false
        var usesMouse = true
        var theme = ThemeChoice.auto
    }

    /// Runs the editor until the user leaves it or a signal ends it.
    ///
    /// - Throws: a sentence where there is no terminal that it can use; `ExitCode`, 128 and the signal's
    ///   number, where a signal ended it.
    static func run(_ subject: Subject, _ wishes: Wishes) throws {
        // It is open for long, and a file's bytes are needed for a write alone.
        cstart_return_memory()
        // What is taken back is to be as it was.
        SettingsSuite.keepsSpellings = true
        let loop = try EditorLoop(subject, wishes)
        try loop.run()
    }

    private init(_ subject: Subject, _ wishes: Wishes) throws {
        self.subject = subject
        usesMouse = wishes.usesMouse
        mailbox = try Mailbox<EditorAction>()
        store = EditorStore(subject, mailbox)
        terminal = try TerminalSession(TerminalSession.Options(program: "The editor", theme: wishes.theme))
        var options =
            switch subject {
            case .place(let place): EditorOptions(place: place.location)
            case .domain(let domain): EditorOptions(place: domain.location, isSingle: true)
            }
        options.kind = subject.kind
        options.isStaging = wishes.isStaging
        options.usesMouse = wishes.usesMouse
        if wishes.isReadOnly { options.readOnlyReason = "it was opened with --read-only" }
        options.glyphs = terminal.glyphs
        options.zone = Self.secondsAheadOfUTC
        state = EditorState(options: options)
    }

    private func run() throws {
        defer {
            terminal.close()
            clipboard.finish()
        }
        apply(.tick(now: now(), date: Date()))
        apply(.resized(terminal.size))
        terminal.reportsMouse = usesMouse
        follow()
        do {
            var drawn = -Double.infinity
            while !isOver || writesUnderWay > 0 {
                // What a long search finds in between is shown now and then.
                let isWanted = !state.hasWork || hasNews || now() - drawn > 0.03
                timeToDraw = isWanted ? terminal.timeToDraw : nil
                if isWanted, timeToDraw == nil {
                    draw()
                    (drawn, hasNews) = (now(), false)
                }
                try wait()
                // All that has come is applied before the screen is drawn once.
                apply(.tick(now: now(), date: Date()))
                takeMail()
                events.add(try terminal.readEvents())
                try handleEvents()
                if state.hasWork, !hasNews || timeToDraw != nil {
                    apply(.goOn(effort: EditorAction.effortBetweenKeys))
                    // What has waited for it.
                    try handleEvents()
                }
            }
        } catch {
            // A signal ends the program, but not before what was confirmed is stored.
            terminal.close()
            finishWrites()
            if let unwritten = state.unwritten { Output.error(unwritten) }
            throw failure.map { CommandError($0) } ?? error
        }
    }

    private func draw() {
        var grid = view(state, size: terminal.size)
        if isOver {
            let text = "Storing what was changed; Ctrl-C leaves without that."
            grid.write(text, at: Point(column: 0, row: max(0, grid.size.rows - 1)))
        }
        terminal.draw(grid)
    }

    private func handleEvents() throws {
        while let event = events.next(in: state) { try handle(event) }
        if let action = events.takeDropped() {
            apply(action)
            hasNews = true
        }
    }

    private func handle(_ event: InputEvent) throws {
        // The terminal hands Ctrl-C over as a key; it means what the signal does, where nothing is lost.
        if event == .key(.control("c")), isOver || state.endsOnInterrupt {
            if isOver { failure = "Left before the last change was stored." }
            throw ExitCode(128 + SIGINT)
        }
        hasNews = true
        // Between the wish to leave and the end nothing more is taken.
        guard !isOver else { return }
        for action in actions(for: event, in: state) where !isOver { apply(action) }
    }

    private func takeMail() {
        for action in mailbox.take() {
            hasNews = true
            if case .wrote(_, let result) = action {
                writesUnderWay -= 1
                // Whoever wanted to leave is told first that something was not stored.
                if result != .done { isOver = false }
            }
            apply(action)
        }
    }

    /// Waits for the writes under way, for ten seconds at the most.
    private func finishWrites() {
        let deadline = now() + 10
        while writesUnderWay > 0, failure == nil {
            var entry = pollfd(fd: mailbox.descriptor, events: Int16(POLLIN), revents: 0)
            if now() >= deadline || poll(&entry, 1, 1000) < 0 && errno != EINTR {
                failure = "The last change was not stored: the disk did not answer."
            }
            for case .wrote(_, let result) in mailbox.take() {
                writesUnderWay -= 1
                switch result {
                case .done: break
                case .conflict: failure = "The last change was not stored: the value had changed meanwhile."
                case .failed(let reason, _): failure = "The last change was not stored: \(reason)"
                }
            }
        }
    }

    /// Begins to follow what the editor was opened on.
    private func follow() {
        switch subject {
        case .place(let place):
            let lookout = PlaceLookout(place, listsSuites: true, mailbox)
            self.lookout = lookout
            if let connection = place.connection() {
                // Servers take their time, and may not answer at all.
                apply(.connection(connection))
                lookout.begin()
            } else {
                lookout.lookNow()
                takeMail()
                lookout.begin(isListed: true)
            }
        case .domain(let domain):
            apply(.listed([SuiteListing(id: domain.name, title: domain.name)]))
            guard let place = domain.place, let connection = place.connection() else { return }
            apply(.connection(connection))
            lookout = PlaceLookout(place, listsSuites: false, mailbox)
            lookout?.begin()
        }
    }

    /// By the system's rules for the zone that `TZ` or the system names.
    private static let secondsAheadOfUTC: @Sendable (Date) -> Int = { date in
        let seconds = date.timeIntervalSince1970
        guard seconds.magnitude < 1e12 else { return 0 }
        var time = time_t(seconds.rounded(.down))
        var parts = tm()
        return localtime_r(&time, &parts) == nil ? 0 : parts.tm_gmtoff
    }

    private func now() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}

// MARK: - Waiting

extension EditorLoop {
    /// Waits for a key, a signal, something from another thread, or the time that the state named.
    ///
    /// - Throws: `ExitCode` where a signal, or the terminal's end, ends the program.
    private func wait() throws {
        var entries = [terminal.inputDescriptor, terminal.signalDescriptor, mailbox.descriptor].map {
            pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
        }
        entries[0].events = terminal.inputEvents
        var timeout: Int32 = -1
        if state.hasWork {
            timeout = 0
        } else if let deadline = state.nextDeadline {
            timeout = Int32(min(max(0, (deadline - now()) * 1000).rounded(.up), 1e6))
        }
        if let timeToDraw { timeout = timeout < 0 ? timeToDraw : min(timeout, timeToDraw) }
        if poll(&entries, nfds_t(entries.count), timeout) < 0, errno != EINTR {
            throw CommandError("poll failed: \(String(cString: strerror(errno)))")
        }
        for signal in terminal.readSignals() {
            hasNews = true
            switch signal {
            case .interrupt: throw ExitCode(128 + SIGINT)
            case .terminate: throw ExitCode(128 + SIGTERM)
            case .hangUp: throw ExitCode(128 + SIGHUP)
            case .stop: terminal.suspend()
            case .windowChange, .goOn: break
            }
        }
    }
}

// MARK: - Actions and effects

extension EditorLoop {
    private func apply(_ action: EditorAction) {
        for effect in update(&state, action) {
            switch effect {
            case .load(let id): store.load(id)
            case .write(let request):
                writesUnderWay += 1
                store.write(request)
            case .read(let ids): store.read(ids)
            case .recover(let id): store.recover(id)
            case .removePart(let id): store.removePart(of: id)
            case .findRevisions(let id, let key): store.findRevisions(of: key, in: id)
            case .copy(let text):
                // The terminal's may be on another machine.
                if !terminal.copy(text), !clipboard.isThere { apply(.copyTooLong) }
                clipboard.put(text)
            case .edit(let text):
                let result = editOutside(text, terminal)
                // What has happened meanwhile comes first.
                takeMail()
                apply(.edited(result))
            case .reportMouse(let isWanted): terminal.reportsMouse = isWanted
            case .changeTheme: if !terminal.changeTheme() { apply(.noColors) }
            case .suspend: terminal.suspend()
            case .redraw: terminal.redraw()
            case .quit: isOver = true
            }
        }
    }
}
