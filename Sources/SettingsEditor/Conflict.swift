import PropertyList

/// A value that was to be written to a place that holds another by now: the user has to choose.
struct Conflict: Sendable, Hashable {
    /// Where the value comes from, so that one can go on with it.
    enum Source: Sendable, Hashable {
        case draft(Draft)
        case edited(OutsideEdit)
    }

    let source: Source
    let new: NewValue
    /// What was there when the editing began; nil for nothing.
    let base: ValueNode?
    /// What the file held when this was asked; nil for nothing.
    let holding: ValueNode?

    init(_ source: Source, _ new: NewValue, base: ValueNode?, holding: ValueNode?) {
        self.source = source
        self.new = new
        self.base = base
        self.holding = holding
    }

    var suite: String {
        switch source {
        case .draft(let draft): draft.suite
        case .edited(let edit): edit.suite
        }
    }

    var path: ValuePath {
        switch source {
        case .draft(let draft): draft.path
        case .edited(let edit): edit.path
        }
    }

    func question(_ state: EditorState) -> String {
        func brief(_ node: ValueNode) -> String { state.brief(node, of: path.key, in: suite) }
        guard let holding else {
            return "“\(path.lastName)” is gone from the file: put it back with \(brief(new.node))?"
        }
        let now = ValueKind(of: holding)
        let mine = ValueKind(of: base ?? new.node)
        let type = now == mine ? "" : "\(now.nameInSentence), "
        return "The file holds \(type)\(brief(holding)) now: overwrite with \(brief(new.node))?"
    }
}

extension EditorState {
    mutating func settle(_ action: EditorAction, _ conflict: Conflict) -> [EditorEffect] {
        switch action {
        case .answer(true): return overwrite(conflict)
        case .takeTheirs:
            input = nil
            say("Left as the file has it.")
        case .answer(false), .cancel:
            switch conflict.source {
            case .draft(let draft): input = .draft(draft)
            case .edited(let edit):
                input = nil
                outsideEdit = edit
                return [.edit(edit.outsideText)]
            }
        default: break
        }
        return []
    }

    /// What the file holds at a place, as far as is known; nil where it is gone.
    func current(at path: ValuePath, of suite: String) -> ValueNode? {
        guard let index = suiteIndex(suite), suites[index].lost == nil else { return nil }
        return suites[index].tree.node(at: path)
    }

    /// Writes over what was shown, and over nothing else.
    private mutating func overwrite(_ conflict: Conflict) -> [EditorEffect] {
        let current = current(at: conflict.path, of: conflict.suite)
        guard current == conflict.holding else {
            input = .conflict(
                Conflict(conflict.source, conflict.new, base: conflict.base, holding: current)
            )
            return []
        }
        // Its file goes on with this value alone.
        if current == nil, let index = suiteIndex(conflict.suite) { suites[index].forgetLost() }
        do {
            var draft: Draft?
            if case .draft(let typed) = conflict.source { draft = typed }
            let effects = try put(
                conflict.new,
                at: conflict.path,
                of: conflict.suite,
                inserting: current == nil,
                draft
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
            draft.problem = reason(of: error)
            input = .draft(draft)
            return []
        }
    }
}
