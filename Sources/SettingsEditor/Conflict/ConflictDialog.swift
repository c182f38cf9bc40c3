import PropertyList

/// The user's value for a path whose stored value has changed since the editing began. The user decides which
/// one stays.
struct ConflictDialog: Sendable, Hashable {
    var source: EditSource
    let new: NewValue
    /// The value when the editing began; nil if there was none.
    let base: ValueNode?
    /// The stored value when the user was asked; nil if there was none.
    let holding: ValueNode?
    /// Whether the stored value changed again after the user was asked.
    var isAskedAgain = false
    /// Whether foreign changes of an array make it uncertain which element was edited.
    var isUnsure: Bool
    /// For a suite that was edited as a whole: all of it. `new` then has the keys in conflict only.
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
}

extension ConflictDialog {
    /// The external edit, if a whole suite was edited.
    fileprivate var wholeEdit: ExternalEdit? {
        if whole != nil, case .edited(let edit) = source { edit } else { nil }
    }
}

extension ValueNode {
    var names: [String] {
        children.compactMap { if case .key(let name) = $0.step { name } else { nil } }
    }
}

extension ConflictDialog: Component {
    var keyMode: Mode { .conflict }

    func paint(_ painter: inout Painter) { painter.paintConflict(whole == nil ? path.lastName : suite) }

    func handle(_ command: Command, in state: inout EditorState) -> [Effect] {
        switch command {
        case .answer(true): return overwrite(in: &state)
        case .reveal: state.suiteList.toggleSecret(path.key, of: suite)
        case .takeTheirs:
            if let edit = wholeEdit {
                return state.attempt { state throws in try edit.settle(self, overwriting: false, in: &state) }
            }
            state.modals.closeAll()
            state.say("Discarded your change.")
        case .answer(false), .cancel:
            switch source {
            case .draft(var draft):
                draft.isUnsure = draft.isUnsure || isUnsure
                state.modals.open(.draft(draft))
            case .edited(var edit):
                edit.isUnsure = edit.isUnsure || isUnsure
                state.modals.closeAll()
                return state.modals.openExternally(edit)
            }
        default: break
        }
        return []
    }
}

extension EditorState {
    /// The conflict with the value that is stored now. The screen follows the file, but only a value that was
    /// shown may be overwritten.
    func renewed(_ conflict: ConflictDialog) -> ConflictDialog {
        if let edit = conflict.wholeEdit {
            let suite = try? existingSuite(edit.suite)
            return suite.flatMap { edit.conflict(conflict.whole ?? conflict.new, in: $0) } ?? conflict
        }
        let current = current(at: conflict.path, of: conflict.suite)
        var renewed = ConflictDialog(conflict.source, conflict.new, base: conflict.base, holding: current)
        renewed.isUnsure = renewed.isUnsure || conflict.isUnsure
        return renewed
    }
}

extension ConflictDialog {
    /// Writes the user's value, if the stored value is still the one that was shown.
    private func overwrite(in state: inout EditorState) -> [Effect] {
        if let edit = wholeEdit {
            return state.attempt { state throws in try edit.settle(self, overwriting: true, in: &state) }
        }
        let current = state.current(at: path, of: suite)
        let decision = ConflictDecision(
            base: holding,
            now: current,
            new: new.node(replacing: holding),
            isCertain: !source.isUnsure
        )
        if decision.isQuestion {
            var conflict = state.renewed(self)
            conflict.isAskedAgain = true
            state.modals.open(.conflict(conflict))
            return []
        }
        do {
            let edit = try state.existingSuite(suite)
                .putting(new, at: path, inserting: current == nil, source)
            let effects = try state.write(edit)
            state.modals.closeAll()
            return effects
        } catch let error as SchemaViolation {
            state.modals.push(.question(error.question))
            return []
        } catch {
            guard case .draft(var draft) = source else {
                state.modals.closeAll()
                state.complain(error)
                return []
            }
            draft.problem = sentence(reason(of: error))
            state.modals.open(.draft(draft))
            return []
        }
    }
}
