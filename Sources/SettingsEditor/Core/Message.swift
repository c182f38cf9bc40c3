import FoundationEssentials

/// Anything that can happen to the editor. ``update(_:_:)`` handles one message at a time.
public enum Message: Sendable, Equatable {
    /// The user wants something. The modal on top handles it, or the panes if there is none.
    case command(Command)
    /// The store reports something.
    case store(StoreEvent)
    /// The terminal reports something that is no command.
    case terminal(TerminalEvent)
    /// Time passes.
    case work(Work)
}

/// The time that the event loop grants to the editor.
public enum Work: Sendable, Equatable {
    /// Time to continue a search or a filter: see ``EditorState/hasWork``. A budget of a thousand takes about a quarter
    /// of a millisecond.
    case goOn(budget: Int)
    /// Seconds since a fixed moment, and the date of the system's clock if it is known. The editor uses the time of the
    /// last tick.
    case tick(now: Double, date: Date? = nil)
}
