/// Changes that wait until the user writes all of them.
struct StagingState: Sendable {
    /// Whether new changes wait.
    var isOn: Bool
    /// Keys that have to be written together.
    var moves: [StagedMove] = []
    /// The list of pending changes, while it is on the screen.
    var rows: [PendingRow] = []

    init(isOn: Bool) { self.isOn = isOn }
}
