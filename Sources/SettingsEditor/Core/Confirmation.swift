import CommandLanguage
import PropertyList
import ValueDiff

/// A question that the user answers with yes or no.
struct Confirmation: Sendable, Hashable {
    enum Subject: Sendable, Hashable {
        /// Insert a pasted value into an array before an index. `over` is the value of the key that the question was
        /// asked for.
        case putIn(Clip, suite: String, parent: ValuePath, index: Int, over: PropertyListValue)
        /// Delete a suite. The dictionary has the values that the question was asked for.
        case deleteSuite(String, [String: PropertyListValue])
        /// Overwrite a foreign change with a pending change.
        case replaceOvertaken(PendingChange, over: [ThreeWayMerge.Conflict])
        case quit
        /// The draft on the modal below breaks a declaration.
        case invalid
        /// Overwrite a foreign change to go back in the history.
        case goBack(Journal.KeyChange, suite: String, over: [ThreeWayMerge.Conflict])
        /// Edit a text again that was not written, and why it was not.
        case editAgain(ExternalEdit, String)
        /// Set an unreadable file aside.
        case recover(suite: String)
        /// Write values that break a declaration.
        case undeclared(ViolatingChange)
        /// Replace a file by an export of a suite.
        case exportOver(String, suite: String)
        /// Copy a command that contains a secret.
        case copy(String, message: String)
    }

    let text: String
    let subject: Subject
}

extension Confirmation: Component {
    var keyMode: Mode { coversPanes ? .conflict : .question }

    /// If a foreign change came first, both values are compared on the screen.
    var coversPanes: Bool { if case .replaceOvertaken = subject { true } else { false } }

    func paint(_ painter: inout Painter) {
        guard case .replaceOvertaken(let pending, _) = subject else { return }
        painter.paintConflict("\(pending.suite) › \(pending.key)")
    }

    func handle(_ command: Command, in state: inout EditorState) -> [Effect] {
        switch (command, subject) {
        case (.reveal, .replaceOvertaken(let pending, _)):
            state.suiteList.toggleSecret(pending.key, of: pending.suite)
        case (.answer, .replaceOvertaken(_, let conflicts)), (.cancel, .replaceOvertaken(_, let conflicts)),
            (.takeTheirs, .replaceOvertaken(_, let conflicts)):
            let pending = state.overtaken
            state.modals.pop()
            guard let pending else { break }
            return state.attempt { state throws in
                try state.settle(command, pending, over: conflicts)
                return []
            }
        case (.writeAll, .quit):
            let effects = state.writeStaged()
            if state.pendingChanges.isEmpty { return effects + [.quit] }
            state.modals.open(.pending(PendingScreen()))
            return effects
        case (.answer(true), _): return agree(in: &state)
        case (.answer(false), _), (.cancel, _): return decline(in: &state)
        default: break
        }
        return []
    }

    private func agree(in state: inout EditorState) -> [Effect] {
        switch subject {
        case .deleteSuite(let suite, let values):
            return state.attempt { state throws in try state.deleteSuite(suite, holding: values) }
        case .putIn(let clip, let suite, let parent, let index, let value):
            state.modals.closeAll()
            return state.perform { state in
                guard let shown = state.suite, shown.id == suite,
                    shown.ground(at: parent.appending(.index(index))) == value
                else { throw Refusal("Not pasted: “\(parent.key)” has changed.") }
                return .write(try shown.inserting([clip], in: parent, from: index))
            }
        case .quit: return [.quit]
        case .invalid:
            state.modals.pop()
            guard case .draft(let draft)? = state.modal else { return [] }
            return draft.commit(in: &state, isAgreed: true)
        case .undeclared(let change): return state.writeAnyway(change)
        case .editAgain(let edit, let problem):
            state.modals.closeAll()
            return state.modals.openExternally(edit, again: edit.problem == nil ? nil : problem)
        case .recover(let suite): return state.attempt { state throws in try state.recover(suite) }
        case .goBack(let change, let suite, let conflicts):
            state.modals.pop()
            return state.attempt { state throws in try state.goBack(to: change, of: suite, over: conflicts) }
        case .exportOver(let path, let suite):
            state.modals.pop()
            return [.exportSuite(suite, path: path, replaces: true)]
        case .copy(let text, let message):
            state.modals.pop()
            return state.copy(text, message)
        case .replaceOvertaken: break
        }
        return []
    }

    private func decline(in state: inout EditorState) -> [Effect] {
        state.modals.pop()
        switch subject {
        case .editAgain: state.say("Discarded. Nothing was written.")
        case .undeclared(let change):
            // The text from the external editor is not lost.
            guard state.modal == nil, case .edit(.edited(let edit)?) = change.purpose else { break }
            return state.modals.openExternally(edit)
        default: break
        }
        return []
    }
}

// Deleting needs no question, because u brings the values back.
extension EditorState {
    func deleting(_ paths: [ValuePath]) throws -> Outcome {
        guard let suite else { return .nothing }
        if let refusal = refusal(forWritingTo: suite) { throw refusal }
        let paths = paths.filter { suite.outline.node(at: $0) != nil }
        if paths.isEmpty { return .nothing }
        guard paths.allSatisfy({ suite.ground(at: $0) != nil }) else {
            let source = paths.lazy.compactMap { suite.otherLayers.inherited($0.key) }.first
            throw Refusal(
                source.map { "No value of yours is stored. The row shows the value in \($0.location)." }
                    ?? "No value is stored. The row shows the default."
            )
        }
        var edit = try suite.deleting(paths)
        if staging.isOn {
            let what = paths.count == 1 ? "“\(paths[0].lastName)”" : "\(paths.count) rows"
            edit.message = "\(what) will be deleted. Press u to undo."
        }
        // The row of a staged deletion stays. The next key is for the next row.
        if staging.isOn, paths.count == 1, paths[0].steps.count == 1 {
            let (rows, row) = (suite.outline.rows, suite.outline.index(of: paths[0]))
            edit.selected = row.flatMap { $0 + 1 < rows.count ? rows[$0 + 1].path : nil }
        }
        return .write(edit)
    }
}
