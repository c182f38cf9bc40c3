import PropertyList

// Values that are edited in their rows.
extension Draft: Component {
    func mode(in state: EditorState) -> Mode { kind.isBoolean ? .booleanDraft : .draft }

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
                state.modals.open(.conflict(Conflict(.draft(self), new, base: base, holding: current)))
                return []
            }
            let edit = try state.existingSuite(suite)
                .putting(new, at: path, inserting: purpose == .inserting, .draft(self))
            let effects = try state.write(edit, isAgreed: isAgreed)
            state.modals.closeAll()
            if kind == .propertyList(.date), let note = state.format.noteOnDate(line.text) { state.say(note) }
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
    /// The draft of a value in its row, or the menu of its possible values.
    func editing(_ row: Row) throws -> Outcome {
        guard let suite else { return .nothing }
        if let refusal = refusal(forWritingTo: suite) { throw refusal }
        if let menu = suite.caseMenu(for: row, format) { return .open(.menu(menu)) }
        if row.node.json?.kind == .null {
            let menu = Menu(
                suite: suite.id,
                path: row.path,
                title: "Type of “\(row.name)”",
                subject: .replacing(row.node),
                items: ValueKind.ofJSON.map { Menu.Item(text: $0.name, choice: .kind($0)) }
            )
            return .open(.menu(menu))
        }
        guard let text = format.editText(row.node) else {
            throw Refusal("This value cannot be edited in one line. Press E to edit it outside.")
        }
        var draft = Draft(
            suite: suite.id,
            path: row.path,
            purpose: .replacing(row.node),
            kind: suite.kind(of: row),
            text: text
        )
        draft.isOverDefault = row.depth == 0 && !suite.isStored(row.path.key)
        if suite.hides(row.path.key) {
            // A secret is typed anew, because its text must not be shown.
            draft.line = LineEditor()
            draft.original = ""
            draft.isHidden = true
        }
        return .open(.draft(draft))
    }

    /// The draft of a container that is stored as text. Other values are edited as Enter does.
    func editingText(of row: Row) throws -> Outcome {
        guard row.node.isContainer else { return try editing(row) }
        guard let suite else { return .nothing }
        if let refusal = refusal(forWritingTo: suite) { throw refusal }
        if suite.hides(row.path.key) { throw Refusal.secret }
        let text: String
        let kind: ValueKind
        switch row.node.content {
        case .json(let node): (text, kind) = (node.source, .json(node.kind))
        case .propertyList(.string(let string)): (text, kind) = (string, .propertyList(.string))
        case .propertyList(.data(let data)) where row.node.json != nil:
            (text, kind) = (String(decoding: data, as: UTF8.self), .jsonData)
        case .propertyList: throw Refusal("This value is not text. Press Enter to expand it.")
        }
        let draft = Draft(
            suite: suite.id,
            path: row.path,
            purpose: .replacing(row.node),
            kind: kind,
            text: text
        )
        return .open(.draft(draft))
    }

    /// - Throws: A refusal if the parent is gone or is no container any more.
    fileprivate func checkSurroundings(of draft: Draft) throws {
        guard let parent = draft.path.parent, !parent.steps.isEmpty, let index = suiteIndex(draft.suite),
            !suiteList.suites[index].isLost
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

extension SuiteModel {
    /// The change that puts a value at a path.
    ///
    /// - Parameter inserting: Whether the value is new. In an array, later elements move.
    func putting(
        _ new: NewValue,
        at path: ValuePath,
        inserting: Bool,
        _ source: EditSource? = nil
    ) throws -> SuiteEdit {
        let whole: PropertyListValue
        let old = ground(at: path)
        if path.steps.count == 1, old == nil {
            whole = new.asWhole
        } else if path.steps.count == 1, inserting {
            throw Refusal("“\(path.key)” already exists.")
        } else if let old {
            whole =
                inserting
                ? try old.inserting(new, at: path.inside) : try old.replacing(at: path.inside, with: new)
        } else {
            throw Refusal("“\(path.key)” is gone.")
        }
        var edit = SuiteEdit(of: id, [path.key: whole], selecting: path)
        edit.source = source
        edit.isInserted = inserting
        return edit
    }
}
