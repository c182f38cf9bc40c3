import PropertyList

/// The open modals, the top one last.
///
/// The top modal gets every command first. A modal that is opened over another one, such as the help or a question,
/// knows nothing of the modal below: closing it shows that one again. Without the stack, each of them would carry
/// what it has to return to, and a foreign change would have to be looked up inside all of them.
struct ModalStack: Sendable {
    private(set) var all: [Modal] = []
    /// The value that is open in the user's own editor.
    @Boxed var externalEdit: ExternalEdit?

    var top: Modal? { all.last }
    var isEmpty: Bool { all.isEmpty }

    /// The modal that is shown in place of the panes.
    var screen: Modal? { all.last { $0.component.coversPanes } }

    /// Opens a modal in place of all others.
    mutating func open(_ modal: Modal) { all = [modal] }

    /// Opens a modal over the others.
    mutating func push(_ modal: Modal) { all.append(modal) }

    /// Closes the top modal.
    mutating func pop() { _ = all.popLast() }

    mutating func closeAll() { all = [] }

    /// Puts a modal in place of the top one.
    mutating func replaceTop(_ modal: Modal) {
        pop()
        push(modal)
    }

    /// The paths that are being edited. The selection stays on them.
    var editedPaths: [(suite: String, path: ValuePath)] {
        all.compactMap { modal in
            guard let suite = modal.suite, let path = modal.edited else { return nil }
            return (suite, path)
        }
    }

    mutating func updateEach(_ change: (inout Modal) -> Void) {
        for index in all.indices { change(&all[index]) }
    }
}

extension ModalStack {
    /// The suites that modals are about. They stay in the list.
    func isAbout(_ suite: String) -> Bool { all.contains { $0.suite == suite } }

    /// The pattern that is being typed.
    var searchPrompt: SearchPrompt? {
        for case .search(let prompt) in all { return prompt }
        return nil
    }

    var showsPending: Bool { all.contains { if case .pending = $0 { true } else { false } } }

    mutating func updateSearchPrompt(_ change: (inout SearchPrompt) -> Void) {
        updateEach { modal in
            guard case .search(var prompt) = modal else { return }
            change(&prompt)
            modal = .search(prompt)
        }
    }

    mutating func updateHistory(_ screen: HistoryScreen) {
        updateEach { if case .history = $0 { $0 = .history(screen) } }
    }
}

extension EditorState {
    /// The modal that gets the next command; nil if the panes do.
    var modal: Modal? { modals.top }
}
