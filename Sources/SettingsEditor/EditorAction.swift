import FoundationEssentials
import PropertyList
import SettingsStore
import TerminalCanvas

/// Everything that can happen to the editor: what a key means, and what the store tells.
public enum EditorAction: Sendable, Hashable {
    // From the user.
    case move(Movement)
    case right, left
    case switchPane
    /// What Enter does: goes into a suite, opens, edits, and ends what is being typed.
    case confirm
    /// What Esc does: leaves everything as it was.
    case cancel
    case flip
    /// Another spelling of what is being typed.
    case changeForm
    case add, delete, undo, redo
    /// Shows what has changed since the editor was opened.
    case history
    case search, filter, nextMatch, previousMatch
    case insert(String)
    case paste(String)
    case line(LineCommand)
    /// An item of a menu, from 1.
    case choose(Int)
    case answer(Bool)
    case help
    case redraw, suspend, quit
    case resized(Size)

    // From the store.
    /// The suites that are there now, sorted. The selection stays on its suite.
    case listed([SuiteListing])
    /// The folder is missing or can't be read; a sentence says why.
    case listingFailed(String)
    /// Everything that a suite holds, the first time or again.
    case loaded(String, values: [String: PropertyListValue], SuiteStatus)
    /// Of a suite, in order. What a write changed comes before its ``wrote(_:_:)``.
    case changed(String, [Change])
    case status(String, SuiteStatus)
    case wrote(WriteID, WriteResult)
    /// Time for what a search or a filter has left to do: see ``EditorState/hasWork``. A thousand is
    /// about a tenth of a millisecond.
    case goOn(effort: Int)
    /// Seconds since some fixed moment, and what the clock says where that is known. What needs the
    /// time uses that of the last tick.
    case tick(now: Double, date: Date? = nil)
}

/// Where a selection goes.
public enum Movement: Sendable, Hashable {
    case up, down, pageUp, pageDown, first, last
}

/// A suite in the list.
public struct SuiteListing: Sendable, Hashable {
    /// Unlike every other's. Of suites in a folder: the name.
    public var id: String
    public var title: String
    /// Nil where it is not known yet.
    public var status: SuiteStatus?

    public init(id: String, title: String, status: SuiteStatus? = nil) {
        self.id = id
        self.title = title
        self.status = status
    }
}

/// How a write ended.
public enum WriteResult: Sendable, Hashable {
    case done
    /// Some of the keys held something else (nil: nothing), and nothing was written.
    case conflict(current: [String: PropertyListValue?])
    /// Nothing was written; a sentence says why.
    case failed(String)
}
