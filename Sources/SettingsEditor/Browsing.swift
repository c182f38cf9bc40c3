import PropertyList
import TerminalCanvas

// The panes, while nothing is being typed.
extension EditorState {
    mutating func browse(_ action: EditorAction) -> [EditorEffect] {
        if case .cancel = action {
            marksFound = false
            forgetHits()
        }
        if isSearching {
            runningSearch = nil
            // It ends nothing else.
            if case .cancel = action { return [] }
        }
        switch action {
        case .move(let movement):
            forgetUnseen()
            move(movement)
        case .count(let digit): type(digit: digit)
        case .chooseLevel: if focus == .keys { input = .choosingLevel }
        case .switchPane: if !options.isSingle { focus = focus == .suites ? .keys : .suites }
        case .search: beginSearch(isFilter: false)
        case .filter: beginSearch(isFilter: true)
        case .nextMatch: repeatSearch(forwards: true, count: count ?? 1)
        case .previousMatch: repeatSearch(forwards: false, count: count ?? 1)
        case .jump: return beginFinding(.jump)
        case .searchAll: return beginFinding(.search)
        case .chooseOnly: if suite != nil { input = .choosingOnly }
        case .palette: beginPalette()
        case .watch: toggleWatching()
        case .recover: return attempt { state throws in try state.askToRecover() }
        case .help: beginHelp()
        case .editSuiteOutside:
            return attempt { state throws in try state.beginEditingSuiteOutside(asXML: false) }
        case .editSuiteOutsideAsXML:
            return attempt { state throws in try state.beginEditingSuiteOutside(asXML: true) }
        case .undo: return undo()
        case .redo: return redo()
        case .history: beginHistory()
        case .toggleStaging: toggleStaging()
        case .pending: beginPending()
        case .cancel:
            if focus == .keys, let suite, !suite.marked.isEmpty {
                suites[selectedSuite].marked = []
            } else {
                cancel()
            }
        case .paste(let text): return attempt { state throws in try state.paste(text) }
        default: return focus == .suites ? browseSuites(action) : browseKeys(action)
        }
        return []
    }

    private mutating func browseSuites(_ action: EditorAction) -> [EditorEffect] {
        switch action {
        case .confirm, .right: if suite != nil { focus = .keys }
        case .add: return attemptOrMiss { state throws in try state.beginSuite() }
        case .delete: return attemptOrMiss { state throws in try state.askToDeleteSuite() }
        case .rename: return attemptOrMiss { state throws in try state.beginCopyingSuite(isRename: true) }
        case .duplicate: return attemptOrMiss { state throws in try state.beginCopyingSuite(isRename: false) }
        default: break
        }
        return []
    }

    private mutating func browseKeys(_ action: EditorAction) -> [EditorEffect] {
        switch action {
        case .add: return attempt { state throws in try state.beginAdding() }
        case .pasteCopied: return attempt { state throws in try state.pasteClips() }
        default: break
        }
        if let path = selectedRow?.path { suites[selectedSuite].tree.rows.finishReading(path) }
        guard let row = selectedRow else {
            if case .left = action, !options.isSingle { focus = .suites }
            return []
        }
        if let refusal = refusalOfEarly(action) {
            complain(refusal)
            miss()
            return []
        }
        if isRefused(action, forDeleted: row) {
            complain(Refusal("“\(row.path.key)” was deleted by others. R writes it again."))
            return []
        }
        switch action {
        case .right: goInto(row)
        case .left: goOutOf(row)
        case .confirm:
            if row.node.isContainer, suite?.hides(row.path.key) == true {
                complain(Refusal.secret)
            } else if row.node.isContainer {
                toggle(row)
            } else {
                return attempt { state throws in try state.beginEditing(row) }
            }
        case .findRevisions: return attempt { state throws in try state.askForRevisions(of: row) }
        case .editText: return attempt { state throws in try state.beginEditingText(row) }
        case .editOutside:
            return attempt { state throws in try state.beginEditingOutside(row, asXML: false) }
        case .editOutsideAsXML:
            return attempt { state throws in try state.beginEditingOutside(row, asXML: true) }
        case .rename: return attempt { state throws in try state.beginRenaming(row) }
        case .duplicate: return attempt { state throws in try state.duplicate(row) }
        case .changeType: return attempt { state throws in try state.beginChangingType(row) }
        case .raise: return attempt { state throws in try state.moveElement(row, up: true) }
        case .lower: return attempt { state throws in try state.moveElement(row, up: false) }
        case .mark: toggleMark(row)
        case .copy: beginCopying()
        case .reset: return attempt { state throws in try state.reset(state.shownTargets()) }
        case .reveal:
            return attempt { state throws in
                try state.toggleSecret(row)
                return []
            }
        // What is marked is acted upon together.
        case .flip: return attempt { state throws in try state.flip(state.shownTargets()) }
        case .delete: return attempt { state throws in try state.askToDelete(state.targets) }
        case .moveToSuite: return attempt { state throws in try state.beginMoving(state.targets) }
        default: break
        }
        return []
    }

    /// Whether something can't be done with a row, since it shows what has been deleted.
    private func isRefused(_ action: EditorAction, forDeleted row: Row) -> Bool {
        guard let suite, suite.tree.deleted.contains(row.path.key) else { return false }
        return switch action {
        case .right, .left, .reveal, .findRevisions: false
        case .confirm: !row.node.isContainer
        // What is marked is no deleted row.
        case .flip, .delete, .moveToSuite, .copy: targets.isEmpty || targets == [row.path]
        default: true
        }
    }

    /// Does something that can be refused, and says why it is.
    mutating func attempt(_ body: (inout EditorState) throws -> [EditorEffect]) -> [EditorEffect] {
        do {
            return try body(&self)
        } catch let error as UndeclaredValue {
            ask(about: error)
        } catch {
            complain(error)
        }
        return []
    }

    /// Likewise; where it is refused, what was typed behind was meant for what it asks.
    private mutating func attemptOrMiss(_ body: (inout EditorState) throws -> [EditorEffect])
        -> [EditorEffect]
    {
        let effects = attempt(body)
        if input == nil, message?.isProblem == true { miss() }
        return effects
    }
}

// Moving.
extension EditorState {
    private mutating func move(_ movement: Movement) {
        switch focus {
        case .suites:
            let shown = shownSuites
            guard !shown.isEmpty else { return }
            let height = Layout(self, size).suites?.rows ?? Layout(self, size).body.count
            let place = shown.firstIndex(of: selectedSuite) ?? 0
            selectedSuite =
                shown[movement.target(from: place, count: shown.count, page: height, times: count)]
        case .keys:
            guard let tree = suite?.tree, !tree.rows.isEmpty else { return }
            let target =
                switch movement {
                case .nextSibling: tree.sibling(of: tree.selected, forwards: true, times: count ?? 1)
                case .previousSibling: tree.sibling(of: tree.selected, forwards: false, times: count ?? 1)
                default:
                    movement.target(
                        from: tree.selected,
                        count: tree.rows.count,
                        page: Layout(self, size).keyRows,
                        times: count
                    )
                }
            suites[selectedSuite].tree.select(target)
        }
    }

    mutating func type(digit: Int) {
        // A number that starts with 0 would do nothing.
        guard digit > 0 || count != nil else { return }
        count = min((count ?? 0) * 10 + digit, 999_999_999)
    }

    /// Ends what there is to end: a number, a filter, the sight of what was deleted.
    private mutating func cancel() {
        if count != nil { return }
        if isFiltered { return clearFilter() }
        if let suite, suite.isLost, let lost = suite.lost {
            input = .question(
                Question(
                    text: kind.questionAboutForgetting(counted(lost.count), of: suite.title),
                    subject: .forgetLost(suite: suite.id)
                )
            )
        }
    }

    mutating func chooseOnly(_ action: EditorAction) {
        guard case .showOnly(let selection) = action else {
            if case .cancel = action { input = nil }
            return
        }
        input = nil
        guard let suite else { return }
        focus = .keys
        suites[selectedSuite].setFilter(
            RowFilter.setting(suite.filter(of: selection), in: suite.tree.filter),
            from: suite.tree.selectedRow?.path
        )
    }

    mutating func chooseLevel(_ action: EditorAction) {
        switch action {
        case .level(let level):
            input = nil
            if suite != nil { suites[selectedSuite].tree.openToLevel(level) }
        case .cancel: input = nil
        default: break
        }
    }

    private mutating func goInto(_ row: Row) {
        guard row.node.isContainer, suite?.hides(row.path.key) != true else { return }
        let selected = suites[selectedSuite].tree.selected
        if !row.isOpen {
            suites[selectedSuite].tree.open(selected)
        } else if row.node.childCount > 0 {
            suites[selectedSuite].tree.select(selected + 1)
        }
    }

    private mutating func goOutOf(_ row: Row) {
        let selected = suites[selectedSuite].tree.selected
        if row.isOpen {
            suites[selectedSuite].tree.close(selected)
        } else if let parent = suites[selectedSuite].tree.parent(of: selected) {
            suites[selectedSuite].tree.select(parent)
        } else if !options.isSingle {
            focus = .suites
        }
    }

    private mutating func toggle(_ row: Row) {
        let selected = suites[selectedSuite].tree.selected
        if row.isOpen {
            suites[selectedSuite].tree.close(selected)
        } else {
            suites[selectedSuite].tree.open(selected)
        }
    }
}

extension Movement {
    /// Where it leads, done so many times, in a list, which is not empty, and shows `page` rows at a time.
    func target(from place: Int, count: Int, page: Int, times: Int? = nil) -> Int {
        let number = times ?? 1
        let target =
            switch self {
            case .up, .previousSibling: place - number
            case .down, .nextSibling: place + number
            case .pageUp: place - number * max(1, page - 1)
            case .pageDown: place + number * max(1, page - 1)
            case .halfPageUp: place - number * max(1, page / 2)
            case .halfPageDown: place + number * max(1, page / 2)
            case .first: number - 1
            case .last: (times ?? count) - 1
            }
        return max(0, min(target, count - 1))
    }
}

extension EditorAction {
    var isCount: Bool { if case .count = self { true } else { false } }
}
