/// Asks which category of keys to show.
struct CategoryPrompt: Sendable, Hashable, Component {
    var keyMode: Mode { .only }

    func handle(_ command: Command, in state: inout EditorState) -> [Effect] {
        switch command {
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
