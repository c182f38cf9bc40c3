/// Asks for the level to which the outline is expanded.
struct LevelPrompt: Sendable, Hashable, Component {
    var keyMode: Mode { .level }

    func handle(_ command: Command, in state: inout EditorState) -> [Effect] {
        switch command {
        case .level(let level):
            state.modals.closeAll()
            state.suiteList.openToLevel(level)
        case .cancel: state.modals.closeAll()
        default: break
        }
        return []
    }
}
