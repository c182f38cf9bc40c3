import PropertyList

// Staged changes are lost when the editor quits, so the user is asked first.
extension EditorState {
    /// Whether Ctrl-C quits. It closes an open modal instead, and asks once if there are staged changes.
    public var endsOnInterrupt: Bool {
        isAskingToQuit || Mode.panes.contains(mode) && pendingChanges.isEmpty
    }

    /// The changes that are lost if the editor quits now, as a sentence; nil if there are none.
    public var unwritten: String? {
        let changes = pendingChanges
        if changes.isEmpty { return nil }
        let names = changes.prefix(5).map { "\($0.suite) › \($0.key)" }.joined(separator: ", ")
        let what =
            changes.count == 1 ? "1 change was not saved" : "\(changes.count) changes were not saved"
        return "\(what): \(names)\(changes.count > 5 ? ", …" : "")."
    }

    var isAskingToQuit: Bool {
        if case .question(let question)? = modal { question.subject == .quit } else { false }
    }

    mutating func quit() -> [Effect] {
        let count = pendingChanges.count
        guard count > 0 else { return [.quit] }
        let what =
            count == 1
            ? "1 change is not saved. Quit without it?"
            : "\(count) changes are not saved. Quit without them?"
        modals.open(.question(Confirmation(text: what, subject: .quit)))
        return []
    }
}
