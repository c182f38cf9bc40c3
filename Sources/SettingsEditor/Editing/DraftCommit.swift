import PropertyList

// Handles the keys while a value is typed in its row, and writes the value.
extension Draft: Component {
    var keyMode: Mode { kind.isBoolean ? .booleanDraft : .draft }

    func handle(_ command: Command, in state: inout EditorState) -> [Effect] {
        var draft = self
        switch command {
        case .confirm: return commit(in: &state)
        case .cancel: state.modals.closeAll()
        case .flip:
            draft.line.replace(with: line.text == "true" ? "false" : "true")
            draft.problem = nil
            state.modals.replaceTop(.draft(draft))
        case .changeForm:
            draft.changeForm()
            state.modals.replaceTop(.draft(draft))
        default: _ = state.typeInLine(command)
        }
        return []
    }

    /// Writes the draft. If the value has changed meanwhile, or if a declaration forbids the new value, the user is
    /// asked first.
    func commit(in state: inout EditorState, isAgreed: Bool = false) -> [Effect] {
        var draft = self
        do {
            let typed = isUnchanged ? nil : try state.newValue(of: self)
            let decision = state.decision(on: self, writing: typed?.node(replacing: base) ?? base)
            if decision == .nothingToDo {
                state.modals.closeAll()
                if typed != nil, state.current(at: path, of: suite) != base, !isOverDefault {
                    state.say(EditorState.sameValue)
                }
                return []
            }
            let new = try typed ?? state.newValue(of: self)
            // A lock that came meanwhile is no conflict, because nothing can be overwritten.
            if let refusal = try state.existingSuite(suite).refusal(ofChanging: path.key) { throw refusal }
            if purpose == .inserting, isUnsure {
                draft.isUnsure = false
                draft.problem = "Not written: \(Refusal.unsure) Press Enter to write to \(path) anyway."
                state.modals.open(.draft(draft))
                return []
            }
            if decision.isQuestion {
                let current = state.current(at: path, of: suite)
                if current == nil { try state.checkSurroundings(of: self) }
                state.modals.open(.conflict(ConflictDialog(.draft(self), new, base: base, holding: current)))
                return []
            }
            let edit = try state.existingSuite(suite)
                .putting(new, at: path, inserting: purpose == .inserting, .draft(self))
            let effects = try state.write(edit, isAgreed: isAgreed)
            state.modals.closeAll()
            return effects
        } catch let error as SchemaViolation {
            state.modals.open(.draft(self))
            state.modals.push(.question(error.question(about: .invalid)))
            return []
        } catch {
            let model = try? state.existingSuite(suite)
            let isRefused = model.map { state.refusal(forWritingTo: $0) != nil } ?? false
            draft.problem = isHidden && !isRefused ? "The typed text is not valid." : reason(of: error)
            state.modals.open(.draft(draft))
            return []
        }
    }
}

extension EditorState {
    /// - Throws: A refusal if the parent is gone or is no container any more.
    fileprivate func checkSurroundings(of draft: Draft) throws {
        guard let parent = draft.path.parent, !parent.steps.isEmpty, let index = suiteIndex(draft.suite)
        else { return }
        guard let node = suiteList.suites[index].outline.node(at: parent) else {
            throw Refusal("“\(parent.lastName)”, which contained it, was deleted\(wordsOnBase(of: draft)).")
        }
        if !node.isContainer {
            let kind = ValueKind(of: node).nameInSentence
            let value = draft.isHidden ? "" : ", \(summary(node, of: draft.path.key, in: draft.suite)),"
            throw Refusal(
                "“\(parent.lastName)” is now \(kind)\(value) and cannot contain it\(wordsOnBase(of: draft))."
            )
        }
    }

    /// The value when the editing began, for the end of a sentence.
    private func wordsOnBase(of draft: Draft) -> String {
        guard !draft.isHidden, let base = draft.base else { return "" }
        return "; when you started it was \(summary(base, of: draft.path.key, in: draft.suite))"
    }
}
