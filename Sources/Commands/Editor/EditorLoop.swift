import CStartup
import Dispatch
import FoundationEssentials
import Glibc
import SettingsEditor
import SettingsStore
import Terminal
import TerminalCanvas

/// Connects the editor to the terminal and to the store.
///
/// Events and changes become messages, effects become calls, and the state becomes a screen. All of this runs
/// on one thread. Other threads put their messages into a mailbox.
final class EditorLoop {
    /// The places that the editor was opened on, at least one.
    private let subjects: [Subject]
    private let isReadOnly: Bool
    private let terminal: TerminalSession
    private let mailbox: Mailbox<StoreEvent>
    private let store: EditorStore
    private let clipboard = SystemClipboard()
    private var state: EditorState
    private var events = EventQueue()
    /// Whether the mouse is on at the start.
    private let usesMouse: Bool
    /// Watch the lists of the open places, by the places' ids.
    private var listWatchers: [String: SuiteListWatcher] = [:]
    private var preferencesWatcher: PreferencesWatcher?
    private var writesUnderWay = 0
    /// Whether the user wants to quit.
    private var isOver = false
    /// Whether a key or a message has arrived since the screen was drawn.
    private var hasNews = true
    /// The time to wait until the terminal accepts the next drawing, in milliseconds. Nil if the screen is drawn.
    private var timeToDraw: Int32?
    /// The reason why a confirmed change was not stored. It is printed after the terminal is restored.
    private var failure: String?

    /// The editor's command-line options.
    struct Preferences {
        var isReadOnly = false
        var isStaging = false
        var usesMouse = true
        var theme = ThemeChoice.auto
        /// The editor's own stored preferences.
        var stored = EditorPreferences.none
        /// The ids of the suites to compare at the start.
        var comparedSuites: (left: String, right: String)?
    }

    /// Runs the editor until the user quits or a signal ends it.
    ///
    /// - Parameter subjects: The places to open, at least one.
    /// - Throws: An error if there is no usable terminal. ``ExitCode`` with 128 plus the signal's number if a
    ///   signal ended it.
    static func run(_ subjects: [Subject], _ preferences: Preferences) throws {
        // The editor runs for a long time and needs a file's bytes only briefly.
        cstartup_return_memory()
        // Undo restores the exact text of a value.
        SettingsSuite.keepsSpellings = true
        let loop = try EditorLoop(subjects, preferences)
        try loop.run()
    }

    private init(_ subjects: [Subject], _ preferences: Preferences) throws {
        var subjects = subjects
        subjects[0].place.isFirst = true
        self.subjects = subjects
        isReadOnly = preferences.isReadOnly
        usesMouse = preferences.usesMouse
        mailbox = try Mailbox<StoreEvent>()
        store = EditorStore(mailbox)
        terminal = try TerminalSession(.init(program: "The editor", theme: preferences.theme))
        var options = EditorOptions(places: subjects.map(\.place))
        options.suite = subjects[0].suite
        options.comparedSuites = preferences.comparedSuites
        options.isStaging = preferences.isStaging
        options.usesMouse = preferences.usesMouse
        options.theme = preferences.theme
        if preferences.isReadOnly { options.readOnlyReason = "it was opened with --read-only" }
        options.glyphs = terminal.glyphs
        options.zone = Self.secondsAheadOfUTC
        options.preferences = preferences.stored
        state = EditorState(options: options)
    }

    private func run() throws {
        defer {
            terminal.close()
            clipboard.finish()
        }
        apply(.work(.tick(now: now(), date: Date())))
        apply(.terminal(.resized(terminal.size)))
        terminal.reportsMouse = usesMouse
        let mailbox = mailbox
        preferencesWatcher = PreferencesWatcher { mailbox.put(.preferences($0)) }
        for subject in subjects {
            store.open(subject)
            follow(subject)
            remember(subject)
        }
        do {
            var drawn = -Double.infinity
            while !isOver || writesUnderWay > 0 {
                // During a long search, the screen is updated about 30 times a second.
                let isWanted = !state.hasWork || hasNews || now() - drawn > 0.03
                timeToDraw = isWanted ? terminal.timeToDraw : nil
                if isWanted, timeToDraw == nil {
                    draw()
                    (drawn, hasNews) = (now(), false)
                }
                try wait()
                // All waiting events are applied before the screen is drawn once.
                apply(.work(.tick(now: now(), date: Date())))
                takeMail()
                events.add(try terminal.readEvents())
                try handleEvents()
                if state.hasWork, !hasNews || timeToDraw != nil {
                    apply(.work(.goOn(budget: Work.budgetBetweenKeys)))
                    // Some events had to wait for this work.
                    try handleEvents()
                }
            }
        } catch {
            // A signal ends the program, but confirmed changes are stored first.
            terminal.close()
            finishWrites()
            if let unwritten = state.unwritten { Output.error(unwritten) }
            throw failure.map { CommandError($0) } ?? error
        }
    }

    private func draw() {
        var grid = view(state, size: terminal.size)
        if isOver {
            let text = "Saving your last change. Press Ctrl-C to quit without saving it."
            grid.write(text, at: Point(column: 0, row: max(0, grid.size.rows - 1)))
        }
        terminal.draw(grid)
    }

    private func handleEvents() throws {
        while let event = events.next(in: state) { try handle(event) }
    }

    private func handle(_ event: InputEvent) throws {
        // The terminal reports Ctrl-C as a key. It ends the program like the signal if nothing would be lost.
        if event == .key(.control("c")), isOver || state.endsOnInterrupt {
            if isOver { failure = "You quit before the last change was saved." }
            throw ExitCode(128 + SIGINT)
        }
        hasNews = true
        // After the user has quit, further keys are ignored.
        guard !isOver else { return }
        for message in messages(for: event, in: state) where !isOver { apply(message) }
    }

    private func takeMail() {
        for event in mailbox.take() {
            hasNews = true
            if case .wrote(_, let result) = event {
                writesUnderWay -= 1
                // If a change could not be stored, the editor stays open to show why.
                if result != .done { isOver = false }
            }
            apply(.store(event))
        }
    }

    /// Waits at most ten seconds for the writes in progress.
    private func finishWrites() {
        let deadline = now() + 10
        while writesUnderWay > 0, failure == nil {
            var entry = pollfd(fd: mailbox.descriptor, events: Int16(POLLIN), revents: 0)
            if now() >= deadline || poll(&entry, 1, 1000) < 0 && errno != EINTR {
                failure = "The last change was not saved: the disk did not answer."
            }
            for case .wrote(_, let result) in mailbox.take() {
                writesUnderWay -= 1
                switch result {
                case .done: break
                case .conflict: failure = "The last change was not saved: another program changed the value."
                case .failed(let reason, _): failure = "The last change was not saved: \(reason)"
                }
            }
        }
    }

    /// Starts to follow the list of a place's suites.
    private func follow(_ subject: Subject) {
        let id = subject.place.id
        switch subject.content {
        case .folder(let backend):
            let listWatcher = SuiteListWatcher(backend, id, asked: subject.suite, mailbox)
            listWatchers[id] = listWatcher
            if let connection = backend.connection() {
                // A server might answer late or never, so the list is read in the background.
                apply(.store(.connection(connection, in: id)))
                listWatcher.begin()
            } else {
                listWatcher.lookNow()
                takeMail()
                listWatcher.begin(isListed: true)
            }
        case .file:
            let title = subject.place.title
            apply(.store(.listed([SuiteListing(id: title, title: title)], in: id)))
        }
    }

    /// Opens the place that a text names, while the editor runs.
    private func open(_ text: String) {
        do {
            var subject = try Subject(text, in: SettingsFolder.standard, options: [])
            try subject.check {
                "There is no suite “\($0.name)” (\($0.absence)). A path starts with / or ~/."
            }
            // A place that was closed and is opened again has the same ids.
            subject.place.isFirst = subject.place.id == subjects[0].place.id
            let isOpen = store.isOpen(subject.place.id)
            if !isOpen { store.open(subject) }
            apply(.store(.opened(subject.place, suite: subject.suite)))
            if !isOpen { follow(subject) }
            remember(subject)
        } catch {
            apply(.terminal(.failed("Not opened: \(error)")))
        }
    }

    private static let remembering = DispatchQueue(label: "EditorLoop.remembering")

    /// Puts a place into the preferences, so that `O` offers it the next time.
    private func remember(_ subject: Subject) {
        guard let text = subject.textToRemember, !isReadOnly else { return }
        // Away from the loop, because a disk can be slow. The place is open even if it cannot be remembered.
        Self.remembering.async { try? PreferencesWatcher.remember(text) }
    }

    /// The offset from UTC by the system's rules, for the zone that `TZ` or the system names.
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
    /// Waits for a key, a signal, a message, or the next deadline of the state.
    ///
    /// - Throws: ``ExitCode`` if a signal or the end of the terminal ends the program.
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

// MARK: - Messages and effects

extension EditorLoop {
    private func apply(_ message: Message) {
        for effect in update(&state, message) {
            switch effect {
            case .load(let id): store.load(id)
            case .write(let request):
                writesUnderWay += 1
                store.write(request)
            case .read(let ids): store.read(ids)
            case .recover(let id): store.recover(id)
            case .findRevisions(let id, let key): store.findRevisions(of: key, in: id)
            case .copy(let text):
                // The terminal's clipboard might be on another machine, so both are used.
                if !terminal.copy(text), !clipboard.isThere { apply(.terminal(.copyTooLong)) }
                clipboard.put(text)
            case .edit(let text):
                let result = editOutside(text, terminal)
                // Changes that arrived meanwhile are applied first.
                takeMail()
                apply(.terminal(.edited(result)))
            case .open(let text): open(text)
            case .close(let id):
                listWatchers[id] = nil
                store.close(id)
            case .forgetPlaces:
                do throws(SettingsError) {
                    try PreferencesWatcher.forgetPlaces()
                } catch {
                    apply(.terminal(.failed("The places were not forgotten: \(error)")))
                }
            case .completePath(let text): apply(.terminal(.completedPaths(text, completedPaths(text))))
            case .importFile(let id, let path): store.importFile(path, into: id)
            case .exportSuite(let id, let path, let replaces): store.export(id, to: path, replaces: replaces)
            case .declarePreferences:
                do throws(SettingsError) {
                    try PreferencesWatcher.declare()
                } catch {
                    apply(.terminal(.failed("The preferences cannot be stored: \(error)")))
                }
            case .resetKeys:
                do throws(SettingsError) {
                    try PreferencesWatcher.resetKeys()
                } catch {
                    apply(.terminal(.failed("The keys were not reset: \(error)")))
                }
            case .reportMouse(let isWanted): terminal.reportsMouse = isWanted
            case .useTheme(let choice): if !terminal.use(choice) { apply(.terminal(.noColors)) }
            case .suspend: terminal.suspend()
            case .redraw: terminal.redraw()
            case .quit: isOver = true
            case .send(let message): apply(message)
            }
        }
    }
}
