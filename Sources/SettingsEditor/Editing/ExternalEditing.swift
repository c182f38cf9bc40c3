import PropertyList

/// The result of the user's editor.
public enum ExternalEditResult: Sendable, Hashable {
    /// The text of the file.
    case text(String)
    /// Why there is no text, as a sentence.
    case failed(String)
}

extension EditorState {
    func editingExternally(_ row: Row, asXML: Bool) throws -> Outcome {
        guard let suite else { return .nothing }
        if suite.hides(row.path.key) { throw Refusal.secret }
        if let refusal = refusalOfUnreadable(suite) { throw refusal }
        var edit = try ExternalEdit(row.node, at: row.path, of: suite.id, asXML: asXML, format)
        edit.readOnlyReason = refusal(forWritingTo: suite)?.description
        return .editExternally(edit)
    }
}

extension ModalStack {
    /// Opens a value in the user's own editor.
    ///
    /// - Parameter problem: Why the text was not written, if it is opened again.
    mutating func openExternally(_ edit: ExternalEdit, again problem: String? = nil) -> [Effect] {
        var edit = edit
        edit.problem = problem
        externalEdit = edit
        return [.edit(edit.outsideText)]
    }
}

// The user's editor has ended.
extension ExternalEdit {
    func end(_ result: ExternalEditResult, in state: inout EditorState) -> [Effect] {
        switch result {
        case .failed(let reason): refuse(reason, in: &state)
        case .text(let text):
            let body = body(of: text)
            let isUnchanged = body.hasSameBytes(as: given)
            if let readOnlyReason {
                if !isUnchanged { state.say(notWritten(readOnlyReason), isProblem: true) }
            } else if !isUnchanged {
                return commit(body, in: &state)
            } else if isEdited {
                refuse(problem ?? "the text was not saved.", in: &state)
            } else {
                state.say("Unchanged.")
            }
        }
        return []
    }

    /// Reports why nothing is written. Typed text is dropped only if the user wants that.
    private func refuse(_ reason: String, in state: inout EditorState) {
        let problem = notWritten(reason)
        guard isEdited else { return state.say(problem, isProblem: true) }
        let question = Confirmation(text: "\(problem) Edit it again?", subject: .editAgain(self, reason))
        state.modals.open(.question(question))
    }

    private func notWritten(_ reason: String) -> String {
        let start = "Not written"
        return sentence(reason.hasPrefix(start) ? reason : "\(start): \(sentence(reason))")
    }

    /// Opens the text again, with the reason. The second time in a row the user is asked first, because a program that
    /// makes the same error each time would never end.
    func edit(againAfter reason: String, in state: inout EditorState) -> [Effect] {
        if problem == nil { return state.modals.openExternally(self, again: reason) }
        refuse(reason, in: &state)
        return []
    }

    /// Writes the edited text. If the value has changed meanwhile, the user is asked first.
    func commit(_ body: String, in state: inout EditorState) -> [Effect] {
        var edit = self
        edit.given = body
        edit.isEdited = true
        do {
            return try edit.write(in: &state)
        } catch let error as SchemaViolation {
            state.modals.push(.question(error.question))
            return []
        } catch {
            return edit.edit(againAfter: reason(of: error), in: &state)
        }
    }

    private func write(in state: inout EditorState) throws -> [Effect] {
        let new = try newValue(given, state.format)
        guard case .value(let base, let path) = subject else { return try write(whole: new, in: &state) }
        // The text means the same value, or lacks only the remark.
        let isSame =
            switch new {
            case .propertyList(let value): base.content == .propertyList(value)
            case .json(let text): form == .oneLineJSON && base.json?.source == text
            }
        if isSame, !isUnsure {
            state.say("Unchanged.")
            return []
        }
        let current = state.current(at: path, of: suite)
        let node = new.node(replacing: base)
        switch ConflictDecision(base: base, now: current, new: node, isCertain: !isUnsure) {
        case .ask:
            state.modals.open(.conflict(ConflictDialog(.edited(self), new, base: base, holding: current)))
            return []
        case .nothingToDo:
            state.say(EditorState.sameValue)
            return []
        case .write, .merged:
            return try state.write(
                try state.existingSuite(suite).putting(new, at: path, inserting: false, .edited(self))
            )
        }
    }
}
