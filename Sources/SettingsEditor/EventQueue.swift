import TerminalCanvas

/// What a terminal has sent and the editor has not acted upon yet. What was typed behind a search, in one go or
/// while it took its time, is about what that finds, and waits for it; so does what was typed for a suite that is
/// still being read, or its rows, or behind what takes several writes.
public struct EventQueue: Sendable {
    private var events: [InputEvent] = []
    /// How many of them were handed out.
    private var done = 0
    /// How many were dropped, since what they were about was not found.
    private var dropped = 0
    /// How often nothing had been found, as far as is known here.
    private var misses = 0

    public init() {}

    public mutating func add(_ more: [InputEvent]) { events += more }

    /// The next one that can be acted upon; nil where there is none, or it has to wait: then the state has work
    /// to go on with, or hears of something. Esc and Ctrl-C do not wait, and drop what does. Where nothing was
    /// found, what was typed behind is dropped: see ``takeDropped()``.
    public mutating func next(in state: EditorState) -> InputEvent? {
        if state.misses != misses {
            misses = state.misses
            let waiting = events[done...]
            events = waiting.filter(\.isUrgent)
            dropped += waiting.count - events.count
            done = 0
        }
        guard done < events.count else { return nil }
        var place = done
        if state.isToAnswer(before: events[done]) {
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

extension EventQueue {
    /// What is to be said of what was dropped since this was asked last; nil where nothing was.
    public mutating func takeDropped() -> EditorAction? {
        defer { dropped = 0 }
        return dropped == 0 ? nil : .keysDropped(dropped)
    }
}

extension InputEvent {
    /// It is acted upon whatever there is to wait for.
    fileprivate var isUrgent: Bool {
        switch self {
        case .key(.escape), .key(.control("c")), .resize: true
        default: false
        }
    }
}

extension EditorState {
    /// Whether something that was asked for has yet to be found that an event is about.
    fileprivate func isToAnswer(before event: InputEvent) -> Bool {
        if event.isUrgent { return false }
        switch input {
        case nil:
            if isSearching || isFiltering { return true }
            if !isReading, waitingMove == nil, !isWriting { return false }
            let actions = actions(for: event, in: self)
            return (isReading && focus == .keys || isMoving || isLeaving)
                && actions.contains(where: \.isAboutRows)
                || isReading && focus == .suites && actions.contains(where: \.isAboutSuite)
                || isWriting && actions.contains(.history)
        case .history?: return historySearch != nil
        case .search(let prompt)?:
            return event == .key(.enter) && (prompt.isFilter ? isFiltering : isSearching)
        case .finding(let finder)?:
            return event == .key(.enter)
                && (finderHasWork || finder.hits.isEmpty && !finder.suitesLeft.isEmpty)
        default: return false
        }
    }

    /// What the keys are about is not there yet.
    private var isReading: Bool { suite.map { $0.contents != .loaded } == true }

    /// Something is not stored yet, be it only what the next thing to be stored is to follow.
    private var isWriting: Bool { suites.contains { !$0.inFlight.isEmpty } }

    /// What is selected is about to go.
    private var isLeaving: Bool { suite?.inFlight.contains { $0.write.whole?.isRemoved == true } == true }

    /// What takes several writes is under way: something that is on its way to another place has not gone yet,
    /// and none of it can be taken back before all of it is stored.
    private var isMoving: Bool {
        waitingMove != nil || suites.contains { $0.inFlight.contains { $0.edit.parts.count > 1 } }
    }

    /// What was searched for is not found yet.
    var isSearching: Bool { runningSearch != nil || historySearch != nil }

    /// The filter of the keys has not been tried on all.
    var isFiltering: Bool { focus == .keys && suite?.tree.isFiltered == false }
}

extension EditorAction {
    /// Whether it is about what a suite holds, unlike what leads elsewhere.
    fileprivate var isAboutRows: Bool {
        switch self {
        case .switchPane, .left, .cancel, .help, .quit, .redraw, .suspend, .toggleMouse, .mouse, .resized,
            .jump,
            .searchAll, .palette, .watch, .history, .pending, .toggleStaging, .changeTheme:
            false
        default: true
        }
    }

    /// Whether it does something with all that a suite holds.
    fileprivate var isAboutSuite: Bool {
        switch self {
        case .delete, .rename, .duplicate, .editSuiteOutside, .editSuiteOutsideAsXML, .recover: true
        default: false
        }
    }
}
