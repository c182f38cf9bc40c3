import TerminalCanvas

/// The text of the last line, and what must be removed when its cause is over.
struct StatusLine: Sendable {
    var message: StatusMessage?
    /// The last key, if it does nothing in a modal that shows no messages.
    var stray: Key?
    /// The notice that a change was not written because the cluster is out of reach.
    @Boxed var outageNotice: Notice?
    /// The last message about foreign changes, and its suite.
    @Boxed var told: (suite: String, message: StatusMessage)?
    /// The last message about suites that came or went.
    @Boxed var toldOfSuites: StatusMessage?

    /// Whether a report about another program may replace the message. The answer to the user's key stays until the
    /// next key, because the report is also in the rows and in the history.
    var takesReports: Bool { message.map { $0.until != nil } ?? true }

    mutating func say(_ text: String, isProblem: Bool = false) {
        message = StatusMessage(text: text, isProblem: isProblem)
    }

    /// Removes the message of the previous command.
    ///
    /// - Parameter isShown: Whether the message could be shown. A message that could not is shown later.
    mutating func beginCommand(isShown: Bool) {
        stray = nil
        if isShown { message = nil }
    }

    /// Removes a message that has expired.
    mutating func expire(now: Double) {
        if let end = message?.until, end <= now { message = nil }
    }
}

/// The text of the last line, until the next key or until it expires.
struct StatusMessage: Sendable, Hashable {
    var text: String
    var isProblem = false
    /// The message expires, and is cut to one line.
    var until: Double?
}
