/// Asks for one key: the level to which the outline is expanded, or the category of keys to show.
enum ChoicePrompt: Sendable, Hashable, Component {
    case level, category

    var keyMode: Mode { self == .level ? .level : .only }

    func handle(_ command: Command, in state: inout EditorState) -> [Effect] {
        switch command {
        case .level(let level):
            state.modals.closeAll()
            guard state.suite != nil else { break }
            state.suiteList.suites[state.suiteList.selected].outline.openToLevel(level)
        case .showOnly(let category):
            state.modals.closeAll()
            guard state.suite != nil else { break }
            state.display.focus = .keys
            state.suiteList.showOnly(category)
        case .cancel: state.modals.closeAll()
        default: break
        }
        return []
    }
}
