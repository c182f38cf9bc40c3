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

    /// The modal that is shown in place of the panes.
    var screen: Modal? { all.last { $0.component.coversPanes } }

    /// Opens a modal in place of all others.
    mutating func open(_ modal: Modal) { all = [modal] }

    /// Opens a modal over the others.
    mutating func push(_ modal: Modal) { all.append(modal) }

    mutating func ask(_ text: String, _ subject: Confirmation.Subject) {
        push(.question(Confirmation(text: text, subject: subject)))
    }

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
    func isAbout(_ suite: String) -> Bool {
        all.contains { $0.suite == suite } || comparing?.sides.contains { $0.suite == suite } == true
    }

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
}

// Typing.
extension ModalStack {
    /// Changes the line that is being typed in the top modal. Returns false for other commands.
    ///
    /// - Parameters:
    ///   - prompts: The texts that can be recalled.
    ///   - killed: The text that was cut most recently.
    mutating func type(_ command: Command, _ prompts: inout PromptHistory, _ killed: inout String) -> Bool {
        guard var modal = top, var line = modal.line else { return false }
        switch command {
        case .insert(let text): line.insert(text)
        // Terminals send pasted line ends as carriage returns.
        case .paste(let text):
            let text = text.replacing("\r\n", with: "\n").replacing("\r", with: "\n")
            // A copied line ends with a line end, which names and patterns do not have.
            let isValue = if case .draft = modal { true } else { false }
            line.insert(!isValue && text.hasSuffix("\n") ? String(text.dropLast()) : text)
        case .line(let step): line.apply(step, killed: &killed)
        case .recall(let recall):
            guard let kind = modal.promptKind, let text = prompts.word(recall, from: line.text, kind) else {
                return false
            }
            line.replace(with: text)
        default: return false
        }
        modal.line = line
        replaceTop(modal)
        return true
    }
}

extension EditorState {
    /// The modal that gets the next command; nil if the panes do.
    var modal: Modal? { modals.top }
}
