import PropertyList

/// Where a value comes from, so that one can go on with it.
enum EditSource: Sendable, Hashable {
    case draft(Draft)
    case edited(OutsideEdit)
}

/// A value that was to be written to a place that holds another by now: the user has to choose.
struct Conflict: Sendable, Hashable {
    var source: EditSource
    let new: NewValue
    /// What was there when the editing began; nil for nothing.
    let base: ValueNode?
    /// What the file held when this was asked; nil for nothing.
    let holding: ValueNode?
    /// It held something else when it was asked before.
    var isAskedAgain = false
    /// Others have changed an array on the way, so that it may have been another element.
    var isUnsure: Bool
    /// Of a suite that was edited as a whole all of it; the others have what is in the way alone.
    let whole: NewValue?

    init(
        _ source: EditSource,
        _ new: NewValue,
        base: ValueNode?,
        holding: ValueNode?,
        whole: NewValue? = nil
    ) {
        self.source = source
        self.source.isUnsure = false
        isUnsure = source.isUnsure
        self.new = new
        self.base = base
        self.holding = holding
        self.whole = whole
    }

    var suite: String {
        switch source {
        case .draft(let draft): draft.suite
        case .edited(let edit): edit.suite
        }
    }

    /// Empty for a whole suite.
    var path: ValuePath {
        switch source {
        case .draft(let draft): draft.path
        case .edited(let edit): if case .value(_, let path) = edit.subject { path } else { ValuePath() }
        }
    }

    func question(_ state: EditorState) -> String {
        (isAskedAgain ? "It has changed once more. " : "")
            + (isUnsure || source.isUnsure
                ? "Which element this was can't be told any more; this is \(path). " : "")
            + state.renewed(self).firstQuestion(state)
    }

    private func firstQuestion(_ state: EditorState) -> String {
        let lost = state.suiteIndex(suite).flatMap { state.suites[$0].isLost ? state.suites[$0].lost : nil }
        if whole != nil {
            if lost != nil { return state.kind.questionAboutWritingAgain(nil, of: suite) + "?" }
            let names = Set((base?.names ?? []) + (holding?.names ?? [])).sorted()
            let rest = names.count > 1 ? " and \(names.count - 1) more" : ""
            let what =
                holding?.names.isEmpty == true
                ? "gone from \(state.kind.name)" : "changed \(state.kind.inside) meanwhile"
            return "“\(names.first ?? "")”\(rest) \(what): write yours?"
        }
        func brief(_ node: ValueNode) -> String { state.brief(node, of: path.key, in: suite) }
        if let lost {
            let keys = state.counted(lost.count)
            return state.kind.questionAboutWritingAgain(keys, of: suite)
                + ", “\(path.lastName)” with \(brief(new.node))?"
        }
        guard let holding else {
            return "“\(path.lastName)” is gone from \(state.kind.name): put it back with \(brief(new.node))?"
        }
        let now = ValueKind(of: holding)
        let mine = ValueKind(of: base ?? new.node)
        let type = now == mine ? "" : "\(now.nameInSentence), "
        let words = state.comparison?.words(of: self) ?? ChangeInWords(holding, new.node, state.spelling)
        if state.hides(path.key, of: suite) {
            let secret =
                holding == new.node
                ? "the same secret as you have typed"
                : holding == base
                    ? "the secret that was there before" : "a new secret, another one than yours"
            return "\(state.kind.nameAtStart) holds \(secret) (v shows both): overwrite it with yours?"
        }
        guard let (place, more) = words.first(below: []) else {
            return "\(state.kind.nameAtStart) holds \(type)\(brief(holding)) now: "
                + "overwrite with \(brief(new.node))?"
        }
        if place.path.steps.isEmpty {
            return "\(state.kind.nameAtStart) holds \(type)\(place.old) now: overwrite with \(place.new)?"
        }
        let rest = more == 0 ? "" : ", and \(more == 1 ? "1 more place differs" : "\(more) more differ")"
        return
            "At \(place.path) \(state.kind.name) holds \(place.old), yours \(place.new)\(rest): overwrite with yours?"
    }
}

extension Conflict {
    /// What was edited, if it is a suite.
    fileprivate var wholeEdit: OutsideEdit? {
        if whole != nil, case .edited(let edit) = source { edit } else { nil }
    }
}

extension EditorState {
    /// Whether a conflict is about a secret, be it shown or not.
    var comparesSecrets: Bool {
        let place: (suite: String, key: String)? =
            if case .conflict(let conflict)? = input {
                (conflict.suite, conflict.path.key)
            } else {
                overtaken.map { ($0.suite, $0.key) }
            }
        guard let place, let index = suiteIndex(place.suite) else { return false }
        return suites[index].secrets.contains(place.key)
    }

    /// Shows what is compared, if that is a secret, or hides it again.
    mutating func toggleSecret(_ key: String, of suite: String) {
        if let index = suiteIndex(suite), suites[index].secrets.contains(key) {
            suites[index].toggleSecret(key)
        }
    }
}

extension ValueNode {
    var names: [String] {
        children.compactMap { if case .key(let name) = $0.step { name } else { nil } }
    }
}

extension EditorState {
    mutating func settle(_ action: EditorAction, _ conflict: Conflict) -> [EditorEffect] {
        switch action {
        case .answer(true): return overwrite(conflict)
        case .reveal: toggleSecret(conflict.path.key, of: conflict.suite)
        case .takeTheirs:
            if let edit = conflict.wholeEdit {
                return attempt { state throws in try state.settle(conflict, edit, overwriting: false) }
            }
            input = nil
            say("Left as \(kind.name) has it.")
        case .answer(false), .cancel:
            switch conflict.source {
            case .draft(var draft):
                draft.isUnsure = draft.isUnsure || conflict.isUnsure
                input = .draft(draft)
            case .edited(var edit):
                edit.isUnsure = edit.isUnsure || conflict.isUnsure
                input = nil
                return open(edit)
            }
        default: break
        }
        return []
    }

    /// The conflict as it stands now. What is shown follows the file; what may be overwritten does not.
    func renewed(_ conflict: Conflict) -> Conflict {
        if let edit = conflict.wholeEdit {
            return self.conflict(of: edit, conflict.whole ?? conflict.new) ?? conflict
        }
        let current = current(at: conflict.path, of: conflict.suite)
        var renewed = Conflict(conflict.source, conflict.new, base: conflict.base, holding: current)
        renewed.isUnsure = renewed.isUnsure || conflict.isUnsure
        return renewed
    }

    /// What the file holds at a place, as far as is known; nil where it is gone.
    func current(at path: ValuePath, of suite: String) -> ValueNode? {
        guard let index = suiteIndex(suite), !suites[index].isLost else { return nil }
        return suites[index].tree.node(at: path)
    }

    /// Writes over what was shown, and over nothing else.
    private mutating func overwrite(_ conflict: Conflict) -> [EditorEffect] {
        if let edit = conflict.wholeEdit {
            return attempt { state throws in try state.settle(conflict, edit, overwriting: true) }
        }
        let current = current(at: conflict.path, of: conflict.suite)
        guard current == conflict.holding, !conflict.source.isUnsure else {
            var conflict = renewed(conflict)
            conflict.isAskedAgain = true
            input = .conflict(conflict)
            return []
        }
        do {
            if let effects = try restore(with: conflict) {
                input = nil
                return effects
            }
            let effects = try put(
                conflict.new,
                at: conflict.path,
                of: conflict.suite,
                inserting: current == nil,
                conflict.source
            )
            input = nil
            return effects
        } catch let error as UndeclaredValue {
            ask(about: error)
            return []
        } catch {
            guard case .draft(var draft) = conflict.source else {
                input = nil
                complain(error)
                return []
            }
            draft.problem = sentence(reason(of: error))
            input = .draft(draft)
            return []
        }
    }
}
