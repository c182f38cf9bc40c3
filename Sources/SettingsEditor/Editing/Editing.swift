import FoundationEssentials
import PropertyList

// Values that are edited in their rows.
extension Draft: Component {
    func mode(in state: EditorState) -> Mode { kind.isBoolean ? .booleanDraft : .draft }

    func handle(_ command: Command, in state: inout EditorState) -> [Effect] {
        switch command {
        case .confirm: return state.commit(self)
        case .cancel: state.modals.closeAll()
        case .flip:
            var draft = self
            draft.line.replace(with: line.text == "true" ? "false" : "true")
            draft.problem = nil
            state.modals.replaceTop(.draft(draft))
        case .changeForm: state.changeForm(of: self)
        default: _ = state.typeInLine(command)
        }
        return []
    }
}

extension EditorState {
    mutating func beginEditing(_ row: Row) throws -> [Effect] {
        guard let suite else { return [] }
        if let refusal = refusal(forWritingTo: suite) { throw refusal }
        if beginChoosingCase(row) { return [] }
        if row.node.json?.kind == .null {
            modals.open(
                .menu(
                    Menu(
                        suite: suite.id,
                        path: row.path,
                        title: "Type of “\(row.name)”",
                        subject: .replacing(row.node),
                        items: ValueKind.ofJSON.map { Menu.Item(text: $0.name, choice: .kind($0)) }
                    )
                )
            )
            return []
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
        modals.open(.draft(draft))
        return []
    }

    /// Edits a container that is stored as text. Other values are edited as Enter does.
    mutating func beginEditingText(_ row: Row) throws -> [Effect] {
        guard row.node.isContainer else { return try beginEditing(row) }
        guard let suite else { return [] }
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
        modals.open(
            .draft(
                Draft(suite: suite.id, path: row.path, purpose: .replacing(row.node), kind: kind, text: text)
            )
        )
        return []
    }

    /// Writes the draft. If the value has changed meanwhile, or if a declaration forbids the new value, the user is
    /// asked first.
    mutating func commit(_ draft: Draft, isAgreed: Bool = false) -> [Effect] {
        var draft = draft
        do {
            let draftStatus = draftStatus(of: draft)
            if draftStatus == .same, draft.isUnchanged {
                modals.closeAll()
                return []
            }
            let new = try newValue(of: draft)
            if draftStatus == .gone { try checkSurroundings(of: draft) }
            if draft.purpose == .inserting, draft.isUnsure {
                draft.isUnsure = false
                draft.problem = "Not written: \(Refusal.unsure) Press Enter to write to \(draft.path) anyway."
                modals.open(.draft(draft))
                return []
            }
            if draftStatus != .same {
                modals.open(
                    .conflict(
                        Conflict(.draft(draft), new, base: draft.base, holding: draftStatus.changedNode)
                    )
                )
                return []
            }
            let effects = try put(
                new,
                at: draft.path,
                of: draft.suite,
                inserting: draft.purpose == .inserting,
                .draft(draft),
                isAgreed: isAgreed
            )
            modals.closeAll()
            if draft.kind == .propertyList(.date), let note = format.noteOnDate(draft.line.text) {
                say(note)
            }
            return effects
        } catch let error as SchemaViolation {
            modals.open(.draft(draft))
            modals.push(
                .question(
                    Confirmation(text: "\(sentence("\(error)")) Write it anyway?", subject: .invalid)
                )
            )
            return []
        } catch {
            let refusal = suiteIndex(draft.suite).flatMap { self.refusal(forWritingTo: suiteList.suites[$0]) }
            let isSilent = draft.isHidden && refusal == nil
            draft.problem = isSilent ? "The typed text is not valid." : reason(of: error)
            modals.open(.draft(draft))
            return []
        }
    }

    /// - Throws: A refusal if the parent is gone or is no container any more.
    private func checkSurroundings(of draft: Draft) throws {
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

    /// Writes a value at a path, and selects the path.
    mutating func put(
        _ new: NewValue,
        at path: ValuePath,
        of suite: String,
        inserting: Bool,
        _ source: EditSource? = nil,
        isAgreed: Bool = false
    ) throws -> [Effect] {
        guard let index = suiteIndex(suite) else { throw Refusal("“\(suite)” is gone.") }
        let stored = suiteList.suites[index].value(forKey: path.key)
        let old = suiteList.suites[index].ground(at: path)
        let whole: PropertyListValue
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
        let effects =
            whole == stored ? [] : try write([path.key: whole], of: suite, source, isAgreed: isAgreed)
        suiteList.suites[index].outline.select(path)
        if inserting, suiteList.suites[index].outline.filter != nil,
            !suiteList.suites[index].outline.filterPasses(path)
        {
            say("The filter hides “\(path.lastName)”. Press Esc to show all.")
        }
        return effects
    }
}
