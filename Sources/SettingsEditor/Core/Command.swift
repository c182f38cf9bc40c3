import TerminalCanvas

/// A command of the user, given by key, by mouse or in the palette.
public enum Command: Sendable, Equatable {
    case move(Movement)
    /// A digit of the count for the next movement.
    case count(Int)
    /// Asks for the level for ``level(_:)``.
    case chooseLevel
    /// Expands all rows above a level and collapses the rest. Level 1 shows only the keys.
    case level(Int)
    case right, left
    case switchPane
    /// Enter: opens a suite, expands a row, edits a value, or ends typing.
    case confirm
    /// Esc: cancels.
    case cancel
    case flip
    case editText
    /// Opens the value in the user's own editor.
    case editExternally, editExternallyAsXML
    /// Opens the whole suite in the user's own editor.
    case editSuiteExternally
    case rename, duplicate, changeType
    /// Counts an integer or the day of a date.
    case increase, decrease
    /// Exchanges an element with the previous or next one.
    case raise, lower
    /// Removes the stored value of a declared setting.
    case reset
    /// Shows or hides a secret.
    case reveal
    /// Adds a row to the multi-selection, or removes it.
    case multiSelect
    case moveToSuite
    case copy, pasteCopied
    /// Copies the command that sets the value, or repeats the change.
    case copyCommand
    /// Shows the typed data in another form.
    case changeForm
    /// Adds beside the selected row, or into the selected container.
    case add, addInside
    case delete, undo, redo
    /// Turns staging on or off; lists the staged changes; writes them.
    case toggleStaging, pending, writeAll
    /// Shows the changes since the editor was opened.
    case history
    /// Shows the revisions of the selected key on the cluster.
    case findRevisions
    case search, filter, nextMatch, previousMatch
    /// Goes to a key of any suite by some of its letters.
    case jump
    case searchAll
    /// Asks for the category for ``showOnly(_:)``.
    case chooseOnly
    case showOnly(KeyCategory)
    /// Shows or hides the pane with live changes.
    case watch
    /// Asks whether to set an unreadable file aside, or restores a key that another program deleted.
    case recover
    /// Opens the command palette.
    case palette
    case insert(String)
    /// Inserts the next key as a character, even a line break or a tab.
    case insertNext
    case paste(String)
    case line(LineCommand)
    /// Replaces the text with the previous or next one of the prompt's history.
    case recall(Recall)
    /// Chooses an item of a menu, from 1.
    case choose(Int)
    case answer(Bool)
    /// In a comparison of values: scrolls, or goes to the next or previous difference.
    case scroll(Movement)
    case nextDifference, previousDifference
    /// Compares the selected suite or value with another one, or the selected values of the history.
    case compare
    /// Compares the selected suite with its declared defaults, or with what it had when the editor was opened.
    case compareDefaults, compareStart
    /// In a comparison: copies rows to the other side.
    case copyLeft, copyRight
    /// In a conflict: keeps the stored value.
    case takeTheirs
    case help
    /// Shows everything about the selected row or suite.
    case details
    /// Imports a file into the selected suite, or exports the suite to a file.
    case importFile, exportSuite
    /// Opens the place that a text names. Asks for it without one.
    case open(String? = nil)
    /// Closes the place that is selected, or whose suite is.
    case closePlace
    /// Forgets the places that were opened before.
    case forgetPlaces
    case completePath
    /// Opens the suite with the editor's own preferences, or removes the user's own keys.
    case preferences, resetKeys
    case redraw, suspend, quit
    /// Switches to the next theme.
    case changeTheme
    /// Turns the mouse on or off. If it is off, the terminal selects text.
    case toggleMouse
}

/// The direction in a prompt's history.
public enum Recall: Sendable, Hashable {
    case earlier, later
}

extension Command {
    var isCount: Bool { if case .count = self { true } else { false } }
}

/// A category of keys, with its name.
public enum KeyCategory: String, Sendable, Hashable {
    /// Other processes changed them since the editor was opened.
    case changedByOthers = "changed by others"
    /// The stored value differs from the declared default.
    case changedFromDefault = "changed from default"
    /// Programs cannot decode the value, or could not decode the previous one.
    case undecodable
}
