import FoundationEssentials
import PropertyList
import SettingsStore
import TerminalCanvas

/// Everything that can happen to the editor: what a key means, and what the store tells.
public enum EditorAction: Sendable, Equatable {
    // From the user.
    case move(Movement)
    /// A digit of the number that says how often the next movement is done.
    case count(Int)
    /// Asks for the level that ``level(_:)`` opens to.
    case chooseLevel
    /// Opens what lies above a level, from 1 for the suite's own keys, and closes the rest.
    case level(Int)
    case right, left
    case switchPane
    /// What Enter does: goes into a suite, opens, edits, and ends what is being typed.
    case confirm
    /// What Esc does: leaves everything as it was.
    case cancel
    case flip
    /// Edits the text of what would be opened.
    case editText
    /// Opens the user's own editor.
    case editOutside, editOutsideAsXML
    /// Likewise, on the whole suite.
    case editSuiteOutside, editSuiteOutsideAsXML
    case rename, duplicate, changeType
    /// Exchanges an element with the one above or below.
    case raise, lower
    /// Takes away what is stored for a declared setting.
    case reset
    /// Shows a secret, or no longer.
    case reveal
    /// Marks a row, or no longer.
    case mark
    case moveToSuite
    case copy, pasteCopied
    /// Another spelling of what is being typed.
    case changeForm
    case add, delete, undo, redo
    /// Whether changes wait to be written together; the list of those that do; writing them.
    case toggleStaging, pending, writeAll
    /// Shows what has changed since the editor was opened.
    case history
    /// What the place knows of the selected key's past.
    case findRevisions
    case search, filter, nextMatch, previousMatch
    /// Goes to any key of any suite, by some letters of its name.
    case jump
    /// Searches all suites.
    case searchAll
    /// Asks what ``showOnly(_:)`` is to show.
    case chooseOnly
    case showOnly(Selection)
    /// Shows the changes below the panes, as they come, or no longer.
    case watch
    /// Asks whether a file that can't be read is to be set aside, or a deleted one written again.
    case recover
    /// Shows the commands by their names.
    case palette
    case insert(String)
    /// Has the next key insert what it stands for, also a line break or a tab.
    case insertNext
    case paste(String)
    /// What of the text that was pasted before could not be kept.
    case pasteLacked(PasteLoss)
    /// So much that was typed is no UTF-8.
    case undecodable(Int)
    case line(LineCommand)
    /// Puts in place of what is looked for what was looked for before, or after that.
    case recall(Recall)
    /// An item of a menu, from 1.
    case choose(Int)
    case answer(Bool)
    /// Where values are compared: moves what is shown of them, and goes to where the next difference begins,
    /// or the last one before.
    case scroll(Movement)
    case nextDifference, previousDifference
    /// In a conflict: leaves what the file has.
    case takeTheirs
    case help
    case redraw, suspend, quit
    case mouse(MouseAction, Point)
    /// A key that has no meaning where it was pressed.
    case meaningless(Key)
    /// The colours for the other kind of background.
    case changeTheme
    /// Whether the mouse is the editor's, or the terminal's to select text with.
    case toggleMouse
    case resized(Size)

    /// So many keys were typed behind a search that has found nothing, and did nothing.
    case keysDropped(Int)
    /// The terminal has no colours, or the user wants none, so that none are changed.
    case noColors
    /// What was copied is too long for the terminal's clipboard, and there is no other.
    case copyTooLong
    /// The user's own editor has ended.
    case edited(OutsideResult)

    // From the store.
    /// The suites that are there now, sorted. The selection stays on its suite.
    case listed([SuiteListing])
    /// Why no suite can be made in the folder; nil where one can.
    case rights(String?)
    /// The folder is missing or can't be read; a sentence says why.
    case listingFailed(String)
    /// How the service is reached that keeps the suites.
    case connection(PlaceConnection)
    /// Everything that a suite holds, the first time or again. What was declared for it comes first
    /// (``declared(_:_:problem:)``), so that no secret is shown before it is known for one.
    case loaded(String, values: PropertyListEntries, SuiteStatus)
    /// Others have changed these keys of a suite, and what they hold now is being read and compared, which takes
    /// long; ``changed(_:_:_:)`` follows.
    case changing(String, keys: [String])
    /// Of a suite, in order. What a write changed comes before its ``wrote(_:_:)``. Those of others that take
    /// long to read come with that done (``ReadChange/of(_:)``), by their numbers.
    case changed(String, [Change], [UInt64: ReadChange] = [:])
    case status(String, SuiteStatus)
    /// What a suite holds, for ``EditorEffect/read(_:)``, and what was declared for it, or why that can't be
    /// read; no values where it can't be read itself, and why.
    case read(
        String,
        values: PropertyListEntries,
        SuiteSchema,
        problem: String? = nil,
        unreadable: String? = nil
    )
    case recovered(String, RecoverResult)
    /// Why what there is of a suite that somebody has begun to make is not removed; nil where it is.
    case removedPart(String, problem: String?)
    /// The values that a key has had, the newest first, or why they can't be told.
    case revisions(String, key: String, Result<[SettingRevision], RevisionsError>)
    /// What programs have declared about a suite, or why that can't be read, and then all is taken for secret.
    case declared(String, SuiteSchema, problem: String? = nil)
    /// The keys of a suite of which a program has set values aside that it could not read, with the file
    /// that holds the newest.
    case setAside(String, [String: String])
    case wrote(WriteID, WriteResult)
    /// What has become of declarations that were to go along with a write's suite, where they did not; before
    /// its ``wrote(_:_:)``.
    case declarationsStay(WriteID, MovedDeclarations)
    /// Where a suite's file leads, if that is a symbolic link.
    case link(String, to: String?)
    /// What keys hold whose dates have lost the fractions of their seconds in the file; before its ``wrote(_:_:)``.
    case rounded(WriteID, [String: PropertyListValue])
    /// Time for what a search or a filter has left to do: see ``EditorState/hasWork``. A thousand takes
    /// about a quarter of a millisecond.
    case goOn(effort: Int)
    /// Seconds since some fixed moment, and what the clock says where that is known. What needs the
    /// time uses that of the last tick.
    case tick(now: Double, date: Date? = nil)
}

/// Which word comes back.
public enum Recall: Sendable, Hashable {
    case earlier, later
}

/// Where a selection goes.
public enum Movement: Sendable, Hashable {
    case up, down, pageUp, pageDown, halfPageUp, halfPageDown, first, last
    /// To the rows beside this one that lie in the same place.
    case nextSibling, previousSibling
}

/// Keys of a suite that have something in common.
public enum Selection: Sendable, Hashable {
    /// Others have changed them since the editor was opened.
    case changedByOthers
    /// What is stored is not the default that was declared.
    case changedFromDefault
    /// Programs can't read what is stored, or could not read what was.
    case undecodable
}

/// How setting aside a file that can't be read ended.
public enum RecoverResult: Sendable, Hashable {
    /// It lies there.
    case setAside(String)
    /// It can be read.
    case notNeeded
    case failed(String)
}

/// Why a key's past can't be told: a sentence.
public struct RevisionsError: Error, Sendable, Hashable {
    public let reason: String

    public init(_ reason: String) { self.reason = reason }
}

/// A suite in the list.
public struct SuiteListing: Sendable, Hashable {
    /// Unlike every other's. Of suites in a folder: the name.
    public var id: String
    public var title: String
    /// Nil where it is not known yet.
    public var status: SuiteStatus?
    /// Nil where nobody has looked, or can tell.
    public var version: SuiteVersion?

    public init(id: String, title: String, status: SuiteStatus? = nil, version: SuiteVersion? = nil) {
        self.id = id
        self.title = title
        self.status = status
        self.version = version
    }
}

/// How a write ended.
public enum WriteResult: Sendable, Hashable {
    case done
    /// Some of the keys held something else (nil: nothing), and nothing was written.
    case conflict(current: [String: PropertyListValue?])
    /// Nothing was written; a sentence says why.
    case failed(String, Cause = .refusal)

    public enum Cause: Sendable, Hashable {
        /// The next try ends likewise, unless something is done about it.
        case refusal
        /// Nobody answered.
        case outage
        /// Somebody else makes the suite, and has not finished.
        case making
    }
}
