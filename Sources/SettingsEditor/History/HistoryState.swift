/// The changes since the editor was opened.
struct HistoryState: Sendable {
    /// The user's transactions, for undo and redo.
    var undo = UndoHistory()
    /// All changes, of the user and of other processes.
    var journal = Journal()
    var revisionsRefresh = RevisionsRefresh.none
    private var lastNumber = 0

    /// A number that no other transaction or write has.
    mutating func nextNumber() -> Int {
        lastNumber += 1
        return lastNumber
    }
}
