import TerminalCanvas

/// The input events that the editor has not handled yet.
///
/// An event waits while the editor is busy with something that the event is about: a search, a filter, a suite
/// that is being read, or a change that takes several writes. Without that, a key typed ahead would act on the row
/// that happens to be selected at that moment.
public struct EventQueue: Sendable {
    private var events: [InputEvent] = []
    /// The number of events that were handed out.
    private var done = 0

    public init() {}

    public mutating func add(_ more: [InputEvent]) { events += more }

    /// The next event to handle; nil if there is none, or if it has to wait. Esc and Ctrl-C do not wait, and drop
    /// the events that do.
    public mutating func next(in state: EditorState) -> InputEvent? {
        guard done < events.count else { return nil }
        var place = done
        if state.isBusy(for: events[done]) {
            guard let urgent = events[done...].firstIndex(where: \.isUrgent) else { return nil }
            place = urgent
        }
        let event = events[place]
        if case .resize = event, place > done {
            events.remove(at: place)
            return event
        }
        done = place + 1
        if done == events.count { (events, done) = ([], 0) }
        return event
    }
}

extension InputEvent {
    /// Whether the event is handled even while the editor is busy.
    fileprivate var isUrgent: Bool {
        switch self {
        case .key(.escape), .key(.control("c")), .resize: true
        default: false
        }
    }
}

extension EditorState {
    /// Whether the event has to wait for work that it depends on.
    fileprivate func isBusy(for event: InputEvent) -> Bool {
        if event.isUrgent { return false }
        switch modal {
        case nil:
            if isSearching || isFiltering { return true }
            if !isReading, suiteList.pendingMove == nil, !isWriting { return false }
            let commands = messages(for: event, in: self).compactMap {
                if case .command(let command) = $0 { command } else { nil }
            }
            return commands.contains(where: isBusy(for:))
        case .palette(let palette)?:
            guard event == .key(.enter), let binding = selectedCommand(of: palette) else { return false }
            return isBusy(for: binding.command)
        case .search(let prompt)?:
            return event == .key(.enter) && (prompt.isFilter ? isFiltering : isSearching)
        case .finding(let finder)?:
            return event == .key(.enter)
                && (finderHasWork || finder.hits.isEmpty && !finder.suitesLeft.isEmpty)
        case .comparing?:
            // The first row is known soon. Only the commands for the whole comparison need all rows.
            return compared?.hasWork == true
                && (compared?.rows.isEmpty == true || event == .key(.character("Y")))
        default: return false
        }
    }

    /// Whether the command has to wait until the suite is read or a write has ended.
    private func isBusy(for command: Command) -> Bool {
        (isReading && display.focus == .keys || isMoving || isLeaving) && command.isAboutRows
            || isReading && display.focus == .suites && command.isAboutSuite
            || isWriting && command == .history
    }

    /// The selected suite is being read.
    private var isReading: Bool { suite.map { $0.contents != .loaded } == true }

    /// Whether a write is in flight.
    private var isWriting: Bool { suiteList.isWriting }

    /// The selected suite is being removed.
    private var isLeaving: Bool { suite?.inFlight.contains { $0.write.whole?.isRemoved == true } == true }

    /// Whether a transaction of several writes is in flight. It can be undone only after all of it is stored.
    private var isMoving: Bool {
        suiteList.pendingMove != nil
            || suiteList.suites.contains { $0.inFlight.contains { $0.transaction.parts.count > 1 } }
    }

    /// A search is under way.
    var isSearching: Bool { search.isRunning }

    /// Whether the filter has not been tried on all keys yet.
    var isFiltering: Bool { display.focus == .keys && suite?.outline.isFiltered == false }
}

extension Command {
    /// Whether the command is about the rows of a suite, and does not lead elsewhere.
    fileprivate var isAboutRows: Bool {
        switch self {
        case .switchPane, .left, .cancel, .help, .quit, .redraw, .suspend, .toggleMouse, .jump, .searchAll,
            .palette, .watch, .history, .pending, .toggleStaging, .changeTheme:
            false
        default: true
        }
    }

    /// Whether it does something with a whole suite.
    fileprivate var isAboutSuite: Bool {
        switch self {
        case .delete, .rename, .duplicate, .editSuiteExternally, .recover, .importFile: true
        default: false
        }
    }
}
