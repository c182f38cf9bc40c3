/// What has happened since the editor was opened.
struct HistoryState: Sendable {
    /// The user's edits, to undo and redo them.
    var undo = UndoHistory()
    /// All changes, of the user and of other processes.
    var journal = Journal()
    var revisionsRefresh = RevisionsRefresh.none
    private var lastNumber = 0

    /// A number for a transaction or a write that no other one has.
    mutating func nextNumber() -> Int {
        lastNumber += 1
        return lastNumber
    }
}
