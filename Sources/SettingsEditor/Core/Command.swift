import TerminalCanvas

/// What the user can ask the editor to do, with a key, with the mouse or in the palette.
public enum Command: Sendable, Equatable {
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
    case editExternally, editExternallyAsXML
    /// Likewise, on the whole suite.
    case editSuiteExternally, editSuiteExternallyAsXML
    case rename, duplicate, changeType
    /// Exchanges an element with the one above or below.
    case raise, lower
    /// Takes away what is stored for a declared setting.
    case reset
    /// Shows a secret, or no longer.
    case reveal
    /// Adds a row to the multi-selection, or removes it.
    case multiSelect
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
    case showOnly(KeyCategory)
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
    /// The colours for the other kind of background.
    case changeTheme
    /// Whether the mouse is the editor's, or the terminal's to select text with.
    case toggleMouse
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
public enum KeyCategory: Sendable, Hashable {
    /// Others have changed them since the editor was opened.
    case changedByOthers
    /// What is stored is not the default that was declared.
    case changedFromDefault
    /// Programs can't read what is stored, or could not read what was.
    case undecodable
}
