import PropertyList

extension EditorState {
    mutating func beginExternalEdit(_ row: Row, asXML: Bool) throws -> [Effect] {
        guard let suite else { return [] }
        if suite.hides(row.path.key) { throw Refusal.secret }
        var edit = try ExternalEdit(row.node, at: row.path, of: suite.id, asXML: asXML, format)
        edit.readOnlyReason = refusal(forWritingTo: suite)?.description
        return open(edit)
    }

    /// Handles the result of the user's editor.
    mutating func endExternalEdit(_ result: ExternalEditResult) -> [Effect] {
        guard let edit = modals.externalEdit else { return [] }
        modals.externalEdit = nil
        switch result {
        case .failed(let reason): refuse(edit, reason)
        case .text(let text):
            let body = edit.body(of: text)
            let isUnchanged = body.hasSameBytes(as: edit.given)
            if let reason = edit.readOnlyReason {
                if !isUnchanged { say("Not written: \(sentence(reason))", isProblem: true) }
                return []
            }
            if isUnchanged {
                if edit.isEdited {
                    refuse(edit, edit.problem ?? "the text was not saved.")
                } else {
                    say("Unchanged.")
                }
                return []
            }
            return commit(edit, body)
        }
        return []
    }

    /// Reports why nothing is written. Typed text is dropped only if the user wants that.
    private mutating func refuse(_ edit: ExternalEdit, _ reason: String) {
        let problem = "Not written: \(sentence(reason))"
        guard edit.isEdited else { return say(problem, isProblem: true) }
        modals.open(
            .question(Confirmation(text: "\(problem) Edit it again?", subject: .editAgain(edit, reason)))
        )
    }

    /// Writes the edited text. If the value has changed meanwhile, the user is asked first.
    mutating func commit(_ edit: ExternalEdit, _ body: String) -> [Effect] {
        var edit = edit
        edit.given = body
        edit.isEdited = true
        edit.problem = nil
        do {
            let new = try edit.newValue(body, format)
            guard case .value(let base, let path) = edit.subject else { return try commit(edit, whole: new) }
            // The text means the same value, or lacks only the remark.
            if case .propertyList(let value) = new, base.content == .propertyList(value), !edit.isUnsure {
                say("Unchanged.")
                return []
            }
            let current = current(at: path, of: edit.suite)
            guard current == base, !edit.isUnsure else {
                modals.open(.conflict(Conflict(.edited(edit), new, base: base, holding: current)))
                return []
            }
            return try put(new, at: path, of: edit.suite, inserting: false, .edited(edit))
        } catch let error as SchemaViolation {
            ask(about: error)
            return []
        } catch {
            return open(edit, again: reason(of: error))
        }
    }

    /// Opens a text again that was not written.
    mutating func open(_ edit: ExternalEdit, again problem: String? = nil) -> [Effect] {
        var edit = edit
        edit.problem = problem
        modals.externalEdit = edit
        return [.edit(edit.outsideText)]
    }
}

/// The result of the user's editor.
public enum ExternalEditResult: Sendable, Hashable {
    /// The text of the file.
    case text(String)
    /// Why there is no text, as a sentence.
    case failed(String)
}
