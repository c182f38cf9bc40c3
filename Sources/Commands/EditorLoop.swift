import CStart
import Dispatch
import FoundationEssentials
import Glibc
import PropertyList
import SettingsEditor
import SettingsStore
import Synchronization
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
    }

    private let subject: Subject
    private let terminal: TerminalSession
    private let mailbox: Mailbox<EditorAction>
    private let writer = WriterID()
    /// Writes take place here, one after the other, so that a disk that hangs does not hold up the keys.
    private let writes = DispatchQueue(label: "EditorLoop.writes")
    private let reads = DispatchQueue(label: "EditorLoop.reads", attributes: .concurrent)
    /// Suites that are only looked into are read here, one after the other.
    private let passing = DispatchQueue(label: "EditorLoop.passing")
    private let clipboard = SystemClipboard()
    /// Counts what was to be read so; only the last is.
    private let reading = Counter()
    private var state: EditorState
    /// At first.
    private let usesMouse: Bool
    private var suites: [String: ObservedSuite] = [:]
    private var listWatch: StorageWatch?
    private var writesUnderWay = 0
    /// The user wants to leave.
    private var isOver = false
    /// There was a key, or something came from the store, since the screen was drawn.
    private var hasNews = true
    /// What a search goes on with before keys are looked at again: a third of a millisecond.
    private static let effort = 1200
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
        let loop = try EditorLoop(subject, wishes)
        try loop.run()
    }

    private init(_ subject: Subject, _ wishes: Wishes) throws {
        self.subject = subject
        usesMouse = wishes.usesMouse
        mailbox = try Mailbox<EditorAction>()
        terminal = try TerminalSession(TerminalSession.Options(program: "The editor", theme: wishes.theme))
        var options =
            switch subject {
            case .place(let place): EditorOptions(place: place.location)
            case .domain(let domain): EditorOptions(place: domain.location, isSingle: true)
            }
        switch subject {
        case .place(let place): options.keepsHistory = place.keepsHistory
        case .domain(let domain): options.keepsHistory = domain.keepsHistory
        }
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
                if !state.hasWork || hasNews || now() - drawn > 0.03 {
                    draw()
                    (drawn, hasNews) = (now(), false)
                }
                try wait()
                // All that has come is applied before the screen is drawn once.
                apply(.tick(now: now(), date: Date()))
                takeMail()
                for event in try terminal.readEvents() { try handle(event) }
                if state.hasWork, !hasNews { apply(.goOn(effort: Self.effort)) }
            }
        } catch {
            // A signal ends the program, but not before what was confirmed is stored.
            terminal.close()
            finishWrites()
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
                case .failed(let reason): failure = "The last change was not stored: \(reason)"
                }
            }
        }
    }

    /// Begins to follow what the editor was opened on.
    private func follow() {
        let mailbox = mailbox
        let place: any SuitePlace
        let isSingle: Bool
        switch subject {
        case .place(let all): (place, isSingle) = (all, false)
        case .domain(let domain):
            suites[domain.name] = ObservedSuite(domain.suite)
            apply(.listed([SuiteListing(id: domain.name, title: domain.name)]))
            guard let home = domain.place, home.connection() != nil else { return }
            (place, isSingle) = (home, true)
        }
        let look: @Sendable () -> Void = {
            // First: what it says, a list that fails does not say again.
            let connection = place.connection()
            if let connection { mailbox.put(.connection(connection)) }
            if !isSingle { mailbox.put(Self.listing(of: place)) }
            // Another server may have answered.
            if connection != nil, let now = place.connection(), now != connection {
                mailbox.put(.connection(now))
            }
        }
        listWatch = place.watch(look)
        if let connection = place.connection() {
            // Servers take their time, and may not answer at all.
            apply(.connection(connection))
            reads.async(execute: look)
        } else {
            look()
            takeMail()
        }
    }

    /// The suites of a place as they are now.
    private static func listing(of place: any SuitePlace) -> EditorAction {
        do {
            if case .lost(let reason)? = place.connection()?.state { return .listingFailed(reason) }
            guard try place.isThere() else {
                return .listingFailed("There is no folder \(place.location).")
            }
            return .listed(
                try place.suiteNames().map { SuiteListing(id: $0.rawValue, title: $0.rawValue) }
            )
        } catch {
            return .listingFailed("\(error)")
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
        var timeout: Int32 = -1
        if state.hasWork {
            timeout = 0
        } else if let deadline = state.nextDeadline {
            timeout = Int32(min(max(0, (deadline - now()) * 1000).rounded(.up), 1e6))
        }
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
            case .load(let id): load(id)
            case .write(let request): write(request)
            case .read(let ids): read(ids)
            case .recover(let id): recover(id)
            case .findRevisions(let id, let key): findRevisions(of: key, in: id)
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
            case .suspend: terminal.suspend()
            case .redraw: terminal.redraw()
            case .quit: isOver = true
            }
        }
    }

    /// Reads a suite on another thread, and tells of its changes from then on.
    private func load(_ id: String) {
        guard let suite = suite(id) else { return }
        let (mailbox, passing) = (mailbox, passing)
        let tellSetAside: @Sendable () -> Void = {
            passing.async { suite.findSetAside { mailbox.put(.setAside(id, $0)) } }
        }
        // First, so that no secret is shown before it is known for one.
        let tell = DeclarationsReceiver(
            out: { mailbox.put(.status(id, $0)) },
            declared: { mailbox.put(.declared(id, $0, problem: $1)) }
        )
        suite.observeDeclarations(on: reads, tell) {
            suite.observe { event in
                switch event {
                case .change(let change):
                    mailbox.put(.changed(id, [change]))
                    if change.origin == .otherProcess { tellSetAside() }
                case .status(let status): mailbox.put(.status(id, status))
                case .failed: break  // The status says it too.
                }
            }
            mailbox.put(.loaded(id, values: suite.suite.storedEntries, suite.suite.status))
            tellSetAside()
        }
    }

    /// Reads suites one after the other, without keeping them.
    private func read(_ ids: [String]) {
        guard case .place(let place) = subject else { return }
        let (mailbox, reading) = (mailbox, reading)
        let number = reading.next()
        passing.async {
            for id in ids {
                guard reading.current == number else { return }
                let suite = (try? SuiteName(id)).map { place.suite($0) }
                var schema: SuiteSchema?
                do throws(SettingsError) {
                    schema = try suite?.readSchema()
                } catch {
                    // Nobody knows then what is a secret. What is broken for good hides nothing.
                    if !error.isOutage { schema = SuiteSchema() }
                }
                let values = schema == nil ? nil : suite?.storedEntries
                mailbox.put(.read(id, values: values ?? PropertyListEntries(), schema ?? SuiteSchema()))
            }
        }
    }

    private func findRevisions(of key: String, in id: String) {
        let (mailbox, subject) = (mailbox, subject)
        reads.async {
            do {
                let domain =
                    switch subject {
                    case .domain(let domain): domain
                    case .place(let place): Domain(try SuiteName(id), in: place)
                    }
                mailbox.put(.revisions(id, key: key, .success(try domain.history(ofKey: key) ?? [])))
            } catch {
                mailbox.put(.revisions(id, key: key, .failure(RevisionsError("\(error)"))))
            }
        }
    }

    private func recover(_ id: String) {
        guard let suite = suite(id)?.suite else { return }
        let mailbox = mailbox
        writes.async {
            let result: RecoverResult
            do throws(SettingsError) {
                let place = try suite.recover()
                result = place.map { RecoverResult.setAside($0) } ?? .notNeeded
            } catch {
                result = .failed("\(error)")
            }
            mailbox.put(.recovered(id, result))
        }
    }

    private func suite(_ id: String) -> ObservedSuite? {
        if let suite = suites[id] { return suite }
        guard case .place(let place) = subject, let name = try? SuiteName(id) else { return nil }
        let suite = ObservedSuite(place.suite(name))
        suites[id] = suite
        return suite
    }

    private func write(_ request: Write) {
        guard let suite = suite(request.suite)?.suite else { return }
        let (mailbox, writer) = (mailbox, writer)
        writesUnderWay += 1
        writes.async {
            let result: WriteResult
            do throws(SettingsError) {
                try suite.replace(
                    request.changes.mapValues(\.new),
                    expecting: request.changes.mapValues(\.old),
                    origin: .set(by: writer)
                )
                result = .done
                let rounded = request.changes.filter { $0.value.new?.isRoundedByXML == true }.keys.sorted()
                if !rounded.isEmpty, isXML(suite.location) { mailbox.put(.rounded(request.suite, rounded)) }
            } catch {
                if case .conflict(let current) = error {
                    result = .conflict(current: current)
                } else {
                    result = .failed("\(error)")
                }
            }
            mailbox.put(.wrote(request.id, result))
        }
    }
}

/// Counts what several threads know of.
private final class Counter: Sendable {
    private let count = Atomic(0)

    func next() -> Int { count.add(1, ordering: .relaxed).newValue }
    var current: Int { count.load(ordering: .relaxed) }
}
